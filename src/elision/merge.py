"""Overlapping spans to disjoint spans that cover the same characters."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from heapq import heappop, heappush
from operator import attrgetter

from elision.document import Span
from elision.labels import parent

_START = attrgetter("start")


def weakness(span: Span) -> tuple[float, int, int, str, str]:
    """Sorts the winner of an overlap first: by score, then length, then the earlier, then by name."""
    return (-span.score, -len(span), span.start, span.label, span.source)


def merge(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Make spans disjoint without uncovering a character.

    Each character goes to the strongest span that covers it; a weaker span keeps what is left of it,
    in pieces if need be, so that `covered(merge(spans)) == covered(spans)`. Empty spans cover
    nothing and go. Takes time in proportion to n log n, however the spans overlap.
    """
    merged: list[Span] = []
    together: list[Span] = []  # spans of which each overlaps one before it
    after = 0
    for span in sorted(spans, key=_START):
        if span.end <= span.start:
            continue
        if span.start >= after and together:
            merged += _merged(together)
            together = []
        together.append(span)
        after = max(after, span.end)
    return (*merged, *_merged(together))


def _merged(spans: list[Span]) -> Iterable[Span]:
    """Spans that overlap, in the order of their starts, made disjoint."""
    if len(spans) < 2:
        return spans
    if len({(span.start, span.end) for span in spans}) == 1:  # as where rules and a tagger agree
        return [min(spans, key=weakness)]
    waiting = sorted(spans, key=lambda span: -span.start)
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
    return [
        span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
        for span, start, end in pieces
    ]


def tidy(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Disjoint spans of a text without blanks at their edges, and pieces that touch as one.

    What `merge` leaves of a losing span may be a blank, a comma, or the first half of a name. Blanks and punctuation
    that stand alone say nothing and go; pieces of one kind that touch are one identifier again.
    """
    tidied: list[Span] = []
    for span in spans:
        stretch = text[span.start : span.end]
        start = span.end - len(stretch.lstrip())
        end = span.start + len(stretch.rstrip())
        if not any(map(str.isalnum, stretch)):
            continue
        last = tidied[-1] if tidied else None
        if last is not None and last.end == start and parent(last.label) == parent(span.label):
            stronger = min(last, span, key=weakness)
            tidied[-1] = replace(stronger, start=last.start, end=end)
        else:
            tidied.append(span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end))
    return tuple(tidied)
