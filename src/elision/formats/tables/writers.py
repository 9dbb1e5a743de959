"""Rows as CSV, JSON Lines and Parquet: how a shard is written, and how the shards become one file.

What goes out is staged: a file for each shard, there whole or not at all, and one file or folder in the end.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import IO, Any
from uuid import UUID

import numpy as np

from elision.formats.atomic import told, writing
from elision.formats.format import MEGABYTE

TABLES_FILE = "tables.json"  # names the tables of a database that belong to the staging
_FINISHED = "finished.json"


class Parts:
    """The files of the shards below a staging folder."""

    def __init__(self, staging: Path, suffix: str) -> None:
        self.staging, self.suffix = staging, suffix
        self.folder = staging / "parts"

    def file(self, number: int) -> Path:
        return self.folder / f"{number:08}{self.suffix}"

    def numbers(self) -> list[int]:
        if not self.folder.is_dir():
            return []
        names = (file.name.removesuffix(self.suffix) for file in self.folder.iterdir() if file.suffix == self.suffix)
        return sorted(int(name) for name in names if name.isdecimal())

    def files(self) -> list[Path]:
        return [self.file(number) for number in self.numbers()]

    def done(self) -> set[int]:
        """The shards that are there, or were when the output was put in its place."""
        return set(self.numbers()) or set(self.finished() or ())

    def finished(self) -> list[int] | None:
        """The shards of an output that is in its place; None before."""
        file = self.staging / _FINISHED
        return None if not file.exists() else list(json.loads(file.read_text()))

    def finish(self, done: Iterable[int] | None = None) -> None:
        """Take the parts away, all at once, and say that they are not needed. Who gave the staging folder takes it away
        when it has noted that all is done."""
        with writing(self.staging / _FINISHED, synced=True) as stream:
            stream.write(json.dumps(sorted(self.done() if done is None else done)).encode())
        with told(self.staging):
            gone = self.staging / "parts-not-needed"
            if self.folder.exists():
                self.folder.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)


def write_ipc(stream: IO[bytes], batches: Iterator[Any], schema: Any) -> None:
    """Batches as an Arrow stream: fast to write and read, and it holds all types."""
    import pyarrow as pa

    with pa.ipc.new_stream(stream, schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        for batch in batches:
            writer.write_batch(batch)


def read_ipc(file: Path) -> Iterator[Any]:
    import pyarrow as pa

    with file.open("rb") as stream, pa.ipc.open_stream(stream) as reader:
        yield from reader


GROUP_BYTES = 32 * MEGABYTE  # of a row group, before it is made small
GROUP_ROWS = 100_000
# What a spreadsheet takes for the beginning of a formula, in all widths, or passes over before it looks for one.
FORMULA = re.compile(
    r"[=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f"
    r"\u2028-\u202e\u2060-\u206f\ufeff]"
)


@dataclass(frozen=True)
class Writer:
    """`part` writes a shard to a stream, `join` all of them to another. Both must depend on the rows alone."""

    name: str
    suffix: str  # of parts
    part: Callable[[IO[bytes], Iterator[Any], Any], None]
    join: Callable[[IO[bytes], Sequence[Path], Any], None]


def writer_for(name: str, delimiter: str = "", neutral: bool = True) -> Writer:
    """The writer of a format. `neutral`: cells of CSV that a spreadsheet would take for a formula begin with '."""
    if name in ("csv", "tsv"):
        mark = delimiter or ("\t" if name == "tsv" else ",")
        plain = re.compile(rf'[^"\r\n{re.escape(mark)}]*')

        def cell(value: object) -> str:
            text = value if isinstance(value, str) else "" if value is None else text_of(value)
            if neutral and isinstance(value, str) and FORMULA.match(text):
                text = "'" + text
            edges = text[:1] in (" ", "\ufeff") or text[-1:] == " "
            return text if plain.fullmatch(text) and not edges else '"' + text.replace('"', '""') + '"'

        def part(stream: IO[bytes], batches: Iterator[Any], _: Any) -> None:
            for batch in batches:
                columns = [[cell(value) for value in column.to_pylist()] for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    line = mark.join(cells) or '""'  # an empty line is no row
                    stream.write(f"{line}\n".encode())

        def join(stream: IO[bytes], parts: Sequence[Path], schema: Any) -> None:
            stream.write((mark.join(cell(str(name)) for name in schema.names) + "\n").encode())
            _append(stream, parts)

        return Writer(name, ".rows", part, join)
    if name == "jsonl":
        return Writer(name, ".rows", _json_part, lambda stream, parts, _: _append(stream, parts))
    return Writer(name, ".arrow", write_ipc, _parquet)


def text_of(value: object) -> str:
    """A value that is no text, in a cell of CSV."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, default=_for_json)
    return str(_for_json(value))


def _for_json(value: object) -> object:
    match value:
        case date() | datetime() | time():
            return value.isoformat()
        case Decimal() | UUID() | timedelta():
            return str(value)
        case bytes():
            return base64.b64encode(value).decode()
    return value


def _json_part(stream: IO[bytes], batches: Iterator[Any], schema: Any) -> None:
    is_json = [bool(schema.field(name).metadata) for name in schema.names]
    for batch in batches:
        columns = [
            [None if value is None else json.loads(value) for value in column.to_pylist()]
            if told
            else column.to_pylist()
            for column, told in zip(batch.columns, is_json, strict=True)
        ]
        for values in zip(*columns, strict=True):
            row = dict(zip(schema.names, values, strict=True))
            stream.write(json.dumps(row, ensure_ascii=False, default=_for_json).encode() + b"\n")


def _append(stream: IO[bytes], parts: Sequence[Path]) -> None:
    for part in parts:
        with part.open("rb") as source:
            shutil.copyfileobj(source, stream, 1 << 20)


def _parquet(stream: IO[bytes], parts: Sequence[Path], schema: Any) -> None:
    write_parquet(stream, (batch for part in parts for batch in read_ipc(part)), schema)


def write_parquet(stream: IO[bytes], batches: Iterable[Any], schema: Any) -> None:
    from pyarrow import parquet

    with parquet.ParquetWriter(stream, schema, compression="zstd", use_dictionary=_repeating(schema)) as writer:
        for table in _groups(batches, schema):
            writer.write_table(table, row_group_size=max(1, len(table)))


def _groups(batches: Iterable[Any], schema: Any) -> Iterator[Any]:
    """Rows in tables of a bearable size, each in one piece. Where one begins is for the sizes of rows to say, and not
    for the batches in which they happen to come, or the same rows would be other bytes."""
    import pyarrow as pa

    pieces: list[Any] = []
    rows = size = 0
    for batch in batches:
        start = 0
        for at, more in enumerate(_sizes(batch), 1):
            rows, size = rows + 1, size + more
            if rows >= GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.Table.from_batches([*pieces, batch.slice(start, at - start)], schema).combine_chunks()
                pieces, rows, size, start = [], 0, 0, at
        if start < len(batch):
            pieces.append(batch.slice(start))
    if pieces:
        yield pa.Table.from_batches(pieces, schema).combine_chunks()


def _sizes(batch: Any) -> list[int]:
    """About how many bytes each row has: those of its strings, and eight for every other cell."""
    import pyarrow as pa
    from pyarrow import compute

    sizes = np.full(len(batch), 8 * batch.num_columns, np.int64)
    for column in batch.columns:
        kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
        if any(is_kind(column.type) for is_kind in kinds):
            sizes += compute.fill_null(compute.binary_length(column), 0).to_numpy(zero_copy_only=False)
    return list(sizes.tolist())


def _repeating(schema: Any) -> list[str]:
    """Columns in which values come again; texts and ids do not, and a dictionary of them is memory for nothing."""
    return [name for name in schema.names if str(schema.field(name).type) not in ("string", "large_string")]
