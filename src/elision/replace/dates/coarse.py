"""Less than a date: its years, its month; and a full date for birthdays and ages."""

from __future__ import annotations

import re
from datetime import date

from elision.replace.dates.reading import Written, read
from elision.replace.dates.words import code_of, dates_of

_FOUR = re.compile(r"(?<![0-9])(1[89][0-9]{2}|2[01][0-9]{2})(?![0-9])")


def years_in(text: str, language: str, *, day_first: bool | None = None, year: int | None = None) -> tuple[int, ...]:
    """The years that a text says, in their order, a decade by its first. `year` (of the note): see `read`.

    In a text that cannot be read as a date all numbers from 1800 to 2199 count as years: one too many does no harm.
    """
    found = read(text, language, day_first=day_first, year=year)
    if found is None:
        return tuple(int(number) for number in _FOUR.findall(text))
    return tuple(dict.fromkeys(_years(found)))


def _years(found: Written) -> list[int]:
    decades = [field.value for field in found.fields if field.role == "e"]
    return decades + [given.year for _, given in sorted(found.dates.items()) if given.year is not None]


def year_only(text: str, language: str, *, day_first: bool | None = None, year: int | None = None) -> str | None:
    """Only the year, by four digits: 2001; several as 2001-2003 or 2001, 2002, 2005. None if the text says no year."""
    found = read(text, language, day_first=day_first, year=year)
    if found is None or any(field.role == "e" for field in found.fields):
        return None
    years = list(dict.fromkeys(_years(found)))
    if not years:
        return None
    mark = dates_of(found.code).marks[:1]
    return ("-" if len(years) == 2 else ", ").join(f"{one:04d}" for one in years) + (mark if mark in found.text else "")


def month_year(text: str, language: str, *, day_first: bool | None = None, year: int | None = None) -> str | None:
    """Month and year of a single date, in the language's own words: May 2001, mayo de 2001, mei 2001, 2001年5月."""
    found = read(text, language, day_first=day_first, year=year)
    given = found.dates.get(0) if found is not None and len(found.dates) == 1 else None
    if given is None or given.month is None or given.year is None:
        return None
    dates = dates_of(code_of(language))
    word = dates.words.months[0][given.month - 1][0] if dates.words.months else ""
    return dates.month_year.format(word=word, month=given.month, year=given.year) or None


def date_of(text: str, language: str, *, day_first: bool | None = None, year: int | None = None) -> date | None:
    """The day that a text says, if it says just one and in full."""
    found = read(text, language, day_first=day_first, year=year)
    return found.dates[min(found.dates)].full if found is not None and len(found.dates) == 1 else None
