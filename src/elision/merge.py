"""Overlapping spans to disjoint spans that cover the same characters."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from heapq import heappop, heappush
from operator import attrgetter

from elision.document import Span
from elision.labels import parent

_START = attrgetter("start")
_NAMED_AFTER = {"LOCATION": ("FACILITY",), "DEMOGRAPHIC": ("FACILITY", "LOCATION")}  # what names what
_CERTAIN = 0.9
_EDGE = re.compile(r"(?:[\s,;，、；]|\.(?=\s))*")  # a full stop, where a blank parts it from the rest
_ENTITY = re.compile(r"&#?\w{1,31};\Z")


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
    spans = list(_without_namesakes(spans))
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


def _without_namesakes(spans: list[Span]) -> Iterator[Span]:
    """Spans without the places and peoples that something longer around them is named after: "Baptist Girls High" is a
    school. What is nearly certain stays; a policy may keep names of schools, and not the town of a patient."""
    reach: dict[str, tuple[int, int]] = {}  # the end and the start, negative, of what goes furthest, for each kind
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        kind, here = parent(span.label), (span.end, -span.start)
        if span.score >= _CERTAIN or all(reach.get(name, here) <= here for name in _NAMED_AFTER.get(kind, ())):
            yield span
        reach[kind] = max(reach.get(kind, here), here)


def tidy(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Disjoint spans of a text without blanks and commas at their edges, and pieces that touch as one.

    What `merge` leaves of a losing span may be a blank, a comma, or the first half of a name with the blank behind it.
    Blanks and punctuation that stand alone say nothing and go; pieces of one kind that touch are one identifier again.
    """
    tidied: list[Span] = []
    reach, kind = -1, ""  # up to where what came last went before it lost its blanks, and its kind
    for span in spans:
        stretch = text[span.start : span.end]
        if not any(map(str.isalnum, stretch)):
            continue
        start, end = span.start + _edge(stretch), span.end - _edge(stretch[::-1])
        if end < span.end and text[end] == ";" and _ENTITY.search(text, max(start, end - 40), end + 1):
            end += 1  # it belongs to the last character, as in Jos&eacute;
        touches = span.start == reach and parent(span.label) == kind
        reach, kind = span.end, parent(span.label)
        if touches:
            stronger = min(tidied[-1], span, key=weakness)
            tidied[-1] = replace(stronger, start=tidied[-1].start, end=end)
        else:
            tidied.append(span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end))
    return tuple(tidied)


def _edge(stretch: str) -> int:
    """With how many blanks and commas it begins."""
    if stretch[0].isalnum():
        return 0
    found = _EDGE.match(stretch)
    return found.end() if found else 0
