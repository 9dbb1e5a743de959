"""What two readers both missed, by capture and recapture (Chapman 1951), as one counts fish in a lake.

If the two read independently, and every identifier is as easy to see as any other, the share that the second finds of
what the first found is the share that she finds of all. Identifiers that are hard to see are hard for both. So the
estimate is rather too low.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import NormalDist

from elision.errors import ScoreError
from elision.evaluate.tally import ratio

ASSUMES = (
    "The readers read independently, and every identifier is as easy to see as any other. What is hard to see is hard "
    "for both, so the truth is rather higher."
)


FEW = 7  # with fewer found by both, the estimate is not to be relied on (Robson and Regier 1964)


@dataclass(frozen=True, slots=True)
class Capture:
    """Identifiers that the first, the second and both found, with an estimate of all, and of what neither found.

    The estimates are None where nothing was found by both: then nothing can be told.
    """

    first: int
    second: int
    both: int
    all: float | None
    unseen: float | None
    unseen_low: float | None
    unseen_high: float | None
    first_finds: float | None  # of what the second found, the share that the first found
    second_finds: float | None
    confidence: float


def chapman(first: int, second: int, both: int, confidence: float = 0.95) -> Capture:
    """Chapman's estimate. The interval takes the logarithm of what was not seen for normal (Chao 1987)."""
    if not 0 <= both <= min(first, second):
        raise ScoreError(f"{both} found by both of {first} and {second} cannot be")
    finds = (ratio(both, second) if second else None, ratio(both, first) if first else None)
    if not both:
        return Capture(first, second, both, None, None, None, None, *finds, confidence)
    seen = first + second - both
    all_ = (first + 1) * (second + 1) / (both + 1) - 1
    unseen = max(0.0, all_ - seen)
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    low = high = unseen
    if unseen > 0:
        times = exp(NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(log(1 + variance / unseen**2)))
        low, high = unseen / times, unseen * times
    return Capture(first, second, both, all_, unseen, low, high, *finds, confidence)
