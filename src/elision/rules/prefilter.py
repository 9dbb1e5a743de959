"""Which rows can match in a piece of text? A quick answer that may name too many rows and never too few.

The rows of a file are looked for by one set, with their counting made loose: `\\pL{1,20}` may be any number of letters
here. That keeps automata small, which they are not where every state of every row can meet every state of every other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import re2

from elision.errors import RuleError
from elision.rules.automaton import MEMORY, options
from elision.rules.row import Row

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
