"""What English knows of dates."""

from __future__ import annotations

import re

from elision.languages.dates import DIGIT, Dates, Grammar, Words, family, listed


def _numbers() -> tuple[tuple[str, ...], ...]:
    ones = listed("first second third fourth fifth sixth seventh eighth ninth")
    teens = listed("tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth")
    twenties = ["twentieth", *(f"twenty-{one}" for one in ones)]
    return ((*ones, *teens, *twenties, "thirtieth", "thirty-first"),)


def _ordinal(ending: str, _old: int, new: int) -> str | None:
    if ending not in ("st", "nd", "rd", "th"):
        return None
    return "th" if 10 < new < 20 else {1: "st", 2: "nd", 3: "rd"}.get(new % 10, "th")


def _year(year: int) -> str:
    """1910 to 2099 in words: nineteen ninety-eight, two thousand six."""
    ones = listed("one two three four five six seven eight nine")
    teens = listed("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
    tens = listed("twenty thirty forty fifty sixty seventy eighty ninety")
    head, rest = ("nineteen", year - 1900) if year < 2000 else ("twenty", year - 2000)
    if rest < 10:
        head = "nineteen hundred" if year < 2000 else "two thousand"
        return f"{head} {ones[rest - 1]}" if rest else head
    if rest < 20:
        return f"{head} {teens[rest - 10]}"
    return f"{head} {tens[rest // 10 - 2]}" + (f"-{ones[rest % 10 - 1]}" if rest % 10 else "")


_WORDS = Words(
    (
        family("January February March April May June July August September October November December"),
        family("Jan Feb Mar Apr May Jun Jul Aug Sep|Sept Oct Nov Dec"),
        family("Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec"),
    ),
    (
        family("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
        family("Mon Tue|Tues Wed|Weds Thu|Thur|Thurs Fri Sat Sun"),
        family("Mon Tues Wed Thurs Fri Sat Sun"),
    ),
    (family("winter spring summer autumn"), family("winter spring summer fall")),
    _numbers(),
    (("first", "second", "third", "fourth"), ("1st", "2nd", "3rd", "4th")),
    listed("twenties thirties forties fifties sixties seventies eighties nineties"),
    ("may",),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?(?:st|nd|rd|th)\b)?",
    between=r"\s*(?:-|–|—|/|&|,|\b(?:to|and|or|through|thru|until|till)\b)\s*",
    about=r"(?:(?:early|mid|late|end|beginning|start|middle|in|since|circa|ca\.|c\.|about|around|the|of)[\s-]+)*",
    of=r"(?:[\s,./-]{0,3}(?:of\s+|day\s+of\s+|of\s+the\s+month\s+of\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:of\s+|in\s+)?)",
    the=r"\.?,?\s+(?:the\s+)?",
    decade=r"(?:the\s+)?['’‘]?<e0>(?:['’]?s|(?<=ies))",
    quarter="quarter",
    week="week",
    month_before_day=True,
)
_NUMBER = r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some|(?:a\s+)?few|many|half"
_RELATIVE = r"""
        (?:the\s+)?(?:day\s+(?:before\s+yesterday|after\s+tomorrow)|(?:yester|to)day|tomorrow|tonight|now)
        (?:\s+(?:morning|evening|night|afternoon))?
        |(?:this|last|next|past|previous|following|same)\s+
        (?:morning|evening|night|afternoon|day|week|month|year|weekend)
        |(?:(?:in|for|after|within|about|over|the\s+last|the\s+past|the\s+next)\s+)*NUMBER\s?
        (?:hours?|hrs?|days?|weeks?|wks?|months?|mos?|years?|yrs?)(?:\s+(?:ago|earlier|later|before|prior|hence))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(r"(?:(?:on|from|between|since|until|till|by|dated|the|of|in|at)\s+)+", re.IGNORECASE),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    month_first=("", "US", "PH"),
    year=_year,
    month_year="{word} {year:04d}",
)
