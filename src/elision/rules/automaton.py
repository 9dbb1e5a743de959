"""RE2's matching without the objects that its Python wrapper makes of every match: twice as quick on short texts."""

from __future__ import annotations

from typing import Any

import re2
from re2 import _re2

from elision.errors import RuleError

MEMORY = 64 << 20
Place = tuple[int, int]

_ANYWHERE, _HERE = _re2.RE2.Anchor.UNANCHORED, _re2.RE2.Anchor.ANCHOR_START
_NOWHERE = (-1, -1)


def options(memory: int = MEMORY) -> Any:
    """How all patterns are read: no match runs over a line's end, errors are ours to tell."""
    chosen = re2.Options()
    chosen.never_nl = True
    chosen.log_errors = False
    chosen.max_mem = memory
    return chosen


class Automaton:
    """A pattern over UTF-8. What it finds is its first group, if it has one."""

    __slots__ = ("_match", "_which")

    def __init__(self, pattern: str, where: str) -> None:
        try:
            found = _re2.RE2(pattern.encode(), options())
        except UnicodeEncodeError:
            raise RuleError(f"{where}: holds half a character") from None
        if not found.ok():
            said = found.error().decode(errors="replace")
            raise RuleError(
                f"{where}: no regular expression of RE2, which has no look-around and no references back: {said}"
            )
        self._match = found.Match
        self._which = min(1, found.NumberOfCapturingGroups())

    def search(self, raw: bytes, at: int = 0) -> tuple[Place, Place] | None:
        """The first match from here on: all of it, and what it finds."""
        spans = self._match(_ANYWHERE, raw, at, len(raw))
        return None if spans[0] == _NOWHERE else (spans[0], spans[self._which])

    def begins(self, raw: bytes, at: int) -> bool:
        """Whether it matches right here."""
        return bool(self._match(_HERE, raw, at, len(raw))[0] != _NOWHERE)

    def occurs(self, raw: bytes) -> bool:
        return bool(self._match(_ANYWHERE, raw, 0, len(raw))[0] != _NOWHERE)
