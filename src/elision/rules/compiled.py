"""Rows of rules, read and looked for by `_rows.c` where it was built. What it cannot read is left for RE2.

Where no compiler was, or with ELISION_KERNELS=numpy in the environment, RE2 does all rows. Both find the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from functools import cache

import numpy as np
import re2

from elision.rules.by_re2 import ByRE2, Hit, Piece
from elision.rules.row import Row
from elision.text.native import PLAIN

try:
    if PLAIN:
        raise ImportError("RE2 is asked for")
    from elision.rules import _rows
except ImportError:
    COMPILED = False
else:
    COMPILED = True

MOST_OF_ALL = 48 << 20  # bytes of the automaton of all rows; beyond that it is begun anew
MOST_OF_ONE = 1 << 20
_KINDS = 0x20000  # no digit lies beyond
_HAN = 0x2E80  # from here on letters are words of their own
_NAMED = re.compile(r"\\[pP](?:\{(\w+)\}|(\w))")


class Compiled:
    """Rows, to be found in pieces of text; what `_rows.c` cannot read is left for RE2."""

    def __init__(self, rows: Sequence[Row]) -> None:
        told = [(row.source, _text(row.not_before), _text(row.not_after), row.edges, row.check) for row in rows]
        names = sorted({one or two for row in told for part in row[:3] for one, two in _NAMED.findall(part)})
        known = [(name, ranges) for name in names if (ranges := _ranges(name))]
        self._rows, self.left = _rows.ready(told, known, _folds(), _kinds(), MOST_OF_ALL, MOST_OF_ONE)
        self._by_re2 = ByRE2([rows[number] for number in self.left]) if self.left else None

    def find(self, pieces: Sequence[Piece], counting: bool = False) -> list[list[Hit]]:
        """The matches in each piece, row by row and from left to right; with `counting`, only those that count."""
        ready, find = self._rows, _rows.find
        found = [find(ready, piece, first, counting) for first, piece in pieces]
        if self._by_re2 is not None:
            for ours, theirs in zip(found, self._by_re2.find(pieces, counting), strict=True):
                ours += [(self.left[number], start, stop, why) for number, start, stop, why in theirs]
                ours.sort()
        return found


def finder(rows: Sequence[Row]) -> Compiled | ByRE2:
    """What finds these rows quickest here."""
    if COMPILED:
        with suppress(MemoryError):  # more than its tables hold; RE2 has bounds of its own and tells them
            return Compiled(rows)
    return ByRE2(rows)


def _text(automaton: object) -> str:
    return getattr(automaton, "pattern", "")


@cache
def _ranges(name: str) -> bytes:
    """The characters that RE2 knows under a name, as pairs of first and last; nothing if it knows none."""
    try:
        runs = re2.compile(rf"\p{{{name}}}+".encode())
    except re2.error:
        return b""
    ranges = [edge for run in runs.finditer(_all()) for edge in (_code(run.start()), _code(run.end()) - 1)]
    return np.array(ranges, np.uint32).tobytes()


@cache
def _all() -> bytes:
    """All characters, and halves of them."""
    every = np.arange(0x110000, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return every.encode("utf-8", "surrogatepass")


def _code(at: int) -> int:
    """The character that begins here in `_all`."""
    for code, first, size in ((0x10000, 0x2F780, 4), (0x800, 0xF80, 3), (0x80, 0x80, 2)):
        if at >= first:
            return code + (at - first) // size
    return at


@cache
def _folds() -> bytes:
    """Pairs of letters that are one in any case, ascending."""
    alike = defaultdict[str, list[int]](list)
    for code in (*range(0xD800), *range(0xFB00, 0x12000), *range(0x16E40, 0x16E80), *range(0x1E900, 0x1E944)):
        alike[chr(code).casefold()].append(code)
    pairs = sorted(
        (a, b) for together in alike.values() if len(together) > 1 for a in together for b in together if a != b
    )
    return np.array(pairs, np.uint32).tobytes()


@cache
def _kinds() -> bytes:
    """Of each character whether it is a letter that makes words, or a digit."""
    letters = np.arange(_KINDS, dtype=np.uint32)
    letters[0xD800:0xE000] = 0
    seen = letters.view("<U1")
    return ((np.char.isalpha(seen) & (letters < _HAN)) | np.char.isdigit(seen) * np.uint8(2)).astype(np.uint8).tobytes()
