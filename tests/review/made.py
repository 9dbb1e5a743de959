"""Reviews for tests: notes with what was predicted, and passes of reviewers as one would click them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document, Span
from elision.review.marks import Decision, Mark
from elision.review.risk import risks
from elision.review.store import ADJUDICATOR, Store


def review_of(folder: Path, notes: Sequence[Document]) -> Path:
    """A review of these notes, with their spans as predictions."""
    with Store.open(folder) as store:
        store.add(notes, risks(notes))
    return folder


def approve(folder: Path, reviewer: str, marked: Iterable[Document], *, finish: bool = True) -> None:
    """These notes are marked so by a reviewer, and approved unless she does not finish."""
    with Store.open(folder, make=False) as store:
        positions = {entry.id: entry.position for entry in store.entries()}
        for note in marked:
            at = positions[note.id]
            seen = store.pass_of(at, reviewer)
            marks = tuple(Mark(span.start, span.end, span.label, "accepted") for span in note.spans)
            places = tuple(mark.place for mark in seen.sheet.marks)
            version = store.decide(at, reviewer, Decision("add", places, marks), seen.version).version
            if finish:
                store.decide(at, reviewer, Decision("approve"), version)


def adjudicate(folder: Path, marked: Iterable[Document]) -> None:
    approve(folder, ADJUDICATOR, marked)


def with_places(note: Document, *places: tuple[int, int, str]) -> Document:
    return note.with_spans(Span(*place) for place in places)
