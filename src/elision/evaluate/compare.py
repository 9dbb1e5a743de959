"""Is system B better than system A? Two systems on the same notes, compared note by note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from elision.errors import ScoreError
from elision.evaluate.measures import Measure
from elision.evaluate.stats import draws, percentiles, weighted_sums
from elision.evaluate.tally import Floats

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
    _check(a, b, shuffles, replicates, confidence)
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


def _check(a: Sequence[Measure], b: Sequence[Measure], shuffles: int, replicates: int, confidence: float) -> None:
    if [measure.name for measure in a] != [measure.name for measure in b]:
        raise ScoreError("the two systems have different measures; compare those that both have, in the same order")
    if any(first.counts.shape != second.counts.shape for first, second in zip(a, b, strict=True)):
        raise ScoreError("the two systems were counted over different notes; pair both with the same gold (pair_two)")
    if shuffles < 1 or replicates < 1 or not 0 < confidence < 1:
        raise ScoreError(
            f"cannot compare with {shuffles} shuffles, {replicates} replicates and a confidence of {confidence}; "
            "the usual numbers are 9,999, 2,000 and 0.95"
        )
