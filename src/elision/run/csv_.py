"""CSV and TSV: the dialect is told by the head of the first file, and every row must have as many cells as the header.

An empty cell is NULL. All columns are strings.
"""

from __future__ import annotations

import csv
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from elision.errors import FormatError
from elision.run.lines import begin, lines
from elision.run.source import Options, Row, Shard, batches_of, chosen_fields, of_files, strings, whole

DELIMITERS = ",;\t|"
HEAD = 65_536  # characters that the dialect is told by
_ROWS = 50


class Dialect(NamedTuple):
    """`escape`: the character before a quote inside quotes, "" where quotes are doubled."""

    delimiter: str = ","
    quote: str = '"'
    escape: str = ""

    def reader(self, rows: Iterator[str]) -> Iterator[list[str]]:
        doubled = not self.escape
        return csv.reader(
            rows,
            delimiter=self.delimiter,
            quotechar=self.quote,
            escapechar=self.escape or None,
            doublequote=doubled,
            strict=True,
        )


@dataclass(frozen=True)
class Table:
    """CSV files with one header. A shard is a stretch of bytes of one file that begins and ends with a row."""

    where: str
    root: Path
    files: tuple[str, ...]
    options: Options
    dialect: Dialect
    header: tuple[str, ...]

    @property
    def schema(self) -> Any:
        return strings(self.header)

    @cached_property
    def _places(self) -> list[tuple[Any, int]]:
        """Where each row of each file begins, and where the last one ends."""
        return [self._places_in(self.root / file) for file in self.files]

    def _places_in(self, file: Path) -> tuple[Any, int]:
        places = Places(file, self)
        begins = array("q")
        before = places.at
        for number, cells in enumerate(places.rows(), 1):
            if number == 1:
                self._same_header(file, cells)
            elif cells:
                _same_width(cells, self.header, f"{file}: row {len(begins) + 1:,} (line {places.line:,})")
                begins.append(before)
            before = places.at
        return begins, before

    def _same_header(self, file: Path, cells: list[str]) -> None:
        if tuple(cells) != self.header:
            raise FormatError(f"{file}: the header is not that of {self.files[0]}; run files of one table together")

    @property
    def rows(self) -> int:
        return sum(len(begins) for begins, _ in self._places)

    @cached_property
    def fingerprint(self) -> str:
        files = (self.root / file for file in self.files)
        return of_files(self.root, files, "csv", self.options.encoding, tuple(self.dialect), self.header)

    def shards(self, rows: int) -> list[Shard]:
        found: list[Shard] = []
        before = 0
        for file, (begins, end) in zip(self.files, self._places, strict=True):
            for first in range(0, len(begins), rows):
                count = min(rows, len(begins) - first)
                stop = begins[first + count] if first + count < len(begins) else end
                found.append({"start": before + first, "rows": count, "file": file, "from": begins[first], "to": stop})
            before += len(begins)
        return found

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        return whole(batches_of(self._rows(shard, set(schema.names)), schema, self.where), shard, self.where)

    def _rows(self, shard: Shard, names: set[str]) -> Iterator[Row]:
        file = self.root / shard["file"]
        wanted = [(at, name) for at, name in enumerate(self.header) if name in names]
        number = shard["start"]
        for cells in Places(file, self, shard["from"], shard["to"]).rows():
            if cells:
                number += 1
                _same_width(cells, self.header, f"{file}: row {number:,}")
                yield {name: cells[at] or None for at, name in wanted}

    def __getstate__(self) -> dict[str, Any]:
        """Without the places of all rows: a worker reads by its shard."""
        return {name: value for name, value in self.__dict__.items() if name != "_places"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


class Places:
    """The rows of a file, while `at` says where the next one begins: a row takes the lines that it needs, no more."""

    def __init__(self, file: Path, table: Table, start: int | None = None, stop: int | None = None) -> None:
        # The csv module's own limit (128 KB a cell) is shorter than long notes are; it can only be set for all at once.
        csv.field_size_limit(max(csv.field_size_limit(), table.options.max_bytes))
        self.file, self.dialect = file, table.dialect
        encoding, begins = begin(file, table.options.encoding)
        self.at = begins if start is None else start
        self.line = 0
        self._lines = lines(
            file, encoding, self.at, table.options.max_bytes, stop=stop, first=0 if start is None else -1
        )

    def rows(self) -> Iterator[list[str]]:
        done = 0
        try:
            for cells in self.dialect.reader(self._texts()):
                done += 1
                yield cells
        except csv.Error as error:
            after = f"row {done:,}" if self.line else f"the {done:,} rows before byte {self.at:,}"
            raise FormatError(f"{self.file}: after {after}: not valid CSV: {_said(error)}") from None

    def _texts(self) -> Iterator[str]:
        for at, text in self._lines:
            self.at = at
            self.line += 1
            yield text


def open_files(where: str, root: Path, files: Sequence[Path], options: Options) -> Table:
    dialect = dialect_of(files[0], options)
    names = tuple(file.relative_to(root).as_posix() for file in files)
    first = Table(where, root, names, options, dialect, ())
    header = tuple(next(Places(files[0], first).rows(), ()))
    if not header:
        raise FormatError(f"{files[0]}: the file is empty; a table begins with a header")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise FormatError(f"{files[0]}: the header has the column {twice[0][:40]!r} twice; rename one")
    return Table(where, root, names, options, dialect, header)


def dialect_of(file: Path, options: Options) -> Dialect:
    """The dialect in which most rows of the head have as many cells as the header, and the more the better."""
    encoding, start = begin(file, options.encoding)
    head: list[str] = []
    size = 0
    for _, line in lines(file, encoding, start, options.max_bytes):
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
    rows: list[list[str]] = []
    sound = True
    try:
        rows.extend(cells for cells in islice(dialect.reader(iter(head)), _ROWS) if cells)
    except csv.Error:
        sound = cut  # where the head was cut off, its last row may be broken
    if not rows:
        return 0.0, 0
    alike = sum(len(cells) == len(rows[0]) for cells in rows) / len(rows)
    if len(rows[0]) == 1:
        alike = min(alike, 0.1)  # anything is a table of one column
    return alike if sound else alike / 4, len(rows[0])


def _same_width(cells: Sequence[str], header: Sequence[str], where: str) -> None:
    if len(cells) != len(header):
        raise FormatError(
            f"{where} has {len(cells)} cells for {len(header)} columns; is a quote missing, or is it another delimiter?"
        )


def _said(error: csv.Error) -> str:
    """What the csv module says, which is one of a few sentences; one that quotes a character is cut there."""
    if str(error).startswith("new-line"):
        return "a carriage return that is not in quotes; lines end with a line feed"
    return str(error).partition("'")[0].strip() or "a quote that ends in the middle of a cell"
