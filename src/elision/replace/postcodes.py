"""Postcodes: every digit and letter becomes another, in a form that the country has."""

from __future__ import annotations

import re

from elision.replace.scope import Scope
from elision.replace.standins import places_of
from elision.replace.words import LETTERS, TRIES

_WORD = re.compile(
    r"[A-Z]{1,2}-(?=\d)|(?:C\.? ?P\.?|D\.P\.|zip(?: code)?|postcode|邮编|郵編|postal code)\s*[:：]?", re.IGNORECASE
)
_BRITISH = re.compile(r"[A-Za-z]{1,2}\d[A-Za-z\d]?\s?\d[A-Za-z]{2}")
_CANADIAN = re.compile(r"[A-Za-z]\d[A-Za-z][ -]?\d[A-Za-z]\d")
_DUTCH = re.compile(r"\d{4}\s?[A-Za-z]{2}")
_INWARD = "ABDEFGHJLNPQRSTUWXYZ"  # letters behind the blank of a British postcode
_CANADA = "ABCEGHJKLMNPRSTVXY"


def find_postcode(text: str, language: str) -> re.Match[str] | None:
    """The postcode in a piece of an address."""
    form = places_of(language).postcode
    return form.search(text) if form else None


def postcode(text: str, scope: Scope, turn: int = 0) -> str | None:
    """A postcode of the same form; words and country letters before it stay."""
    head = found[0] if (found := _WORD.match(text)) else ""
    code = text[len(head) :]
    if not any(c.isascii() and c.isalnum() for c in code):
        return None
    for number in range(turn * TRIES, (turn + 1) * TRIES):
        other = head + _moved(code, scope, number)
        if not scope.forbidden(other) and _may_be(other[len(head) :], scope.language):
            return other
    return None


def _moved(code: str, scope: Scope, number: int) -> str:
    """The code with every digit and letter moved by the key, none of them by nothing."""
    seed = scope.secret.digest(scope.patient, "postcode", code, str(number))
    letters = _letters(code)
    moved = []
    for at, c in enumerate(code):
        step = seed[at % 32] * 256 + seed[(at * 7 + 11) % 32]
        if c.isdigit():
            moved.append(str((int(c) + 1 + step % 9) % 10))
        elif c.isalpha() and c.isascii():
            usual = [x for x in letters[at] if x != c.upper()]
            other = usual[step % len(usual)]
            moved.append(other if c.isupper() else other.lower())
        else:
            moved.append(c)
    return "".join(moved)


def _letters(code: str) -> list[str]:
    """Which letters may stand at each place."""
    if _CANADIAN.fullmatch(code):
        return [_CANADA] * len(code)
    if _BRITISH.fullmatch(code):
        return ["ABCDEGHKLMNPRSTW" if at == 0 else _INWARD for at in range(len(code))]
    return [LETTERS.upper().translate(dict.fromkeys(map(ord, "FIOQUY")))] * len(code)


def _may_be(code: str, language: str) -> bool:
    """Whether a postcode of this form exists in the country, as far as its digits tell."""
    run = re.match(r"\d+", code)
    if not run:
        return True
    if _DUTCH.fullmatch(code):
        return code[0] != "0" and code[-2:].upper() not in ("SA", "SD", "SS")
    if len(run[0]) == 4:
        return code[0] != "0"
    if len(run[0]) == 5 and (last := places_of(language).provinces):
        return 1 <= int(code[:2]) <= last
    if len(run[0]) == 6:
        return code[0] in "12345678"
    return not code.startswith("000")
