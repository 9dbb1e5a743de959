"""CSV and TSV: the dialect is told by the head of the first file. Rows without the cells of the header are held.

An empty cell is NULL. All columns are strings.
"""

from __future__ import annotations

import csv
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.formats.tables.columns import check_header, numbered
from elision.formats.tables.csv_rows import RowPlaces, find
from elision.formats.tables.lines import BAD, Dialect, Places, begin, lines
from elision.formats.tables.source import (
    NOT_UTF_8,
    UNREADABLE,
    UNREADABLE_ROW,
    Cells,
    Options,
    Shard,
    batches_of,
    chosen_fields,
    of_files,
    strings,
    whole,
)
from elision.showing import place

DELIMITERS = ",;\t|"
HEAD = 65_536  # characters that the dialect is told by
_ROWS = 50
_MOST_HELD = 20  # rows; if they are half of all besides, the whole is read wrongly
_TOLD = 3


@dataclass(frozen=True)
class CsvTable:
    """CSV files with one header. A shard is a stretch of bytes of one file that begins and ends with a row."""

    where: str
    root: Path
    files: tuple[str, ...]
    options: Options
    dialect: Dialect
    header: tuple[str, ...]
    format = "csv"

    @property
    def schema(self) -> Any:
        return strings(self.header)

    @cached_property
    def _places(self) -> list[RowPlaces]:
        """The rows of each file."""
        options = self.options
        found = [
            find(self.root / file, self.dialect, options.encoding, options.max_bytes, self.header, options.header)
            for file in self.files
        ]
        held, rows = sum(len(each.held) for each in found), sum(len(each.begins) for each in found)
        if held > _MOST_HELD and 2 * held > rows:
            raise FormatError(
                f"{self.where}: {held:,} of {rows:,} rows do not have the {len(self.header)} cells of the first one; "
                "is it a table, with one delimiter and its quotes doubled?"
            )
        return found

    @property
    def remarks(self) -> list[str]:
        """What somebody ought to know of the rows that are held."""
        said: list[str] = []
        for file, found in zip(self.files, self._places, strict=True):
            at = place(self.root / file)
            for row, held in islice(found.held.items(), _TOLD):
                more = f" with the {held.lines - 1:,} lines behind it; is a quote missing?" if held.lines > 1 else ""
                said.append(f"{at}: row {row + 1:,} (line {held.line:,}) cannot be read, and is held{more}")
            if len(found.held) > _TOLD:
                said.append(f"{at}: {len(found.held) - _TOLD:,} rows more cannot be read, and are held")
            if found.not_decoded:
                said.append(
                    f"{at}: {found.not_decoded:,} lines are not {self.options.encoding}; their rows are held. If the "
                    "file has another encoding, say so (--encoding cp1252)"
                )
        return said

    @property
    def counts(self) -> list[int]:
        """How many rows each file has."""
        return [len(found.begins) for found in self._places]

    @property
    def rows(self) -> int:
        return sum(self.counts)

    @cached_property
    def fingerprint(self) -> str:
        files = (self.root / file for file in self.files)
        return of_files(self.root, files, "csv", self.options.encoding, tuple(self.dialect), self.header)

    def shards(self, rows: int) -> list[Shard]:
        shards: list[Shard] = []
        before = 0
        for file, found in zip(self.files, self._places, strict=True):
            begins = [*found.begins, found.end]
            held = sorted(found.held)
            for first in range(0, len(found.begins), rows):
                stop = min(first + rows, len(found.begins))
                shard = {
                    "start": before + first,
                    "rows": stop - first,
                    "file": file,
                    "from": begins[first],
                    "to": begins[stop],
                }
                bad = [[begins[at], begins[at + 1]] for at in held[bisect_left(held, first) : bisect_left(held, stop)]]
                shards.append({**shard, "held": bad} if bad else shard)
            before += len(found.begins)
        return shards

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        return whole(batches_of(self._rows(shard, set(schema.names)), schema, self.where), shard, self.where)

    def _rows(self, shard: Shard, names: set[str]) -> Iterator[Cells]:
        wanted = [(at, name) for at, name in enumerate(self.header) if name in names]
        number, at = shard["start"], shard["from"]
        for begins, onward in (*shard.get("held", ()), (shard["to"], None)):
            for cells in self._between(shard["file"], at, begins):
                number += 1
                row: dict[str, str | None] = {name: cells[at] or None for at, name in wanted}
                yield row if all(map(_decoded, row.values())) else _not_decoded(row, number)
            if onward is not None:
                number, at = number + 1, onward
                yield {**dict.fromkeys(names), UNREADABLE_ROW: f"{UNREADABLE} {number}"}

    def _between(self, file: str, start: int, stop: int) -> Iterator[list[str]]:
        """The rows of a stretch in which all can be read."""
        if start == stop:
            return
        options = self.options
        for cells in Places(self.root / file, self.dialect, options.encoding, options.max_bytes, start, stop).records():
            if cells is None or (cells and len(cells) != len(self.header)):
                raise FormatError(f"{place(self.root / file)}: was changed while it was read: begin the run anew")
            if cells:
                yield cells

    def __getstate__(self) -> dict[str, Any]:
        """Without the places of all rows: a worker reads by its shard."""
        return {name: value for name, value in self.__dict__.items() if name != "_places"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _decoded(cell: str | None) -> bool:
    return cell is None or cell.isascii() or BAD not in cell


def _not_decoded(row: Cells, number: int) -> Cells:
    """A row without the cells that are not in the encoding, which is held."""
    return {name: cell if _decoded(cell) else None for name, cell in row.items()} | {
        UNREADABLE_ROW: f"{NOT_UTF_8} {number}"
    }


def open_files(where: str, root: Path, files: Sequence[Path], options: Options) -> CsvTable:
    dialect = dialect_of(files[0], options)
    names = tuple(file.relative_to(root).as_posix() for file in files)
    at = place(files[0])
    places = Places(files[0], dialect, options.encoding, options.max_bytes)
    records = places.records()
    header = next(records, [])
    if header is None:
        raise FormatError(f"{at}: not valid CSV: {places.said}")
    if not header:
        raise FormatError(f"{at}: the file is empty; a table begins with a header")
    if not all(map(_decoded, header)):
        raise FormatError(
            f"{at}: line 1 is not {options.encoding}; if the file has another encoding, say so "
            "(--encoding cp1252, --encoding utf-16)"
        )
    if options.header:
        check_header(header, [cells for cells in islice(records, _ROWS) if cells], at)
    else:
        header = list(numbered(len(header)))
    return CsvTable(where, root, names, options, dialect, tuple(header))


def dialect_of(file: Path, options: Options) -> Dialect:
    """The dialect in which most rows of the head have as many cells as the header, and the more the better."""
    encoding, start = begin(file, options.encoding)
    head: list[str] = []
    size = 0
    for _, line in lines(file, encoding, start, options.max_bytes, bad=True):
        head.append(line)
        size += len(line)
        if size >= HEAD:
            break
    cut = size >= HEAD
    text = "".join(head)
    quote = "'" if text.startswith("'") and '"' not in text else '"'  # who quotes with it, quotes the header, too
    escapes = ("", "\\") if '\\"' in text or "\\'" in text else ("",)
    delimiters = options.delimiter or ("\t" if file.suffix.lower() in (".tsv", ".tab") else DELIMITERS)
    dialects = [Dialect(mark, quote, escape) for escape in escapes for mark in delimiters]
    csv.field_size_limit(max(csv.field_size_limit(), options.max_bytes))
    return max(dialects, key=lambda dialect: _worth(dialect, head, cut))  # the first of equals


def _worth(dialect: Dialect, head: list[str], cut: bool) -> tuple[float, int]:
    """How well a dialect explains the head: the share of rows like the header, and the cells of one."""
    sizes: list[int] = []
    broken = 0
    rows = dialect.reader(iter(head))
    while len(sizes) < _ROWS and broken < _ROWS:
        try:
            cells = next(rows)
        except StopIteration:
            break
        except csv.Error:
            broken += 1
        else:
            sizes += [len(cells)] if cells else []
    if cut and broken and len(sizes) < _ROWS:
        broken -= 1  # where the head was cut off, its last row may be broken
    if not sizes:
        return 0.0, 0
    alike = sizes.count(sizes[0]) / (len(sizes) + broken)
    if sizes[0] == 1:
        alike = min(alike, 0.1)  # anything is a table of one column
    return alike, sizes[0]
