"""What kind of errors a system makes, as Wellner (2007) and He (2015) sort them.

A span's kind is the best that any span of the other side is to it:

- `agree`: the same start, end and label
- `type`: the same start and end, under another label
- `extent`: an overlap, whatever the label
- `spurious` (of the system) or `missing` (of gold): nothing

So every distinct span of either side has exactly one kind, and no order of spans or matches plays a part. Where each
side has one label at a place, as many spans agree, and differ in type, on one side as on the other; the numbers of
`extent` may differ, since one span can touch several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from elision.evaluate.matching import Neighbours, Pair, Place, places
from elision.evaluate.tally import Ints, in_order

SYSTEM_KINDS = ("agree", "type", "extent", "spurious")
GOLD_KINDS = ("agree", "type", "extent", "missing")

SHAPES = ("short", "long", "short and long")  # of an extent error

Shape = Literal["", "short", "long", "short and long"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One error: where it is and what stands there on each side, as (start, end, label); never the text.

    `gold` is None for a spurious span and `system` for a missing one. An extent error has the gold span that shares
    most characters with the system's (of several, one of the same label, or else the first), and its `shape`: the
    system's span is a part of it (short), has it as a part (long), or neither.
    """

    document: str
    kind: Literal["type", "extent", "missing", "spurious"]
    gold: Place | None
    system: Place | None
    shape: Shape = ""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """All spans by kind, and every error by itself.

    `gold` and `system` are notes × kinds, in the order of `GOLD_KINDS` and `SYSTEM_KINDS`. `agree` counts the spans
    that agree, by label. `mistakes` has an entry for each system span that does not agree and for each missing gold
    span; a gold span that is only touched is no error of its own.
    """

    labels: tuple[str, ...]
    gold: Ints
    system: Ints
    agree: Ints
    mistakes: tuple[Mistake, ...]


def find_errors(pairs: Sequence[Pair]) -> Errors:
    """Sort the spans of all notes."""
    labels = in_order(span.label for pair in pairs for document in pair for span in document.spans)
    at = {label: place for place, label in enumerate(labels)}
    gold_counts, system_counts = (np.zeros((len(pairs), 4), np.int64) for _ in range(2))
    agree = np.zeros(len(labels), np.int64)
    mistakes: list[Mistake] = []
    for row, (gold_note, system_note) in enumerate(pairs):
        gold, system = _Side(places(gold_note)), _Side(places(system_note))
        for place in sorted(system.places):
            kind = gold.kind_of(place)
            system_counts[row, kind] += 1
            if kind == 0:
                agree[at[place[2]]] += 1
            else:
                mistakes.append(_mistake(gold_note.id, kind, place, gold, system))
        for place in sorted(gold.places):
            kind = system.kind_of(place)
            gold_counts[row, kind] += 1
            if kind == 3:
                mistakes.append(Mistake(gold_note.id, "missing", place, None))
    return Errors(labels, gold_counts, system_counts, agree, tuple(mistakes))


class _Side:
    """The spans of one side of a note, for asking what they are to a span of the other side."""

    def __init__(self, spans: set[Place]) -> None:
        self.places = spans
        self.neighbours = Neighbours(spans)
        self.labels_at: dict[tuple[int, int], list[str]] = {}
        for start, end, label in sorted(spans):
            self.labels_at.setdefault((start, end), []).append(label)

    def kind_of(self, place: Place) -> int:
        """The kind of a span of the other side, as its place in `GOLD_KINDS` or `SYSTEM_KINDS`."""
        if place in self.places:
            return 0
        if place[:2] in self.labels_at:
            return 1
        return 2 if self.neighbours.touches(place[0], place[1]) else 3


def _mistake(document: str, kind: int, place: Place, gold: _Side, system: _Side) -> Mistake:
    if kind == 1:
        return Mistake(document, "type", _mistaken(place, gold, system), place)
    partner = gold.neighbours.closest(place)
    if kind == 3 or partner is None:
        return Mistake(document, "spurious", None, place)
    return Mistake(document, "extent", partner, place, _shape(place, partner))


def _mistaken(place: Place, gold: _Side, system: _Side) -> Place:
    """The gold span that a type error stands for: at its offsets, rather one that nothing agrees with, then by name."""
    start, end, _ = place
    candidates = [(start, end, label) for label in gold.labels_at[start, end]]
    return next((candidate for candidate in candidates if candidate not in system.places), candidates[0])


def _shape(system: Place, gold: Place) -> Shape:
    if gold[0] <= system[0] and system[1] <= gold[1]:
        return "short"
    return "long" if system[0] <= gold[0] and gold[1] <= system[1] else "short and long"
