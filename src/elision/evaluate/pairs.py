"""Gold and system documents, side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from elision.document import Document
from elision.errors import ScoreError

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


def pair_up(gold: Iterable[Document], system: Iterable[Document]) -> Pairing:
    """Pair documents by id. Texts that differ are an error: offsets would mean different things."""
    waiting = _by_id(system, "system")
    both: list[Pair] = []
    gold_only: list[Document] = []
    for document in _by_id(gold, "gold").values():
        other = waiting.pop(document.id, None)
        if other is None:
            gold_only.append(document)
        else:
            _same_text(document, other)
            both.append((document, other))
    if not both:
        raise ScoreError(
            f"no note is on both sides ({len(gold_only)} in gold, {len(waiting)} in system): notes are paired by their "
            "ids, which are the file names for most formats; is one of the paths wrong?"
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


def _same_text(gold: Document, system: Document) -> None:
    if gold.text == system.text:
        return
    at = next(
        (i for i, (a, b) in enumerate(zip(gold.text, system.text, strict=False)) if a != b),
        min(len(gold.text), len(system.text)),
    )
    raise ScoreError(
        f"{gold.name}: gold and system have different texts from offset {at} on ({len(gold.text)} and "
        f"{len(system.text)} characters); score the system on the very texts of the gold standard"
    )
