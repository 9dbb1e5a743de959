"""What people approved, as one annotation: what was adjudicated, else what all reviewers of a note marked.

Only notes that somebody approved are in it. What was predicted and what nobody has approved yet never is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from elision.document import Document
from elision.evaluate.adjudication import united
from elision.merge import merge

LEAST = 20  # approved notes; of fewer a model learns next to nothing, and no curve can be drawn
Passes = Mapping[str, Iterable[Document]]  # by reviewer, the notes that she approved


class Reviews(Protocol):
    """Where reviewers' marks are kept, as far as it is read here."""

    def reviewers(self) -> Iterable[str]: ...

    def reviewed(self, reviewer: str) -> Iterable[Document]:
        """The notes that she approved, with her marks."""

    def adjudicated(self) -> Iterable[Document]: ...


@dataclass(frozen=True, slots=True)
class Approved:
    """Notes, and how many of them were adjudicated, and how many made one of what several marked."""

    notes: tuple[Document, ...]
    adjudicated: int
    united: int


def approved_in(reviews: Reviews) -> Approved:
    """What was approved in a review."""
    return approved(reviews.adjudicated(), {name: reviews.reviewed(name) for name in reviews.reviewers()})


def approved(adjudicated: Iterable[Document], passes: Passes) -> Approved:
    """Each note once: as it was adjudicated, or on the safe side, all that its reviewers marked."""
    settled = {note.id: note for note in adjudicated}
    marked: dict[str, list[Document]] = {}
    for notes in passes.values():
        for note in notes:
            marked.setdefault(note.id, []).append(note)
    others = {id: _one(notes) for id, notes in marked.items() if id not in settled}
    several = sum(len(marked[id]) > 1 for id in others)
    order = dict.fromkeys((*marked, *settled))  # as they were reviewed
    notes = tuple(_disjoint(settled[id] if id in settled else others[id]) for id in order)
    return Approved(notes, len(settled), several)


def _one(notes: list[Document]) -> Document:
    first = notes[0]
    if len(notes) == 1:
        return first
    return first.with_spans(united(span for note in notes for span in note.spans))


def _disjoint(note: Document) -> Document:
    """Marks of one reviewer may overlap, too; what is learnt may not. All that was marked stays covered."""
    return note.with_spans(merge(note.spans))
