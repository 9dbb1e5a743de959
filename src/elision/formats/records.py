"""Messages and resources as rows: the text of each, and beside it the rest as a shell, from which all is written again.

A shell that is read quotes the original. Before it goes anywhere it is cleaned: only what a table of its format names
stays, ids become pseudonyms, dates move with those of the note. Everything else is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from elision.document import Document
from elision.formats.format import Reading

Shell = dict[str, Any]  # as JSON holds it
_DAY = re.compile(r"([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})")


class Record(NamedTuple):
    """A message or a resource: its texts joined to one, and its shell."""

    document: Document
    shell: Shell


@dataclass(frozen=True)
class Renaming:
    """How ids and dates of a shell change. `link`: the pseudonym of an id, None without a key. `days`: by how many the
    dates move, None if nobody knows. `patient`: whose record it is, by the id that it came with."""

    link: Callable[[str], str | None]
    days: int | None = None
    patient: str = ""

    def moved(self, value: str) -> str | None:
        """A date, or a time that begins with one, moved; None if it is no date. The time of day stays."""
        found = _DAY.match(value)
        if found is None or self.days is None:
            return None
        try:
            day = date(int(found[1]), int(found[3]), int(found[4])) + timedelta(self.days)
        except (ValueError, OverflowError):
            return None
        return f"{day.year:04}{found[2]}{day.month:02}{found[2]}{day.day:02}{value[found.end() :]}"


@dataclass(frozen=True)
class Records:
    """How a format reads records, cleans their shells, and writes them. `endings`: of a file that is written so, if
    nothing else is said. `write` has a place, and whether that is a folder."""

    read: Callable[[Path, Reading], Iterator[Record]]
    clean: Callable[[Shell, Renaming], Shell]
    write: Callable[[Iterable[Record], Path, bool], None]
    endings: tuple[str, ...]
    folder: bool  # whether several files may be written


def joined(pieces: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """One text of several pieces, and where each begins; one piece alone needs no joint."""
    if len(pieces) < 2:
        return "".join(pieces), ()
    joints = [0]
    for piece in pieces[:-1]:
        joints.append(joints[-1] + len(piece) + 1)
    return "\n".join(pieces), tuple(joints)


def parted(text: str, joints: Sequence[int]) -> list[str | None]:
    """The pieces of a text. None: a replacement took in the line break before the piece, and its rest stands in the
    piece before it. So the pieces, joined again, are the text."""
    starts = [0]
    pieces: list[str | None] = []
    waiting = 0  # pieces that are one with the last
    for before, joint in pairwise(joints or (0,)):
        if joint > starts[-1] and joint > before and text[joint - 1] == "\n":
            pieces += [text[starts[-1] : joint - 1], *[None] * waiting]
            starts.append(joint)
            waiting = 0
        else:
            waiting += 1
    return [*pieces, text[starts[-1] :], *[None] * waiting]
