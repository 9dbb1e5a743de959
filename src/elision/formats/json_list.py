"""A file that is one JSON list, read and written one item at a time: an export may be larger than the memory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any

from elision.errors import FormatError
from elision.formats.atomic import writing
from elision.formats.files import JSON
from elision.formats.format import MEGABYTE, Reading

CHUNK = 1 << 16  # characters read at a time
BLANK = re.compile(r"[ \t\r\n]*")


def begins_with(file: Path, mark: bytes) -> bool:
    """Whether the first character of a JSON file is this one."""
    try:
        with file.open("rb") as stream:
            return stream.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip().startswith(mark)
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def list_items(file: Path, how: Reading) -> Iterator[tuple[int, str, Any]]:
    """(number, where, item) for the items of a file that is one JSON list, none larger than the limit for a note."""
    try:
        stream = file.open(encoding=how.encoding, newline="")
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None
    except LookupError:
        raise FormatError(f"{how.encoding!r} is not an encoding that Python knows; try utf-8 or cp1252") from None
    with stream:
        try:
            yield from _items(stream, file, how.max_bytes)
        except UnicodeDecodeError:
            raise FormatError(
                f"{file}: is not {how.encoding}; if the file has another encoding, say so (--encoding cp1252)"
            ) from None


def _items(stream: IO[str], file: Path, limit: int) -> Iterator[tuple[int, str, Any]]:
    text, at = _to_next_mark(stream.read(CHUNK).removeprefix("\ufeff"), 0, stream)
    if not text.startswith("[", at):
        raise FormatError(f"{file}: expected a JSON list")
    text, at = _to_next_mark(text, at + 1, stream)
    for number in count(1):
        if text.startswith("]", at):
            break
        where = f"{file}: item {number}"
        if number > 1:
            if not text.startswith(",", at):
                raise FormatError(f"{where}: not valid JSON: no comma before it, or the list breaks off here")
            text, at = _to_next_mark(text, at + 1, stream)
        item, text, at = _item(text, at, stream, where, limit)
        yield number, where, item
        text, at = _to_next_mark(text, at, stream)
    text, at = _to_next_mark(text, at + 1, stream)
    if text:
        raise FormatError(f"{file}: something follows the end of the JSON list")


def _to_next_mark(text: str, at: int, stream: IO[str]) -> tuple[str, int]:
    """The window moved on to the next character that is not blank; an empty window at the end of the file."""
    while True:
        blanks = BLANK.match(text, at)
        at = blanks.end() if blanks else at
        if at < len(text):
            return text, at
        text, at = stream.read(CHUNK), 0
        if not text:
            return "", 0


def _item(text: str, at: int, stream: IO[str], where: str, limit: int) -> tuple[Any, str, int]:
    """The item that begins at `at`, and the window behind it."""
    too_long = f"longer than the limit of {limit / MEGABYTE:,.0f} MB for one note; raise it if that is meant (--max-mb)"
    while True:
        try:
            item, end = JSON.raw_decode(text, at)
        except json.JSONDecodeError as error:
            # Either wrong or not all there yet. Reading as much again each time keeps a long item linear.
            room = limit - (len(text) - at)
            if room < 0:
                raise FormatError(f"{where}: not valid JSON ({error.msg}), or {too_long}") from None
            more = stream.read(min(max(CHUNK, len(text)), room + 1))
            if not more:
                raise FormatError(f"{where}: not valid JSON: {error.msg}") from None
            text, at = text[at:] + more, 0
        except RecursionError:
            raise FormatError(f"{where}: JSON nested too deeply") from None
        except ValueError as error:
            raise FormatError(f"{where}: not valid JSON: {error}") from None
        else:
            if end - at > limit:
                raise FormatError(f"{where}: {too_long}")
            return item, text, end


def write_list(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    """A JSON list with one row a line."""
    with writing(file) as stream:
        stream.write(b"[")
        for number, row in enumerate(rows):
            stream.write((b",\n" if number else b"\n") + json.dumps(row, ensure_ascii=False).encode())
        stream.write(b"\n]\n")
