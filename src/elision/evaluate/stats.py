"""Intervals for any measure, by drawing notes anew (the bootstrap).

Notes are what was sampled, so whole notes are drawn: the spans of one note rise and fall together, and an interval
that takes them for independent is too narrow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from elision.errors import ScoreError
from elision.evaluate.measures import Measure
from elision.evaluate.tally import Floats

_CELLS = 2_000_000  # of one block of weights, 16 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure and the bounds of its bootstrap percentile interval.

    The bounds are None where there is nothing to draw from: fewer than two notes, or no draw in which the measure has
    something to divide by.
    """

    value: float
    low: float | None
    high: float | None


def intervals(
    measures: Sequence[Measure], *, replicates: int = 2_000, confidence: float = 0.95, seed: int = 0
) -> dict[str, Interval]:
    """Each measure by name with its interval; all of them from the same draws of notes.

    Draws in which a measure has nothing to divide by (a rare label, and no note that has it) are left out for it.
    """
    _check(replicates, confidence)
    sums = resample(measures, replicates, np.random.default_rng(seed))
    return {
        measure.name: Interval(measure.value, *percentiles(measure.of(drawn), confidence))
        if len(measure.counts) > 1
        else Interval(measure.value, None, None)
        for measure, drawn in zip(measures, sums, strict=True)
    }


def resample(measures: Sequence[Measure], replicates: int, rng: np.random.Generator) -> list[Floats]:
    """Of every measure, the sums of its counts in each replicate (replicates × columns)."""
    return weighted_sums([measure.counts for measure in measures], replicates, lambda rows, n: draws(rows, n, rng))


def draws(replicates: int, notes: int, rng: np.random.Generator) -> Floats:
    """How often each note comes when as many notes are drawn as there are, with replacement."""
    drawn = rng.integers(0, notes, (replicates, notes))
    drawn += notes * np.arange(replicates)[:, None]
    return np.bincount(drawn.ravel(), minlength=replicates * notes).reshape(replicates, notes).astype(np.float64)


def weighted_sums(counts: Sequence[Floats], rows: int, weights: Callable[[int, int], Floats]) -> list[Floats]:
    """For each array of counts, `rows` sums over its notes, each with weights of its own.

    `weights(rows, notes)` makes the weights, a block at a time, so that memory stays bounded; all arrays are summed
    with the same ones. An array that stands in the list more than once is summed once.
    """
    notes = len(counts[0]) if counts else 0
    if any(len(array) != notes for array in counts):
        raise ScoreError("the measures come from different numbers of notes; count them all over the same pairs")
    distinct = {id(array): array for array in counts}
    sums = {key: np.zeros((rows, array.shape[1])) for key, array in distinct.items()}
    for first, last in _blocks(rows, max(1, _CELLS // max(notes, 1))) if notes else ():
        block = weights(last - first, notes)
        for key, array in distinct.items():
            sums[key][first:last] = block @ array
    return [sums[id(array)] for array in counts]


def percentiles(values: Floats, confidence: float) -> tuple[float | None, float | None]:
    """The bounds between which the given share of the values lies, those that are NaN apart."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return None, None
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _blocks(rows: int, size: int) -> Iterator[tuple[int, int]]:
    for first in range(0, rows, size):
        yield first, min(first + size, rows)


def _check(replicates: int, confidence: float) -> None:
    if replicates < 1 or not 0 < confidence < 1:
        raise ScoreError(
            f"cannot make intervals from {replicates} replicates at a confidence of {confidence}; "
            "draw at least 1, better 2,000, and say 0.95 for 95 %"
        )
