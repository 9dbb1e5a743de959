"""A study's tables as a page of Markdown: for a repository, an issue, a wiki."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from elision.evaluate.context import visible
from elision.papers.studies.study import Study, Table

_MARKS = re.compile(r"[\\`*_\[\]<>|~]")
_NUMBER = re.compile(r"([-+<]?[\d.,]+( %)?|–)?")


Shown = tuple[Table, Sequence[str], Sequence[Sequence[str]]]  # a table, and its head and rows


def page(study: Study, facts: Sequence[str], tables: Iterable[Shown]) -> str:
    """The page, from tables as a terminal shows them."""
    parts = [f"# {_plain(study.title)}", "\n".join(f"- {_plain(fact)}" for fact in facts)]
    for made, head, rows in tables:
        parts += [f"## {_plain(made.title)}", _table(head, rows), "\n".join(f"- {_plain(note)}" for note in made.notes)]
    return "\n\n".join(filter(None, parts)) + "\n"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    numeric = [all(_NUMBER.fullmatch(row[at]) for row in rows) for at in range(len(head))]
    lines = [[*map(_plain, head)], ["---:" if right else "---" for right in numeric]]
    lines += [[*map(_plain, row)] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _plain(text: str) -> str:
    """A line of text in which nothing is a mark of Markdown or HTML."""
    return _MARKS.sub(r"\\\g<0>", visible(" ".join(text.split())))
