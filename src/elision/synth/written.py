"""Dates as people write them: patterns such as "MM/DD/YYYY" or "Dth of Month"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from elision.languages.synth import Synth
from elision.synth.language import language_named

_TOKENS: dict[str, Callable[[date, Synth], str]] = {
    "YYYY": lambda day, _: f"{day.year:04}",
    "YY": lambda day, _: f"{day.year % 100:02}",
    "Month": lambda day, language: language.months[day.month - 1],
    "MONTH": lambda day, language: language.months[day.month - 1].upper(),
    "Mon": lambda day, language: language.months_short[day.month - 1],
    "MON": lambda day, language: language.months_short[day.month - 1].upper(),
    "MM": lambda day, _: f"{day.month:02}",
    "M": lambda day, _: str(day.month),
    "DD": lambda day, _: f"{day.day:02}",
    "Dth": lambda day, language: language.ordinal(day.day),
    "D": lambda day, _: str(day.day),
    "Weekday": lambda day, language: language.weekdays[day.weekday()],
    "WEEKDAY": lambda day, language: language.weekdays[day.weekday()].upper(),
    "Wday": lambda day, language: language.weekdays_short[day.weekday()],
}
_SPAN = re.compile(r"([^\[\]]*)\[([^\[\]]*)\]([^\[\]]*)")


@cache
def writer(pattern: str, code: str) -> Callable[[date], tuple[str, str, str]]:
    """A function from a day to what stands before the span, in it and behind it."""
    match = _SPAN.fullmatch(pattern)
    before, inside, after = match.groups() if match else ("", pattern, "")
    writers = [_plain(part, code) for part in (before, inside, after)]
    return lambda day: (writers[0](day), writers[1](day), writers[2](day))


def _plain(pattern: str, code: str) -> Callable[[date], str]:
    language = language_named(code)
    own = {name: _ignoring(function) for name, function in language.date_tokens.items()}
    tokens = {**_TOKENS, **own}
    longest = sorted(tokens, key=len, reverse=True)
    pieces = re.split(f"({'|'.join(map(re.escape, longest))})", pattern)
    makers = [(piece, tokens.get(piece) if at % 2 else None) for at, piece in enumerate(pieces) if piece]
    return lambda day: "".join([maker(day, language) if maker else piece for piece, maker in makers])


def _ignoring(function: Callable[[date], str]) -> Callable[[date, Synth], str]:
    return lambda day, _: function(day)


def write_date(day: date, pattern: str, code: str) -> tuple[str, str, str]:
    return writer(pattern, code)(day)
