"""What was covered and what was left open, character by character, whatever the labels.

Two kinds of characters count. *Visible* ones, all but white space (`str.isspace`), are the measure of coverage and
over-redaction, so that a gap between two words is nobody's gain or loss. *Telling* ones, letters and digits
(`str.isalnum`), decide whether a span leaks: an open comma gives nobody away, an open initial may. In a gold span
that has no telling character (an emoji for a name) all visible ones are telling; in one of white space none is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span, covered
from elision.evaluate.matching import Pair, Place, places
from elision.evaluate.tally import Ints, LabelTally, Tally, in_order, ratio

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Coverage:
    """Visible characters and leaking spans of every note. Arrays by label are notes × labels.

    `characters` is label-blind: gold and system characters and those that are both. In `by_label`, `found` are the
    gold characters of a label that any system span covers and `right` the system characters of a label that any gold
    span covers; a character under two labels counts for each. A gold span leaks `partly` or `wholly` if some or all
    of its telling characters are in no system span.
    """

    labels: tuple[str, ...]
    visible: Ints
    characters: Tally
    by_label: LabelTally
    spans: Ints
    partly: Ints
    wholly: Ints

    @property
    def leaks(self) -> Ints:
        """How many gold spans leak, one number a note."""
        by_note: Ints = (self.partly + self.wholly).sum(axis=1)
        return by_note

    @property
    def over_redacted(self) -> Ints:
        """How many visible characters the system covers without need, one number a note."""
        return self.characters.system - self.characters.right

    @property
    def harmless(self) -> Ints:
        """How many visible characters are in no gold span, one number a note."""
        return self.visible - self.characters.gold


@dataclass(frozen=True, slots=True)
class Leaks:
    """Leaking gold spans over all notes. `distribution` lists (leaks in a note, number of such notes)."""

    notes: int
    clean_notes: int
    spans: int
    partly: int
    wholly: int
    mean: float
    median: float
    maximum: int
    distribution: tuple[tuple[int, int], ...]


def coverage(pairs: Sequence[Pair]) -> Coverage:
    """Compare what gold and system cover in each note."""
    labels = in_order(span.label for pair in pairs for document in pair for span in document.spans)
    place = {label: at for at, label in enumerate(labels)}
    notes, shape = len(pairs), (len(pairs), len(labels))
    visible, gold, system, both = (np.zeros(notes, np.int64) for _ in range(4))
    label_gold, label_found, label_system, label_right = (np.zeros(shape, np.int64) for _ in range(4))
    spans, partly, wholly = (np.zeros(shape, np.int64) for _ in range(3))
    for row, (gold_note, system_note) in enumerate(pairs):
        seen, telling = _visible_and_telling(gold_note.text)
        in_gold, in_system = (_mask(len(seen), document.spans) for document in (gold_note, system_note))
        visible[row] = seen.sum()
        gold[row], system[row] = (seen & in_gold).sum(), (seen & in_system).sum()
        both[row] = (seen & in_gold & in_system).sum()
        label_gold[row], label_found[row] = _by_label(gold_note, place, seen, seen & in_system)
        label_system[row], label_right[row] = _by_label(system_note, place, seen, seen & in_gold)
        spans[row], partly[row], wholly[row] = _leaks(gold_note, place, seen, telling, in_system)
    return Coverage(
        labels,
        visible,
        Tally(gold, both, system, both),
        LabelTally(labels, Tally(label_gold, label_found, label_system, label_right)),
        spans,
        partly,
        wholly,
    )


def leaks(found: Coverage) -> Leaks:
    """The leaks of all notes in short."""
    by_note = found.leaks
    numbers, notes = np.unique(by_note, return_counts=True)
    return Leaks(
        notes=len(by_note),
        clean_notes=int((by_note == 0).sum()),
        spans=int(found.spans.sum()),
        partly=int(found.partly.sum()),
        wholly=int(found.wholly.sum()),
        mean=ratio(int(by_note.sum()), len(by_note)),
        median=float(np.median(by_note)) if len(by_note) else 0.0,
        maximum=int(by_note.max(initial=0)),
        distribution=tuple(zip(numbers.tolist(), notes.tolist(), strict=True)),
    )


def leaking(gold: Document, system: Document) -> dict[Place, Literal["partly", "wholly"]]:
    """The gold spans of one note that leak, each by itself; `coverage` counts the same."""
    spans = sorted(places(gold))
    seen, telling = _visible_and_telling(gold.text)
    partly, wholly = _left_open(spans, seen, telling, _mask(len(seen), system.spans))
    return {
        span: "wholly" if whole else "partly"
        for span, part, whole in zip(spans, partly.tolist(), wholly.tolist(), strict=True)
        if part or whole
    }


def _visible_and_telling(text: str) -> tuple[Mask, Mask]:
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    visible, telling = np.zeros((2, int(codes.max(initial=0)) + 1), np.bool_)
    for character in set(text):
        visible[ord(character)] = not character.isspace()
        telling[ord(character)] = character.isalnum()
    return visible[codes], telling[codes]


def _mask(size: int, spans: Iterable[Span]) -> Mask:
    mask = np.zeros(size, np.bool_)
    for start, end in covered(spans):
        mask[start:end] = True
    return mask


def _by_label(document: Document, place: dict[str, int], seen: Mask, shared: Mask) -> tuple[Ints, Ints]:
    """How many characters of each label are seen, and how many of them shared with the other side."""
    members: dict[str, list[Span]] = {}
    for span in document.spans:
        members.setdefault(span.label, []).append(span)
    rows = [(place[label], start, end) for label, spans in members.items() for start, end in covered(spans)]
    at, starts, ends = np.array(rows, np.int64).reshape(-1, 3).T
    return _sum_by(at, _within(seen, starts, ends), place), _sum_by(at, _within(shared, starts, ends), place)


def _leaks(
    document: Document, place: dict[str, int], seen: Mask, telling: Mask, hidden: Mask
) -> tuple[Ints, Ints, Ints]:
    """Of each label: the gold spans, those that leak in part, those that leak as a whole."""
    spans = sorted(places(document))
    partly, wholly = _left_open(spans, seen, telling, hidden)
    at = np.array([place[label] for _, _, label in spans], np.int64)
    counts = np.ones_like(at), partly.astype(np.int64), wholly.astype(np.int64)
    of_all, of_partly, of_wholly = (_sum_by(at, values, place) for values in counts)
    return of_all, of_partly, of_wholly


def _left_open(spans: Sequence[Place], seen: Mask, telling: Mask, hidden: Mask) -> tuple[Mask, Mask]:
    """Which spans leak in part, and which as a whole."""
    starts, ends = np.array([(start, end) for start, end, _ in spans], np.int64).reshape(-1, 2).T
    bare = _within(telling, starts, ends) == 0
    size = np.where(bare, _within(seen, starts, ends), _within(telling, starts, ends))
    open_ = np.where(bare, _within(seen & ~hidden, starts, ends), _within(telling & ~hidden, starts, ends))
    wholly = (open_ == size) & (size > 0)
    return (open_ > 0) & ~wholly, wholly


def _within(mask: Mask, starts: Ints, ends: Ints) -> Ints:
    """How many characters of the mask lie in each stretch."""
    total: Ints = np.concatenate([np.zeros(1, np.int64), np.cumsum(mask, dtype=np.int64)])
    return np.subtract(total[ends], total[starts])


def _sum_by(at: Ints, values: Ints, place: dict[str, int]) -> Ints:
    sums = np.zeros(len(place), np.int64)
    np.add.at(sums, at, values)
    return sums
