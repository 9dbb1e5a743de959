"""Rows of JSON, for the formats made of them: read one at a time, with errors that name the field.

A row is a JSON object that stands for one note. The files are JSON Lines or one JSON list.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from elision.document import Span
from elision.errors import CannotHoldError, DocumentError, FormatError, shown
from elision.formats.files import files_below, id_of, parse_json, read_lines, read_text
from elision.formats.format import Reading
from elision.formats.json_files import begins_with, list_items

JsonObject = dict[str, Any]

PLAIN_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


# --- files ---------------------------------------------------------------------------------------------------------


def notes_below(path: Path, how: Reading, *suffixes: str) -> Iterator[tuple[str, str, JsonObject]]:
    """(where, id by place, row) for every row of the files at or below a path."""
    for file in files_below(path, *suffixes):
        yield from notes_in(file, path, how)


def notes_in(file: Path, root: Path, how: Reading) -> Iterator[tuple[str, str, JsonObject]]:
    """The rows of one file. The id by place is for rows that bring none: the number, in a folder behind the file."""
    prefix = "" if file == root else id_of(file, root) + "-"
    for number, where, row in list_items(file, how) if begins_with(file, b"[") else _lines(file, how):
        if not isinstance(row, dict):
            raise FormatError(f"{where}: expected a JSON object for every note")
        yield where, f"{prefix}{number}", row


def _lines(file: Path, how: Reading) -> Iterator[tuple[int, str, Any]]:
    for number, line in read_lines(file, how):
        where = f"{file}:{number}"
        yield number, where, parse_json(line, where)


def whole_file(file: Path, how: Reading) -> Any:
    """A JSON file that belongs to one note, at once."""
    return parse_json(read_text(file, how).removeprefix("\ufeff"), str(file))


# --- fields --------------------------------------------------------------------------------------------------------


@contextmanager
def placed(where: str) -> Iterator[None]:
    """Adds the file and line to what Document and Span say when they refuse."""
    try:
        yield
    except DocumentError as error:
        raise DocumentError(f"{where}: {error}") from None


def need(row: JsonObject, key: str, where: str) -> Any:
    """The value of a field that must be there."""
    value = row.get(key)
    if value is None:
        raise FormatError(f"{where}: field {key!r} is missing")
    return value


def text_in(row: JsonObject, where: str, key: str = "text") -> str:
    """The note's text. Half characters in it are left for Document to refuse, which knows the note's id."""
    value = need(row, key, where)
    if not isinstance(value, str):
        raise FormatError(f"{where}: field {key!r} must be a string")
    return value


def string(row: JsonObject, key: str, where: str, default: str | None = None) -> str:
    value = row.get(key)
    if value is None:
        if default is None:
            raise FormatError(f"{where}: field {key!r} is missing")
        return default
    return whole_string(value, f"{where}: field {key!r}")


def whole_string(value: object, what: str) -> str:
    """A string without half characters, which no file could hold."""
    if not isinstance(value, str):
        raise FormatError(f"{what} must be a string")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise FormatError(f"{what} has half a character (a lone surrogate)") from None
    return value


def identifier(row: JsonObject, key: str, where: str, default: str) -> str:
    """An id: a string, or a whole number as a string."""
    value = row.get(key)
    if value is None:
        return default
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise FormatError(f"{where}: field {key!r} must be a string or a whole number")
    return string(row, key, where)


def as_number(id: str) -> int | str:
    """An id as programs with numbered rows write it: a number where it is one and comes back alike."""
    return int(id) if PLAIN_NUMBER.fullmatch(id) else id


def whole(row: JsonObject, key: str, where: str) -> int:
    value = need(row, key, where)
    if not isinstance(value, int) or isinstance(value, bool):
        raise FormatError(f"{where}: field {key!r} must be a whole number")
    return value


def number(row: JsonObject, key: str, where: str, default: float) -> float:
    value = row.get(key)
    if value is None:
        return default
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value):
        raise FormatError(f"{where}: field {key!r} must be a number")
    return float(value)


def things(row: JsonObject, key: str, where: str) -> list[Any]:
    """A list; none if the field is not there."""
    value = row.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{where}: field {key!r} must be a list")
    return value


def rows_in(row: JsonObject, key: str, where: str) -> list[JsonObject]:
    """A list of objects; none if the field is not there."""
    rows = things(row, key, where)
    if not all(isinstance(item, dict) for item in rows):
        raise FormatError(f"{where}: field {key!r} must be a list of objects")
    return rows


def mapping(row: JsonObject, key: str, where: str) -> JsonObject:
    """An object; an empty one if the field is not there."""
    value = row.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise FormatError(f"{where}: field {key!r} must be an object")
    return value


def finite(span: Span, where: str) -> float:
    """A span's score, which JSON can only hold if it is a number."""
    if not math.isfinite(span.score):
        raise CannotHoldError(f"{where}: span {span.start}–{span.end}: the score is not a finite number")
    return span.score


# --- what a format says beyond the model ----------------------------------------------------------------------------


def kept(row: JsonObject, known: Container[str], prefix: str, where: str) -> dict[str, str]:
    """The fields beyond the known ones as info, in JSON so that any value comes back; empty ones say nothing."""
    return {
        f"{prefix}:{key}": as_json(value, f"{where}: field{shown(key)}")
        for key, value in row.items()
        if key not in known and not _says_nothing(value)
    }


def _says_nothing(value: object) -> bool:
    return value is None or (isinstance(value, (str, list, dict)) and not value)


def without_empty(row: JsonObject) -> JsonObject:
    return {key: value for key, value in row.items() if not _says_nothing(value)}


def as_json(value: object, what: str) -> str:
    return whole_string(json.dumps(value, ensure_ascii=False), what)


def restored(info: Mapping[str, str], prefix: str, where: str) -> JsonObject:
    """The fields that `kept` put away."""
    start = prefix + ":"
    return {
        key.removeprefix(start): parse_json(value, f"{where}: info{shown(key)}")
        for key, value in info.items()
        if key.startswith(start)
    }


def parsed_info(info: Mapping[str, str], key: str, where: str) -> JsonObject:
    """The fields that one entry of info holds together, as a JSON object."""
    if key not in info:
        return {}
    return mapping({key: parse_json(info[key], f"{where}: info {key!r}")}, key, where)
