"""What notes are read from: a folder, files, a table, a database. All of them are rows of columns in batches.

A source is a value: it can be pickled to a worker, which reads a shard by what the shard says and nothing else. A shard
is a mapping for JSON; `start` is the number of its first row and `rows` how many it has.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from elision.errors import FormatError
from elision.formats.files import walk
from elision.formats.format import MEGABYTE
from elision.showing import column, ident, place

MOST_ROWS = 250  # of a batch
MOST_BYTES = 8 * MEGABYTE  # of a batch, about; one row may be larger
_SHOWN = 3
MOST_CELL = 256 * MEGABYTE  # of one row; a larger one is an error

# Why a row is held that cannot be read, and its number, in a column that only batches with such rows have.
UNREADABLE_ROW = "elision_unreadable"
NOT_UTF_8, UNREADABLE = "not-utf-8", "row-unreadable"

Shard = dict[str, Any]
Row = Mapping[str, Any]


class Source(Protocol):
    """`fingerprint` changes with what is there to read; `rows` is None while nobody has counted."""

    @property
    def where(self) -> str: ...
    @property
    def schema(self) -> Any: ...
    @property
    def fingerprint(self) -> str: ...
    @property
    def rows(self) -> int | None: ...

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


_BY_ENDING = {".csv": "csv", ".tsv": "csv", ".tab": "csv", ".parquet": "parquet", ".pq": "parquet", ".jsonl": "jsonl",
              ".ndjson": "jsonl"}  # fmt: skip
_MODULES = {"csv": "csv_", "tsv": "csv_", "parquet": "parquet", "jsonl": "jsonl", "text": "folder"}
TABLES = ("csv", "tsv", "jsonl", "parquet")


def open_source(
    where: str | Path,
    *,
    format: str = "",
    encoding: str = "utf-8",
    delimiter: str = "",
    key: str = "",
    max_bytes: int = MOST_CELL,
    header: bool = True,
    tell: Callable[[str], None] = lambda _: None,
) -> Source:
    """What is to be read at a path, a glob or a database URL. A format that is not said is told from the endings."""
    options = Options(encoding, delimiter, key, max_bytes, header)
    if is_url(where):
        from elision.formats.tables.sql import open_table

        return open_table(str(where), options)
    root, files, out = _files(str(where))
    if out:
        tell(f"{place(where)}{_told(out)}")
    chosen = format or _format_of(files)
    if chosen == "tsv" and not delimiter:
        options = replace(options, delimiter="\t")
    if chosen not in _MODULES:
        from elision.formats.tables.documents import open_documents

        return open_documents(str(where), root, chosen, options)
    opener = cast("Callable[..., Source]", import_module(f"elision.run.{_MODULES[chosen]}").open_files)
    return opener(str(where), root, files, options)


def is_url(where: str | Path) -> bool:
    return "://" in str(where)


def _files(where: str) -> tuple[Path, list[Path], list[Path]]:
    """The folder from which names count, the files at a path or a glob by name, and links that lead out."""
    path = Path(where)
    if path.is_file():
        return path.parent, [path], []
    if path.is_dir():
        out: list[Path] = []
        files = walk(path, out)
        if not files:
            raise FormatError(f"{place(where)}: the folder is empty{_told(out)}")
        return path, files, out
    if not glob.has_magic(where):
        raise FormatError(f"{where}: there is no such file or folder")
    at = next(at for at, part in enumerate(path.parts) if glob.has_magic(part))
    root = Path(*path.parts[:at])
    home = root.resolve()
    found, out = list[Path](), list[Path]()
    for file in sorted(file for file in root.glob("/".join(path.parts[at:])) if file.is_file()):
        (found if file.resolve().is_relative_to(home) else out).append(file)
    if not found:
        raise FormatError(f"{place(where)}: no file has such a name{_told(out)}")
    return root, found, out


def _told(out: Sequence[Path]) -> str:
    """The links that are not followed, in the words of a message."""
    if not out:
        return ""
    names = ", ".join(ident(file.name) for file in out[:_SHOWN]) + (", ..." if len(out) > _SHOWN else "")
    one = len(out) == 1
    return (
        f"; {len(out):,} {'link leads' if one else 'links lead'} out of it and {'is' if one else 'are'} not followed "
        f"({names}): give the place that {'it leads' if one else 'they lead'} to"
    )


def _format_of(files: list[Path]) -> str:
    """The format that the endings of all files agree on; "" if it is to be found out by looking."""
    endings = {file.suffix.lower() for file in files}
    formats = {_BY_ENDING.get(ending, "") for ending in endings}
    if endings == {".txt"}:
        return "text"
    if len(formats) > 1 and "" not in formats:
        raise FormatError(f"the files are of several kinds ({', '.join(sorted(endings))}); give them one after another")
    return formats.pop() if len(formats) == 1 else ""


# --- what all sources need -------------------------------------------------------------------------------------------


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


def batches_of(rows: Iterable[Row], schema: Any, where: str) -> Iterator[Any]:
    """Rows as batches of this schema, none too large."""
    batch: list[Row] = []
    size = 0
    for row in rows:
        batch.append(row)
        size += sum(len(cell) for cell in row.values() if isinstance(cell, (str, bytes)))
        if len(batch) >= MOST_ROWS or size >= MOST_BYTES:
            yield batch_of(batch, schema, where)
            batch, size = [], 0
    if batch:
        yield batch_of(batch, schema, where)


def batch_of(rows: Sequence[Row], schema: Any, where: str) -> Any:
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
