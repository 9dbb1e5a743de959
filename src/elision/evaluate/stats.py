"""Intervals for any measure by drawing notes anew (the bootstrap), and whether system B is better than system A.

Notes are what was sampled, so whole notes are drawn: the spans of one note rise and fall together, and an interval
that takes them for independent is too narrow. Two systems are compared note by note.
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
    _check_drawing(replicates, confidence)
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


def _check_drawing(replicates: int, confidence: float) -> None:
    if replicates < 1 or not 0 < confidence < 1:
        raise ScoreError(
            f"cannot make intervals from {replicates} replicates at a confidence of {confidence}; "
            "draw at least 1, better 2,000, and say 0.95 for 95 %"
        )


_ROUNDING = 1e-12  # differences closer than this are one difference, computed in two ways


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure of two systems. `difference` is B's figure less A's.

    `low` and `high` bound the difference (paired bootstrap; None with fewer than two notes), and `b_better` is the
    share of bootstrap draws in which B is better, where lower is better for leaks; draws in which the two are even
    count half. `p` is from two-sided approximate randomisation: how often systems that differ only by chance would
    differ as much.
    """

    name: str
    a: float
    b: float
    difference: float
    low: float | None
    high: float | None
    b_better: float
    p: float


def compare(
    a: Sequence[Measure],
    b: Sequence[Measure],
    *,
    shuffles: int = 9_999,
    replicates: int = 2_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[Comparison, ...]:
    """Compare the measures of two systems one by one. Both must be counted over the same notes in the same order.

    `pair_two` makes such pairs. The measures must be the same by name: those of single labels may not be, if one
    system has a label that the other has not.
    """
    _check_pairs(a, b, shuffles, replicates, confidence)
    rng = np.random.default_rng(seed)
    notes = len(a[0].counts) if a else 0
    p_values = randomisation(a, b, shuffles, rng)
    counts = [measure.counts for measure in (*a, *b)]
    sums = weighted_sums(counts, replicates, lambda rows, n: draws(rows, n, rng))
    found = []
    for first, second, p, sums_a, sums_b in zip(a, b, p_values, sums[: len(a)], sums[len(a) :], strict=True):
        differences = second.of(sums_b) - first.of(sums_a)
        low, high = percentiles(differences, confidence) if notes > 1 else (None, None)
        gain = differences if first.better == "higher" else -differences
        better = _share_better(gain[~np.isnan(gain)])
        found.append(
            Comparison(first.name, first.value, second.value, second.value - first.value, low, high, better, p)
        )
    return tuple(found)


def randomisation(a: Sequence[Measure], b: Sequence[Measure], shuffles: int, rng: np.random.Generator) -> list[float]:
    """Two-sided p-values by approximate randomisation over notes (Noreen, 1989).

    If the systems were alike, it would not matter which of them a note's output came from. So whole notes are
    swapped between the two at random, and p = (c + 1) / (N + 1), where c of N shuffles differ at least as much as the
    systems do. What has nothing to divide by counts as 0.
    """
    cache: dict[tuple[int, int], Floats] = {}  # figures of one tally share their counts, and so their sums
    for first, second in zip(a, b, strict=True):
        cache.setdefault((id(first.counts), id(second.counts)), second.counts - first.counts)
    apart = [cache[id(first.counts), id(second.counts)] for first, second in zip(a, b, strict=True)]
    moved = weighted_sums(apart, shuffles, lambda rows, n: rng.integers(0, 2, (rows, n), np.int8).astype(np.float64))
    p_values = []
    for first, second, shift in zip(a, b, moved, strict=True):
        total_a, total_b = first.counts.sum(axis=0), second.counts.sum(axis=0)
        observed = abs(second.value - first.value)
        differences = _defined(second.of(total_b - shift)) - _defined(first.of(total_a + shift))
        as_large = int((np.abs(differences) >= observed - _ROUNDING).sum())
        p_values.append((as_large + 1) / (shuffles + 1))
    return p_values


def _share_better(gains: Floats) -> float:
    """The share of draws with a gain, half of those with neither gain nor loss; 0.5 without any."""
    if not len(gains):
        return 0.5
    wins, ties = (gains > _ROUNDING).sum(), (np.abs(gains) <= _ROUNDING).sum()
    return float((wins + ties / 2) / len(gains))


def _defined(values: Floats) -> Floats:
    return np.nan_to_num(values)


def _check_pairs(a: Sequence[Measure], b: Sequence[Measure], shuffles: int, replicates: int, confidence: float) -> None:
    if [measure.name for measure in a] != [measure.name for measure in b]:
        raise ScoreError("the two systems have different measures; compare those that both have, in the same order")
    if any(first.counts.shape != second.counts.shape for first, second in zip(a, b, strict=True)):
        raise ScoreError("the two systems were counted over different notes; pair both with the same gold (pair_two)")
    if shuffles < 1 or replicates < 1 or not 0 < confidence < 1:
        raise ScoreError(
            f"cannot compare with {shuffles} shuffles, {replicates} replicates and a confidence of {confidence}; "
            "the usual numbers are 9,999, 2,000 and 0.95"
        )
