"""JSON Lines: a row is an object. Fields that are not the same kind of value in all rows, or are lists and objects, are
columns of JSON text, which go out again as what they are."""

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
from elision.run.lines import begin, lines
from elision.run.source import Options, Row, Shard, batches_of, chosen_fields, of_files, whole

JSON = {b"elision": b"json"}  # the metadata of a field whose strings are JSON
_INTEGERS = range(-(2**63), 2**63)


@dataclass(frozen=True)
class _Plan:
    """What one look at everything tells: the kind of each field, and where each row of each file begins."""

    kinds: dict[str, str]
    begins: list[Any]
    ends: list[int]


@dataclass(frozen=True)
class Lines:
    """Files of JSON Lines. A shard is a stretch of bytes of one file."""

    where: str
    root: Path
    files: tuple[str, ...]
    options: Options

    @cached_property
    def _plan(self) -> _Plan:
        kinds: dict[str, str] = {}
        begins, ends = [], []
        for file in self.files:
            encoding, before = begin(self.root / file, self.options.encoding)
            offsets = array("q")
            for number, (at, line) in enumerate(lines(self.root / file, encoding, before, self.options.max_bytes), 1):
                if line.strip():
                    offsets.append(before)
                    for name, value in _object(line, f"{self.root / file}:{number}").items():
                        kinds[name] = _both(kinds.get(name, ""), _kind(value))
                before = at
            begins.append(offsets)
            ends.append(before)
        if not kinds:
            raise FormatError(f"{self.where}: no note in it (JSON Lines)")
        return _Plan(kinds, begins, ends)

    @cached_property
    def schema(self) -> Any:
        import pyarrow as pa

        types = {"integer": pa.int64(), "number": pa.float64(), "boolean": pa.bool_()}
        return pa.schema(
            [
                pa.field(name, types.get(kind, pa.string()), metadata=JSON if kind == "json" else None)
                for name, kind in self._plan.kinds.items()
            ]
        )

    @property
    def rows(self) -> int:
        return sum(map(len, self._plan.begins))

    @cached_property
    def fingerprint(self) -> str:
        return of_files(self.root, (self.root / file for file in self.files), "jsonl", self.options.encoding)

    def shards(self, rows: int) -> list[Shard]:
        found: list[Shard] = []
        before = 0
        for file, begins, end in zip(self.files, self._plan.begins, self._plan.ends, strict=True):
            for first in range(0, len(begins), rows):
                count = min(rows, len(begins) - first)
                stop = begins[first + count] if first + count < len(begins) else end
                found.append({"start": before + first, "rows": count, "file": file, "from": begins[first], "to": stop})
            before += len(begins)
        return found

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        return whole(batches_of(self._rows(shard, schema), schema, self.where), shard, self.where)

    def _rows(self, shard: Shard, schema: Any) -> Iterator[Row]:
        file = self.root / shard["file"]
        encoding, _ = begin(file, self.options.encoding)
        as_json = {name for name in schema.names if schema.field(name).metadata}
        number = shard["start"]
        for _, line in lines(file, encoding, shard["from"], self.options.max_bytes, stop=shard["to"], first=-1):
            if line.strip():
                number += 1
                row = _object(line, f"{file}, row {number:,}")
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


def _object(line: str, where: str) -> dict[str, Any]:
    row = parse_json(line, where)
    if not isinstance(row, dict):
        raise FormatError(f"{where}: expected a JSON object on every line")
    for value in row.values():
        if isinstance(value, str) and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise FormatError(f"{where}: a field has half a character (a lone surrogate)") from None
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
