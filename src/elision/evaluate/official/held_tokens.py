"""The tokens that spans hold, in a few numbers a span however long it is: spans may lie in spans by the thousand."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from elision.document import Span

Edges = tuple[int, int]


def held(span: Span, starts: Sequence[int], ends: Sequence[int]) -> tuple[Edges, tuple[Edges, ...]]:
    """The tokens of a span: a range of whole ones, and the edges of what it cuts, in a few numbers however long it is.

    A token is cut inside the span, so that the first and the last one may be parts of those of the text.
    """
    first, last = bisect_right(ends, span.start), bisect_left(starts, span.end)
    if span.start == span.end or first >= last:
        return (0, 0), ((span.end, span.end),)
    whole = (first + (starts[first] < span.start), last - (ends[last - 1] > span.end))
    ragged = {at for at in (first, last - 1) if not whole[0] <= at < whole[1]}
    return whole, tuple((max(starts[at], span.start), min(ends[at], span.end)) for at in ragged)


def size(ranges: Iterable[Edges]) -> int:
    """How many numbers are in any of the ranges."""
    count = reach = 0
    for first, last in sorted(ranges):
        count += max(0, last - max(first, reach))
        reach = max(reach, last)
    return count
