"""Gold and system documents side by side, and spans against spans: equal offsets and labels, or an overlap.

Everywhere here a span is its start, end and label: what a side says twice counts once, and the order of the spans
does not matter. A span without characters counts like any other, but overlaps nothing.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from elision.document import Document
from elision.errors import ScoreError
from elision.evaluate.tally import LabelTally, Tally, count_labels, in_order

Pair = tuple[Document, Document]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which documents are on both sides, and which on one only."""

    both: tuple[Pair, ...]
    gold_only: tuple[Document, ...]
    system_only: tuple[Document, ...]

    def all(self) -> tuple[Pair, ...]:
        """Every document counts: one that is missing on a side stands there without spans."""
        return (
            *self.both,
            *((gold, gold.with_spans(())) for gold in self.gold_only),
            *((system.with_spans(()), system) for system in self.system_only),
        )


def pair_up(
    gold: Iterable[Document], system: Iterable[Document], *, names: tuple[str, str] = ("gold", "system")
) -> Pairing:
    """Pair documents by id. Texts that differ are an error: offsets would mean different things.

    `names` is what messages call the two sides.
    """
    waiting = _by_id(system, names[1])
    both: list[Pair] = []
    gold_only: list[Document] = []
    for document in _by_id(gold, names[0]).values():
        other = waiting.pop(document.id, None)
        if other is None:
            gold_only.append(document)
        else:
            _same_text(document, other, names)
            both.append((document, other))
    if not both:
        raise ScoreError(
            f"no note is on both sides ({len(gold_only)} in {names[0]}, {len(waiting)} in {names[1]}): notes are "
            "paired by their ids, which are the file names for most formats; is one of the paths wrong?"
        )
    return Pairing(tuple(both), tuple(gold_only), tuple(waiting.values()))


def pair_two(
    gold: Iterable[Document], a: Iterable[Document], b: Iterable[Document]
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Pair two systems with the same gold, note by note in the same order, as a comparison of the two needs it.

    Every document counts, as in `Pairing.all`; one that only one of the systems has is empty in the other.
    """
    gold = tuple(gold)
    pairs_a, pairs_b = ({pair[0].id: pair for pair in pair_up(gold, side).all()} for side in (a, b))
    ids = dict.fromkeys((*(document.id for document in gold), *pairs_a, *pairs_b))
    return (
        tuple(pairs_a[id] if id in pairs_a else _without_spans(pairs_b[id]) for id in ids),
        tuple(pairs_b[id] if id in pairs_b else _without_spans(pairs_a[id]) for id in ids),
    )


def _without_spans(pair: Pair) -> Pair:
    gold, system = pair
    return gold, system.with_spans(())


def _by_id(documents: Iterable[Document], side: str) -> dict[str, Document]:
    """Documents by id. An id that comes twice would take one of its notes out of the score."""
    found: dict[str, Document] = {}
    for document in documents:
        if document.id in found:
            raise ScoreError(f"{document.name} is twice in {side}; notes are paired by their ids, so give each its own")
        found[document.id] = document
    return found


def _same_text(gold: Document, system: Document, names: tuple[str, str]) -> None:
    if gold.text == system.text:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(gold.text, system.text, strict=False)) if a != b),
        min(len(gold.text), len(system.text)),
    )
    raise ScoreError(
        f"{gold.name}: {names[0]} and {names[1]} have different texts from offset {at} on ({len(gold.text)} and "
        f"{len(system.text)} characters); both must mark the very same texts"
    )


Place = tuple[int, int, str]  # start, end, label
Key = Callable[[str], str]  # label -> what is compared of it


def same(label: str) -> str:
    return label


def blind(_: str) -> str:
    """The key of label-blind matching: all labels are one."""
    return ""


def places(document: Document, key: Key = same) -> set[Place]:
    """The distinct spans of a document, with the key of each label in its place."""
    return {(span.start, span.end, key(span.label)) for span in document.spans}


def strict(pairs: Sequence[Pair], key: Key = same) -> LabelTally:
    """Spans with the same start, end and label.

    `key=labels.parent` compares parents instead of labels, `key=blind` offsets only.
    """
    gold = [places(document, key) for document, _ in pairs]
    system = [places(document, key) for _, document in pairs]
    both = [a & b for a, b in zip(gold, system, strict=True)]
    return _tally(gold, system, both, both)


def relaxed(pairs: Sequence[Pair], key: Key = same) -> LabelTally:
    """Spans that share at least one character with a span of the same label on the other side.

    One span may match several: a name cut in two is one gold span found and two system spans right.
    """
    gold = [places(document, key) for document, _ in pairs]
    system = [places(document, key) for _, document in pairs]
    found = [_near(a, b) for a, b in zip(gold, system, strict=True)]
    right = [_near(b, a) for a, b in zip(gold, system, strict=True)]
    return _tally(gold, system, found, right)


class Neighbours:
    """Spans in order, for asking often which of them a stretch of text touches; each question is a bisection."""

    def __init__(self, spans: Iterable[Place]) -> None:
        self.spans = sorted(span for span in spans if span[0] < span[1])
        self.starts = [start for start, _, _ in self.spans]
        self.reach = list(accumulate((end for _, end, _ in self.spans), max))  # how far spans reach so far
        self._codes = {label: code for code, label in enumerate({label for _, _, label in self.spans})}
        columns = [(start, end, self._codes[label]) for start, end, label in self.spans]
        self._columns = np.array(columns, np.int64).reshape(-1, 3).T.copy()

    def touches(self, start: int, end: int) -> bool:
        """Whether a span shares a character with the stretch."""
        before = bisect_left(self.starts, end)
        return start < end and before > 0 and self.reach[before - 1] > start

    def closest(self, place: Place) -> Place | None:
        """The span that shares most characters with another; of several, one with its label, or else the first."""
        start, end, label = place
        first, last = bisect_right(self.reach, start), bisect_left(self.starts, end)
        if start >= end or first >= last:
            return None
        starts, ends, codes = self._columns[:, first:last]  # as columns, since a long span may touch all others
        shared = np.minimum(ends, end) - np.maximum(starts, start)
        best = shared == shared.max()
        alike = best & (codes == self._codes.get(label, -1))
        return self.spans[first + int((alike if alike.any() else best).argmax())]


def _near(spans: set[Place], others: set[Place]) -> set[Place]:
    by_label: dict[str, list[Place]] = {}
    for other in others:
        by_label.setdefault(other[2], []).append(other)
    near = {label: Neighbours(members) for label, members in by_label.items()}
    return {span for span in spans if span in others or (span[2] in near and near[span[2]].touches(span[0], span[1]))}


def _tally(
    gold: list[set[Place]], system: list[set[Place]], found: list[set[Place]], right: list[set[Place]]
) -> LabelTally:
    labels = in_order(label for side in (gold, system) for spans in side for _, _, label in spans)
    by_label = Tally(
        *(
            count_labels([[label for _, _, label in spans] for spans in side], labels)
            for side in (gold, found, system, right)
        )
    )
    return LabelTally(labels, by_label)
