"""Opens what notes are read from: a folder, files by a pattern, a table, a database."""

from __future__ import annotations

import glob
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from elision.errors import FormatError
from elision.formats.files import is_url, walk
from elision.formats.guess import TEXT, what_is
from elision.formats.tables import csv, documents, jsonl, parquet, sql, text_files
from elision.formats.tables.source import MOST_CELL, Options, Source
from elision.showing import ident, place

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
    tell: Callable[[str], None] = lambda _: None,
) -> Source:
    """What is to be read at a path, a glob or a database URL. A format that is not said is told by what is there."""
    options = Options(encoding, delimiter, key, max_bytes, header)
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
    return documents.open_documents(str(where), root, format, options)


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
