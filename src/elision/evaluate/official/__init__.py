"""Scores as the official programs of the shared tasks print them, bugs included.

Published numbers hold those bugs, so a system can be put beside them only by counting alike. Each
module says at its top what its program does that one would not expect. For honest numbers of one's own, use
the other scores of `elision.evaluate`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.tally import Counts

__all__ = ["Block", "Macro", "by_id", "compare", "nothing_common", "spelled", "table", "total"]


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over notes, with the population standard deviation. F1 is that of the means, nan if both are 0."""

    precision: float
    recall: float
    f1: float
    sd_precision: float
    sd_recall: float


@dataclass(frozen=True, slots=True)
class Block:
    """One block of an official report: what it is called there, what was counted, and the strings in print.

    `precision`, `recall` and `f1` are the micro figures. They are kept apart from `counts` because nedap's program
    rounds on the way. `run` is the name of the system's run where one folder holds several (i2b2).
    """

    name: str
    per_document: Mapping[str, Counts]
    counts: Counts
    precision: float
    recall: float
    f1: float
    printed: Mapping[str, str]
    run: str = ""
    macro: Macro | None = None
    leak: float | None = None  # missed spans per sentence (MEDDOCAN); None where it is not available


def compare(gold: AbstractSet[object], system: AbstractSet[object]) -> Counts:
    """What is on both sides is right."""
    right = len(gold & system)
    return Counts(right, len(system) - right, len(gold) - right)


def total(per_document: Mapping[str, Counts]) -> Counts:
    return sum(per_document.values(), Counts())


def by_id(documents: Iterable[Document], side: str) -> dict[str, Document]:
    """Documents by id; the same id twice would make one of the two vanish from the score."""
    found: dict[str, Document] = {}
    for document in documents:
        if found.setdefault(document.id, document) is not document:
            raise ScoreError(f"{document.name} comes twice in {side}; every note needs an id of its own")
    return found


def spelled(span: Span) -> tuple[str, str]:
    """Start and end as their file spells them ("016"), since some programs compare the strings."""
    return _spelled(span, "start", span.start), _spelled(span, "end", span.end)


def _spelled(span: Span, key: str, offset: int) -> str:
    raw = span.info.get(key, "")
    return raw if raw.strip().isdecimal() and int(raw) == offset else f"{offset}"


def nothing_common(gold: int, system: int) -> ScoreError:
    return ScoreError(
        f"no note is on both sides ({gold} in gold, {system} in system): notes are paired by their ids, which are the "
        "file names for most formats; is one of the paths wrong?"
    )


def table(blocks: Sequence[Block]) -> str:
    """Blocks as lines of plain text, one for each, with the figures as the official program prints them."""
    figures = list(dict.fromkeys(figure for block in blocks for figure in block.printed))
    rows = [["", "notes", "tp", "fp", "fn", *figures]]
    for block in blocks:
        counts = (len(block.per_document), block.counts.tp, block.counts.fp, block.counts.fn)
        rows.append([block.name, *(f"{n}" for n in counts), *(block.printed.get(figure, "") for figure in figures)])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "".join(
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]) + "\n"
        for row in rows
    )
