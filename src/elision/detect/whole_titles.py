"""A Chinese name with the rest of a title that it cuts: nothing stands between the two."""

from __future__ import annotations

from elision.detect.whole_values import Stretch
from elision.languages.detection import everywhere

_TITLES = everywhere("titles_of_clinicians")  # the longer before those that they hold
_HEADS = frozenset(sign for title in _TITLES for sign in title[:-1])
_TAILS = frozenset(sign for title in _TITLES for sign in title[1:])


def with_titles(part: Stretch) -> tuple[int, int]:
    """Where a name begins and ends, with the rest of a title that it cuts: 王主任医师 of 王主."""
    text, start, end, floor, ceiling, _ = part
    if end < ceiling and text[end - 1] in _HEADS and text[end] in _TAILS:
        end = _behind(text, start, end, ceiling)
    if start > floor and text[start - 1] in _HEADS and text[start] in _TAILS:
        start = _before(text, start, end, floor)
    return start, end


def _behind(text: str, start: int, end: int, ceiling: int) -> int:
    for title in _TITLES:
        for inside in range(min(len(title) - 1, end - start - 1), 0, -1):
            reach = end + len(title) - inside
            if reach <= ceiling and text.startswith(title, end - inside):
                return reach
    return end


def _before(text: str, start: int, end: int, floor: int) -> int:
    for title in _TITLES:
        for inside in range(min(len(title) - 1, end - start - 1), 0, -1):
            at = start - len(title) + inside
            if at >= floor and text.startswith(title, at):
                return at
    return start
