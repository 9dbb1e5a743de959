"""Errors that are not ours, in words that no note has written: the kind, and the place in elision."""

from __future__ import annotations

import traceback
from pathlib import Path

import elision


def told(error: Exception) -> str:
    """What may be said of an error whose message may quote a note."""
    return f"internal error: {type(error).__name__} {place_of(error)}".strip()


def place_of(error: Exception) -> str:
    """The last line of elision that an error came through."""
    package = Path(elision.__file__).parent
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    ours = [place for place in frames if place[0].is_relative_to(package)]
    return f"in {ours[-1][0].relative_to(package.parent).as_posix()}:{ours[-1][1]}" if ours else ""
