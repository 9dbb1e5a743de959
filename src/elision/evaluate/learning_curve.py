"""How much more would be learnt from more notes: a power law through a learning curve, and how far it can be trusted.

What a model still gets wrong falls about as a + b·(n + m)^c with the number n of notes, c below 0 (Hestness 2017).
The floor a never goes away, as people disagree, too; m is how slowly learning begins. A short curve tells neither. So
the law is fitted again and again: each time to other notes, drawn with replacement, and with another floor, from none
to nearly all of what is wrong now, and another beginning, from at once to as many notes as were learnt from.
The range holds 99 % of what these laws say. Beyond four times the notes that there are, nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from elision.errors import ScoreError
from elision.evaluate.stats import draws
from elision.evaluate.tally import Floats, f1

REPLICATES = 500
MEASURED, EXPECTED = 0.95, 0.99  # what is told of laws is drawn wider, as they are only guessed
FURTHEST = 4  # times the notes that there are
STEP, WORTH = 50, 0.005  # so many notes more are worth it, if they raise F1 by as much
MOST_FLOOR = 0.9  # of the mistakes that are made now, what may never go away
EXTREMES = (0.4, 0.4)  # what is least and most is drawn more often, so that the range is wide enough
_TINY = 1e-4  # a share of mistakes that is as good as none


@dataclass(frozen=True, slots=True)
class Point:
    """F1 after so many notes, with the bounds of its range."""

    notes: int
    f1: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Curve:
    """What was measured, what is to be expected after more notes, and how many more are worth it.

    `more` is None if nothing can be said; `more_high` is None if it may be more than can be said.
    """

    measured: tuple[Point, ...]
    expected: tuple[Point, ...]
    more: int | None
    more_low: int | None
    more_high: int | None


def learning_curve(sizes: Sequence[int], counts: Sequence[Floats], notes: int, seed: int = 0) -> Curve:
    """A curve from the counts of a tally: for each size, a row for each note that was tested.

    `sizes` are the notes that were learnt from, ascending. `notes` are all that there are: more than the last size, as
    some were tested on.
    """
    if len(sizes) < 2 or any(b <= a for a, b in pairwise(sizes)) or sizes[0] < 1:
        raise ScoreError("a learning curve needs two sizes at least, each larger than the one before")
    rng = np.random.default_rng(seed)
    weights = draws(REPLICATES, len(counts[0]), rng)
    scores = np.stack([np.nan_to_num(f1(weights @ each)) for each in counts], axis=1)
    points = [float(np.nan_to_num(f1(each.sum(axis=0)))) for each in counts]
    measured = [_point(size, points[at], scores[:, at], MEASURED) for at, size in enumerate(sizes)]
    floors, begun = MOST_FLOOR * rng.beta(*EXTREMES, REPLICATES), sizes[-1] * rng.beta(*EXTREMES, REPLICATES)
    laws = Laws(np.array(sizes, np.float64), 1 - scores, floors, begun)
    after = [notes, *(count for count in further(notes) if count > notes)]
    expected = [
        _point(count, float(np.median(said)), said, EXPECTED) for count in after for said in [laws.f1_after(count)]
    ]
    return Curve(tuple(measured), tuple(expected), *_worth(laws, notes))


class Laws:
    """Power laws, one for each row of errors, all at once. Each runs through its last error."""

    def __init__(self, sizes: Floats, errors: Floats, floors: Floats, begun: Floats) -> None:
        """`floors`: of the least error of a row, the share that never goes away. `begun`: notes that are added to n."""
        errors = np.maximum(errors, _TINY)
        self.last, self._begun, self._size = errors[:, -1], begun, sizes[-1] + begun
        self.floor = floors * np.minimum(self.last, errors.min(axis=1))
        y, x = np.log(errors - self.floor[:, None]), np.log(sizes + begun[:, None])
        weights = sizes / sizes.sum()  # larger samples vary less
        spread = x - (x @ weights)[:, None]
        slopes = ((y - (y @ weights)[:, None]) * spread) @ weights / (spread**2 @ weights)
        self.slopes = np.minimum(slopes, 0.0)  # more notes do no harm

    def f1_after(self, notes: float) -> Floats:
        left: Floats = self.floor + (self.last - self.floor) * ((notes + self._begun) / self._size) ** self.slopes
        return 1 - np.clip(left, 0, 1)


def further(notes: int) -> list[int]:
    """The numbers of notes of which something is said: so many more, or up to as far as a curve can be trusted."""
    return [notes + more for more in (25, 50, 100, 200, 400) if notes + more <= FURTHEST * notes]


def _worth(laws: Laws, notes: int) -> tuple[int | None, int | None, int | None]:
    """How many more notes are worth it: as many as it takes until a step more gains less than is worth it."""
    more = np.arange(0, (FURTHEST - 1) * notes + 1, STEP // 5)
    gains = np.stack(
        [np.subtract(*map(laws.f1_after, (notes + count + STEP, notes + count))) for count in more.tolist()]
    )
    enough = gains < WORTH
    never = ~enough.any(axis=0)
    first = np.where(never, np.inf, more[enough.argmax(axis=0)])
    tail = (1 - EXPECTED) / 2
    low, middle, high = (float(one) for one in np.quantile(first, [tail, 0.5, 1 - tail], method="nearest"))
    return tuple(None if np.isinf(one) else int(one) for one in (middle, low, high))  # type: ignore[return-value]


def _point(notes: int, value: float, drawn: Floats, share: float) -> Point:
    tail = (1 - share) / 2
    low, high = (float(one) for one in np.quantile(drawn, [tail, 1 - tail]))
    return Point(notes, value, min(low, value), max(high, value))
