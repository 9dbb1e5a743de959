"""A linear model's weights as arrays and back, and a tagger as a folder; `kind` has the way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from elision.models import store
from elision.models.store import Stored
from elision.taggers.chain import Floats, padded
from elision.taggers.linear.attributes import FORM
from elision.taggers.linear.context_features import Place
from elision.taggers.linear.dense import Dense, stored
from elision.taggers.linear.features import Template
from elision.taggers.linear.model import Linear, Sparse, Weights
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import groups_version, stored_groups


def arrays_of(linear: Linear) -> dict[str, npt.NDArray[Any]]:
    """A model's weights as arrays: for each feature how many there are, then all labels and all weights in a row."""
    w = linear.weights
    return {
        "counts": np.concatenate((np.diff(w.alone.begins), np.diff(w.begins))).astype(np.uint8),
        "names": np.concatenate((w.alone.names, w.names)),
        "weights": _halves(np.concatenate((w.alone.weights, w.weights))),
        "keys": w.keys,
        "turns": w.turns,
    }


def _halves(weights: Floats) -> npt.NDArray[Any]:
    """In half precision if that is the same; weights of CRFsuite's stay as they are, so that its tags stay, too."""
    halves = weights.astype(np.float16)
    return halves if np.array_equal(halves, weights) else weights


def linear_of(
    model: Stored,
    labels: Sequence[str],
    lines: tuple[Template, ...],
    places: Mapping[str, Place] | None = None,
    forms: Mapping[str, FORM] | None = None,
    apart: str = "",
    dense: Dense | None = None,
) -> Linear:
    """The way back, from arrays and values of attributes; a ValueError or KeyError where they do not fit together.
    `apart` is a list of strings that holds no values."""
    values = {str(name): tuple(known) for name, known in model.vocabulary.items() if name != apart}
    if missing := {name for template in lines for name, _ in template.terms} - set(values):
        raise KeyError(f"{len(missing)} attributes without values")
    sizes = [len(values[template.terms[0][0]]) if template.alone else 0 for template in lines]
    bases, alone = [], 0
    for template, size in zip(lines, sizes, strict=True):
        bases.append(alone if template.alone else -1)
        alone += size
    weights = _weights(model.arrays, alone, tuple(bases), padded(len(labels)), len(labels))
    return Linear(labels, lines, values, weights, places, forms, dense)


def _weights(
    arrays: Mapping[str, npt.NDArray[Any]], alone: int, bases: tuple[int, ...], width: int, labels: int
) -> Weights:
    """The arrays, checked: what the kernels index with must lie within what they index."""
    if arrays["counts"].dtype != np.uint8:
        raise ValueError("counts that could be negative")
    counts, names, keys = arrays["counts"].astype(np.int64), arrays["names"], arrays["keys"].astype(np.uint64)
    values, turns = arrays["weights"].astype(np.float32), np.ascontiguousarray(arrays["turns"], np.float32)
    if len(counts) != alone + len(keys) or int(counts.sum()) != len(names) or len(names) != len(values):
        raise ValueError("arrays of different lengths")
    if names.dtype != np.uint8 or (len(names) and int(names.max()) >= labels) or turns.shape != (labels + 1, width):
        raise ValueError("labels that are not there")
    if not (np.isfinite(values).all() and np.isfinite(turns).all()) or bool((np.diff(keys.astype(object)) <= 0).any()):
        raise ValueError("numbers that cannot be")
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts)))
    split = int(edges[alone])
    rows = Sparse(edges[: alone + 1].astype(np.int32), names[:split], values[:split])
    begins = (edges[alone:] - split).astype(np.int32)
    return Weights(rows, bases, keys, begins, names[split:], values[split:], turns)


if TYPE_CHECKING:
    from elision.taggers.linear.tagger import LinearTagger


def save(tagger: LinearTagger, folder: Path, *, overwrite: bool) -> int:
    card = {
        **tagger.card,
        "settings": tagger.settings.as_json(),
        "tags": list(tagger.chain.tags),
        "unit": tagger.unit,
        "calibration": [tagger.calibration.slope, tagger.calibration.shift],
        "word_groups": groups_version(tagger.settings),
    }
    words, numbers = stored_groups(tagger.word_groups)
    known, vectors = stored(tagger.linear.dense)
    vocabulary = {**tagger.linear.values, **words, **known}
    arrays = {**arrays_of(tagger.linear), **numbers, **vectors}
    return store.save(folder, store.Stored(Settings.kind, card, vocabulary, arrays), overwrite=overwrite)
