"""What follows for all notes from those that were read.

A share of notes (those that leak):

- simple: the exact bounds for draws without replacement.
- stratified: the sample is nearly self-weighting, so all groups are counted together. A sum of counts from several
  groups varies less than a binomial of the same mean (Hoeffding 1956; a hypergeometric count is such a sum itself). So
  the bounds of Clopper and Pearson hold. They are multiplied by the greatest and the least weight, as rounding makes
  weights differ.
- weighted: the estimate of Horvitz and Thompson, each note by its weight, with the bound of Hoeffding (1963), which
  holds for values of any law between 0 and the greatest weight.

A mean for each note (identifiers missed): the last one in all designs, with at most `most` counted in a note. Without a
limit no sample bounds a mean: one note that nobody read could hold any number.

Groups that were read as a whole are known, and have no part in the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from elision.errors import ScoreError
from elision.evaluate.audit.bounds import fewest_in, mean_above, mean_below, most_in
from elision.evaluate.audit.designs import SIMPLE, WEIGHTED, Stratum
from elision.evaluate.bounds import at_least, at_most

EXACT = "exact bounds for draws without replacement (hypergeometric)"
POOLED = "all groups counted together, bounds of Clopper and Pearson times the extreme weights"
HOEFFDING = "the weighted mean of Horvitz and Thompson, bounds of Hoeffding"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure for all notes: two-sided bounds, and the one-sided bound `at_most`, each with the confidence."""

    value: float
    low: float
    high: float
    at_most: float
    confidence: float
    method: str


def share(design: str, strata: Sequence[Stratum], leaking: Sequence[int], confidence: float = 0.95) -> Estimate:
    """The share of notes that leak, from the number of those that do in each group."""
    _check(strata, leaking, confidence)
    if design == WEIGHTED:
        return mean(strata, leaking, 1.0, confidence)
    two_sided = (1 + confidence) / 2
    bounds = _alone if design == SIMPLE else _pooled
    low, high = bounds(strata, leaking, two_sided)
    return Estimate(
        weighted_mean(strata, leaking),
        low,
        high,
        bounds(strata, leaking, confidence)[1],
        confidence,
        EXACT if design == SIMPLE else POOLED,
    )


def mean(strata: Sequence[Stratum], totals: Sequence[float], most: float, confidence: float = 0.95) -> Estimate:
    """The mean of what is in a note, from the totals of each group; no note counts for more than `most`."""
    _check(strata, totals, confidence)
    low, high = _weighted(strata, totals, most, (1 + confidence) / 2)
    upper = _weighted(strata, totals, most, confidence)[1]
    return Estimate(weighted_mean(strata, totals), low, high, upper, confidence, HOEFFDING)


def weighted_mean(strata: Sequence[Stratum], totals: Sequence[float]) -> float:
    """The estimate of Horvitz and Thompson: what each note counts for, over all notes."""
    whole = sum(stratum.notes for stratum in strata)
    return sum(stratum.weight * total for stratum, total in zip(strata, totals, strict=True)) / whole


def _alone(strata: Sequence[Stratum], leaking: Sequence[int], confidence: float) -> tuple[float, float]:
    """One-sided bounds of each side for a sample from one group."""
    (stratum,), (count,) = strata, leaking
    notes = stratum.notes
    low, high = (bound(count, stratum.read, notes, confidence) for bound in (fewest_in, most_in))
    return low / notes, high / notes


def _pooled(strata: Sequence[Stratum], leaking: Sequence[int], confidence: float) -> tuple[float, float]:
    whole, known, open_ = _apart(strata, leaking)
    if not open_:
        return known / whole, known / whole
    weights = [stratum.weight for stratum, _ in open_]
    read, count = sum(stratum.read for stratum, _ in open_), int(sum(total for _, total in open_))
    low = read * min(weights) * at_least(count, read, confidence)
    high = read * max(weights) * at_most(count, read, confidence)
    return _possible(whole, known, open_, 1.0, low, high)


def _weighted(
    strata: Sequence[Stratum], totals: Sequence[float], most: float, confidence: float
) -> tuple[float, float]:
    whole, known, open_ = _apart(strata, totals)
    if not open_:
        return known / whole, known / whole
    read = sum(stratum.read for stratum, _ in open_)
    scale = read * most * max(stratum.weight for stratum, _ in open_)
    seen = min(1.0, sum(stratum.weight * total for stratum, total in open_) / scale)
    low, high = mean_below(seen, read, 1 - confidence), mean_above(seen, read, 1 - confidence)
    return _possible(whole, known, open_, most, low * scale, high * scale)


Open = Sequence[tuple[Stratum, float]]


def _apart(strata: Sequence[Stratum], totals: Sequence[float]) -> tuple[int, float, Open]:
    """The number of all notes, what groups that were read as a whole hold, and the other groups."""
    pairs = list(zip(strata, totals, strict=True))
    known = sum(total for stratum, total in pairs if stratum.read == stratum.notes)
    open_ = [(stratum, total) for stratum, total in pairs if stratum.read < stratum.notes]
    return sum(stratum.notes for stratum in strata), known, open_


def _possible(whole: int, known: float, open_: Open, most: float, low: float, high: float) -> tuple[float, float]:
    """Bounds of totals as bounds of a mean: not below what was seen, and not above what the unread notes could hold."""
    seen = sum(total for _, total in open_)
    unread = sum(stratum.notes - stratum.read for stratum, _ in open_)
    return (known + max(low, seen)) / whole, (known + min(high, seen + most * unread)) / whole


def _check(strata: Sequence[Stratum], totals: Sequence[float], confidence: float) -> None:
    if not strata or len(strata) != len(totals) or not all(0 < one.read <= one.notes for one in strata):
        raise ScoreError("an estimate needs a note that was read in every group, and a total for each group")
    if not 0 < confidence < 1:
        raise ScoreError(f"a confidence lies between 0 and 1, not at {confidence}; for 95 % say 0.95")
