"""A stretch of a note that was found, with the room that it has to grow."""

from __future__ import annotations

from typing import NamedTuple


class Stretch(NamedTuple):
    """What [start, end) of the text is, and how far the spans beside it let it grow."""

    text: str
    start: int
    end: int
    floor: int
    ceiling: int
    language: str
