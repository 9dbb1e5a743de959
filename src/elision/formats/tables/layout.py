"""Tables of many files, as a folder or a pattern has them: the output has the same files, with the same rows in each.

A partitioned folder (`year=2024/part-0.parquet`) stays one. Its rows are those of all files, in the order of their
names, so all that holds for one table holds for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from elision.errors import FormatError
from elision.formats.atomic import writing
from elision.formats.catalogue import FILES_OF_TABLES, TABLE_OF_ENDING
from elision.formats.files import file_for, is_url
from elision.formats.tables.amending import Amendment, amend_batches, amended, readable, records
from elision.formats.tables.csv import CsvTable
from elision.formats.tables.file_sink import FileSink
from elision.formats.tables.jsonl import Lines
from elision.formats.tables.parquet import Groups
from elision.formats.tables.placing import files_in
from elision.formats.tables.source import Source
from elision.formats.tables.writers import read_ipc, write_parquet


class Part(NamedTuple):
    """A file of the output, and how many rows it has."""

    name: str
    rows: int


def layout_of(source: Source, out: str, format: str) -> tuple[str, tuple[Part, ...]]:
    """The format and the files that OUT has if it has those of IN; no file if it is not so."""
    target = Path(out)
    is_one = Path(source.where).is_file() or target.is_file() or target.suffix.lower() in TABLE_OF_ENDING
    if not isinstance(source, (CsvTable, Lines, Groups)) or is_url(out) or is_one:
        return "", ()
    chosen = format or TABLE_OF_ENDING.get(PurePosixPath(source.files[0]).suffix.lower(), source.format)
    if chosen not in FILES_OF_TABLES:
        return "", ()
    parts = tuple(Part(_named(file, chosen), rows) for file, rows in zip(source.files, source.counts, strict=True))
    if len({part.name.casefold() for part in parts}) < len(parts):
        raise FormatError(f"{source.where}: two files would have one name as {chosen}; leave --to out, or rename one")
    return chosen, parts


def _named(file: str, format: str) -> str:
    path = PurePosixPath(file)
    ending = TABLE_OF_ENDING.get(path.suffix.lower())
    return file if ending == format else f"{path.with_suffix('') if ending else path}.{format}"


@dataclass(frozen=True)
class LayoutSink(FileSink):
    """A folder of files of rows."""

    layout: tuple[Part, ...] = ()

    def _make(self, file: Path, change: Amendment | None) -> None:
        file.mkdir()
        rest: list[Any] = []  # of a batch that goes on in the next file
        rows = self._batches(change) if self.format == "parquet" else self._lines(change)
        for part in self.layout:
            with writing(_file(file, part)) as stream:
                if self.format == "parquet":
                    write_parquet(stream, _first(rows, part.rows, rest), self.schema)
                else:
                    self._writer.join(stream, (), self.schema)  # the header
                    stream.writelines(islice(rows, part.rows))

    def _batches(self, change: Amendment | None) -> Iterator[Any]:
        parts = self._parts.files()
        if change is None:
            return (batch for part in parts for batch in read_ipc(part))
        return amend_batches(self._old(), parts, self.schema, change, self.place.target)

    def _lines(self, change: Amendment | None) -> Iterator[bytes]:
        quoted = self.format != "jsonl"
        new = (line for part in self._parts.files() for line in records(part, quoted=quoted))
        if change is None:
            return new
        old = (line for file in self._old() for line in islice(records(file, quoted=quoted), int(quoted), None))
        return amended(old, new, change.old, change.new, self.place.target)

    def _old(self) -> list[Path]:
        """The files that are there, in the order of their names."""
        target = self.place.target
        with readable(target):
            return sorted(target / name for name in files_in(target))


def layout_told(sink: object) -> str:
    """What tells one layout from another; "" of an output that is no folder of tables."""
    return sha256(repr(sink.layout).encode()).hexdigest() if isinstance(sink, LayoutSink) else ""


def _first(batches: Iterator[Any], rows: int, rest: list[Any]) -> Iterator[Any]:
    """The next rows of some batches."""
    while rows and (batch := rest.pop() if rest else next(batches, None)) is not None:
        piece = batch.slice(0, rows)
        if len(piece) < len(batch):
            rest.append(batch.slice(len(piece)))
        rows -= len(piece)
        yield piece


def _file(made: Path, part: Part) -> Path:
    file = file_for(made, part.name, "")
    file.parent.mkdir(parents=True, exist_ok=True)
    return file
