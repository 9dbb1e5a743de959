"""Parquet files: row groups are read piece by piece, and only the columns that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from elision.errors import FormatError
from elision.formats.format import MEGABYTE
from elision.formats.tables.columns import check_names
from elision.formats.tables.jsonl import JSON
from elision.formats.tables.source import (
    MOST_BYTES,
    MOST_CELL,
    MOST_ROWS,
    Options,
    Shard,
    chosen_fields,
    of_files,
    whole,
)
from elision.showing import place

MOST_UNPACKED = 64 << 20  # bytes of a column of a row group, where it is packed more than MOST_RATIO times
MOST_RATIO = 1000


@dataclass(frozen=True)
class Groups:
    """Parquet files with one schema. A shard is a stretch of rows of one file, which need not be whole row groups."""

    where: str
    root: Path
    files: tuple[str, ...]
    schema: Any = field(repr=False, compare=False)
    most: int = MOST_CELL  # bytes of a row's strings
    format = "parquet"
    remarks = ()
    _onward: Onward = field(default_factory=lambda: Onward(), repr=False, compare=False)

    @cached_property
    def counts(self) -> list[int]:
        """How many rows each file has."""
        counts = []
        for file in self.files:
            with _open(self.root / file) as parquet:
                if not plain(parquet.schema_arrow).equals(self.schema, check_metadata=True):
                    raise FormatError(f"{self.root / file}: its columns are not those of {self.files[0]}")
                counts.append(parquet.metadata.num_rows)
        return counts

    @property
    def rows(self) -> int:
        return sum(self.counts)

    @cached_property
    def fingerprint(self) -> str:
        return of_files(self.root, (self.root / file for file in self.files), "parquet")

    def shards(self, rows: int) -> list[Shard]:
        found: list[Shard] = []
        before = 0
        for file, count in zip(self.files, self.counts, strict=True):
            found += [
                {"start": before + first, "rows": min(rows, count - first), "file": file, "first": first}
                for first in range(0, count, rows)
            ]
            before += count
        return found

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        return whole(self._batches(shard, schema), shard, self.where)

    def _batches(self, shard: Shard, schema: Any) -> Iterator[Any]:
        """The rows of a shard, row group by row group. Within one, we can only read on."""
        file = self.root / shard["file"]
        with _open(file) as parquet:
            groups = _overlapping(parquet.metadata, shard["first"], shard["first"] + shard["rows"])
        for group, start, count in groups:
            yield from self._onward.stretch(file, group, schema, start, count, self.most)


class Onward:
    """Goes through a row group. Who reads on from where the last stretch ended, as a worker does with one shard after
    another, decodes all of it once."""

    def __init__(self) -> None:
        self._what: object = None
        self._at = 0
        self._batches: Iterator[Any] = iter(())
        self._rest: Any = None

    def stretch(self, file: Path, group: int, schema: Any, start: int, count: int, most: int) -> Iterator[Any]:
        """Rows `start` to `start + count` of a row group, as many batches as it takes."""
        what = (file, group, tuple(schema.names))
        if self._what != what or self._at > start:
            self._what, self._at, self._batches, self._rest = what, 0, _rows(file, group, schema, most), None
        try:
            while self._at < start + count:
                batch = next(self._batches, None) if self._rest is None else self._rest
                if batch is None:
                    break
                first, last = max(0, start - self._at), min(len(batch), start + count - self._at)
                self._rest = batch.slice(last) if last < len(batch) else None
                self._at += last
                if first < last:
                    yield from _cut(batch.slice(first, last - first))
        except BaseException:  # what broke off would go on as if it were at its end
            self._what = None
            raise

    def __getstate__(self) -> dict[str, object]:
        return {}

    def __setstate__(self, _: dict[str, object]) -> None:
        Onward.__init__(self)


def open_files(where: str, root: Path, files: Sequence[Path], options: Options) -> Groups:
    with _open(files[0]) as parquet:
        schema = plain(parquet.schema_arrow)
    check_names(schema.names, place(where))
    return Groups(where, root, tuple(file.relative_to(root).as_posix() for file in files), schema, options.max_bytes)


def plain(schema: Any) -> Any:
    """The schema with all kinds of strings as one, and without what pandas and others keep beside it, which may quote
    what they like; only that a column is JSON stays."""
    import pyarrow as pa

    fields = []
    for one in schema:
        is_json = (one.metadata or {}).get(b"elision") == b"json"
        fields.append(pa.field(one.name, _plain_type(one.type), metadata=JSON if is_json else None))
    return pa.schema(fields)


def _plain_type(type: Any) -> Any:
    import pyarrow as pa

    inner = type.value_type if pa.types.is_dictionary(type) else type
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return pa.string() if any(is_kind(inner) for is_kind in kinds) else inner


def _open(file: Path, as_numbers: Sequence[str] = ()) -> Any:
    """A file of which columns are read in small pieces, never a whole row group at once."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(
            file, buffer_size=1 << 20, pre_buffer=False, read_dictionary=list(as_numbers) or None
        )
    except pa.ArrowInvalid:
        raise FormatError(f"{file}: is not a Parquet file, or it breaks off") from None
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror or type(error).__name__}") from None


def _overlapping(metadata: Any, first: int, last: int) -> list[tuple[int, int, int]]:
    """The row groups that have rows `first` to `last` of a file: (group, first row in it, number of rows)."""
    found = []
    begins = 0
    for group in range(metadata.num_row_groups):
        ends = begins + metadata.row_group(group).num_rows
        start, stop = max(first, begins), min(last, ends)
        if start < stop:
            found.append((group, start - begins, stop - start))
        begins = ends
    return found


def _rows(file: Path, group: int, schema: Any, most: int) -> Iterator[Any]:
    """A row group in batches of a bearable size. A few bytes can stand for gigabytes: a page may be packed ten thousand
    times, and a long cell that is repeated is there once. So strings are read as numbers of those that there are, and
    become strings a few at a time."""
    import pyarrow as pa

    with _open(file, [one.name for one in schema if pa.types.is_string(one.type)]) as parquet:
        meta = parquet.metadata.row_group(group)
        if not schema.names:
            return
        columns = [meta.column(at) for at in range(meta.num_columns)]
        read = [one for one in columns if one.path_in_schema.partition(".")[0] in schema.names]
        for one in read:
            if one.total_uncompressed_size > max(MOST_UNPACKED, MOST_RATIO * one.total_compressed_size):
                raise FormatError(
                    f"{file}: row group {group}: column {read.index(one) + 1} of those that are read would unpack to "
                    f"{one.total_uncompressed_size >> 20:,} MB from {one.total_compressed_size:,} bytes; if that is "
                    "right, write the file again without compression"
                )
        bytes = sum(one.total_uncompressed_size for one in read)
        size = max(1, min(MOST_ROWS, int(MOST_BYTES * meta.num_rows / max(1, bytes))))
        begins = 0
        try:
            for batch in parquet.iter_batches(size, [group], columns=list(schema.names), use_threads=False):
                for piece in _pieces(batch, most, f"{file}: row group {group}", begins):
                    yield _decoded(piece, schema)
                begins += len(batch)
        except (pa.ArrowException, OSError) as error:
            raise FormatError(f"{file}: row group {group}: cannot be read ({type(error).__name__})") from None


def _pieces(batch: Any, most: int, where: str, begins: int) -> Iterator[Any]:
    """A batch cut so that its strings take a bearable size; a row of more than `most` bytes is an error."""
    sizes = np.zeros(len(batch), np.int64)
    for column in batch.columns:
        sizes += _sizes(column)
    if len(sizes) and int(sizes.max()) > most:
        raise FormatError(
            f"{where}: row {begins + int(sizes.argmax()) + 1:,} is larger than the limit of {most / MEGABYTE:,.3g} MB; "
            "raise it if that is meant (--max-mb)"
        )
    number = np.cumsum(sizes) // MOST_BYTES
    cuts = [0, *(np.flatnonzero(np.diff(number)) + 1).tolist(), len(batch)]
    for first, after in pairwise(cuts):
        if first < after:
            yield batch.slice(first, after - first)


def _sizes(column: Any) -> Any:
    """The bytes of each string of a column; nothing for other columns."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        if not len(column.dictionary):
            return 0
        inner = _sizes(column.dictionary)
        if isinstance(inner, int):
            return 0
        return np.where(column.is_null(), 0, inner[pc.fill_null(column.indices, 0).to_numpy(zero_copy_only=False)])
    kinds = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    if not any(is_kind(column.type) for is_kind in kinds):
        return 0
    return pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False).astype(np.int64)


def _decoded(batch: Any, schema: Any) -> Any:
    import pyarrow as pa

    arrays = [batch.column(name).cast(schema.field(name).type) for name in schema.names]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _cut(batch: Any) -> Iterator[Any]:
    """A batch in pieces of a bearable size: pages that repeat a long cell say little of it in the metadata."""
    if batch.nbytes <= 2 * MOST_BYTES or len(batch) < 2:
        yield batch
        return
    half = len(batch) // 2
    yield from _cut(batch.slice(0, half))
    yield from _cut(batch.slice(half))
