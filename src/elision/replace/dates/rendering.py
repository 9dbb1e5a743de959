"""A date written again with other values in its own form, or as less: its years, its month."""

from __future__ import annotations

import re
from datetime import date

from elision.replace.dates.fields import Field, written
from elision.replace.dates.forms import code_of, dates_of, plain, words_of
from elision.replace.dates.reading import Written, read


def rendered(found: Written, values: list[int], moved: dict[int, date | None]) -> str | None:
    """The text with its fields replaced; a day that no longer has the month it shared gets its own."""
    months = [field for field in found.fields if field.role == "m"]
    family = _family(found, months)
    texts: list[str] = []
    for field, value in zip(found.fields, values, strict=True):
        words = family if field.role == "m" else min(field.families, default=0)
        new = written(field, value, found.code, _pad(found, field), words)
        if new is None:
            return None
        texts.append(new)
    pieces: list[str] = []
    at = 0
    for number, (field, text) in enumerate(zip(found.fields, texts, strict=True)):
        pieces.append(found.text[at : field.start])
        at = field.end
        if field.role == "d" and months and len(moved) > 1:
            text = _with_month(found, number, text, moved, family)
        pieces.append(text)
    return "".join(pieces) + found.text[at:]


def _with_month(found: Written, number: int, text: str, moved: dict[int, date | None], family: int) -> str:
    """A day's text; with its own month where the one that it shared is now another."""
    field, new = found.fields[number], moved[found.fields[number].index]
    if new is None or any(other.role == "m" and other.index == field.index for other in found.fields):
        return text
    after = [other for other in found.fields[number:] if other.role == "m"]
    before = [other for other in found.fields[:number] if other.role == "m"]
    shared = after[0] if after else before[-1]
    owner = moved[shared.index]
    if after:
        same = owner is not None and new.month == owner.month
    else:  # behind a month: that of the day right before counts, whether written once or twice
        last = max(other.index for other in found.fields[:number] if other.role == "d")
        previous = moved[last]
        same = previous is not None and new.month == previous.month
    if same:
        return text
    month = written(shared, new.month, found.code, _pad(found, shared), family)
    if month is None:
        return text
    days = [other for other in found.fields if other.role == "d" and other.index == shared.index]
    if after:
        gap = found.text[max(other.end for other in days) : shared.start]
        return text + gap + month
    gap = found.text[shared.end : min(other.start for other in days)]
    return month + gap + text


def _family(found: Written, months: list[Field]) -> int:
    """Which family of words the months are of. May may be short or not: it is short in 3-May-01 and 3MAY2001."""
    words = [field for field in months if field.families]
    if not words:
        return 0
    common = set(words[0].families).intersection(*(field.families for field in words[1:])) or set(words[0].families)
    if len(common) > 1 and all(plain(field.text) in words_of(found.code).undotted for field in words):
        around = "".join(
            found.text[max(0, field.start - 1) : field.start] + found.text[field.end : field.end + 1] for field in words
        )
        if re.search(r"[-/.\d]", around):
            common.discard(0)
    return min(common)


def _pad(found: Written, field: Field) -> bool:
    """Whether a day or month gets a zero before it: as it had, else as its like had, else as is common for the form."""
    if found.compact:
        return True
    if field.role not in "dmk" or field.style != "digits":
        return False
    own, dates = field.padded, dates_of(found.code)
    if own is not None or field.role == "k":
        return bool(own)
    others = [other for other in found.fields if other is not field and other.role in "dm"]
    for like in (True, False):
        for other in others:
            if (other.role == field.role) is like and other.padded is not None:
                return bool(other.padded)
    if not dates.numerals and found.text[field.end : field.end + 1].isalpha():  # 19JUN2024
        return True
    numbers = all(other.style == "digits" for other in found.fields if other.role in "dm")
    return numbers and not any(mark in found.text for mark in dates.marks)


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
