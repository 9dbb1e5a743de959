"""Which note comes next, how far the work is, and about how long the rest takes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from statistics import median

from elision.review.store import Entry

ORDERS = ("risk", "sample", "given")
PAUSE = 600.0  # seconds; who took longer did something else
LEAST = 3  # notes before it is said how long the rest takes


def in_order(entries: Sequence[Entry], order: str, seed: int = 0) -> list[Entry]:
    """The notes as they are to be reviewed: the riskiest first, by chance (the same for a seed), or as they came."""
    if order == "risk":
        return sorted(entries, key=lambda entry: (-entry.risk, entry.position))
    if order == "sample":
        return sorted(entries, key=lambda entry: hashlib.sha256(f"{seed}:{entry.id}".encode()).digest())
    return list(entries)


def seconds_left(approvals: Sequence[str], remaining: int) -> int | None:
    """About how long the remaining notes take, from when others were approved; None if that cannot be told yet."""
    times = [datetime.fromisoformat(at).timestamp() for at in approvals]
    gaps = [gap for before, after in pairwise(times) if 0 < (gap := after - before) <= PAUSE]
    return round(median(gaps) * remaining) if len(gaps) >= LEAST and remaining else None
