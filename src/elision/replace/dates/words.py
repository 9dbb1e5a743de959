"""The words of dates in a language, and where each stands."""

from __future__ import annotations

import functools

from elision.languages import base
from elision.languages.base import DEFAULT, language, languages
from elision.languages.knowledge import Dates, Words
from elision.text.characters import unaccented

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
SEASONS = ("winter", "spring", "summer", "autumn")  # winter is that of January


def code_of(tag: str) -> str:
    """The language without its country; one that we do not know reads as the default."""
    code = base.code_of(tag)
    return code if code in languages() else DEFAULT


@functools.cache
def dates_of(code: str) -> Dates:
    return language(code).dates


def words_of(code: str) -> Words:
    return dates_of(code).words


@functools.cache
def years_in_words(code: str) -> dict[str, int]:
    """The years that a language can say, without case and accents."""
    write = dates_of(code).year
    return {plain(write(year)): year for year in range(1900, 2100)} if write else {}


def plain(word: str) -> str:
    """A word without case, accents and the dot behind it."""
    return unaccented(word.casefold()).rstrip(".")


@functools.cache
def places(code: str, kind: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """For each word, without case and accents: the families that have it, and its place there.

    A family that would write the word itself goes before those that only know it.
    """
    found: dict[str, list[tuple[bool, int, int]]] = {}
    for family, row in enumerate(getattr(words_of(code), kind)):
        for place, entry in enumerate(row):
            for word in (entry,) if isinstance(entry, str) else entry:
                found.setdefault(plain(word), []).append((word not in (entry, entry[0]), family, place))
    return {
        word: tuple((family, place) for other, family, place in sorted(where) if other == min(where)[0])
        for word, where in found.items()
    }
