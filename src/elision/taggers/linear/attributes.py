"""What a feature can look at: attributes of a token's form, and attributes of the place where it stands.

An attribute of the form is a function of the token's string alone, so it is worked out once for each distinct
string. An attribute of the place is a function of a whole batch of notes; it gives a column of codes and what they
mean. A value of "" says nothing: no feature comes of it.

What most models look at is written as data (`Written`), which the compiled loops read, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from zlib import crc32

from elision.text.characters import unaccented

FORM = Callable[[str], str]

_KINDS = {"Lu": "A", "Lt": "A", "Ll": "a", "Nd": "0"}


class _Kinds(dict[int, str]):
    """What each character is in a shape, by its code."""

    def __missing__(self, code: int) -> str:
        category = unicodedata.category(chr(code))
        kind = self[code] = _KINDS.get(category) or ("x" if category[0] == "L" else chr(code))
        return kind


_OF_CODE = _Kinds()


@lru_cache(1 << 15)
def shape(token: str) -> str:
    """Capitals as A, small letters as a, digits as 0: `MartI9` is `AaaaA0`."""
    return token.translate(_OF_CODE)


@lru_cache(1 << 15)
def brief(token: str) -> str:
    """The shape with runs cut to one: `MartI9` is `AaA0`."""
    return "".join([kind for kind, _ in groupby(shape(token))])


@lru_cache(1 << 15)
def plain(token: str) -> str:
    """Small letters without accents, every digit as 0."""
    low = unaccented(token, "NFKD").lower()
    return low if low.isalpha() else re.sub(r"\d", "0", low)


_ROMAN = re.compile(r"(?=.)M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")


def gram(token: str, size: int, number: int) -> str:
    """The so-manieth run of so many letters of `<token>`; a shorter one is its own only run."""
    marked = f"<{token.lower()}>"
    first = number - 1
    return marked[first : first + size] if first == 0 or first + size <= len(marked) else ""


RUN_PLACES = 97


def run(token: str, size: int, place: int) -> str:
    """The run of so many letters of `<token>` that is looked at in this place, of 97; its capitals stay.

    A run's own letters choose its place, so that it says the same wherever in a word it stands, and each stands once.
    Where two runs of a word choose the same, one takes the next place that is free: of all runs about one in thirty.
    """
    return _runs(token, size).get(place, "")


@lru_cache(1 << 13)
def _runs(token: str, size: int) -> dict[int, str]:
    marked = f"<{token}>"
    runs = {marked[at : at + size] for at in range(max(1, len(marked) - size + 1))}
    found: dict[int, str] = {}
    for letters in sorted(runs)[:RUN_PLACES]:
        place = crc32(letters.encode("utf-8", "surrogatepass"))
        while place % RUN_PLACES + 1 in found:
            place += 1
        found[place % RUN_PLACES + 1] = letters
    return found


def _flag(test: Callable[[str], bool]) -> FORM:
    return lambda token: "1" if test(token) else "0"


def _punctuation(token: str) -> bool:
    return any(not c.isalnum() for c in token)


LONGEST_COUNTED = 20
WHOLE, FIRST, LAST, UPTO = range(4)  # all letters; so many first or last, none if there are fewer; so many at most
WAYS: tuple[FORM, ...] = (
    str,
    str.lower,
    plain,
    shape,
    brief,
    lambda token: str(min(len(token), LONGEST_COUNTED)),
    _flag(lambda token: token[:1].isupper()),
)
AS_IS, LOWER, PLAIN, SHAPE, BRIEF, LENGTH, TITLE = range(len(WAYS))


@dataclass(frozen=True, slots=True)
class Written:
    """An attribute as data: a way to write some of a token's letters."""

    way: int
    part: int = WHOLE
    size: int = 0

    def __call__(self, token: str) -> str:
        if self.part == UPTO:
            token = token[: self.size]
        elif self.part != WHOLE and len(token) < self.size:
            return ""
        elif self.part == FIRST:
            token = token[: self.size]
        elif self.part == LAST:
            token = token[-self.size :]
        return WAYS[self.way](token)


FORMS: dict[str, FORM] = {
    "form": Written(AS_IS),
    "lower": Written(LOWER),
    "plain": Written(PLAIN),
    "shape": Written(SHAPE, UPTO, 24),
    "brief": Written(BRIEF, UPTO, 64),
    "length": Written(LENGTH),
    "upper": _flag(str.isupper),
    "title": Written(TITLE),
    "some-upper": _flag(lambda token: any(c.isupper() for c in token)),
    "some-letter": _flag(lambda token: any(c.isalpha() for c in token)),
    "some-digit": _flag(lambda token: any(c.isdigit() for c in token)),
    "digits": _flag(str.isdigit),
    "some-punctuation": _flag(_punctuation),
    "letters-digits": _flag(lambda token: token.isalnum() and not token.isalpha() and not token.isdigit()),
    "ascii": _flag(str.isascii),
    "inner-upper": _flag(lambda token: any(c.isupper() for c in token[1:])),
    "roman": _flag(lambda token: _ROMAN.fullmatch(token) is not None),
    "short": lambda token: token.lower() if len(token) <= 3 else "",
    "digits-punctuation": _flag(
        lambda token: any(c.isdigit() for c in token) and _punctuation(token) and not any(c.isalpha() for c in token)
    ),
}
_PART = re.compile(r"(prefix|suffix)([1-9]\d?)")
_GRAM = re.compile(r"gram([1-9])-([1-9]\d?)")
_RUN = re.compile(r"run([1-9])-([1-9]\d?)")


def form(name: str) -> FORM | None:
    """The function behind the name of an attribute of the form; None if it is none."""
    if name in FORMS:
        return FORMS[name]
    if match := _GRAM.fullmatch(name):
        length, number = int(match[1]), int(match[2])
        return lambda token: gram(token, length, number)
    if (match := _RUN.fullmatch(name)) and int(match[2]) <= RUN_PLACES:
        size, place = int(match[1]), int(match[2])
        return lambda token: run(token, size, place)
    match = _PART.fullmatch(name)
    return Written(LOWER, FIRST if match[1] == "prefix" else LAST, int(match[2])) if match else None
