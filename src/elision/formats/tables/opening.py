"""Opens what notes are read from: a folder, files by a pattern, a table, a database, or a format of documents.

Notes in the formats of corpora, annotation tools and hospital systems are rows, too: id, text, patient, language, and
what is known of the patient as JSON. Spans that a file brings are not looked at: a run finds its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import FormatError
from elision.formats.catalogue import TEXT, format_named, what_is
from elision.formats.convert import read, read_records
from elision.formats.files import is_glob, is_url, matching, root_of, walk
from elision.formats.format import Reading
from elision.formats.records import Shell
from elision.formats.tables import csv, jsonl, parquet, sql, text_files
from elision.formats.tables.lakes import names_in, refuse_lakes
from elision.formats.tables.source import (
    MOST_CELL,
    Cells,
    Onward,
    Options,
    Shard,
    Source,
    batches_of,
    chosen_fields,
    of_files,
    strings,
    whole,
)
from elision.showing import ident, place

NAMES = ("id", "text", "patient", "language", "known")
RECORD, JOINTS = "record", "joints"  # two columns more, of formats whose notes are pieces of messages or resources


@dataclass(frozen=True)
class Documents:
    """The documents at a path. They are read from the beginning on, so a shard is a stretch of numbers."""

    where: str
    root: Path
    format: str
    options: Options
    _onward: Onward = field(default_factory=Onward, repr=False, compare=False)

    @property
    def schema(self) -> Any:
        import pyarrow as pa

        if format_named(self.format).records is None:
            return strings(NAMES)
        beside = [pa.field(name, pa.string(), metadata=jsonl.JSON) for name in (RECORD, JOINTS)]
        return pa.schema([*strings(NAMES), *beside])

    @cached_property
    def _counted(self) -> tuple[int, list[str]]:
        how = self._reading()
        return sum(1 for _ in self._records(how)), how.remarks.lines()

    @property
    def rows(self) -> int:
        return self._counted[0]

    @property
    def remarks(self) -> list[str]:
        """What was not read, or not as it stands."""
        return self._counted[1]

    def _reading(self) -> Reading:
        return Reading(self.options.encoding, self.options.max_bytes)

    @cached_property
    def fingerprint(self) -> str:
        path = Path(self.where)
        files = walk(path) if path.is_dir() else matching(path) if is_glob(path) else [path]
        return of_files(self.root, files, self.format, self.options.encoding)

    def shards(self, rows: int) -> list[Shard]:
        return [{"start": start, "rows": min(rows, self.rows - start)} for start in range(0, self.rows, rows)]

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        rows = self._onward.stretch(self.where, shard["start"], shard["rows"], self._documents)
        return whole(batches_of(rows, schema, self.where), shard, self.where)

    def _documents(self) -> Iterator[Cells]:
        for document, shell in self._records(self._reading()):
            known = {kind: list(values) for kind, values in document.known.items()}
            yield {
                "id": document.id or None,
                "text": document.text,
                "patient": document.patient or None,
                "language": document.language or None,
                "known": json.dumps(known, ensure_ascii=False) if known else None,
                RECORD: json.dumps({"format": self.format, **shell}) if shell else None,
                JOINTS: json.dumps(document.joints),
            }

    def _records(self, how: Reading) -> Iterator[tuple[Document, Shell]]:
        format = format_named(self.format)
        if format.records is None:
            return ((document, {}) for document in read(self.where, format, how))
        return read_records(self.where, format, how)


def open_documents(where: str, root: Path, format: str, options: Options) -> Documents:
    return Documents(where, root, format_named(format).name, options)


_SHOWN = 3
_OPENERS: dict[str, Callable[[str, Path, Sequence[Path], Options], Source]] = {
    "csv": csv.open_files,
    "tsv": csv.open_files,
    "jsonl": jsonl.open_files,
    "parquet": parquet.open_files,
    TEXT: text_files.open_files,
}


def open_source(
    where: str | Path,
    *,
    format: str = "",
    encoding: str = "utf-8",
    delimiter: str = "",
    key: str = "",
    max_bytes: int = MOST_CELL,
    header: bool = True,
    query: str = "",
    tell: Callable[[str], None] = lambda _: None,
) -> Source:
    """What is to be read at a path, a glob or a database URL. A format that is not said is told by what is there."""
    options = Options(encoding, delimiter, key, max_bytes, header, query)
    if query and not is_url(where):
        raise FormatError(f"{place(where)}: a query is for databases; leave --query out, or give the URL of one")
    if is_url(where):
        return sql.open_table(str(where), options)
    root, files, out = _files(str(where))
    if out:
        tell(f"{place(where)}{_told(out)}")
    if not format:
        found = what_is(Path(where), files)
        tell(found.said(place(where)))
        format = found.rows or found.name
    if format == "tsv" and not delimiter:
        options = replace(options, delimiter="\t")
    if format in _OPENERS:
        return _OPENERS[format](str(where), root, files, options)
    return open_documents(str(where), root, format, options)


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
        refuse_lakes(place(where), _folders([path, *(file.parent for file in files)]), names_in)
        return path, files, out
    if not is_glob(path):
        raise FormatError(f"{where}: there is no such file or folder")
    out = []
    found = matching(path, out)
    if not found:
        raise FormatError(f"{place(where)}: no file has such a name{_told(out)}")
    refuse_lakes(place(where), _folders([file.parent for file in found]), names_in)
    return root_of(path), found, out


def _folders(paths: Iterable[Path]) -> set[str]:
    return {path.resolve().as_posix() for path in paths}


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
