"""The features that weigh most, in words: what a model goes by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.chain import Floats
from elision.taggers.linear.learning import KEY_BITS
from elision.taggers.linear.model import Linear


@dataclass(frozen=True, slots=True)
class TopFeature:
    """A feature such as `lower[-1]=dr`, and how much it speaks for a tag or, below zero, against it."""

    feature: str
    tag: str
    weight: float


def top_features(linear: Linear, count: int) -> dict[str, list[TopFeature]]:
    """For each label the features with the greatest weights, for or against one of its tags."""
    w, dense = linear.weights, linear.weights.dense
    rows, joint_rows = np.repeat(np.arange(len(w.keys)), np.diff(w.begins)), w.names.astype(np.int64)
    found: dict[str, list[TopFeature]] = {}
    for at, tag in enumerate(linear.labels):
        label = tag[2:] if tag[:2] in ("B-", "I-") else tag
        alone, together = np.abs(dense[:, at]), joint_rows == at
        best = _greatest(alone, count)
        joint = np.flatnonzero(together)
        joint = joint[_greatest(np.abs(w.weights[joint]), count)]
        features = [TopFeature(_name_alone(linear, row), tag, float(dense[row, at])) for row in best.tolist()]
        features += [
            TopFeature(_name_together(linear, int(w.keys[rows[one]])), tag, float(w.weights[one]))
            for one in joint.tolist()
        ]
        found.setdefault(label, []).extend(feature for feature in features if feature.weight)
    return {label: sorted(features, key=_order)[:count] for label, features in found.items()}


def _order(feature: TopFeature) -> tuple[float, str, str]:
    return -abs(feature.weight), feature.tag, feature.feature


def _greatest(values: Floats, count: int) -> npt.NDArray[np.int64]:
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[-count:]


def _name_alone(linear: Linear, row: int) -> str:
    """The feature of one row of the features alone."""
    for template, first in zip(linear.templates, linear.weights.bases, strict=True):
        name, offset = template.terms[0]
        if 0 <= first <= row < first + len(linear.values[name]):
            where = f"{{{offset}..{template.terms[-1][1]}}}" if template.any_of else f"[{offset}]"
            return f"{name}{where}={_shown(linear.values[name][row - first])}"
    raise AssertionError("a row of no template")


def _name_together(linear: Linear, key: int) -> str:
    """The feature behind a conjunction's key: the number of its template, then of each value."""
    for number, template in enumerate(linear.templates, 1):
        if not template.alone and key >> KEY_BITS * len(template.terms) == number:
            return " ".join(_terms(linear, template.terms, key))
    raise AssertionError("a key of no template")


def _terms(linear: Linear, terms: tuple[tuple[str, int], ...], key: int) -> Iterator[str]:
    for at, (name, offset) in enumerate(terms, 1):
        value = key >> KEY_BITS * (len(terms) - at) & (1 << KEY_BITS) - 1
        yield f"{name}[{offset}]={_shown(linear.values[name][value - 1])}"


def _shown(value: str) -> str:
    """A value as it stands if that can be read, in quotes if not."""
    return value if value.isprintable() and value.strip() == value and value else ascii(value)
