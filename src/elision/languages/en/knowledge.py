"""What English knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed


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
    part=r"s\b|\s+(?:night|morning|evening|afternoon)",
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
    at="at",
    hours=r"h(?:rs?|ours)?\.?",
)


_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN_NTH = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth"
)
_STEMS = {
    "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70, "octogenarian": 80,
    "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110, "super-centenarian": 110, "teens": 10,
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
_GRADES = {"kindergarten": 5, "kindergartener": 5, "kindergartner": 5, "preschooler": 4, "toddler": 2}


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in english(value)}
    return known | {said: (value, value, "nth") for value in range(1, MOST + 1) for said in _ordinals(value)}


def english(value: int) -> list[str]:
    ones = [*_EN.split(), "eighteen", "nineteen"]
    if value < 20:
        return [ones[value]]
    if value < 100:
        ten = _EN_TENS.split()[value // 10 - 2]
        return [f"{ten} {ones[value % 10]}", f"{ten}{ones[value % 10]}"] if value % 10 else [ten]
    if value == 100:
        return ["hundred", "one hundred", "a hundred"]
    rests = english(value - 100)
    return [f"{hundred} {rest}" for rest in rests for hundred in ("one hundred", "one hundred and", "a hundred and")]


def _ordinals(value: int) -> list[str]:
    ones = [*_EN_NTH.split(), "eighteenth", "nineteenth"]
    if value < 20:
        return [ones[value]]
    if value < 100:
        ten = _EN_TENS.split()[value // 10 - 2]
        return [f"{ten} {ones[value % 10]}"] if value % 10 else [ten[:-1] + "ieth"]
    if value == 100:
        return ["hundredth", "one hundredth"]
    return [f"{hundred} {rest}" for rest in _ordinals(value - 100) for hundred in ("one hundred", "one hundred and")]


def _group(kind: str, least: int) -> str:
    if kind == "decade":
        return f"{least}s or beyond" if least % 10 == 0 else f"{least}+"
    return f"{least}+-year-old"


AGES = Ages(
    words=_words,
    stems={
        stem: (years, "decade" if stem.endswith("ies") or stem == "teens" else "person")
        for stem, years in _STEMS.items()
    },
    stages=_GRADES,
    group=_group,
    nth="{}th-or-later",
    units=(
        (r"months?|mos?\b|mths?|m/?o\b|m\.o\.|m\b", 12),
        (r"weeks?|wks?|wk?/o", 52),
        (r"days?|d/o", 365),
        (r"hours?|hrs?", 8_766),
    ),
    between="to|or|and",
    youngest="month|week",
    general=r"s? or beyond|th-or-later",
    link="and",
    endings="st|nd|rd|th",
)


_HOMES = {"GB": "44", "AU": "61", "US": "1", "CA": "1", "IE": "", "NZ": ""}


def _home(digits: str, zeros: int, country: str) -> tuple[str, int]:
    if len(digits) == 11 and digits[0] == "1" and not zeros:
        return "1", 1
    return _HOMES[country] if country in _HOMES else _likely(digits, zeros), zeros


def _likely(digits: str, zeros: int) -> str:
    if zeros == 1:
        return "61" if len(digits) == 10 and digits[1] in "23478" else "44"
    if len(digits) == 10 and digits[:4] in ("1300", "1800"):
        return "61"
    if len(digits) == 8 and digits[0] in "23456789":
        return "61"
    return "1" if len(digits) in (7, 10) and digits[0] not in "01" else ""


_SPOKEN = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PHONES = Phones(_SPOKEN, {"oh": 0}, _home)


_AT_THE_END = r"(?<!\d)\d{5}-\d{4}$|(?<!\d)\d{5}$"
_ISLES = r"(?<![A-Z\d])(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d)(?![A-Z\d])"


def _gender(word: str) -> str:
    if word.endswith(("ess", "woman", "maid")):
        return "female"
    return "male" if word.endswith("man") else ""


PLACES = Places(
    country="US",
    postcode=re.compile(rf"{_ISLES}|{_AT_THE_END}|(?<![\d-])(?<=[A-Z]{{2}} )\d{{4}}$"),
    postcode_first=False,
    particles=False,
    gender=_gender,
)
