"""Dates moved by a number of days, in the form in which they are written.

Words that count from the day of the note, and durations, stay, since they move with the note.
"""

from __future__ import annotations

import functools
import re
from datetime import date, timedelta

from elision.replace.choices import Scope
from elision.replace.dates.fields import Field
from elision.replace.dates.forms import code_of, dates_of
from elision.replace.dates.reading import Given, Written, read
from elision.replace.dates.rendering import rendered

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


COMMON_YEAR = 2001  # of a day and month without a year, where nothing says better
_MONTHS_OF = {"s": lambda value: 3 * value + 1, "q": lambda value: 3 * value - 1}  # the middle of seasons and quarters


FORWARD = 30  # years at most by which dates move into the future, and days of a year besides


def days_of(scope: Scope, *, weeks: bool = False, forward: bool = False) -> int:
    """By how many days all dates of this patient move: never 0, at most a year forth or back, each as likely.

    `weeks` moves by whole weeks, so that Mondays stay Mondays: 104 choices in place of 730. `forward` moves by 1 to 30
    years and up to 364 days into the future.
    """
    if forward:
        years, days = divmod(scope.number("date-shift-forward") % (FORWARD * 365), 365)
        ahead = round(365.25 * (years + 1)) + days
        return ahead - ahead % 7 if weeks else ahead
    if weeks:
        step = scope.number("date-shift-weeks") % 104
        return 7 * (step - 52 if step < 52 else step - 51)
    step = scope.number("date-shift") % 730
    return step - 365 if step < 365 else step - 364


def shifted(
    text: str,
    days: int,
    language: str,
    *,
    year: int | None = None,
    month: int | None = None,
    day_first: bool | None = None,
) -> str | None:
    """The same text some days later, or earlier where `days` is negative; None if it cannot be read: mask it.

    Full dates move exactly, so that all intervals stay; a weekday beside one is that of the new date. What says less
    moves from its middle: a month from its 15th, a year from 1 July, a season from the middle of its second month, a
    quarter, a week and a decade likewise. So it keeps its place among other dates up to its own length, and it may
    well come out as it went in. A day and month without a year move in `year` (that of the note), else in a common
    one; a day alone in `month` of `year`, else not at all (None). A weekday alone goes on by its place in the week.
    Yesterday, two weeks ago and the like stay as they are, since they move with the note. Feasts cannot be moved
    (None).
    """
    found = read(text, language, day_first=day_first, year=year)
    if found is None:
        return text if is_relative(text, language) else None
    try:
        return _at(found, days, COMMON_YEAR if year is None else year, month)
    except (ValueError, OverflowError):  # before year 1 or beyond 9999
        return None


def _moved(given: Given, days: int, year: int, month: int | None) -> date | None:
    """The day from which this is counted, moved."""
    if given.day is not None:
        month = given.month or month
        return date(given.year or year, month, given.day) + timedelta(days) if month is not None else None
    if given.month is not None:
        return date(given.year or year, given.month, 15) + timedelta(days)
    return date(given.year, 7, 1) + timedelta(days) if given.year is not None else None


def _years(dates: dict[int, Given], year: int) -> dict[int, int]:
    """For each date the year to count from where it says none.

    It has a 29 February for those that need one; in "28 December to 4 January" the second is a year later.
    """
    while any((given.month, given.day, given.year) == (2, 29, None) for given in dates.values()) and not _leap(year):
        year += 1
    years = {}
    last = (0, 0)
    for index in sorted(dates):
        this = (dates[index].month or 0, dates[index].day or 0)
        if this[0] and this < last:
            year += 1
        years[index] = year
        last = this
    return years


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _at(found: Written, days: int, year: int, month: int | None) -> str | None:
    years = _years(found.dates, year) if len(found.dates) > 1 or found.dates[min(found.dates)].year is None else {}
    moved = {index: _moved(given, days, years.get(index, year), month) for index, given in found.dates.items()}
    for field in found.fields:
        if field.role in "sqk":
            moved[field.index] = _from_middle(field, found.dates[field.index].year or year, days)
    values = []
    for field in found.fields:
        value = _value(field, found.dates[field.index], moved[field.index], days)
        if value is None:
            return None
        values.append(value)
    return rendered(found, values, moved)


def _from_middle(field: Field, year: int, days: int) -> date:
    if field.role == "k":
        return date.fromisocalendar(year, field.value, 4) + timedelta(days)
    return date(year, _MONTHS_OF[field.role](field.value), 15) + timedelta(days)


def _value(field: Field, old: Given, new: date | None, days: int) -> int | None:
    if field.role == "w":
        return new.weekday() if new is not None and old.full is not None else (field.value + days) % 7
    if field.role == "e":
        return (date(field.value + 5, 7, 1) + timedelta(days)).year // 10 * 10
    if new is None:
        return None
    match field.role:
        case "d":
            return new.day
        case "m":
            return new.month
        case "y":
            return new.year
        case "s":
            return new.month % 12 // 3
        case "q":
            return (new.month + 2) // 3
    return new.isocalendar().week
