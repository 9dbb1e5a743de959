"""What notes are read from: a folder, files, a table, a database. All of them are rows of columns in batches.

A source is a value: it can be pickled to a worker, which reads a shard by what the shard says and nothing else. A shard
is a mapping for JSON; `start` is the number of its first row and `rows` how many it has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from elision.errors import FormatError
from elision.formats.format import MEGABYTE
from elision.showing import column, place

MOST_ROWS = 250  # of a batch
MOST_BYTES = 8 * MEGABYTE  # of a batch, about; one row may be larger
MOST_CELL = 256 * MEGABYTE  # of one row; a larger one is an error

# Why a row is held that cannot be read, and its number, in a column that only batches with such rows have.
UNREADABLE_ROW = "elision_unreadable"
NOT_UTF_8, UNREADABLE = "not-utf-8", "row-unreadable"

Shard = dict[str, Any]
Cells = Mapping[str, Any]  # of a row, by column


class Source(Protocol):
    """`format` is the name of what is read. `fingerprint` changes with what is there; `rows` is None while nobody has
    counted; `remarks` are what somebody ought to know of rows that cannot be read."""

    @property
    def where(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def schema(self) -> Any: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def rows(self) -> int | None: ...
    @property
    def remarks(self) -> Sequence[str]: ...

    def shards(self, rows: int) -> list[Shard]:
        """The whole input in stretches of about so many rows, in order."""

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        """The rows of a shard as batches, all columns or these."""


@dataclass(frozen=True)
class Options:
    """How to read. `encoding` is of files of text; `delimiter` of CSV, sniffed if empty; `key` orders a table."""

    encoding: str = "utf-8"
    delimiter: str = ""
    key: str = ""
    max_bytes: int = MOST_CELL
    header: bool = True  # whether the first row of CSV has the names of the columns
    query: str = ""  # of a database: what is read in place of a table


def fingerprint(parts: Iterable[object]) -> str:
    """Says whether something is as it was: of names, sizes and times, never of what is in the files."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{part}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def of_files(root: Path, files: Iterable[Path], *how: object) -> str:
    """The fingerprint of files by name, size and time of change."""
    parts: list[object] = list(how)
    for file in files:
        stat = file.stat()
        parts.append(f"{file.relative_to(root).as_posix()}\t{stat.st_size}\t{stat.st_mtime_ns}")
    return fingerprint(parts)


def batches_of(rows: Iterable[Cells], schema: Any, where: str) -> Iterator[Any]:
    """Rows as batches of this schema, none too large."""
    batch: list[Cells] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(cell) for cell in row.values() if isinstance(cell, (str, bytes)))
        if len(batch) >= MOST_ROWS or size >= MOST_BYTES:
            yield batch_of(batch, schema, where)
            batch, size = [], 0
    if batch:
        yield batch_of(batch, schema, where)


def batch_of(rows: Sequence[Cells], schema: Any, where: str) -> Any:
    """Rows as one batch. What pyarrow says of a cell that does not fit would quote it, so we say it ourselves."""
    import pyarrow as pa

    columns = []
    for name in schema.names:
        try:
            columns.append(pa.array([row[name] for row in rows], schema.field(name).type))
        except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
            kind = type(error).__name__
            raise FormatError(
                f"{place(where)}: column {column(name)}: a cell is not {schema.field(name).type} as the others are "
                f"({kind})"
            ) from None
    batch = pa.RecordBatch.from_arrays(columns, schema=schema)
    if any(UNREADABLE_ROW in row for row in rows):
        said = pa.array([row.get(UNREADABLE_ROW) for row in rows], pa.string())
        return batch.append_column(UNREADABLE_ROW, said)
    return batch


def whole(batches: Iterable[Any], shard: Shard, where: str) -> Iterator[Any]:
    """Batches, and an error in the end if they were not all that the shard had when it was counted."""
    seen = 0
    for batch in batches:
        seen += batch.num_rows
        yield batch
    if seen != shard["rows"]:
        raise FormatError(
            f"{where}: {seen:,} rows from row {shard['start'] + 1:,} on, where there were {shard['rows']:,}; "
            "it was changed while it was read: begin the run anew"
        )


def chosen_fields(schema: Any, names: Sequence[str] | None) -> Any:
    """The schema of some columns in the order of the table."""
    import pyarrow as pa

    wanted = set(schema.names if names is None else names)
    return pa.schema([schema.field(name) for name in schema.names if name in wanted])


def batches_selected(batches: Iterable[Any], schema: Any) -> Iterator[Any]:
    """The columns that go out; others that a batch has are for somebody else."""
    for batch in batches:
        yield batch.select(list(schema.names)).cast(schema)


def strings(names: Iterable[str]) -> Any:
    import pyarrow as pa

    return pa.schema([pa.field(name, pa.string()) for name in names])


_END = object()


class Onward:
    """Goes through something that can only be read from its beginning. Who reads on from where the last one stopped, as
    a worker does with one shard after another, reads all of it once."""

    def __init__(self) -> None:
        self._what: object = None
        self._at = 0
        self._items: Iterator[Any] = iter(())

    def stretch(self, what: object, start: int, count: int, open: Callable[[], Iterator[Any]]) -> Iterator[Any]:
        """Items `start` to `start + count` of what `open` begins to read."""
        if self._what != what or self._at > start:
            self._what, self._at, self._items = what, 0, open()
        sound = False
        try:
            while self._at < start + count and (item := next(self._items, _END)) is not _END:
                self._at += 1
                if self._at > start:
                    yield item
            sound = True
        finally:
            if not sound:  # what broke off would go on as if it were at its end
                self._what = None

    def __getstate__(self) -> dict[str, object]:
        return {}

    def __setstate__(self, _: dict[str, object]) -> None:
        Onward.__init__(self)
