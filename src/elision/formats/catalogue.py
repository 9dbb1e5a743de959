"""All formats by name, and which one a file has: told by what is in it, and of tables by the endings of names.

There are those of documents, and those of tables, of which one has to say which column is what.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, cast

from elision.errors import FormatError, UnsureError
from elision.formats.files import walk
from elision.formats.format import Format, Sample
from elision.formats.kinds import HEAD, kind_of_bytes, kind_of_text

# Each module of formats names what it offers in FORMATS; they are imported on first use of this table.
MODULES = (
    "text", "brat", "i2b2_2014", "i2b2_2006", "physionet", "nedap", "conll", "jsonl", "doccano", "prodigy", "spacy",
    "label_studio", "cas", "webanno", "huggingface", "presidio", "fhir", "hl7", "omop",
)  # fmt: skip


def _load() -> dict[str, Format]:
    return {
        format.name: format
        for module in MODULES
        for format in cast("tuple[Format, ...]", import_module(f"elision.formats.{module}").FORMATS)
    }


FORMATS: dict[str, Format] = _load()


class TableFormat(NamedTuple):
    """A format of tables: `title` for people, and the endings that tell it."""

    title: str
    endings: tuple[str, ...] = ()


TABLES = {
    "csv": TableFormat("a CSV table", (".csv",)),
    "tsv": TableFormat("a TSV table", (".tsv", ".tab")),
    "jsonl": TableFormat("a table in JSON Lines", (".jsonl", ".ndjson")),
    "parquet": TableFormat("a Parquet table", (".parquet", ".pq")),
    "sql": TableFormat("a table of a database"),
}
FILES_OF_TABLES = tuple(name for name, table in TABLES.items() if table.endings)
TABLE_OF_ENDING = {ending: name for name, table in TABLES.items() for ending in table.endings}
FOR_RUN = "elision inspect shows the columns of tables, elision run cleans them"


def format_named(name: str) -> Format:
    """A format of documents."""
    if name in FORMATS:
        return FORMATS[name]
    if name in TABLES:
        raise FormatError(f"{name}: {TABLES[name].title} is no format of documents; {FOR_RUN}")
    near = get_close_matches(name, FORMATS, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise FormatError(f"no format {name!r}{hint}; there are: {', '.join(FORMATS)}")


TEXT = "text"
_URL = re.compile(r"[a-z][a-z0-9+]+:/")
Claims = list[tuple[Format, str]]


class Guess(NamedTuple):
    """`name`: of the format, as `--format` has it. `rows`: the format in which its rows, or its files of text, are read
    where only the notes count; "" if they are read as documents."""

    name: str
    evidence: str
    rows: str = ""

    def said(self, where: str | Path) -> str:
        """What a command says when it begins to read."""
        more = f"; only its rows are read ({self.rows})" if self.rows not in ("", self.name) else ""
        return f"reading {where} as {self.name}: {self.evidence}{more}"


def what_is(path: Path, files: Sequence[Path]) -> Guess:
    """What these files are, which are all that is at a path, or all that a pattern asks for."""
    table = _by_endings(files)
    if table == "parquet" or (table == TEXT and not path.is_file()):
        return Guess(table, _endings(files), table)
    seen = sample(path, files)
    claims = _claims(seen)
    if len(claims) == 1:
        format, evidence = claims[0]
        return Guess(format.name, evidence, table if format.table or table == TEXT else "")
    if table:
        return Guess(table, _endings(files), table)
    raise _unsure(seen, claims)


def guess(path: Path) -> tuple[Format, str]:
    """The format of the documents at a path with the evidence for it; not being sure is an error that lists what was
    seen, and so is a table of which nothing says which column is what."""
    seen = sample(path)
    claims = _claims(seen)
    if len(claims) == 1:
        return claims[0]
    files = [Path(name) for name in seen.names]
    table, kind = "" if claims else _by_endings(files), kind_of_bytes(seen.start)
    if table in TABLES and (kind is None or kind.name == table):
        raise table_refused(path, table, _endings(files))
    raise _unsure(seen, claims)


def table_refused(where: object, table: str, evidence: str = "") -> UnsureError:
    """The error of a command that reads documents only."""
    why = f" ({table}: {evidence})" if evidence else ""
    return UnsureError(f"{where}: is {TABLES[table].title}{why}, and nothing says which column is what; {FOR_RUN}")


def sample(path: Path, files: Sequence[Path] | None = None) -> Sample:
    """Look at a path: some names and the head of the most telling file."""
    if files is None:
        files = _files(path)
    if path.is_file():
        return Sample(path, (path.name,), *_head(path))
    root = path if path.is_dir() else path.parent
    names = [_below(file, root).with_suffix(file.suffix.lower()).as_posix() for file in files]
    telling = next((i for i, name in enumerate(names) if not name.endswith((".txt", ".ann", ".conf"))), 0)
    return Sample(path, tuple(names), *_head(files[telling]))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.exists():
        if _URL.match(str(path)):
            raise table_refused("IN", "sql")
        raise FormatError(f"{path}: there is no such file or folder")
    if files := walk(path):
        return files
    raise FormatError(f"{path}: the folder is empty")


def _below(file: Path, root: Path) -> Path:
    return file.relative_to(root) if file.is_relative_to(root) else Path(file.name)


def _head(file: Path) -> tuple[str, bytes]:
    try:
        with file.open("rb") as stream:
            start = stream.read(HEAD)
            return start.decode("utf-8", "replace"), start
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _claims(seen: Sample) -> Claims:
    return [(format, evidence) for format in FORMATS.values() if (evidence := format.sniff(seen))]


def _by_endings(files: Sequence[Path]) -> str:
    """The format of tables that the endings of all files agree on, or text; "" if it is to be found out by looking."""
    endings = {file.suffix.lower() for file in files}
    formats = {TABLE_OF_ENDING.get(ending, "") for ending in endings}
    if endings == {".txt"}:
        return TEXT
    if len(formats) > 1 and "" not in formats:
        raise FormatError(f"the files are of several kinds ({', '.join(sorted(endings))}); give them one after another")
    return formats.pop() if len(formats) == 1 else ""


def _endings(files: Sequence[Path]) -> str:
    shown = ", ".join(sorted({file.suffix.lower() for file in files}))
    return f"the ending {shown}" if len(files) == 1 else f"{shown} files only"


def _unsure(seen: Sample, claims: Claims) -> UnsureError:
    if claims:
        found = "; ".join(f"{format.name} ({evidence})" for format, evidence in claims)
        return UnsureError(f"{seen.path}: could be more than one format: {found}; say which with --format")
    shown = ", ".join(sorted({Path(name).suffix or "no suffix" for name in seen.names}))
    if kind := kind_of_bytes(seen.start) or kind_of_text(seen.head):
        first = "is" if seen.path.is_file() else f"not a format that elision can tell (files: {shown}); the first is"
        return UnsureError(f"{seen.path}: {first} {kind.what}; {kind.todo}")
    return UnsureError(
        f"{seen.path}: not a format that elision can tell (files: {shown}); "
        f"say which with --format: {', '.join(FORMATS)}"
    )
