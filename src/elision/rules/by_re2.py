"""Where rows match in pieces of text, and why a match does not count: by RE2, and what `_rows.c` is held against.

A sieve tells which rows can match in a piece, and only those look.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from elision.rules.prefilter import Sieve
from elision.rules.row import LOOK_BEHIND, Row

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
