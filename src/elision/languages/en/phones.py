"""What English knows of telephone numbers."""

from __future__ import annotations

from elision.languages.phones import Phones

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


_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
PHONES = Phones(_WORDS, {"oh": 0}, _home)
