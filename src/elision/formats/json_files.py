"""Files of JSON: the keys that their heads show, and a list that is read and written one item at a time.

An export may be larger than the memory. Formats are guessed by the keys.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import IO, Any

from elision.errors import FormatError
from elision.formats.atomic import writing
from elision.formats.files import JSON
from elision.formats.format import MEGABYTE, Reading

# A string that breaks off with the head counts as a token, too, so that each character is looked at once.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\],:]', re.DOTALL)
DEPTH = 12
LONGEST = 80  # of a key; keys are data, too, in a file that means harm


@lru_cache(maxsize=1)  # each format asks for the shape of the same head
def shape(head: str) -> frozenset[str]:
    """The keys in the head of JSON or JSON Lines as paths ("[].data.text"); it may break off anywhere."""
    paths: set[str] = set()
    open_at: list[str] = []  # the path of each object ("spans[].") and list ("spans[]") that is open
    here = key = ""
    if not head.removeprefix("\ufeff").lstrip().startswith(("{", "[")):
        return frozenset()
    for match in TOKEN.finditer(head):
        mark = match[0]
        if mark == "{":
            open_at.append(f"{here}." if here else "")
        elif mark == "[":
            here += "[]"
            paths.add(here)
            open_at.append(here)
        elif mark in "}]":
            if open_at:
                open_at.pop()
            here = open_at[-1] if open_at else ""
        elif mark == ",":
            here = open_at[-1] if open_at else ""
        elif mark == ":":
            here = (open_at[-1] if open_at else "") + key
            paths.add(here)
        else:
            key = mark[1:-1][:LONGEST]
        if len(open_at) > DEPTH:
            break
    return frozenset(paths)


def keys_of_lines(head: str) -> frozenset[str]:
    """The keys of the objects on the lines of a JSON Lines file."""
    return frozenset(path for path in shape(head) if "." not in path and "[" not in path)


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
