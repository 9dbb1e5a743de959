"""The features of notes and the scores of a model in plain Python, and small models to compare with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import settings
from hypothesis import strategies as st

from elision.taggers import kernels
from elision.taggers.batch import gather
from elision.taggers.chain import padded
from elision.taggers.linear.attributes import form
from elision.taggers.linear.columns import Attributes, Values
from elision.taggers.linear.context_features import PLACES
from elision.taggers.linear.features import Template, templates
from elision.taggers.linear.learning import Rows, features_of
from elision.taggers.linear.model import Linear
from elision.taggers.linear.pruning import weights_of
from tests import EXAMPLES

Floats = npt.NDArray[np.float32]
Feature = tuple[int, tuple[str, ...]]  # the number of its template, the values

PIECES = ["Roe", "Roe", "roe", "Dr", "Ward", ":", "12", "12/31", "é", "李", ".", "\n", "\n", "\r", " ", " ", " ", "😀"]
LINES = [
    "lower[0]", "lower[-2..2]", "plain{-3..-1}", "shape{0..0}", "key[0]", "gap[-1..1]", "line-place{0..2}",
    "suffix2[8]", "prefix1{-8..8}", "short[-1]", "elsewhere[0]", "lower[-1] lower[0]", "key[0] lower[-8]",
    "line-place[0] gap[1]", "lower[-1] lower[0] lower[1]", "shape[0] gap[0] key[1]", "key[0] gap[-1] line-place[0]",
]  # fmt: skip
# Each case learns, scores and compares models.
fewest = settings(max_examples=max(1, EXAMPLES * 2 // 5))

texts = st.lists(st.lists(st.sampled_from(PIECES), max_size=14).map("".join), min_size=1, max_size=4)
lines = st.lists(st.sampled_from(LINES), min_size=1, max_size=6, unique=True)


@contextmanager
def kernels_of(by: ModuleType) -> Iterator[None]:
    """With these kernels, whichever the environment chose."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("decode", "viterbi", "learn", "emit", "fill", "index_keys", "number"):
            patch.setattr(kernels, name, getattr(by, name))
        yield


def attributes_of(text: str, names: Sequence[str]) -> list[dict[str, str]]:
    """What each attribute says of each token of a note."""
    batch = gather([text])
    said: list[dict[str, str]] = [{} for _ in range(len(batch))]
    for name in names:
        if name in PLACES:
            codes, meanings = PLACES[name](batch)
            found = [meanings[code] for code in codes.tolist()]
        else:
            function = form(name)
            assert function
            found = [function(token) for token in batch.tokens.texts(batch.text)]
        for token, value in zip(said, found, strict=True):
            token[name] = value
    return said


def features(text: str, declared: Sequence[Template], values: Values) -> list[list[Feature | None]]:
    """For each token of a note its features, None where one would need what is not there or not known."""
    said = attributes_of(text, list(values))

    def value(name: str, at: int) -> str | None:
        there = said[at][name] if 0 <= at < len(said) else ""
        return there if there in values[name] else None

    def feature(number: int, terms: Sequence[tuple[str, int]], at: int) -> Feature | None:
        found = [value(name, at + offset) for name, offset in terms]
        return (number, tuple(map(str, found))) if None not in found else None

    return [
        [
            feature(number, terms, at)
            for number, template in enumerate(declared)
            for terms in ([[term] for term in template.terms] if template.alone else [template.terms])
        ]
        for at in range(len(said))
    ]


def features_in(texts: Sequence[str], declared: Sequence[Template], values: Values) -> list[list[Feature | None]]:
    return [token for text in texts for token in features(text, declared, values)]


@dataclass(frozen=True)
class Made:
    """A model whose weights are whole eighths, so that sums are exact, and the same weights by feature."""

    linear: Linear
    rows: Rows
    weights: dict[Feature, Floats]
    texts: list[str]

    def plainly(self, texts: Sequence[str]) -> Floats:
        """The scores of every token of these notes."""
        found = features_in(texts, self.linear.templates, self.linear.values)
        sums = np.zeros((len(found), self.linear.width), np.float32)
        for row, token in zip(sums, found, strict=True):
            for feature in token:
                row += self.weights.get(feature, np.float32(0)) if feature else np.float32(0)
        return sums


def made(texts: list[str], lines: list[str], labels: int, seed: int, share: float) -> Made:
    """A model of all features of these notes; about so great a share of the weights is not zero."""
    declared, batch = templates(lines), gather(texts)
    attributes, groups = Attributes(declared), np.arange(len(texts), dtype=np.int32)
    values = attributes.values(batch, 1, groups)
    rows = features_of(batch, declared, attributes, values, 1, groups)
    rng = np.random.default_rng(seed)
    w = np.zeros((rows.features, padded(labels)), np.float32)
    w[:, :labels] = rng.integers(-80, 81, (len(w), labels)) / 8 * (rng.random((len(w), labels)) < share)
    turns = np.zeros((labels + 1, padded(labels)), np.float32)
    turns[:, :labels] = rng.normal(size=(labels + 1, labels))
    linear = Linear([f"T{at}" for at in range(labels)], declared, values, weights_of(rows, w, turns))
    known = {
        (number, (value,)): w[base + at]
        for number, (template, base) in enumerate(zip(declared, rows.bases, strict=True))
        if template.alone
        for at, value in enumerate(values[template.terms[0][0]])
    }
    found = features_in(texts, declared, values)
    met = {
        feature: w[row]
        for token, numbers in zip(found, rows.rows.tolist(), strict=True)
        for feature, row in zip(token, numbers, strict=True)
        if feature
    }
    return Made(linear, rows, known | met, texts)


models = st.builds(
    made, texts, lines, labels=st.sampled_from([1, 3, 8, 9]), seed=st.integers(0, 1 << 32),
    share=st.sampled_from([0.0, 0.1, 0.5, 1.0]),
)  # fmt: skip


def scored(linear: Linear, texts: Sequence[str]) -> Floats:
    """The model's scores of every token of these notes."""
    batch = gather(texts)
    first, after = int(batch.spread[0]) if len(batch) else 8, batch.spread_size - 8
    return linear.scores(first, after, linear.columns(batch))[batch.spread - first]
