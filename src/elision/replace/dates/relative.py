"""Words that count from the day of the note, and durations: they stay, since they move with the note."""

from __future__ import annotations

import functools
import re

from elision.replace.dates.words import code_of, dates_of

_NOTHING = "(?!)"
_DIGITS = r"\d{1,3}(?:[.,/-]\d{1,3})?"


@functools.cache
def _pattern(code: str) -> re.Pattern[str]:
    dates = dates_of(code)
    number = f"(?:{_DIGITS}|{dates.number or _DIGITS})"
    return re.compile(dates.relative.replace("NUMBER", number) or _NOTHING, re.IGNORECASE | re.VERBOSE)


def is_relative(text: str, language: str) -> bool:
    """Whether this is told from the day of the note, or is a length of time."""
    return len(text) < 60 and _pattern(code_of(language)).fullmatch(text.strip()) is not None
