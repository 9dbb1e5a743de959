"""Overlapping spans to disjoint spans that cover the same characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush

from elision.document import Span


def weakness(span: Span) -> tuple[float, int, int, str, str]:
    """Sorts the winner of an overlap first: by score, then length, then the earlier, then by name."""
    return (-span.score, -len(span), span.start, span.label, span.source)


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Make spans disjoint without uncovering a character.

    Each character goes to the strongest span that covers it; a weaker span keeps what is left of it,
    in pieces if need be, so that `covered(merge(spans)) == covered(spans)`. Empty spans cover
    nothing and go. Takes time in proportion to n log n, however the spans overlap.
    """
    waiting = sorted((span for span in spans if span.end > span.start), key=lambda span: -span.start)
    if all(later.start >= span.end for later, span in itertools.pairwise(waiting)):
        return tuple(reversed(waiting))
    edges = sorted({edge for span in waiting for edge in (span.start, span.end)})
    active: list[tuple[tuple[float, int, int, str, str], int, Span]] = []
    pieces: list[tuple[Span, int, int]] = []
    for edge, following in itertools.pairwise(edges):
        while waiting and waiting[-1].start == edge:
            span = waiting.pop()
            heappush(active, (weakness(span), len(waiting), span))
        while active and active[0][2].end <= edge:
            heappop(active)
        if not active:
            continue
        owner = active[0][2]
        if pieces and pieces[-1][0] is owner and pieces[-1][2] == edge:
            pieces[-1] = (owner, pieces[-1][1], following)
        else:
            pieces.append((owner, edge, following))
    return tuple(
        span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
        for span, start, end in pieces
    )
