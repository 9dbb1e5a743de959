"""Checks of the calendar: whether the numbers of a date can be one."""

from __future__ import annotations

import re
from calendar import monthrange


def is_date(year: int, month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= (monthrange(year, month)[1] if 1 <= year <= 9999 else 31)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", text, re.ASCII)]


def _long(year: int) -> int:
    return year if year > 99 else 2000 + year


def date_dmy(text: str) -> bool:
    """Day and month, perhaps a year, by numbers."""
    found = _numbers(text)
    return len(found) in (2, 3) and is_date(_long(found[2]) if found[2:] else 2000, found[1], found[0])


def date_mdy(text: str) -> bool:
    found = _numbers(text)
    return len(found) in (2, 3) and is_date(_long(found[2]) if found[2:] else 2000, found[0], found[1])


def date_any(text: str) -> bool:
    """Day and month in either order."""
    return date_dmy(text) or date_mdy(text)


def date_ocr(text: str) -> bool:
    """Day and month in either order, with letters that a scanner took for digits, or blanks within."""
    return date_any(text.replace(" ", "").translate(str.maketrans("OoQlI|iSsBZz", "000111155822")))


def date_ymd(text: str) -> bool:
    found = _numbers(text)
    return len(found) >= 3 and is_date(*found[:3])


def date_dmy_loose(text: str) -> bool:
    """Day, month and year, though blanks may stand between the digits of each."""
    parts = re.split(r"[/.-]", text) if re.search(r"[/.-]", text) else text.split()
    return date_dmy("/".join("".join(re.findall(r"[0-9]", part)) for part in parts))
