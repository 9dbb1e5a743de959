"""Postcodes: every digit and letter becomes another, in a form that the country has.

Under Safe Harbor, ZIP codes of the United States keep three digits where enough people live, else 000.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from elision.languages.base import DEFAULT, code_of, languages, region_of
from elision.replace.choices import Scope
from elision.replace.standins import places_of
from elision.replace.words import LETTERS, TRIES
from elision.text.fold import fold

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


_ZIP = re.compile(r"(\d{3})\d\d(?:[ -]?\d{4})?", re.ASCII)
_COUNTRY = "US"
NONE = "000"


def zip3(text: str, language: str = DEFAULT) -> str | None:
    """The three digits that may stay of a US ZIP code, 000 where they may not; None for any other postcode.

    A language without a country is taken for the United States in English only: five digits in a Spanish note
    are a Spanish postcode.
    """
    if len(text) > 40 or not american(language):
        return None
    match = _ZIP.fullmatch(fold(text).text.strip())
    if not match:
        return None
    return match[1] if match[1] in allowed() else NONE


def american(language: str) -> bool:
    """Whether notes in this language are taken to hold US postcodes."""
    known, region = languages().get(code_of(language or DEFAULT)), region_of(language)
    return region == _COUNTRY or (not region and known is not None and known.places.country == _COUNTRY)


@cache
def allowed() -> frozenset[str]:
    """The prefixes that may stay: assigned, with homes, and of an area with more than 20,000 people."""
    tables = _tables()
    out = {prefix for name in ("restricted", "unassigned", "nobody") for prefix in _prefixes(tables[name]["prefixes"])}
    return frozenset(f"{number:03}" for number in range(1000)) - out


def vintage() -> str:
    """The census after which prefixes are restricted, for reports."""
    return _tables()["restricted"]["census"]


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((files("elision") / "data" / "zip3.toml").read_text("utf-8"))


def _prefixes(listed: str) -> list[str]:
    """036 059 090-099 as a list of prefixes."""
    found: list[str] = []
    for word in listed.split():
        first, _, last = word.partition("-")
        found += (f"{number:03}" for number in range(int(first), int(last or first) + 1))
    return found
