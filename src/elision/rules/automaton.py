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
    """A pattern over UTF-8. What it finds is its first group, if it has one. It is compiled when it is first needed."""

    __slots__ = ("_found", "_pattern", "_which", "where")

    def __init__(self, pattern: str, where: str) -> None:
        self._pattern, self.where = pattern, where
        self._found: Any = None
        self._which = 0

    def compile(self) -> Any:
        """RE2's way to match; an error if there is none."""
        try:
            found = _re2.RE2(self._pattern.encode(), options())
        except UnicodeEncodeError:
            raise RuleError(f"{self.where}: holds half a character") from None
        if not found.ok():
            said = found.error().decode(errors="replace")
            raise RuleError(
                f"{self.where}: no regular expression of RE2, which has no look-around and no references back: {said}"
            )
        self._which = min(1, found.NumberOfCapturingGroups())
        self._found = found.Match
        return self._found

    def search(self, raw: bytes, at: int = 0) -> tuple[Place, Place] | None:
        """The first match from here on: all of it, and what it finds."""
        spans = (self._found or self.compile())(_ANYWHERE, raw, at, len(raw))
        return None if spans[0] == _NOWHERE else (spans[0], spans[self._which])

    def begins(self, raw: bytes, at: int) -> bool:
        """Whether it matches right here."""
        return bool((self._found or self.compile())(_HERE, raw, at, len(raw))[0] != _NOWHERE)

    def occurs(self, raw: bytes) -> bool:
        return bool((self._found or self.compile())(_ANYWHERE, raw, 0, len(raw))[0] != _NOWHERE)
