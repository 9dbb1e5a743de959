"""Exact bounds for a proportion (Clopper and Pearson, 1934), and how many notes a promise needs.

They hold for any sample size and also when nothing was seen: with no leak in 3,000 notes, fewer than 1 note in 1,000
leaks, at 95 % confidence. They take the notes for independent draws from the notes to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, lgamma, log, log1p

from elision.errors import ScoreError
from elision.evaluate.tally import ratio


@dataclass(frozen=True, slots=True)
class Proportion:
    """`count` of `total`, with the bounds between which the true share lies at the given confidence."""

    count: int
    total: int
    share: float
    low: float
    high: float
    confidence: float


def clopper_pearson(count: int, total: int, confidence: float = 0.95) -> Proportion:
    """The two-sided exact interval: each side may be wrong with half of what the confidence leaves."""
    one_sided = (1 + _checked(confidence)) / 2
    return Proportion(
        count,
        total,
        ratio(count, total),
        at_least(count, total, one_sided),
        at_most(count, total, one_sided),
        confidence,
    )


def at_most(count: int, total: int, confidence: float = 0.95) -> float:
    """The one-sided upper bound of a share of which `count` of `total` were seen; 1.0 if nothing was looked at."""
    _check_counts(count, total)
    doubt = 1 - _checked(confidence)
    if count == total:
        return 1.0
    return _quantile(1 - doubt, count + 1, total - count)


def at_least(count: int, total: int, confidence: float = 0.95) -> float:
    """The one-sided lower bound, say of recall; 0.0 if nothing was looked at."""
    _check_counts(count, total)
    doubt = 1 - _checked(confidence)
    if count == 0:
        return 0.0
    return _quantile(doubt, count, total - count + 1)


def notes_needed(max_leak_rate: float, confidence: float = 0.95, leaks: int = 0) -> int:
    """The fewest notes to check so that, with at most `leaks` of them leaking, `at_most` keeps the promised rate."""
    if not 0 < max_leak_rate < 1:
        raise ScoreError(
            f"a leak rate to promise lies between 0 and 1, not at {max_leak_rate}; for 1 in 1,000 say 0.001"
        )
    if leaks < 0:
        raise ScoreError(f"{leaks} notes cannot leak; give the number of leaking notes to allow, 0 or more")
    doubt = 1 - _checked(confidence)
    enough = leaks + 1
    while _at_most_seen(leaks, enough, max_leak_rate) > doubt:
        enough *= 2
    too_few = max(enough // 2, leaks)  # with as many leaks as notes no bound below 1 holds
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        if _at_most_seen(leaks, middle, max_leak_rate) > doubt:
            too_few = middle
        else:
            enough = middle
    return enough


def _at_most_seen(leaks: int, notes: int, rate: float) -> float:
    """How likely at most `leaks` of `notes` leak when each does so at `rate`."""
    return 1.0 if leaks >= notes else 1 - incomplete_beta(rate, leaks + 1, notes - leaks)


def _quantile(share: float, a: float, b: float) -> float:
    """Where the incomplete beta function reaches `share`, by bisection down to neighbouring floats."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if incomplete_beta(middle, a, b) < share:
            low = middle
        else:
            high = middle


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b): the tail of a binomial, for whole a and b."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(a * log(x) + b * log1p(-x) + lgamma(a + b) - lgamma(a) - lgamma(b))
    if x < (a + 1) / (a + b + 2):  # where the fraction converges fast
        return front / a * _fraction(x, a, b)
    return 1 - front / b * _fraction(1 - x, b, a)


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction 1 / (1 + d1 / (1 + d2 / ...)) of the incomplete beta function, from the front (Lentz)."""
    value, above, below = 1.0, inf, 1.0
    for step in range(1, int(20 * (a + b) ** 0.5) + 1000):
        m, odd = divmod(step, 2)
        if odd:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / _off_zero(1 + term * below)
        above = _off_zero(1 + term / above)
        value *= above * below
        if abs(above * below - 1) < 1e-15:
            break
    return value


def _off_zero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300


def _checked(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise ScoreError(f"a confidence lies between 0 and 1, not at {confidence}; for 95 % say 0.95")
    return confidence


def _check_counts(count: int, total: int) -> None:
    if not 0 <= count <= total:
        raise ScoreError(f"{count} of {total} is no share; the count must lie between 0 and the total")
