"""Messages and resources written again: each from its shell, which was cleaned, and from the text of its note."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from elision.document import Document
from elision.errors import FormatError
from elision.formats.catalogue import format_named
from elision.formats.convert import read_records
from elision.formats.format import Reading
from elision.formats.records import Record, Records, Renaming
from elision.formats.tables.amending import Amendment, amended, readable
from elision.formats.tables.columns import Columns
from elision.formats.tables.staged import StagedSink
from elision.formats.tables.writers import read_ipc

_MOST = 1 << 40  # bytes of a note that was written before: no limit


@dataclass(frozen=True)
class RecordSink(StagedSink):
    """One file or a folder of records. A note that is held is no record."""

    columns: Columns

    @property
    def _records(self) -> Records:
        records = format_named(self.format).records
        assert records is not None, "a format without records"  # noqa: S101
        return records

    def _make(self, made: Path, change: Amendment | None) -> None:
        new, old = self._new(self._parts.files()), self.place.target
        if change:
            there = self._old() if change.old_notes else iter(())
            new = amended(there, new, change.old_notes, change.new_notes, old)
        with readable(old):
            self._records.write(new, made, self.place.folder)

    def _new(self, parts: Iterable[Path]) -> Iterator[Record]:
        columns = self.columns
        for row in (row for part in parts for batch in read_ipc(part) for row in batch.to_pylist()):
            text = row[columns.texts[0]]
            if text is None:
                continue
            if not row.get(columns.id):
                raise FormatError("a note without an id cannot be a record; say which column has the ids (--id)")
            joints = tuple(json.loads(row[columns.joints] or "[]"))
            yield Record(Document(text, str(row[columns.id]), joints=joints), json.loads(row[columns.record]))

    def _old(self) -> Iterator[Record]:
        """What is there already, in the same form. It is clean, and cleaning it again changes nothing."""
        if has_none(self.place.target):
            return
        for document, shell in read_records(self.place.target, format_named(self.format), Reading(max_bytes=_MOST)):
            same = Renaming(lambda said: said or None, 0, document.patient)
            yield Record(document, self._records.clean(shell, same))


def has_none(path: Path) -> bool:
    """Whether a place has no record at all, which no format would read."""
    if path.is_dir():
        return not any(path.iterdir())
    return path.is_file() and path.stat().st_size == 0


def is_folder(target: Path, records: Records, where: str) -> bool:
    """Whether records go into a folder: those of a folder do, and those of a file unless OUT has a file's ending."""
    several = Path(where).is_dir() or not Path(where).is_file()
    return records.folder and (
        several or target.is_dir() or target.suffix.lower() not in (".json", ".ndjson", ".jsonl")
    )
