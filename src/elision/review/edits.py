"""From what a reviewer wants to a decision, or why it cannot be. Pure: nothing is written here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from elision.document import Document
from elision.review.alike import places_of
from elision.review.marks import Decision, Mark, Place, Sheet
from elision.review.view import next_edge, step, words_of

Edge = Literal["start", "end"]
By = Literal["word", "character"]


class CannotError(Exception):
    """What a reviewer wants cannot be; the message says why and what to do."""


def mark_at(sheet: Sheet, place: Place) -> Mark:
    for mark in sheet.marks:
        if mark.place == place:
            return mark
    raise CannotError("this span is not there any more")


def accept(sheet: Sheet, place: Place) -> Decision:
    mark = mark_at(sheet, place)
    _free(sheet, mark)
    return Decision("accept", put=(replace(mark, state="accepted"),))


def refuse(sheet: Sheet, place: Place) -> Decision:
    return Decision("refuse", put=(replace(mark_at(sheet, place), state="refused"),))


def relabel(sheet: Sheet, place: Place, label: str) -> Decision:
    """Another label: whoever gives one has said yes to the span."""
    mark = mark_at(sheet, place)
    _free(sheet, mark)
    return Decision("label", (place,), (Mark(mark.start, mark.end, label, "accepted", mark.score, mark.source),))


def add(document: Document, sheet: Sheet, start: int, end: int, label: str) -> Decision:
    """A span that was not there. Spans that lie within it go into it."""
    while start < end and document.text[start].isspace():
        start += 1
    while start < end and document.text[end - 1].isspace():
        end -= 1
    if start >= end:
        raise CannotError("nothing is selected; select words, then choose a label")
    new = Mark(start, end, label, "accepted")
    within = tuple(mark.place for mark in sheet.marks if start <= mark.start and mark.end <= end)
    _free(sheet, new, within)
    return Decision("add", within, (new,))


def move(document: Document, sheet: Sheet, place: Place, edge: Edge, by: By, way: int) -> Decision:
    """A span with one edge moved by a word or by a character: whoever moves one has said yes to the span."""
    mark, text = mark_at(sheet, place), document.text
    _free(sheet, mark)
    at = mark.start if edge == "start" else mark.end
    if by == "character":
        to = step(text, at, way)
    else:
        to = next_edge((word[edge == "end"] for word in words_of(text)), at, way)
    start, end = (to, mark.end) if edge == "start" else (mark.start, to)
    if to == at:
        raise CannotError("the text ends here")
    if start >= end:
        raise CannotError("the span would be empty; refuse it instead")
    moved = Mark(start, end, mark.label, "accepted", mark.score, mark.source)
    _free(sheet, moved, (place,))
    return Decision("move", (place,), (moved,))


def approve(sheet: Sheet) -> Decision:
    """The note as it is shown: yes to all to which nobody has said no."""
    return Decision("approve", put=tuple(replace(mark, state="accepted") for mark in sheet.undecided))


def choose(sheet: Sheet, place: Place, theirs: Sequence[Mark]) -> Decision:
    """One reviewer's version of a stretch in place of what is proposed; nothing, if she marked nothing."""
    mark = mark_at(sheet, place)
    if not theirs:
        return refuse(sheet, place)
    chosen = tuple(replace(one, state="accepted") for one in theirs)
    return Decision("label", () if place in {one.place for one in chosen} else (mark.place,), chosen)


def alike(document: Document, sheet: Sheet, words: str, label: str, verdict: Literal["yes", "no"]) -> Decision | None:
    """The same verdict wherever the same words stand; None if nothing changes.

    Yes: with this label, marked or not. No: whatever label they have. Spans that reach further are left as they are.
    """
    out: list[Place] = []
    put: list[Mark] = []
    for start, end in places_of(words, document.text):
        here = [mark for mark in sheet.marks if (mark.start, mark.end) == (start, end)]
        if verdict == "no":
            put += [replace(mark, state="refused") for mark in here if mark.stands]
            continue
        new = Mark(start, end, label, "accepted")
        if new.place in {mark.place for mark in here if mark.state == "accepted"}:
            continue
        if any(mark.stands and _meet(mark, new) and mark not in here for mark in sheet.marks):
            continue
        out += [mark.place for mark in here]
        put.append(new)
    return Decision("accept" if verdict == "yes" else "refuse", tuple(out), tuple(put)) if put else None


def _free(sheet: Sheet, new: Mark, but: Sequence[Place] = ()) -> None:
    """Refuse a span over another that stands: what is learnt and replaced later must be clear."""
    for mark in sheet.marks:
        if mark.stands and mark.place not in but and mark.place != new.place and _meet(mark, new):
            raise CannotError("another span lies there; refuse it or move its edge first")


def _meet(one: Mark, other: Mark) -> bool:
    return max(one.start, other.start) < min(one.end, other.end)
