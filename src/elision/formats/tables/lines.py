"""Lines and records of text files with the place of each in bytes, so that a shard can be read again from there.

A record of a CSV with quotes out of place ends nothing.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from elision.errors import FormatError
from elision.formats.format import MEGABYTE
from elision.formats.kinds import HEAD, refuse_bytes

BAD = "\udcff"  # stands for bytes that are not in the encoding; no text that can be decoded has it
_KEEP_BAD = "elision.bad"
codecs.register_error(_KEEP_BAD, lambda error: (BAD, getattr(error, "end", 0)))
_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def begin(file: Path, encoding: str) -> tuple[str, int]:
    """The encoding to the letter, and where the text begins behind a byte-order mark."""
    try:
        name = codecs.lookup(encoding).name
        "\n".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        raise FormatError(f"{encoding[:40]!r} is not an encoding that Python knows; try utf-8 or cp1252") from None
    try:
        with file.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None
    refuse_bytes(file, head, name)
    if name.startswith("utf-32"):
        raise FormatError(f"{file}: is not read in {name}; convert the file to UTF-8 first")
    if name == "utf-8-sig":
        name = "utf-8"
    if name == "utf-16":
        name = "utf-16-be" if head.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    bom = _BOMS.get(name, b"")
    return name, len(bom) if bom and head.startswith(bom) else 0


def lines(
    file: Path, encoding: str, start: int, most: int, *, stop: int | None = None, first: int = 0, bad: bool = False
) -> Iterator[tuple[int, str]]:
    """(where the next one begins, line with its end) from byte `start` on, split at line feeds only. `first` is the
    number of the line before, for messages, or -1 if nobody knows. `bad`: bytes that are not in the encoding are no
    error, but `BAD`."""
    number = first
    try:
        with file.open("rb") as stream:
            stream.seek(start)
            at = start
            while (stop is None or at < stop) and (raw := _line(stream, encoding, most)):
                number += number >= 0
                at += len(raw)
                place = (
                    f"{file}, line {number:,}" if number >= 0 else f"{file}, in the {len(raw):,} bytes before {at:,}"
                )
                if len(raw) > most:
                    raise FormatError(
                        f"{place}: longer than the limit of {most / MEGABYTE:,.3g} MB; raise it if that is meant "
                        "(--max-mb)"
                    )
                try:
                    yield at, raw.decode(encoding, _KEEP_BAD if bad else "strict")
                except UnicodeDecodeError as error:
                    raise FormatError(
                        f"{place}: byte {error.start:,} of the line is not {encoding}; if the file has another "
                        "encoding, say so (--encoding cp1252, --encoding utf-16)"
                    ) from None
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _line(stream: IO[bytes], encoding: str, most: int) -> bytes:
    if not encoding.startswith("utf-16"):
        return stream.readline(most + 1)
    found = b""
    while piece := stream.readline(most + 2):
        found += piece
        if encoding == "utf-16-le" and len(found) % 2 and piece.endswith(b"\n"):
            found += stream.read(1)
            if found.endswith(b"\n\0"):
                break
        elif encoding == "utf-16-be" and len(found) % 2 == 0 and found.endswith(b"\0\n"):
            break
        if len(found) > most:
            break
    return found


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


class Looks(Protocol):
    """Knows how rows look."""

    def may_begin(self, line: str) -> bool: ...


class Places:
    """The records of a file one by one, and what each took: `begin` to `at` in bytes, `taken` lines, `quotes`."""

    def __init__(
        self, file: Path, dialect: Dialect, encoding: str, most: int, start: int | None = None, stop: int | None = None
    ) -> None:
        # The csv module's own limit (128 KB a cell) is shorter than long notes are; it can only be set for all at once.
        csv.field_size_limit(max(csv.field_size_limit(), most))
        self.file, self.dialect = file, dialect
        encoding, begins = begin(file, encoding)
        self.at = self.begin = begins if start is None else start
        self.line = self.first = self.taken = self.quotes = self.not_decoded = 0
        self.said = ""  # why the last record could not be
        self.seek: re.Pattern[str] | None = None  # lines that do not begin like this are passed over
        self.rows: Looks | None = None  # how rows look
        self.odd = False  # a line inside quotes begins like a row
        self.head = ""  # the first line of the record
        self._fresh = True
        self._lines = lines(file, encoding, self.at, most, stop=stop, first=0 if start is None else -1, bad=True)

    def records(self) -> Iterator[list[str] | None]:
        """The cells of each record, None where its quotes are out of place."""
        reader = self.dialect.reader(self._texts())
        while True:
            self._fresh, self.taken, self.quotes, self.odd, self.said = True, 0, 0, False, ""
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self.said = _said(error)
                yield None
            else:
                yield cells

    def whole(self, cells: int) -> bool:
        """Whether so many cells may all be in quotes."""
        return self.head.startswith(self.dialect.quote) and self.quotes >= 2 * cells

    def _texts(self) -> Iterator[str]:
        quote = self.dialect.quote
        for at, text in self._lines:
            before, self.at = self.at, at
            self.line += 1
            if not text.isascii() and BAD in text:
                self.not_decoded += 1
            if self._fresh:
                if self.seek is not None and not self.seek.match(text):
                    continue
                self.begin, self.first, self._fresh = before, self.line, False
                self.head = text
            else:
                if self.rows is not None and self.rows.may_begin(text):
                    self.odd = True
            self.taken += 1
            self.quotes += text.count(quote)
            yield text


def _said(error: csv.Error) -> str:
    """What the csv module says, which is one of a few sentences; one that quotes a character is cut there."""
    if str(error).startswith("new-line"):
        return "a carriage return that is not in quotes; lines end with a line feed"
    return str(error).partition("'")[0].strip() or "a quote that ends in the middle of a cell"
