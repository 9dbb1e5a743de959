"""Changes to a text that its spans follow exactly.

A change inside a span changes what the span covers, one outside moves it; a change across a span's edge is left out,
and so is one that would leave a span empty or with a blank at its edge.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from elision.document import Span


class Edit(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def apply(text: str, spans: Sequence[Span], edits: Iterable[Edit]) -> tuple[str, list[Span]]:
    """The changed text with its spans, which must be disjoint. Of edits that overlap, the first one counts."""
    ordered = sorted(spans, key=lambda span: (span.start, span.end))
    kept = _kept(edits, ordered)
    if not kept:
        return text, list(spans)
    pieces: list[str] = []
    ends: list[int] = []  # of the edits kept, in the old text
    shifts: list[int] = [0]  # how far what follows has moved
    at = 0
    for start, end, new in kept:
        pieces += (text[at:start], new)
        at = end
        ends.append(end)
        shifts.append(shifts[-1] + len(new) - (end - start))
    pieces.append(text[at:])
    changed = "".join(pieces)
    starts = [edit.start for edit in kept]
    moved: list[Span] = []
    for span in spans:
        before = _moved(span.start, starts, ends, shifts, inside=False)
        after = _moved(span.end, starts, ends, shifts, inside=True)
        moved.append(span if (before, after) == (span.start, span.end) else replace(span, start=before, end=after))
    if any(
        span.start == span.end or changed[span.start].isspace() or changed[span.end - 1].isspace() for span in moved
    ):
        return _one_by_one(text, spans, kept)
    return changed, moved


def _moved(place: int, starts: list[int], ends: list[int], shifts: list[int], *, inside: bool) -> int:
    """Where a span's edge goes. What is put in exactly at an edge stays outside of the span."""
    if inside:  # the end: edits that begin before it
        return place + shifts[bisect_left(starts, place)]
    passed = bisect_right(ends, place)
    return place + shifts[passed]


def _kept(edits: Iterable[Edit], spans: Sequence[Span]) -> list[Edit]:
    """Edits in order, disjoint, and across no edge of a span."""
    begins, finishes = [span.start for span in spans], [span.end for span in spans]
    kept: list[Edit] = []
    at = -1
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at or (edit.start == at and edit.start == edit.end):
            continue
        if kept and edit.start == kept[-1].start:
            continue
        after = bisect_right(begins, edit.start)  # spans that begin at or before the edit
        if after < len(begins) and begins[after] < edit.end:
            continue  # a span begins inside the edit
        before = bisect_right(finishes, edit.start)
        if before < len(finishes) and begins[before] < edit.end and finishes[before] < edit.end:
            continue  # a span ends inside it
        kept.append(edit)
        at = edit.end
    return kept


def _one_by_one(text: str, spans: Sequence[Span], edits: list[Edit]) -> tuple[str, list[Span]]:
    """Leave out the edits inside of spans that come out empty or with a blank at the edge."""
    spoilt: set[int] = set()
    for span in spans:
        inside = [
            at
            for at, (start, end, _) in enumerate(edits)
            if span.start <= start < span.end and end <= span.end and end > span.start
        ]
        piece = text[span.start : span.end]
        for at in reversed(inside):
            start, end, new = edits[at]
            piece = piece[: start - span.start] + new + piece[end - span.start :]
        if not piece or piece[0].isspace() or piece[-1].isspace():
            spoilt.update(inside)
    good = [edit for at, edit in enumerate(edits) if at not in spoilt]
    if len(good) == len(edits):  # the spans had blanks at their edges before
        good = []
    return apply(text, spans, good)


def insert(text: str, spans: Sequence[Span], at: int, piece: str, own: Sequence[Span]) -> tuple[str, list[Span]]:
    """Put a piece with spans of its own into a text, at a place that no span covers."""
    if any(span.start < at < span.end for span in spans):
        return text, list(spans)
    size = len(piece)
    before = [span for span in spans if span.end <= at]
    behind = [replace(span, start=span.start + size, end=span.end + size) for span in spans if span.end > at]
    inner = [replace(span, start=span.start + at, end=span.end + at) for span in own]
    return text[:at] + piece + text[at:], [*before, *inner, *behind]
