"""The rows of a CSV file and where each begins, also where quotes and cells are out of place.

A quote that never ends takes the rows behind it for one cell, and from then on what is inside quotes and what is not
may be turned round: pieces of notes would be taken for rows, and stand in columns that nobody cleans. So a record that
cannot be is held, with all lines behind it until one begins like the rows of this file do. What begins a row is told by
columns whose cells are all numbers or all codes. Where there are none, the rest of the file is held.
"""

from __future__ import annotations

import csv
import re
from array import array
from collections import Counter
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from elision.errors import FormatError
from elision.formats.tables.lines import Dialect, Places
from elision.formats.tables.source import UNREADABLE

_LEARNT = 200  # rows of a file that tell how its rows begin
_FEW = 2
_USUAL = 0.75
_CODE = re.compile(r"(?=[\w.:/-]{0,63}?\d)[\w.:/-]{1,64}")
_NUMBER = re.compile(r"\d{1,18}")


class Held(NamedTuple):
    """A stretch of a file that is no row: why, its first line, and how many lines it has."""

    why: str
    line: int
    lines: int


class RowPlaces(NamedTuple):
    """Where each row of a file begins, where the last one ends, which are held, and how many lines are not in the
    encoding."""

    begins: Any
    end: int
    held: dict[int, Held]
    not_decoded: int


class RowShape:
    """How the rows of a file look: how many cells, and which of them are numbers or codes."""

    def __init__(self, width: int, places: Places, skip: int) -> None:
        self.width, self.dialect = width, (dialect := places.dialect)
        self.kinds: dict[int, re.Pattern[str]] = {}
        sample: list[Sequence[str]] = []
        whole = 0
        self.clean = True  # nothing is out of place in the rows that are looked at
        for number, cells in enumerate(islice(places.records(), _LEARNT)):
            if cells and number >= skip:
                sample.append(cells)
                whole += places.whole(len(cells))
            self.clean &= cells is not None and len(cells) in (0, width)
        # All cells are in quotes: then a quote too few is noticed where the next row begins.
        self.quoted = bool(sample) and whole >= (len(sample) if self.clean else _USUAL * len(sample))
        self.quoting = 2 * whole > len(sample)
        rows = [cells for cells in sample if len(cells) == width]
        self.rising = -1  # a column of numbers that rise from row to row
        self.highest = -1
        for at in range(width) if len(rows) >= _FEW else ():
            cells = [row[at] for row in rows]
            for pattern in (*_made_alike(cells), *(_codes(cells) if self.clean else ()), *_one_of(cells)):
                if sum(pattern.fullmatch(cell) is not None for cell in cells) >= _USUAL * len(cells):
                    self.kinds[at] = pattern
                    break
            numbers = [int(cell) for cell in cells if _NUMBER.fullmatch(cell)]
            rises = sum(one < other for one, other in pairwise(numbers))
            if self.rising < 0 and len(numbers) >= _USUAL * len(cells) and rises >= _USUAL * (len(cells) - 1):
                self.rising = at
        # Codes have letters; a number may begin a line of a note as well.
        self.named = any(re.search(r"[^\W\d_]", row[min(self.kinds, default=0)]) for row in rows[:_FEW])
        mark, quote = re.escape(dialect.delimiter), re.escape(dialect.quote)
        first = min(self.kinds, default=0)
        before = rf"(?:(?:{quote}(?:[^{quote}]|{quote}{quote})*{quote}|[^{mark}{quote}]*){mark}){{{first}}}"
        maybe = "" if self.quoted else "?"
        end = rf"{mark}" if first < width - 1 else r"[\r\n]*$"
        self.begins = (
            re.compile(rf"{before}{quote}{maybe}(?:{self.kinds[first].pattern}){quote}{maybe}{end}")
            if self.kinds
            else re.compile(r"(?!)")
        )

    def may_begin(self, line: str) -> bool:
        """Whether a line inside quotes can hardly be other than the next row."""
        if not self.kinds or not self.begins.match(line):
            return False
        quote = self.dialect.quote
        cells = next(csv.reader([line], delimiter=self.dialect.delimiter, quotechar=quote), [])
        opens = line.count(quote) % 2 == 1 and min(self.kinds) < len(cells) <= self.width
        if not opens and not (len(cells) == self.width and self.like(cells)):
            return False
        return int(cells[self.rising] or 0) > self.highest if self.rising == 0 and cells[0].isdecimal() else self.named

    def like(self, cells: Sequence[str]) -> bool:
        """Whether this can only be a row: cells that are numbers, codes or one of a few words in the others are so
        here; only the first of them may not be empty."""
        return bool(self.kinds) and all(
            pattern.fullmatch(cells[at]) or (not cells[at] and at > min(self.kinds))
            for at, pattern in self.kinds.items()
        )

    def falls(self, cells: Sequence[str]) -> bool:
        """Whether a number that rises in the others does not."""
        cell = cells[self.rising] if self.rising >= 0 else ""
        if self.rising < 0 or not _NUMBER.fullmatch(cell) or int(cell) <= self.highest:
            return self.rising >= 0
        self.highest = int(cell)
        return False


def _made_alike(cells: Sequence[str]) -> list[re.Pattern[str]]:
    """How most cells are made, if with digits: n17-3 of letters, digits, a hyphen, digits; 4711 of four digits."""
    shapes = Counter(re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", cell[:64])) for cell in cells)
    shape = shapes.most_common(1)[0][0]
    if shape == "0":
        sizes = sorted(len(cell) for cell in cells if cell.isdecimal())
        return [re.compile(rf"\d{{{sizes[0]},{sizes[-1] + 1}}}")]
    if "0" not in shape or any(map(str.isspace, shape)) or len(shape) > 20:
        return []
    return [re.compile("".join({"a": r"[^\W\d_]+", "0": r"\d+"}.get(one, re.escape(one)) for one in shape))]


def _codes(cells: Sequence[str]) -> list[re.Pattern[str]]:
    """Codes as long as most cells, if they are codes: with a digit and without blanks."""
    sizes = [len(cell) for cell in cells if _CODE.fullmatch(cell)]
    return [re.compile(rf"(?=[\w.:/-]*?\d)[\w.:/-]{{{min(sizes)},{max(sizes)}}}")] if sizes else []


def _one_of(cells: Sequence[str]) -> list[re.Pattern[str]]:
    """Cells of which there are a few, if there are: languages, wards."""
    some = sorted(set(cells))
    if len(cells) < 20 or len(some) > len(cells) // 10 or max(map(len, some)) > 20 or not all(some):
        return []
    return [re.compile("|".join(map(re.escape, some)))]


def find(file: Path, dialect: Dialect, encoding: str, most: int, header: Sequence[str], headed: bool) -> RowPlaces:
    """All rows of a file. Whoever reads a stretch between two of them, but for those that are held, meets no error.

    A file in which nothing is out of place is taken as it is. In one in which something is, a row must begin like the
    others, unless no quote before it can have been out of place.
    """
    rows = RowShape(len(header), Places(file, dialect, encoding, most), 1 if headed else 0)
    found = _Scan(Places(file, dialect, encoding, most), rows, careful=False).all(header, headed)
    if found is None:
        found = _Scan(Places(file, dialect, encoding, most), rows, careful=True).all(header, headed)
    assert found is not None  # noqa: S101
    return found


class _Scan:
    """One way through a file."""

    def __init__(self, places: Places, rows: RowShape, *, careful: bool) -> None:
        self.places, self.rows, self.careful = places, rows, careful
        places.rows, rows.highest = rows, -1
        self.begins, self.lines, self.held = array("q"), array("q"), dict[int, Held]()
        self.sure = True  # no quote up to here can have been out of place
        self.doubt = 0  # the first row of which nobody knows yet whether it is one
        self.since = 0  # the first line of what is being held
        self.quoting = rows.quoting  # whether quotes are marks here, and not only characters as in many a TSV

    def all(self, header: Sequence[str], headed: bool) -> RowPlaces | None:
        """All rows; None if something is out of place, unless the scan is careful."""
        records = self.places.records()
        if headed:
            _same_header(next(records, None), header, self.places.file)
        for cells in records:
            if cells == [] and not self.since:
                continue
            self.quoting |= self.places.taken > 1
            fits = cells is not None and len(cells) == self.rows.width and not self.places.odd
            if not self.careful:
                if cells is None or not fits or self._bare(cells):
                    return None
                self.rows.falls(cells)
                self._begin()
            elif self.since:
                self._seek(cells if fits else None)
            else:
                self._judge(cells, fits)
        if self.since:
            self._end(self.places.line + 1)
        return RowPlaces(self.begins, self.places.at, self.held, self.places.not_decoded)

    def _begin(self) -> None:
        self.begins.append(self.places.begin)
        self.lines.append(self.places.first)

    def _end(self, line: int) -> None:
        self.held[len(self.begins) - 1] = Held(UNREADABLE, self.since, line - self.since)
        self.since, self.places.seek = 0, None

    def _seek(self, cells: Sequence[str] | None) -> None:
        """Whether what is held ends before this record."""
        if cells is not None and self.rows.like(cells) and self._even() and not self.rows.falls(cells):
            self._end(self.places.first)
            self.doubt = len(self.begins)
            self._begin()

    def _judge(self, cells: Sequence[str] | None, fits: bool) -> None:
        places, rows = self.places, self.rows
        whole = fits and rows.quoted and places.whole(rows.width)
        like = fits and cells is not None and rows.like(cells) and not rows.falls(cells)
        begun = rows.begins.match(places.head) is not None
        if self.sure or like or whole or (begun and not fits):
            self.doubt = len(self.begins)
        if fits and (like or whole or self.sure):
            self._begin()
            self.sure &= not places.quotes
        elif cells and places.taken == 1 and self._even() and (begun or self.sure) and not places.quotes:
            self.held[len(self.begins)] = Held(UNREADABLE, places.first, 1)  # only the number of cells is wrong
            self._begin()
        else:
            self.since, places.seek, self.sure = places.first, rows.begins, False
            if self.doubt < len(self.begins):  # the break may have been before
                self.since = self.lines[self.doubt]
                self.held = {row: held for row, held in self.held.items() if row < self.doubt}
                del self.begins[self.doubt + 1 :], self.lines[self.doubt + 1 :]
            else:
                self._begin()

    def _bare(self, cells: Sequence[str]) -> bool:
        """Whether this row has quotes that nobody writes who puts cells in quotes, or none where all others have."""
        places, quote = self.places, self.places.dialect.quote
        if not self.quoting or places.dialect.escape:
            return False
        if not places.quotes:
            return self.rows.quoted
        if places.taken > 1:
            return places.quotes % 2 == 1
        inside = (cell.replace(quote, quote + quote) for cell in cells if quote in cell)
        return any(f"{quote}{cell}{quote}" not in places.head for cell in inside)

    def _even(self) -> bool:
        return self.places.quotes % 2 == 0 or bool(self.places.dialect.escape)


def _same_header(cells: Sequence[str] | None, header: Sequence[str], file: Path) -> None:
    if tuple(cells or ()) != tuple(header):
        raise FormatError(f"{file}: the header is not that of the first file; run files of one table together")
