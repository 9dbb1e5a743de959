"""Where rows match in pieces of text, and why a match does not count: by RE2, and what `_rows.c` is held against.

Which rows can match in a piece is told first, by a quick answer that may name too many rows and never too few. The
rows of a file are looked for by one set, with their counting made loose: `\\pL{1,20}` may be any number of letters
here. That keeps automata small, which they are not where every state of every row can meet every state of every other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import re2

from elision.errors import RuleError
from elision.rules.automaton import MEMORY, options
from elision.rules.row import LOOK_BEHIND, Row

MOST = 2  # a count up to so many stays as it is
WIDE = 80  # a class that leaves out more characters than that may be any character
_PIECE = re.compile(
    r"\\[pP]\{\w+\}|\\x\{[0-9a-fA-F]+\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\(\?[a-zA-Z]*[:)]|\{\d+(?:,\d*)?\}|.",
    re.DOTALL,
)
_COUNT = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_DIGITS = (r"\d", "[0-9]")


class Sieve:
    """Numbers of the rows that can match."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = len(rows)
        self._sets = [_set_of(rows, numbers) for numbers in _parts(rows)]

    def __call__(self, raws: Sequence[bytes]) -> list[list[int]]:
        """For each row the numbers of the pieces of text in which it can match.

        One automaton looks at all pieces before the next one does: the parts of it that are in use stay at hand.
        """
        found: list[list[int]] = [[] for _ in range(self._rows)]
        for numbers, loose in self._sets:
            match = loose.Match
            for at, raw in enumerate(raws):
                for hit in match(raw) or ():
                    found[numbers[hit]].append(at)
        return found


def _parts(rows: Sequence[Row]) -> list[Sequence[int]]:
    """The rows of each file by themselves: they begin with the same words, so that they make small automata."""
    numbered = range(len(rows))
    return [list(run) for _, run in groupby(numbered, key=lambda number: rows[number].id.rpartition("/")[0])]


def _set_of(rows: Sequence[Row], numbers: Sequence[int]) -> tuple[Sequence[int], Any]:
    found = re2.Set.SearchSet(options(2 * MEMORY))
    for number in numbers:
        found.Add(loosened(rows[number].source).encode())
    try:
        found.Compile()
    except re2.error:
        raise RuleError(f"{len(numbers)} rules from {rows[numbers[0]].id} on are too large together") from None
    return numbers, found


def loosened(pattern: str) -> str:
    """A pattern that matches wherever this one does, and counts less."""
    pieces: list[str] = []
    before = ""
    for piece in _PIECE.findall(pattern):
        count = _COUNT.fullmatch(piece)
        if count and before:
            least = int(count[1])
            most = int(count[2]) if count[2] else least
            digits = before in _DIGITS
            if most > MOST and not (digits and most == least):
                kept = least if digits else min(least, 1)
                piece = f"{{{kept},}}" if kept > 1 else "+" if kept else "*"
        elif piece.startswith("[^") and len(piece) > WIDE:
            piece = "."
        pieces.append(piece)
        before = piece
    return "".join(pieces)


Piece = tuple[int, str]  # where in its text it begins
# A match: the number of its row, where in the text the identifier begins and ends, and why it does not count.
Hit = tuple[int, int, int, int]

COUNTS, CUTS, BEFORE, AFTER, CHECK = range(5)
WHY = {
    COUNTS: "",
    CUTS: "begins or ends inside a word or number",
    BEFORE: "of what stands before it",
    AFTER: "of what stands after it",
    CHECK: "the check {check} fails",
}
_SHORT = 2_048  # bytes in which characters are counted rather than numbered


class ByRE2:
    """Rows, to be found in pieces of text."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self._sieve = Sieve(rows)

    def find(self, pieces: Sequence[Piece], counting: bool = False) -> list[list[Hit]]:
        """The matches in each piece, row by row and from left to right; with `counting`, only those that count."""
        raws = [piece.encode("utf-8", "surrogatepass") for _, piece in pieces]
        characters = [_characters(raw, piece) for raw, (_, piece) in zip(raws, pieces, strict=True)]
        found: list[list[Hit]] = [[] for _ in pieces]
        for number, (row, where) in enumerate(zip(self._rows, self._sieve(raws), strict=True)):
            for at in where:
                first, piece = pieces[at]
                found[at] += [
                    (number, first + start, first + stop, why)
                    for start, stop, why in _in_piece(row, raws[at], piece, characters[at])
                    if not (why and counting)
                ]
        return found


def _in_piece(row: Row, raw: bytes, piece: str, character: Callable[[int], int]) -> list[tuple[int, int, int]]:
    found: list[tuple[int, int, int]] = []
    at, size = 0, len(raw)
    while at < size:
        match = row.regex.search(raw, at)
        if match is None:
            break
        (begin_all, _), (begin, end) = match
        if begin < 0 or begin == end:  # an empty identifier is none
            at = _next(raw, max(at, begin_all))
            continue
        start, stop = character(begin), character(end)
        why = COUNTS
        if row.edges and (_cuts(piece, start) or _cuts(piece, stop)):
            why = CUTS
        elif row.not_before is not None and row.not_before.occurs(raw[max(0, begin - 4 * LOOK_BEHIND) : begin]):
            why = BEFORE
        elif row.not_after is not None and row.not_after.begins(raw, end):
            why = AFTER
        elif row.check is not None and not row.check(piece[start:stop]):
            why = CHECK
        found.append((start, stop, why))
        at = _next(raw, begin) if why else end
    return found


def _characters(raw: bytes, piece: str) -> Callable[[int], int]:
    """From offsets in bytes to offsets in characters."""
    if len(raw) == len(piece):
        return int
    if len(raw) <= _SHORT:
        return lambda at: len(raw[:at].decode("utf-8", "surrogatepass"))
    begins = np.cumsum((np.frombuffer(raw, np.uint8) & 0xC0) != 0x80) - 1
    return lambda at: int(begins[at]) if at < len(raw) else len(piece)


def _next(raw: bytes, at: int) -> int:
    """The place of the next character."""
    at += 1
    while at < len(raw) and raw[at] & 0xC0 == 0x80:
        at += 1
    return at


def _cuts(text: str, at: int) -> bool:
    """Whether a word or a number runs over this place. Chinese characters are words of their own."""
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    if a.isalpha():
        return a < "\u2e80" and b.isalpha() and b < "\u2e80"
    return a.isdigit() and b.isdigit()
