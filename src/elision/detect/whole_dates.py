"""A date with the rest of it: the day, the month, the year, and the first day of a stretch of days."""

from __future__ import annotations

import re

from elision.detect.stretch import Stretch

_MONTH = (
    "(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|"
    "aug|sept?|oct|nov|dec|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|"
    "diciembre|ene|abr|ago|set|dic|januari|februari|maart|mei|juni|juli|augustus|oktober|febr|mrt|okt)"
)
_DAY = "(?:3[01]|[12][0-9]|0?[1-9])"
_DAYTH = rf"{_DAY}(?:st|nd|rd|th|º|ª|°|e)?"
_YEAR = "(?:19|20)[0-9]{2}"
_NO_LETTER = r"(?![^\W\d_])"
# Between the first day and the last: 3 t.e.m. 12 mei.
_TO = r"(?:[-–—/]| ?&| ?\+| ?t/m| ?t\.?e\.?m\.?| t\.m\.| (?:tm|tot|to|till|until|through|al|a|y|e|en|and|of|or|o)) ?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_BEGINS_WITH_MONTH = _pattern(_MONTH + _NO_LETTER)
_BEGINS_WITH_DAY = _pattern(
    rf"({_DAY})(?:st|nd|rd|th|º|°|e)?(?: of| de| del)?(?:[ -]{{1,2}}{_MONTH}{_NO_LETTER}|/(?:1[0-2]|0?[1-9])(?![0-9]))"
)
_YEAR_ALONE, _YEAR_AND_MONTH = _pattern(rf"{_YEAR}\Z"), _pattern(rf"{_YEAR}[ .-].*{_MONTH}\.?\Z")
_ENDS_WITH_MONTH, _HAS_YEAR = _pattern(rf"(?:.*[\W\d_])?{_MONTH}\.?\Z"), _pattern(rf".*{_YEAR}")
_DAY_AND_MONTH = _pattern(rf"{_DAY}[/.-](?:1[0-2]|0?[1-9])\Z")
_BROKEN_OFF = re.compile(r".*[0-9][/.-]\Z")
_HAN_UNIT, _HAN_DAY = re.compile(r".*[年月]\Z", re.DOTALL), re.compile(r".*[日号號]\Z", re.DOTALL)

_YEAR_AFTER = _pattern(rf",?(?:[ -]| (?:de|del|of) ){_YEAR}(?![\w/-]|[.,][0-9])| ['’][0-9]{{2}}(?![0-9])")
# What a date that looks like this goes on with, the first that fits.
_AFTER = (
    (_HAN_UNIT, re.compile(r"(?: ?[0-9]{1,2} ?月)?(?: ?[0-9]{1,2} ?[日号號])?")),
    (_HAN_DAY, re.compile(r" ?[至到~～—–-] ?(?:[0-9]{1,2} ?月 ?)?[0-9]{1,2} ?[日号號]")),
    (_YEAR_ALONE, _pattern(rf"[ -]{_MONTH}\.?(?:[ -]{_DAY}(?![0-9.,:/%]))?{_NO_LETTER}")),
    (_YEAR_AND_MONTH, _pattern(rf"[ -]{_DAY}(?:st|nd|rd|th)?(?=[,;)]?(?:\s|\Z)|\.(?:\s|\Z))")),
    (_HAS_YEAR, None),
    (_BEGINS_WITH_MONTH, _pattern(rf"[ -]{_DAYTH},? {_YEAR}(?![\w/-]|[.,][0-9])")),
    (_BEGINS_WITH_MONTH, _YEAR_AFTER),
    (_ENDS_WITH_MONTH, _YEAR_AFTER),
    (_DAY_AND_MONTH, _pattern(rf"[/.-](?:{_YEAR}|[0-9]{{2}})(?![0-9/]|[.,][0-9])")),
    (_BROKEN_OFF, re.compile(r"(?!(?:7|12|52)(?![0-9]))[0-9]{1,4}(?![0-9])")),  # 2/52 are two weeks
)
_DAY_BEFORE = _pattern(rf"(?<![0-9.,:/-])(?<![0-9] ){_DAYTH}(?: of| de)?[ -]\Z")
_FIRST_DAY_BEFORE = _pattern(rf"(?<![0-9.,:/-])(?<!\w-)({_DAY}){_TO}\Z")
_HAN_BEGINS = re.compile(r"[0-9]{1,2} ?[月日号號]")
_HAN_BEFORE = re.compile(r"[0-9]{2,4} ?年 ?(?:[0-9]{1,2} ?月 ?)?\Z|[0-9]{1,2} ?月 ?\Z")
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
