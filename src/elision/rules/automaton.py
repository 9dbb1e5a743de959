"""RE2's matching without the objects that its Python wrapper makes of every match: twice as quick on short texts."""

from __future__ import annotations

from typing import Any

import re2
from re2 import _re2

from elision.errors import RuleError

MEMORY = 64 << 20
LARGE = 300  # instructions of a pattern whose groups take RE2 long
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
    """A pattern over UTF-8. What it finds is its first group, if it has one. It is compiled when it is first needed.

    RE2 tells where a large pattern matches a hundred times as fast as where a group of it does. So large patterns are
    given in `parts`, too: what stands before the group, the group, and what stands behind it. If the first part, taken
    as it would be by itself, is followed by the others up to the end of the match, it is where the whole pattern would
    have it, since the whole pattern tries that first; if not, the whole pattern is asked.
    """

    __slots__ = ("_found", "_parts", "_steps", "_which", "pattern", "size", "where")

    def __init__(self, pattern: str, where: str, parts: tuple[str, str, str, str] | None = None) -> None:
        self.pattern, self.where, self._parts = pattern, where, parts
        self._found: Any = None
        self._steps: _Steps | None = None
        self._which = 0
        self.size = 0  # steps, once it is compiled

    def compile(self) -> Any:
        """RE2's way to match; an error if there is none."""
        found = _compiled(self.pattern, self.where)
        self.size = found.ProgramSize()
        self._which = min(1, found.NumberOfCapturingGroups())
        if self._parts and found.ProgramSize() > LARGE:
            self._steps = _Steps(*self._parts, where=self.where)
        self._found = found.Match
        return self._found

    def search(self, raw: bytes, at: int = 0) -> tuple[Place, Place] | None:
        """The first match from here on: all of it, and what it finds."""
        match = self._found or self.compile()
        if self._steps is not None:
            whole = self._steps.whole(_ANYWHERE, raw, at, len(raw))[0]
            if whole == _NOWHERE:
                return None
            place = self._steps.group(raw, whole)
            if place is not None:
                return whole, place
        spans = match(_ANYWHERE, raw, at, len(raw))
        return None if spans[0] == _NOWHERE else (spans[0], spans[self._which])

    def begins(self, raw: bytes, at: int) -> bool:
        """Whether it matches right here."""
        return bool((self._found or self.compile())(_HERE, raw, at, len(raw))[0] != _NOWHERE)

    def occurs(self, raw: bytes) -> bool:
        return bool((self._found or self.compile())(_ANYWHERE, raw, 0, len(raw))[0] != _NOWHERE)


class _Steps:
    """A large pattern without its group, and its parts, to look for the group step by step."""

    __slots__ = ("_before", "_behind", "_group", "whole")

    def __init__(self, flags: str, before: str, group: str, behind: str, where: str) -> None:
        def match(pattern: str) -> Any:
            return _compiled(flags + pattern, where).Match

        self.whole = match(f"(?:{before})(?:{group})(?:{behind})")
        self._before = match(f"(?:{before})") if before else None
        self._group = match(f"(?:{group})")
        self._behind = match(f"(?:{behind})") if behind else None

    def group(self, raw: bytes, whole: Place) -> Place | None:
        """Where the group is in this match; None if that cannot be told."""
        (begin, end), size = whole, len(raw)
        if self._before is not None:
            begin = self._before(_HERE, raw, begin, size)[0][1]
            if begin < 0:
                return None
        stop = last = self._group(_HERE, raw, begin, size)[0][1]
        if stop >= 0 and self._behind is not None:
            last = self._behind(_HERE, raw, stop, size)[0][1]
        return (begin, stop) if last == end else None


def _compiled(pattern: str, where: str) -> Any:
    try:
        found = _re2.RE2(pattern.encode(), options())
    except UnicodeEncodeError:
        raise RuleError(f"{where}: holds half a character") from None
    if not found.ok():
        said = found.error().decode(errors="replace")
        raise RuleError(
            f"{where}: no regular expression of RE2, which has no look-around and no references back: {said}"
        )
    return found
