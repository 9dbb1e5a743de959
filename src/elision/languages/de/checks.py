"""What a rule can ask of numbers in German-speaking countries: check digits, and how long telephone numbers are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping


def _digits(text: str) -> list[int]:
    return [int(character) for character in text if "0" <= character <= "9"]


def _date(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def de_phone(text: str) -> bool:
    """One 0 begins it, and it has 7 to 13 digits; a date with blanks is none."""
    digits = _digits(text)
    if not 7 <= len(digits) <= 13 or digits[0] or not digits[1]:
        return False
    return not re.fullmatch(r"\d\d[ ./-]{1,3}\d\d[ ./-]{1,3}(?:19|20)\d\d", text)


def de_abroad(text: str) -> bool:
    """Long enough for a number with the code of a country."""
    return 9 <= len(_digits(text)) <= 16


_DATE = re.compile(r"\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{4}|\d\d)?")


def de_number(text: str) -> bool:
    """At least three digits, and no date."""
    return len(_digits(text)) >= 3 and not _DATE.fullmatch(text.strip())


def de_number_short(text: str) -> bool:
    """At least two digits, and no date."""
    return len(_digits(text)) >= 2 and not _DATE.fullmatch(text.strip())


def de_tax(text: str) -> bool:
    """The Steuer-ID: eleven digits, of which the last is a check (ISO 7064, mod 11, 10)."""
    digits = _digits(text)
    if len(digits) != 11 or not digits[0] or len(set(digits[:10])) not in (8, 9):
        return False
    product = 10
    for digit in digits[:10]:
        total = (digit + product) % 10 or 10
        product = 2 * total % 11
    return (11 - product) % 10 == digits[10]


def de_kvnr(text: str) -> bool:
    """The number of a health insurance card: a letter and nine digits, of which the last is a check."""
    plain = text.replace(" ", "").upper()
    if not re.fullmatch(r"[A-Z]\d{9}", plain):
        return False
    digits = [int(digit) for digit in f"{ord(plain[0]) - 64:02d}{plain[1:9]}"]
    total = sum(sum(divmod(digit * (1 + place % 2), 10)) for place, digit in enumerate(digits))
    return total % 10 == int(plain[9])


def de_pension(text: str) -> bool:
    """The Rentenversicherungsnummer: area, date of birth (days up to 81 mean a second number), letter, three digits."""
    plain = re.sub(r"[^0-9A-Z]", "", text.upper())
    if not re.fullmatch(r"\d{8}[A-Z]\d{3}", plain):
        return False
    return _date(int(plain[2:4]) % 50, int(plain[4:6])) and plain[:2] != "00"


def de_lanr(text: str) -> bool:
    """LANR: the seventh digit weighs the first six."""
    digits = _digits(text)
    if len(digits) != 9 or not any(digits):
        return False
    total = sum(digit * (4 if place % 2 == 0 else 9) for place, digit in enumerate(digits[:6]))
    return (10 - total % 10) % 10 == digits[6]


def at_svnr(text: str) -> bool:
    """The Austrian insurance number: three digits, a check digit, the date of birth."""
    digits = _digits(text)
    if len(digits) != 10 or not digits[0]:
        return False
    day, month = digits[4] * 10 + digits[5], digits[6] * 10 + digits[7]
    if not 1 <= day <= 31 or not 1 <= month <= 15:
        return False
    weights = (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 11 == digits[3]


def at_svnr_shape(text: str) -> bool:
    """Four digits and a date of birth: an Austrian insurance number behind its label, even if it was misspelt."""
    digits = _digits(text)
    return len(digits) == 10 and _date(digits[4] * 10 + digits[5], digits[6] * 10 + digits[7])


def ch_ahv(text: str) -> bool:
    """The Swiss AHV number: 756, and the check digit of EAN-13."""
    digits = _digits(text)
    if len(digits) != 13 or digits[:3] != [7, 5, 6]:
        return False
    total = sum(digit * (3 if place % 2 else 1) for place, digit in enumerate(digits[:12]))
    return (10 - total % 10) % 10 == digits[12]


def capitals(text: str) -> bool:
    """Written in capitals, as in notes that are so throughout."""
    return text.isupper()


def it_fiscal(text: str) -> bool:
    """The tax code of South Tyrol and all Italy: its shape."""
    return re.fullmatch(r"[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]", text.upper()) is not None


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "de-phone": de_phone,
    "de-abroad": de_abroad,
    "de-number": de_number,
    "de-number-short": de_number_short,
    "de-tax": de_tax,
    "de-kvnr": de_kvnr,
    "de-pension": de_pension,
    "de-lanr": de_lanr,
    "de-at-svnr": at_svnr,
    "de-at-svnr-shape": at_svnr_shape,
    "de-ch-ahv": ch_ahv,
    "de-it-fiscal": it_fiscal,
    "de-capitals": capitals,
}
