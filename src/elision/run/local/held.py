"""The notes that a run holds, as its folder lists them: which, why, where, what to do next; never a word of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath
from typing import Any

from elision.errors import FormatError, RunError
from elision.formats.files import parse_json
from elision.run.advice import next_for
from elision.run.local import manifest
from elision.run.local.folder import HELD_FILE, receipts_in

BY = ("why", "label", "column", "file")


@dataclass(frozen=True)
class HeldNote:
    """A held note. `row` is its number in the input, from 0; `start` and `end` are a place in its text, if one is
    known."""

    note: str
    column: str
    why: str
    shard: int
    row: int
    next: str = ""
    label: str = ""
    start: int = 0
    end: int = 0

    def of(self, what: str) -> str:
        """What it is grouped by: of a file, the folder in which the note lies."""
        if what == "file":
            return PurePosixPath(self.note).parent.as_posix() if "/" in self.note else ""
        return str(getattr(self, what))


def held_notes(folder: Path) -> Iterator[HeldNote]:
    """The held notes of a run, in the order of the input."""
    path = folder / HELD_FILE
    names = {one.name for one in fields(HeldNote)}
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                row: Any = parse_json(line, f"{path}:{number}")
                if not isinstance(row, dict) or not {"note", "column", "why", "row"} <= set(row) <= names:
                    raise RunError(f"{path}:{number}: is no list of held notes of this version of elision")
                yield HeldNote(**{"next": next_for(str(row["why"])), **row})
    except (OSError, UnicodeDecodeError, FormatError, TypeError):
        raise RunError(f"{path}: cannot be read; is {folder} the folder of a run that has ended?") from None


def folder_of_run(where: Path) -> Path:
    """The folder of a run by itself, or by its output, beside which it lies."""
    for folder in (where, where.with_name(f"{where.name}.run")):
        if (folder / manifest.NAME).is_file():
            manifest.read(folder)
            if receipts_in(folder).is_dir():
                raise RunError(f"{folder}: of a run in Spark; its held notes are Parquet: read {folder / 'held'}")
            return folder
    raise RunError(f"{where}: no run has ended here; give the folder of a run, such as OUT.run")


def tried_again(folder: Path) -> str:
    """How the held notes of a run are tried again."""
    state = manifest.read(folder)
    if state and state.nights:
        return "the next night tries them again; all nights have the same settings, and --force begins anew with others"
    return "elision run … --retry-held tries them again"


def grouped(notes: Iterable[HeldNote], by: Iterable[str]) -> list[tuple[tuple[str, ...], list[HeldNote]]]:
    """Held notes that have the same reason, label, column and so on, most first."""
    groups: dict[tuple[str, ...], list[HeldNote]] = {}
    names = tuple(by)
    for note in notes:
        groups.setdefault(tuple(note.of(name) for name in names), []).append(note)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def as_json(note: HeldNote) -> str:
    return json.dumps({one.name: getattr(note, one.name) for one in fields(note)}, ensure_ascii=False)
