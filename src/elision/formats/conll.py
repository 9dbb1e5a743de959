"""CoNLL-2003 files: a token and its tag on each line, a blank line between sentences.

Such a file has no offsets. elision writes them, with the text, to a second file beside it (NAME.bio.offsets.jsonl).
With that file, reading is exact. Without it, the tokens are found in `how.texts`, or the text is rebuilt from them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.bio import OUTSIDE, encode
from elision.document import Document
from elision.errors import FormatError
from elision.formats.aligned import A_TAG_IS, Tagged, edges_of, on_text, plain_tag
from elision.formats.atomic import writing
from elision.formats.files import files_below, id_of, read_jsonl, read_lines
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.rows import identifier, string, text_in

if TYPE_CHECKING:
    from elision.text.tokens import Tokens

SUFFIXES = (".bio", ".conll", ".iob", ".iob2", ".iobes", ".bioes", ".bilou")
SIDE = ".offsets.jsonl"
DOCSTART = "-DOCSTART-"
_BLANKS = re.compile(" +")


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, *SUFFIXES):
        side = file.with_name(file.name + SIDE)
        tagged = _tagged(file, id_of(file, path), how)
        if side.exists():
            tagged = _with_side(tagged, side, how)
        for document in tagged:
            yield on_text(document, how)


def _tagged(file: Path, name: str, how: Reading) -> Iterator[Tagged]:
    """The documents of a file, with the ids NAME-1, NAME-2, …"""
    current: Tagged | None = None
    count, width, before = 0, 0, 0
    for number, line in read_lines(file, how):
        columns = _columns(line)
        starts_document = columns[0] == DOCSTART
        if starts_document or current is None:
            if current:
                yield current
            count += 1
            current = Tagged(f"{name}-{count}", f"{file}, document {count}", [], [])
        if number > before + 1:  # read_lines passes over blank lines
            current.breaks.add(len(current.tokens))
        before = number
        if starts_document:
            continue
        width = width or len(columns)
        if len(columns) != width or width < 2:
            expected = f"{width} columns like the lines before" if width > 1 else "a token and its tag"
            raise FormatError(f"{file}:{number}: {len(columns)} columns where {expected} are needed")
        tag = plain_tag(columns[-1])
        if not tag:
            raise FormatError(f"{file}:{number}: the last column is not a tag; {A_TAG_IS}")
        current.tokens.append(columns[0])
        current.tags.append(tag)
    if current:
        yield current


def _columns(line: str) -> list[str]:
    line = line.strip(" \t\r\n")
    return line.split("\t") if "\t" in line else _BLANKS.split(line)


def _with_side(tagged: Iterable[Tagged], side: Path, how: Reading) -> Iterator[Tagged]:
    """The documents with what the file of offsets says about them, line by line."""
    for document, line in zip_longest(tagged, read_jsonl(side, how)):
        if document is None or line is None:
            raise FormatError(
                f"{side}: not as many lines as the file beside it has documents; "
                "they must be written together (or take this one away)"
            )
        where, row = line
        yield replace(
            document,
            id=identifier(row, "id", where, document.id),
            where=where,
            text=text_in(row, where),
            edges=edges_of(row.get("starts"), row.get("ends"), where),
            patient=identifier(row, "patient", where, ""),
            language=string(row, "language", where, ""),
        )


def write(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    from elision.text.tokens import tokenize  # with numpy

    with writing(path) as stream, writing(path.with_name(path.name + SIDE)) as side:
        for document in documents:
            tokens = tokenize(document.text, document.language)
            stream.write("".join(_lines(document, tokens)).encode())
            side.write(json.dumps(_side_row(document, tokens), ensure_ascii=False).encode() + b"\n")


def _lines(document: Document, tokens: Tokens) -> Iterator[str]:
    yield f"{DOCSTART} -X- -X- {OUTSIDE}\n\n"
    at = 0
    edges = zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)
    for (start, end), tag in zip(edges, encode(document.spans, tokens), strict=True):
        if at and "\n" in document.text[at:start]:
            yield "\n"
        yield f"{document.text[start:end]} -X- {OUTSIDE} {tag}\n"
        at = end
    if at:
        yield "\n"


def _side_row(document: Document, tokens: Tokens) -> dict[str, Any]:
    row: dict[str, Any] = {"id": document.id, "text": document.text}
    if document.patient:
        row["patient"] = document.patient
    if document.language:
        row["language"] = document.language
    return {**row, "starts": tokens.starts.tolist(), "ends": tokens.ends.tolist()}


def sniff(sample: Sample) -> str:
    lines = sample.head.removeprefix("\ufeff").split("\n")
    rows = [_columns(line) for line in lines[:-1] if line.strip()][:200]
    if not rows:
        return ""
    if rows[0][0] == DOCSTART:
        return f"the first line is {DOCSTART}"
    tags = {plain_tag(row[-1]) for row in rows if len(row) > 1 and row[0] != DOCSTART}
    even = len({len(row) for row in rows}) == 1 and len(rows[0]) > 1
    return "tokens with BIO tags in the last column" if even and "" not in tags and tags != {OUTSIDE} else ""


FORMATS = (
    Format(
        "conll",
        "CoNLL-2003: tokens with BIO tags, and a file of offsets beside it",
        ".bio",
        False,
        Holds(
            patient=True,
            language=True,
            order=False,
            overlaps=False,
            empty_spans=False,
            tokens=True,
            bare_labels=True,
        ),
        read,
        write,
        sniff,
        reads=(*SUFFIXES, SIDE),
    ),
)
