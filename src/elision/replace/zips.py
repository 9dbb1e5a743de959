"""ZIP codes of the United States under Safe Harbor: three digits stay where enough people live, else 000."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from elision.languages.base import DEFAULT, code_of, languages, region_of
from elision.text.fold import fold

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
