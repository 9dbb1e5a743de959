"""True positives, false positives, false negatives, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass


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
