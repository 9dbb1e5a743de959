"""The records of a CSV file one by one, and where each begins; one with quotes out of place ends nothing."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from elision.formats.tables.lines import BAD, begin, lines


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
