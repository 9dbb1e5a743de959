"""Recall by where a name comes from, whose it is and how long it is: who is worse protected than others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from elision.document import Document, Span, covered
from elision.evaluate.bounds import clopper_pearson
from elision.labels import parent

LENGTHS = ((3, "up to 3 letters"), (6, "4 to 6"), (10, "7 to 10"), (15, "11 to 15"))


class Row(NamedTuple):
    """A group of names: how many, how many were found to the last character, and the bounds of their share."""

    group: str
    names: int
    found: int
    low: float
    high: float

    @property
    def recall(self) -> float:
        return self.found / self.names


def _length(span: Span) -> str:
    return next((words for most, words in LENGTHS if len(span) <= most), "16 and more")


GROUPS: Mapping[str, Callable[[Span], str]] = {
    "origin": lambda span: span.info.get("origin", ""),
    "gender": lambda span: span.info.get("gender", ""),
    "length": _length,
}


def recall_by(pairs: Iterable[tuple[Document, Document]], group: str | Callable[[Span], str]) -> list[Row]:
    """The recall of names by a group, for (gold, system) pairs. A name is found if the system covers all of it.

    `group` is origin, gender or length, or a function of a gold span; names that belong to no group ("") are left out.
    Groups come with the lowest recall first.
    """
    key = GROUPS[group] if isinstance(group, str) else group
    counts: dict[str, list[int]] = {}
    for gold, system in pairs:
        stretches = covered(system.spans)
        for span in gold.spans:
            name = key(span) if parent(span.label) == "NAME" else ""
            if name:
                row = counts.setdefault(name, [0, 0])
                row[0] += 1
                row[1] += any(start <= span.start and span.end <= end for start, end in stretches)
    rows = []
    for name, (total, found) in counts.items():
        bounds = clopper_pearson(found, total)
        rows.append(Row(name, total, found, bounds.low, bounds.high))
    return sorted(rows, key=lambda row: (row.recall, row.group))


def table(pairs: Iterable[tuple[Document, Document]]) -> str:
    """All three breakdowns as a table in Markdown."""
    kept = list(pairs)
    lines = ["| by | group | names | recall | 95 % |", "|---|---|---|---|---|"]
    for group in GROUPS:
        lines += [
            f"| {group} | {row.group} | {row.names:,} | {row.recall:.1%} | {row.low:.1%} to {row.high:.1%} |"
            for row in recall_by(kept, group)
        ]
    return "\n".join(lines)
