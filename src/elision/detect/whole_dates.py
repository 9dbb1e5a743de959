"""A date with the rest of it: the day, the month, the year, and the first day of a stretch of days."""

from __future__ import annotations

import re

from elision.detect.stretch import Stretch
from elision.languages.detection import any_of, everywhere

_MONTH = f"(?:{any_of('written_months')})"
_DAY = "(?:3[01]|[12][0-9]|0?[1-9])"
_DAYTH = rf"{_DAY}(?:{any_of('day_endings')}|ª)?"
_OF = any_of("of_month")
_YEAR = "(?:19|20)[0-9]{2}"
_NO_LETTER = r"(?![^\W\d_])"
# Between the first day and the last: 3 t.e.m. 12 mei.
_TO = rf"(?:[-–—/]| ?&| ?\+|{any_of('short_until')}| (?:{any_of('until')})) ?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_BEGINS_WITH_MONTH = _pattern(_MONTH + _NO_LETTER)
_BEGINS_WITH_DAY = _pattern(
    rf"({_DAY})(?:{any_of('day_endings')})?(?: (?:{_OF}))?"
    rf"(?:[ -]{{1,2}}{_MONTH}{_NO_LETTER}|/(?:1[0-2]|0?[1-9])(?![0-9]))"
)
_YEAR_ALONE, _YEAR_AND_MONTH = _pattern(rf"{_YEAR}\Z"), _pattern(rf"{_YEAR}[ .-].*{_MONTH}\.?\Z")
_ENDS_WITH_MONTH, _HAS_YEAR = _pattern(rf"(?:.*[\W\d_])?{_MONTH}\.?\Z"), _pattern(rf".*{_YEAR}")
_DAY_AND_MONTH = _pattern(rf"{_DAY}[/.-](?:1[0-2]|0?[1-9])\Z")
_BROKEN_OFF = re.compile(r".*[0-9][/.-]\Z")
_Y, _M, _D = (f"[{''.join(everywhere(unit))}]" for unit in ("year_signs", "month_signs", "day_signs"))
_UNTIL_SIGNS = "".join(everywhere("until_signs"))
_HAN_UNIT, _HAN_DAY = re.compile(rf".*(?:{_Y}|{_M})\Z", re.DOTALL), re.compile(rf".*{_D}\Z", re.DOTALL)

_YEAR_AFTER = _pattern(rf",?(?:[ -]| (?:{_OF}) ){_YEAR}(?![\w/-]|[.,][0-9])| ['’][0-9]{{2}}(?![0-9])")
# What a date that looks like this goes on with, the first that fits.
_AFTER = (
    (_HAN_UNIT, re.compile(rf"(?: ?[0-9]{{1,2}} ?{_M})?(?: ?[0-9]{{1,2}} ?{_D})?")),
    (_HAN_DAY, re.compile(rf" ?[{_UNTIL_SIGNS}~～—–-] ?(?:[0-9]{{1,2}} ?{_M} ?)?[0-9]{{1,2}} ?{_D}")),
    (_YEAR_ALONE, _pattern(rf"[ -]{_MONTH}\.?(?:[ -]{_DAY}(?![0-9.,:/%]))?{_NO_LETTER}")),
    (_YEAR_AND_MONTH, _pattern(rf"[ -]{_DAY}(?:{any_of('day_ordinals')})?(?=[,;)]?(?:\s|\Z)|\.(?:\s|\Z))")),
    (_HAS_YEAR, None),
    (_BEGINS_WITH_MONTH, _pattern(rf"[ -]{_DAYTH},? {_YEAR}(?![\w/-]|[.,][0-9])")),
    (_BEGINS_WITH_MONTH, _YEAR_AFTER),
    (_ENDS_WITH_MONTH, _YEAR_AFTER),
    (_DAY_AND_MONTH, _pattern(rf"[/.-](?:{_YEAR}|[0-9]{{2}})(?![0-9/]|[.,][0-9])")),
    (_BROKEN_OFF, re.compile(r"(?!(?:7|12|52)(?![0-9]))[0-9]{1,4}(?![0-9])")),  # 2/52 are two weeks
)
_DAY_BEFORE = _pattern(rf"(?<![0-9.,:/-])(?<![0-9] ){_DAYTH}(?: (?:{any_of('before_month')}))?[ -]\Z")
_FIRST_DAY_BEFORE = _pattern(rf"(?<![0-9.,:/-])(?<!\w-)({_DAY}){_TO}\Z")
_HAN_BEGINS = re.compile(rf"[0-9]{{1,2}} ?(?:{_M}|{_D})")
_HAN_BEFORE = re.compile(rf"[0-9]{{2,4}} ?{_Y} ?(?:[0-9]{{1,2}} ?{_M} ?)?\Z|[0-9]{{1,2}} ?{_M} ?\Z")
WINDOW = 32  # characters that are looked at on a side
LONGEST = 48  # a date; what is longer is several


def joins_dates(text: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """Whether two dates beside each other are one: a year, and a month behind it."""
    if second[0] - first[1] != 1 or text[first[1]] not in " -/" or first[1] - first[0] != 4:
        return False
    return _YEAR_ALONE.match(text[slice(*first)]) is not None and _BEGINS_WITH_MONTH.match(text, *second) is not None


def grown_date(part: Stretch) -> tuple[int, int]:
    """Where the date begins and ends of which a part was found. A time of day stays outside."""
    text, start, end, floor, ceiling, _ = part
    if end - start > LONGEST:
        return start, end
    stretch = text[start:end]
    for kind, rest in _AFTER:
        if kind.match(stretch):
            found = rest.match(text, end, min(ceiling, end + WINDOW)) if rest else None
            if found or not rest:
                end = found.end() if found else end
                break
    before = text[max(floor, start - WINDOW) : start]
    earlier: re.Match[str] | None = None
    if _BEGINS_WITH_MONTH.match(stretch):
        earlier = _DAY_BEFORE.search(before)
    elif day := _BEGINS_WITH_DAY.match(stretch):
        first = _FIRST_DAY_BEFORE.search(before)
        earlier = first if first and int(first[1]) < int(day[1]) else None
    elif _HAN_BEGINS.match(stretch):
        earlier = _HAN_BEFORE.search(before)
    return start - (len(earlier[0]) if earlier else 0), end
