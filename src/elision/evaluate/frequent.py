"""Of very many labels, the most frequent: a matrix grows with the square of their number.

What a person reads is bounded here; the JSON holds all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from elision.evaluate.confusion import Confusion

MOST_LABELS = 60

Row = TypeVar("Row")


def frequent(sizes: Sequence[int]) -> list[int]:
    """The places of the largest sizes, as many as are shown, in their own order; of equal ones the first."""
    return sorted(sorted(range(len(sizes)), key=lambda at: -sizes[at])[:MOST_LABELS])


def of_most(rows: Sequence[Row], size: Callable[[Row], int]) -> tuple[Row, ...]:
    """The largest of such rows."""
    return tuple(rows[at] for at in frequent([size(row) for row in rows]))


def left_out(labels: int, more: str = "") -> str:
    """What to say where there are so many labels, "" if all of them are shown."""
    rare = labels - MOST_LABELS
    return f"{rare:,} rarer label{'' if rare == 1 else 's'} left out{more}; they are in the JSON" if rare > 0 else ""


def largest(matrix: Confusion) -> Confusion:
    """The matrix without its rarest labels, should it have more than can be shown; O stays."""
    totals = matrix.counts.sum(axis=0) + matrix.counts.sum(axis=1)
    return matrix.only({matrix.labels[0], *(matrix.labels[at + 1] for at in frequent(totals[1:].tolist()))})
