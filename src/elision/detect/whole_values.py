"""Dates, numbers, addresses and companies with the rest of them, as they were found in part."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from elision.languages import detection
from elision.languages.detection import any_of, everywhere


class Stretch(NamedTuple):
    """What [start, end) of the text is, and how far the spans beside it let it grow."""

    text: str
    start: int
    end: int
    floor: int
    ceiling: int
    language: str


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
_DATE_WINDOW = 32  # characters that are looked at on a side
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
            found = rest.match(text, end, min(ceiling, end + _DATE_WINDOW)) if rest else None
            if found or not rest:
                end = found.end() if found else end
                break
    before = text[max(floor, start - _DATE_WINDOW) : start]
    earlier: re.Match[str] | None = None
    if _BEGINS_WITH_MONTH.match(stretch):
        earlier = _DAY_BEFORE.search(before)
    elif day := _BEGINS_WITH_DAY.match(stretch):
        first = _FIRST_DAY_BEFORE.search(before)
        earlier = first if first and int(first[1]) < int(day[1]) else None
    elif _HAN_BEGINS.match(stretch):
        earlier = _HAN_BEFORE.search(before)
    return start - (len(earlier[0]) if earlier else 0), end


WINDOW = 48  # characters that are looked at on a side

# -- numbers: of records, accounts, devices, users

_CODE_AFTER = re.compile(
    r"(?!(?:CT|MRI?|US|XR|MG|ML|KG|CM|MM)\b)(?:[A-Z0-9]{1,12}(?![a-zà-ÿ])|-[A-Za-z0-9]{1,12}(?![A-Za-zà-ÿ])|[/_.][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,8}(?![A-Za-z])|"
    r"/[A-Z]{1,3}\b){1,5}"
)
_CODE_BEFORE = re.compile(r"(?<![A-Za-zÀ-ÿ0-9])(?:[A-Z0-9]{1,10}[-/_.]){0,3}[A-Z0-9]{1,10}[-/_.]?\Z")
# What a number is, written right before it, and places for digits.
_LABELS = re.compile(
    r"(?:(?:MRN|NHC|HC|ID|DNI|NIE|NIF|NIG|CIP|NSS|SS|BSN|NR|NO|N|NUM|NHS|CHI|URN|UR|PID|PATID|NIP|PNR|GMC|NMC|BIG|AGB|"
    r"RIZIV|INAMI|TEL|FAX|REF|REG|LIC|ACC|ACCT|ACCESSION|NPI|DEA|SSN|MBI|NRIC|IC|IHI|HCN|PHN|NHI|COL|COLEGIADO|NC|EXP|CURP|"
    r"RUT|CC|CUIL|CUIT|CASE|FILE|CHART|VISIT|ENC|BED|SN|LOT|REC|RECORD|CASO|HISTORIA|DOSSIER|PATIENT|CODE|KEY|IBAN|VIN|CARD|"
    r"DOB|NUHSA|CIPA|SNS|HN|X{1,9})[-/_.]?)+"
)


def grown_code(part: Stretch) -> tuple[int, int]:
    """To the ends of the token: letters and digits, and what hyphens, slashes and dots join to them."""
    text, start, end, floor, ceiling, _ = part
    if end < ceiling and text[end - 1].isalnum():
        found = _CODE_AFTER.match(text, end, min(ceiling, end + WINDOW))
        end = found.end() if found else end
    if floor < start and text[start].isalnum():
        since = max(floor, start - WINDOW)
        found = _CODE_BEFORE.search(text[since:start])
        if found and not _LABELS.fullmatch(found[0]) and len(found[0].strip("-/_.")) > 1:
            start = since + found.start()
    return _with_digits(text, start, end, floor, ceiling)


# -- digits that belong together


_FRACTION_OF_YEARS = re.compile(rf"([,.][0-9]{{1,2}}) ?-?(?:{any_of('years')})(?![^\W\d_])")


def grown_number(part: Stretch) -> tuple[int, int]:
    """No number is cut: 1,5 of an age is hidden with the 1."""
    text, start, end, floor, ceiling, _ = part
    start, end = _with_digits(text, start, end, floor, ceiling)
    if text[end - 1].isdecimal() and (found := _FRACTION_OF_YEARS.match(text, end, min(ceiling, end + WINDOW))):
        end = found.end(1)
    if start - 2 >= floor and text[start].isdecimal() and text[start - 1] in ",." and text[start - 2].isdecimal():
        start, _ = _with_digits(text, start - 2, start, floor, ceiling)
    return start, end


def _with_digits(text: str, start: int, end: int, floor: int, ceiling: int) -> tuple[int, int]:
    if text[start].isdecimal():
        while start > floor and text[start - 1].isdecimal():
            start -= 1
    if text[end - 1].isdecimal():
        while end < ceiling and text[end].isdecimal():
            end += 1
    return start, end


# -- addresses

_NUMBER_AFTER = re.compile(
    rf"(?:,? (?:(?:{any_of('house_number')}) ?)?|, ?)[0-9]{{1,5}}(?: ?[A-Za-z]|-[0-9]{{1,4}}|/[0-9]{{1,4}})?"
    rf"(?![\w%]|[.,:/][0-9]| ?(?:{any_of('quantities')})\b)",
    re.IGNORECASE,
)
_UNIT_AFTER = re.compile(
    rf",? ?(?:(?:{any_of('flats')})\b\.? ?#?(?:[A-Z]?[0-9]{{1,4}}[A-Z]?|[A-Z])\b|#[0-9]{{1,5}}[A-Z]?\b|"
    rf"[0-9]{{1,2}}\.?[ºª°](?: ?-? ?(?:[A-Z]\b|(?:{any_of('sides')})\.?|[0-9]{{1,2}}\.?[ºª°]))?)(?![\w%])",
    re.IGNORECASE,
)
_HOUSE_BEFORE = re.compile(r"(?<![\w.,/:-])[0-9]{1,5}[A-Za-z]?(?:-[0-9]{1,4})? \Z")
# Streets whose number stands before them.
_NUMBER_FIRST = re.compile(rf"[A-Z].*\b(?:{any_of('street_kinds')})\b\.?\Z")
_HAS_DIGIT = re.compile(r"[0-9]")


def grown_place(part: Stretch) -> tuple[int, int]:
    """A street with its number and flat."""
    text, start, end, floor, ceiling, _ = part
    until, stretch = min(ceiling, end + WINDOW), text[start:end]
    if not _HAS_DIGIT.search(stretch):
        if _NUMBER_FIRST.match(stretch):
            earlier = _HOUSE_BEFORE.search(text[max(floor, start - 16) : start])
            start -= len(earlier[0]) if earlier else 0
        elif number := _NUMBER_AFTER.match(text, end, until):
            end = number.end()
    if not text[start:end].isdecimal() and (unit := _UNIT_AFTER.match(text, end, until)):
        end = unit.end()
    return _with_digits(text, start, end, floor, ceiling)


def grown_zip(part: Stretch) -> tuple[int, int]:
    """A postcode with its letters, where the language has such."""
    text, start, end, floor, ceiling, language = part
    ways = _letters_of(language)
    if ways and ways[0].fullmatch(text, start, end):
        found = ways[1].match(text, end, min(ceiling, end + WINDOW))
        end = found.end() if found else end
    return _with_digits(text, start, end, floor, ceiling)


@cache
def _letters_of(language: str) -> tuple[re.Pattern[str], re.Pattern[str]] | None:
    """The digits of a postcode, and what stands behind them."""
    own = detection.of(language).get("postcode")
    return (re.compile(own["digits"]), re.compile(own["letters"])) if own else None


# -- companies

_FORMS = sorted(everywhere("forms"), key=len, reverse=True)
_FORM_AFTER = re.compile(rf",? (?:{'|'.join(map(re.escape, _FORMS))})\b\.?(?!\w)")
_FORM_BEHIND = re.compile(any_of("forms_behind"))
_KIND_AFTER = re.compile(rf" (?:{any_of('kinds')})\b(?! \w+ing\b)")


def grown_organization(part: Stretch) -> tuple[int, int]:
    """A company with what says its form, a hospital with what says its kind."""
    text, start, end, _, ceiling, _ = part
    until = min(ceiling, end + WINDOW)
    for pattern in (_KIND_AFTER, _FORM_BEHIND, _FORM_AFTER):
        found = pattern.match(text, end, until)
        end = found.end() if found else end
    return start, end
