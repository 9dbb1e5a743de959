"""What a reviewer has made of a note: marks, and the decisions from which they follow.

A decision takes marks out and puts marks in. The decisions on a note are kept one after another and never changed;
undo and redo are decisions, too. What is there now follows from all of them by `replay`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from elision.document import Span

State = Literal["predicted", "accepted", "refused"]
STATES: tuple[str, ...] = get_args(State)
Kind = Literal["accept", "refuse", "label", "move", "add", "approve", "begin", "undo", "redo"]
KINDS: tuple[str, ...] = get_args(Kind)


class Place(NamedTuple):
    """A stretch and its label: what tells one mark from another."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A span, and whether somebody has said yes or no to it."""

    start: int
    end: int
    label: str
    state: State = "predicted"
    score: float = 1.0
    source: str = ""

    @property
    def place(self) -> Place:
        return Place(self.start, self.end, self.label)

    @property
    def stands(self) -> bool:
        """Whether it is not refused."""
        return self.state != "refused"

    def row(self) -> list[Any]:
        return [self.start, self.end, self.label, self.state, self.score, self.source]

    def span(self) -> Span:
        """As what a person says: sure, and of no detector."""
        return Span(self.start, self.end, self.label)


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided on a note."""

    kind: Kind
    out: tuple[Place, ...] = ()
    put: tuple[Mark, ...] = ()

    def row(self) -> dict[str, Any]:
        return {"out": [list(place) for place in self.out], "put": [mark.row() for mark in self.put]}

    @classmethod
    def of(cls, kind: Kind, row: Mapping[str, Any]) -> Decision:
        return cls(kind, tuple(Place(*place) for place in row["out"]), tuple(Mark(*mark) for mark in row["put"]))


@dataclass(frozen=True, slots=True)
class Sheet:
    """The marks of a note as they are now, in order, and whether the note is approved with them."""

    marks: tuple[Mark, ...] = ()
    approved: bool = False
    can_undo: bool = False
    can_redo: bool = False

    def spans(self) -> tuple[Span, ...]:
        """What somebody has said yes to."""
        return tuple(mark.span() for mark in self.marks if mark.state == "accepted")

    @property
    def undecided(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in self.marks if mark.state == "predicted")

    def after(self, decision: Decision) -> Sheet:
        """What it becomes by one more decision, other than undo and redo."""
        kept = {mark.place: mark for mark in self.marks}
        for place in decision.out:
            kept.pop(place, None)
        kept.update((mark.place, mark) for mark in decision.put)
        return replace(self, marks=in_order(kept.values()), approved=decision.kind == "approve")


def in_order(marks: Iterable[Mark]) -> tuple[Mark, ...]:
    return tuple(sorted(marks, key=lambda mark: mark.place))


def predicted(spans: Iterable[Span]) -> tuple[Mark, ...]:
    """Spans to which nobody has said anything yet."""
    return tuple({mark.place: mark for span in spans if (mark := _mark(span)).start < mark.end}.values())


def _mark(span: Span) -> Mark:
    return Mark(span.start, span.end, span.label, "predicted", span.score, span.source)


def standing(
    decisions: Iterable[tuple[int, Decision]],
) -> tuple[list[tuple[int, Decision]], list[tuple[int, Decision]]]:
    """The decisions that hold, with their numbers, and those that were undone and could be done again."""
    done: list[tuple[int, Decision]] = []
    undone: list[tuple[int, Decision]] = []
    for number, decision in decisions:
        if decision.kind == "undo":
            if done:
                undone.append(done.pop())
        elif decision.kind == "redo":
            if undone:
                done.append(undone.pop())
        else:
            done.append((number, decision))
            undone.clear()
    return done, undone


def replay(base: Sequence[Mark], decisions: Iterable[tuple[int, Decision]]) -> Sheet:
    """What is there now: the marks of the beginning after all decisions that hold."""
    done, undone = standing(decisions)
    sheet = Sheet(in_order(base))
    for _, decision in done:
        sheet = sheet.after(decision)
    first = bool(done) and done[0][1].kind == "begin"
    return replace(sheet, can_undo=len(done) > first, can_redo=bool(undone))
