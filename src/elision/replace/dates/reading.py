"""What a date says, and in which form: `read` finds the fields of a text and the dates that they make together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from elision.languages.base import code_of as told
from elision.languages.base import languages, region_of
from elision.replace.dates.fields import Field, of_the_republic, read_field
from elision.replace.dates.forms import Form, code_of, dates_of, forms_of

LONGEST = 80  # characters; what is longer is no date
_EDGES = " \t\r\n.,;:()[]，。；：（）、"
_LETTERS = str.maketrans("OoQlI|SsBbZz曰", "0001115588" + "22日")
_BROKEN = re.compile(r"[0-9OoQlI|SsBbZz \t/.'-]+|[0-9OoQlI|SsBbZz \t年月日号號曰]+")
_IN_WORD = re.compile(r"(?<=[^\W\d_])[01](?![\d])|(?<!\d)[01](?=[^\W\d_]{3})")
_LATIN_WORD = re.compile("[A-Za-z]{3}")
_BAD_MONTH = str.maketrans({"0": "o", "1": "l"})


@dataclass(slots=True)
class Given:
    """What a text says of one date, its own fields and those it shares: None where it says nothing."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    @property
    def full(self) -> date | None:
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


@dataclass(slots=True)
class Written:
    """A date as it is written: the text (clean, if a scanner broke it), its fields in order, its dates by number."""

    text: str
    code: str
    fields: list[Field]
    dates: dict[int, Given]
    compact: bool = False

    @property
    def full_years(self) -> bool:
        """Whether no century had to be guessed: then the note's year changes nothing."""
        return all(field.role != "y" or len(field.text) > 2 for field in self.fields)


def read(text: str, language: str, *, day_first: bool | None = None, year: int | None = None) -> Written | None:
    """What a text that is a date says, and in which form; None if it cannot be read as one.

    `day_first` says in which order the note writes numbers; without it the language does (en and en-US month first). A
    date that cannot be in that order is read in the other. `year`, that of the note, tells the century of a short year.
    """
    if not text or len(text) > LONGEST:
        return None
    found = _found(text, language, day_first, None)
    return found if year is None or found is None or found.full_years else _found(text, language, day_first, year)


@lru_cache(maxsize=128)  # a note's dates: for its years all are read, and then each for itself
def _found(text: str, language: str, day_first: bool | None, year: int | None) -> Written | None:
    code, region = code_of(language), region_of(language)
    dates = dates_of(code)
    month_first = told(language) in languages() and region in dates.month_first
    first = not month_first if day_first is None else day_first
    republic = region.startswith(dates.republic)
    found = _read(text, code, first, republic, year)
    if found is not None:
        return found
    bare = text.strip(_EDGES)
    without = dates.before.sub("", bare, count=1) if dates.before and dates.before.match(bare) else bare
    for less in (bare, without):
        if less and less != text and (found := _read(less, code, first, republic, year)) is not None:
            return _moved(found, text, text.rindex(less))
    for clean in _cleaned(bare, code):
        if (found := _read(clean, code, first, republic, year)) is not None:
            return found
    if dates.latin and _LATIN_WORD.search(text):  # 16 May 2020, as notes from Hong Kong and Malaysia have it
        return _found(text, dates.latin, day_first, year)
    return None


def _moved(found: Written, text: str, by: int) -> Written:
    for field in found.fields:
        field.start += by
        field.end += by
    found.text = text
    return found


def _cleaned(text: str, code: str) -> Iterator[str]:
    """What a scanner's letters for digits, stray blanks, doubled strokes and bad letters in months may have been."""
    if _BROKEN.fullmatch(text) and sum(sign.isdigit() for sign in text) >= 2:
        digits = re.sub(r"([-/.])\1+", r"\1", text.translate(_LETTERS))
        yield digits
        yield re.sub(r"[ \t]+", "", digits)
    elif dates_of(code).words.months and any(sign.isdigit() for sign in text):
        words = _IN_WORD.sub(lambda found: found[0].translate(_BAD_MONTH), text)
        yield words
        yield words.replace("rn", "m")
        for found in re.finditer("[lj]", words):  # novlembre
            yield f"{words[: found.start()]}i{words[found.end() :]}"


def _read(text: str, code: str, day_first: bool, republic: bool, year: int | None) -> Written | None:
    for form in forms_of(code):
        match = form.pattern.fullmatch(text)
        if match is None:
            continue
        for fields in _fields(match, form, code, day_first, republic, year):
            dates = _dates(fields)
            if dates is not None:
                fields.sort(key=lambda field: field.start)
                return Written(text, code, fields, dates, form.compact)
    return None


def _fields(
    match: re.Match[str], form: Form, code: str, day_first: bool, republic: bool, latest: int | None
) -> Iterator[list[Field]]:
    """The fields of a match; several lists where numbers may stand in several orders, the likely one first."""
    fields: list[Field] = []
    last = max((index for name, role, index in form.slots if role == "d" and match[name] is not None), default=0)
    for name, role, index in form.slots:
        if match[name] is None:
            continue
        field = read_field(role, last if index == 9 else index, match.start(name), match[name], code, latest)
        if field is not None and role == "y" and (form.roc or (republic and len(field.text) == 2)):
            field = of_the_republic(field, code)
        if field is None or (field.style == "roc-signs" and not form.roc):
            return
        fields.append(field)
    if not form.numbers:
        yield fields
        return
    for way in (0, 1, 2):
        more = list(fields)
        for index in form.numbers:
            order = _orders(match, index, code, day_first, form)[way]
            for role, group in zip(order, "abc", strict=False):
                text = match[f"{group}{index}"]
                field = read_field(role, index, match.start(f"{group}{index}"), text, code, latest)
                if field is not None and role == "y" and (form.roc or (republic and len(text) == 2)):
                    field = of_the_republic(field, code)
                if field is None or (role in "dm" and len(text) > 2):
                    break
                more.append(field)
            else:
                if order:
                    continue
            break
        else:
            yield more


def _orders(match: re.Match[str], index: int, code: str, day_first: bool, form: Form) -> tuple[str, str, str]:
    """In which orders these numbers may stand, the likely one first; "" is none."""
    first, second, third = match[f"a{index}"], match[f"b{index}"], match[f"c{index}"]
    blank = not form.compact and match[f"p{index}"].isspace()
    if third is None:
        if blank:
            return "", "", ""
        if len(first) == 4:
            return ("ym", "", "") if len(second) < 3 else ("", "", "")
        if len(second) == 4:
            return "my", "", ""
        if dates_of(code).year_first:
            return "md", "", "dm"
        short = "my" if len(second) == 2 else ""
        return ("dm", "md", short) if day_first else ("md", "dm", short)
    if len(second) > 2 or (blank and len(third) < 4):
        return "", "", ""
    if len(first) > 2:
        return ("ymd", "", "ydm") if len(third) < 3 else ("", "", "")
    if dates_of(code).year_first:
        if len(third) == 4:
            return "dmy", "mdy", ""
        return "ymd", "dmy", "mdy"
    if len(third) == 1:
        return "", "", ""
    return ("dmy", "mdy", "ymd") if day_first else ("mdy", "dmy", "ymd")


def _dates(fields: list[Field]) -> dict[int, Given] | None:
    """The dates that fields make, what they share given to each; None if one is not in the calendar."""
    dates: dict[int, Given] = {}
    for field in fields:
        given = dates.setdefault(field.index, Given())
        if field.role == "y":
            given.year = field.value
        elif field.role == "m":
            given.month = field.value
        elif field.role == "d":
            given.day = field.value
    if not dates:
        return None
    if len(dates) > 1:
        _share(dates)
    for given in dates.values():
        if given.day is not None and not _in_calendar(given):
            return None
    return dates


def _share(dates: dict[int, Given]) -> None:
    """3-5 May 2001: the first has month and year of the second. 28 December to 2 January 2001: but not the year."""
    order = sorted(dates)
    pairs = [*zip(reversed(order[:-1]), reversed(order[1:]), strict=True), *zip(order[1:], order, strict=False)]
    for one, two in pairs:
        if dates[one].day is not None and dates[one].month is None:
            dates[one].month = dates[two].month
    for one, two in pairs:
        here, there = dates[one], dates[two]
        if here.year is None and there.year is not None and here.month is not None and there.month is not None:
            this, that = (here.month, here.day or 0), (there.month, there.day or 0)
            here.year = there.year - (this > that) if one < two else there.year + (this < that)


def _in_calendar(given: Given) -> bool:
    if given.day is None or given.month is None:
        return given.day is not None and given.day <= 31
    try:
        date(given.year if given.year is not None else 2000, given.month, given.day)
    except ValueError:
        return False
    return True
