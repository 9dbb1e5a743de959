"""Counts of every note, side by side, and the figures that follow from their sums.

All measures start as arrays with one row a note. Sums over notes give the figures; weighted sums give
the same figures for resampled notes, which is how `stats` gets intervals and tests from any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.labels import canonical


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of one comparison; they add up over notes. Nothing to divide by gives 0.0."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Score:
    """A finished comparison, with its figures as plain fields. Make it with `score`.

    `found` of `gold` were found, `right` of `system` are right; the two are equal unless one thing on a side
    can match several on the other (an overlap does, equal offsets do not).
    """

    gold: int
    found: int
    system: int
    right: int
    precision: float
    recall: float
    f1: float


def score(gold: int, found: int, system: int, right: int) -> Score:
    precision, recall = ratio(right, system), ratio(found, gold)
    return Score(gold, found, system, right, precision, recall, harmonic(precision, recall))


def ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1 of a precision and a recall, 0.0 where both are 0."""
    return ratio(2 * precision * recall, precision + recall)


Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """What one way of counting gives: one row a note and, in a tally by label, one column a label.

    `found` is the part of gold that the system has, `right` the part of the system that gold has. They are the
    same number where gold and system match one to one, as strict spans do.
    """

    gold: Ints
    found: Ints
    system: Ints
    right: Ints

    def columns(self) -> Floats:
        """The four counts as columns (notes × 4), the form in which `precision`, `recall` and `f1` take them."""
        return np.stack([self.gold, self.found, self.system, self.right], axis=-1).astype(np.float64)

    def score(self) -> Score:
        """Everything added up."""
        return score(int(self.gold.sum()), int(self.found.sum()), int(self.system.sum()), int(self.right.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class LabelTally:
    """A tally by label: the arrays of `by_label` are notes × labels."""

    labels: tuple[str, ...]
    by_label: Tally

    def all(self) -> Tally:
        """All labels together, one row a note."""
        by_label = self.by_label
        return Tally(
            by_label.gold.sum(axis=1),
            by_label.found.sum(axis=1),
            by_label.system.sum(axis=1),
            by_label.right.sum(axis=1),
        )

    def of(self, label: str) -> Tally:
        """One label, one row a note."""
        at, by_label = self.labels.index(label), self.by_label
        return Tally(by_label.gold[:, at], by_label.found[:, at], by_label.system[:, at], by_label.right[:, at])


def precision(sums: Floats) -> Floats:
    """From sums of gold, found, system, right in the last axis; NaN where there is nothing to divide by."""
    return divide(sums[..., 3], sums[..., 2])


def recall(sums: Floats) -> Floats:
    """As `precision`."""
    return divide(sums[..., 1], sums[..., 0])


def f1(sums: Floats) -> Floats:
    """As `precision`; 0 where nothing is right, NaN only where both sides are empty."""
    gold, found, system, right = (sums[..., at] for at in range(4))
    values = np.nan_to_num(divide(2 * found * right, right * gold + found * system))
    return np.where(gold + system > 0, values, np.nan)


def divide(part: Floats, whole: Floats) -> Floats:
    """Part by whole, NaN where the whole is 0."""
    values: Floats = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole != 0)
    return values


def count_labels(rows: Sequence[Iterable[str]], labels: Sequence[str]) -> Ints:
    """How often each label occurs in each row: rows × labels."""
    place = {label: at for at, label in enumerate(labels)}
    cells = [row * len(labels) + place[label] for row, names in enumerate(rows) for label in names]
    counts = np.bincount(np.array(cells, np.int64), minlength=len(rows) * len(labels))
    return counts.reshape(len(rows), len(labels)).astype(np.int64)


def in_order(labels: Iterable[str]) -> tuple[str, ...]:
    """Labels as tables list them: the canonical ones in their own order, others after them by name."""
    place = {label: at for at, label in enumerate(canonical())}
    return tuple(sorted(set(labels), key=lambda label: (place.get(label, len(place)), label)))
