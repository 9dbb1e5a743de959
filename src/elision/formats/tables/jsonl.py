"""JSON Lines: a row is an object. Fields that are not the same kind of value in all rows, or are lists and objects, are
columns of JSON text, which go out again as what they are. A line that is no object is a row that is held."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.formats.files import parse_json
from elision.formats.tables.columns import check_names
from elision.formats.tables.lines import BAD, begin, lines
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
    whole,
)
from elision.showing import place

JSON = {b"elision": b"json"}  # the metadata of a field whose strings are JSON
_MOST_HELD = 20  # lines; if they are half of all besides, it is no JSON Lines
_INTEGERS = range(-(2**63), 2**63)


@dataclass(frozen=True)
class _Survey:
    """What one look at everything tells: the kind of each field, and where each row of each file begins."""

    kinds: dict[str, str]
    begins: list[Any]
    ends: list[int]
    remarks: list[str]


@dataclass(frozen=True)
class Lines:
    """Files of JSON Lines. A shard is a stretch of bytes of one file."""

    where: str
    root: Path
    files: tuple[str, ...]
    options: Options
    format = "jsonl"

    @cached_property
    def _survey(self) -> _Survey:
        kinds: dict[str, str] = {}
        begins, ends, remarks = [], [], list[str]()
        bad = 0
        for file in self.files:
            encoding, before = begin(self.root / file, self.options.encoding)
            offsets = array("q")
            where = place(self.root / file)
            held: dict[str, int] = {}
            first = 0
            rows = lines(self.root / file, encoding, before, self.options.max_bytes, bad=True)
            for number, (at, line) in enumerate(rows, 1):
                if line.strip():
                    offsets.append(before)
                    row = _object(line)
                    if isinstance(row, str):
                        held[row] = held.get(row, 0) + 1
                        first = first or number
                    else:
                        for name, value in row.items():
                            kinds[name] = _both(kinds.get(name, ""), _kind(value))
                before = at
            begins.append(offsets)
            ends.append(before)
            bad += sum(held.values())
            if held:
                told = ", ".join(f"{why} {count:,}" for why, count in sorted(held.items()))
                hint = "; if the file has another encoding, say so (--encoding cp1252)" if NOT_UTF_8 in held else ""
                remarks.append(
                    f"{where}: {sum(held.values()):,} lines cannot be read, and are held ({told}; the first is line "
                    f"{first:,}){hint}"
                )
        if not kinds:
            raise FormatError(
                f"{place(self.where)}: no note in it (JSON Lines){''.join(f'; {one}' for one in remarks)}"
            )
        if bad > _MOST_HELD and 2 * bad > sum(map(len, begins)):
            raise FormatError(f"{place(self.where)}: more than half of the lines are no JSON objects; {remarks[0]}")
        check_names(list(kinds), place(self.where))
        return _Survey(kinds, begins, ends, remarks)

    @property
    def remarks(self) -> list[str]:
        """What somebody ought to know of the rows that are held."""
        return self._survey.remarks

    @cached_property
    def schema(self) -> Any:
        import pyarrow as pa

        types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
        return pa.schema(
            [
                pa.field(name, types.get(kind, pa.string()), metadata=JSON if kind == "json" else None)
                for name, kind in self._survey.kinds.items()
            ]
        )

    @property
    def counts(self) -> list[int]:
        """How many rows each file has."""
        return list(map(len, self._survey.begins))

    @property
    def rows(self) -> int:
        return sum(self.counts)

    @cached_property
    def fingerprint(self) -> str:
        return of_files(self.root, (self.root / file for file in self.files), "jsonl", self.options.encoding)

    def shards(self, rows: int) -> list[Shard]:
        found: list[Shard] = []
        before = 0
        for file, begins, end in zip(self.files, self._survey.begins, self._survey.ends, strict=True):
            for first in range(0, len(begins), rows):
                count = min(rows, len(begins) - first)
                stop = begins[first + count] if first + count < len(begins) else end
                found.append({"start": before + first, "rows": count, "file": file, "from": begins[first], "to": stop})
            before += len(begins)
        return found

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        return whole(batches_of(self._rows(shard, schema), schema, self.where), shard, self.where)

    def _rows(self, shard: Shard, schema: Any) -> Iterator[Cells]:
        file = self.root / shard["file"]
        encoding, _ = begin(file, self.options.encoding)
        as_json = {name for name in schema.names if schema.field(name).metadata}
        number = shard["start"]
        most = self.options.max_bytes
        for _, line in lines(file, encoding, shard["from"], most, stop=shard["to"], first=-1, bad=True):
            if line.strip():
                number += 1
                row = _object(line)
                if isinstance(row, str):
                    yield {**dict.fromkeys(schema.names), UNREADABLE_ROW: f"{row} {number}"}
                    continue
                yield {
                    name: json.dumps(row[name], ensure_ascii=False)
                    if name in as_json and row.get(name) is not None
                    else row.get(name)
                    for name in schema.names
                }

    def __getstate__(self) -> dict[str, Any]:
        """With the schema, but without the places of all rows: a worker reads by its shard."""
        return {name: getattr(self, name) for name in ("where", "root", "files", "options", "schema")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def open_files(where: str, root: Path, files: Sequence[Path], options: Options) -> Lines:
    return Lines(where, root, tuple(file.relative_to(root).as_posix() for file in files), options)


def _object(line: str) -> dict[str, Any] | str:
    """The object of a line, or why it is held."""
    if not line.isascii() and BAD in line:
        return NOT_UTF_8
    try:
        row = parse_json(line, "")
    except FormatError:
        return UNREADABLE
    if not isinstance(row, dict):
        return UNREADABLE
    for value in row.values():
        if isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:  # half a character
                return NOT_UTF_8
    return row


def _kind(value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return "string"
        case bool():
            return "boolean"
        case int() if value in _INTEGERS:
            return "integer"
        case float():
            return "number"
    return "json"


def _both(one: str, other: str) -> str:
    """The kind of a field with values of two kinds. A number is not made a float of: 1 would come out as 1.0."""
    return one or other if not (one and other) or one == other else "json"
