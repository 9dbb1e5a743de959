"""What is replaced in a note, ready to be looked for wherever it may still stand.

Used three times: for what a detector has overlooked in the same note, to keep a stand-in from being one of the
originals, and by the check of what comes out. It looks for

- names: each word of three letters or more (particles and titles aside), in any case and without accents; words of five
  letters also as part of another word; common words (May, Rosa) only in the very same letters, with a capital;
- streets, institutions, dates, as a whole; towns with a capital;
- numbers and codes with a digit: from five characters as they stand, from six also with other blanks, dashes or dots;
- e-mail and web addresses as they stand.

It does not look for what says little by itself and stands in every note: ages, initials, professions, relations, sexes,
day and month without a year.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from elision.characters import HAN_RANGES
from elision.detect.markup import bare as as_read
from elision.detect.markup import unmarked
from elision.detect.words import COMMON, DROPPED, PARTICLES
from elision.fold import Folded, fold
from elision.labels import canonical
from elision.many import AnyOf, places_of

SHORTEST = 3  # letters of a word that is looked for
PART = 5  # of one that is looked for in other words
CODE, LOOSE = 5, 6  # characters of a number that is looked for; of one that may be spaced otherwise
WHOLE = 6  # of a date, an institution, a street
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_HAN = re.compile(f"[{HAN_RANGES}]")
_OVERLOOKED = frozenset(("AGE", "PROFESSION", "DEMOGRAPHIC"))


class Found(NamedTuple):
    """A stretch of a text in which an original stands, and the label that the original had."""

    start: int
    end: int
    label: str


class Originals:
    """The originals of a note."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        """`pairs` of a label and the original text."""
        self._words: dict[str, str] = {}
        self._exact: dict[str, str] = {}
        self._wholes: dict[str, str] = {}
        self._spaced: dict[str, str] = {}
        for label, text in dict.fromkeys(pairs):
            self._add(label, text)
        self._parts = AnyOf((*self._words, *self._wholes, *map(plain, self._exact)))
        self._bare_parts = AnyOf(self._spaced)

    def _add(self, label: str, text: str) -> None:
        known = canonical().get(label)
        parent = known.parent if known else label
        if parent in _OVERLOOKED or label == "INITIALS":
            return
        text = as_read(text)
        folded = text if text.isascii() else fold(text).text
        low = plain(folded)
        bare = squeezed(low)
        if parent == "NAME" and label != "USERNAME":
            self._add_name(label, folded)
        elif label in ("CITY", "STATE", "COUNTRY"):
            if len(bare) >= SHORTEST or _HAN.search(bare):
                self._exact[folded.strip()] = label
        elif label in ("EMAIL", "URL", "IP", "USERNAME"):
            if len(bare) >= CODE:
                self._wholes[low.strip()] = label
        elif parent != "DATE" and _DIGIT.search(bare):
            if len(bare) >= CODE:
                self._wholes[low.strip()] = label
            if len(bare) >= LOOSE:
                self._spaced[bare] = label
        elif len(bare) >= WHOLE or (len(bare) > 2 and _HAN.search(bare)):
            self._spaced[bare] = label

    def _add_name(self, label: str, folded: str) -> None:
        for word in _WORD.findall(folded):
            key = plain(word)
            if _HAN.search(word):
                if len(word) > 1:
                    self._words[key] = label
            elif key in COMMON:
                if len(word) >= SHORTEST and word[0].isupper():
                    self._exact[word] = label
            elif len(key) >= SHORTEST and key not in PARTICLES and key not in DROPPED:
                self._words[key] = label

    def within(self, candidate: str) -> bool:
        """Whether a stand-in is or holds an original."""
        low = plain(candidate)
        return self._parts.within(low) or (bool(self._bare_parts) and self._bare_parts.within(squeezed(low)))

    def remaining(self, text: str) -> list[Found]:
        """Where originals stand in a text, in order."""
        if not (self._words or self._exact or self._wholes or self._spaced):
            return []
        found = self._seen_in(fold(text))
        if marked := unmarked(text):
            found |= self._seen_in(marked.then(fold(marked.text)))
        return sorted(found)

    def _seen_in(self, view: Folded) -> set[Found]:
        """Where originals stand in a view of a text, as places of the text."""
        found = set(self._in(view.text, plain(view.text)))
        if view.starts is None:
            return found
        return {Found(*view.original(start, end), label) for start, end, label in found}

    def _in(self, text: str, low: str) -> Iterator[Found]:
        around, common = (0, 0), False  # the word in which the last one stood
        for word, start in places_of(self._words, low):
            end = start + len(word)
            if _HAN.search(word):
                yield Found(start, end, self._words[word])
                continue
            if not around[0] <= start < end <= around[1]:
                around = _word_around(low, start, end)
                common = low[slice(*around)] in COMMON
            if around == (start, end):
                yield Found(start, end, self._words[word])
            elif len(word) >= PART and not common:
                yield Found(*around, self._words[word])
        for wholes, where in ((self._exact, text), (self._wholes, low)):
            for whole, start in places_of(wholes, where):
                end = start + len(whole)
                if not _cuts(low, start) and not _cuts(low, end):
                    yield Found(start, end, wholes[whole])
        if self._spaced:
            yield from self._in_spaced(low)

    def _in_spaced(self, low: str) -> Iterator[Found]:
        bare = squeezed(low)
        places: list[int] | None = None
        for whole, start in places_of(self._spaced, bare):
            if places is None:
                places = [at for at, character in enumerate(low) if character.isalnum()]
            first, last = places[start], places[start + len(whole) - 1] + 1
            if not _cuts(low, first) and not _cuts(low, last):
                yield Found(first, last, self._spaced[whole])


def squeezed(text: str) -> str:
    """Letters and digits only."""
    if text.isalnum():
        return text
    try:
        return text.encode("latin-1").translate(None, _NO_LETTERS).decode("latin-1")
    except UnicodeEncodeError:
        return "".join(filter(str.isalnum, text))


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    while start and text[start - 1].isalpha() and not _HAN.match(text[start - 1]):
        start -= 1
    while end < len(text) and text[end].isalpha() and not _HAN.match(text[end]):
        end += 1
    return start, end


def _cuts(text: str, at: int) -> bool:
    """Whether a word or a number runs over this place. Chinese characters are words of their own."""
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    if a.isalpha():
        return b.isalpha() and not _HAN.match(a) and not _HAN.match(b)
    return a.isdigit() and b.isdigit()


class _Plain(dict[int, str]):
    """Characters to small letters without accents, one for one."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = unicodedata.normalize("NFD", character)[0].lower()
        self[code] = found = base if len(base) == 1 else character
        return found


_PLAIN = _Plain()
# What the two functions do with a text of Latin-1 characters, as most are: byte by byte, many times as fast.
_LATIN = bytes(range(256)).decode("latin-1")
_NO_LETTERS = "".join(character for character in _LATIN if not character.isalnum()).encode("latin-1")
_LATIN_PLAIN = _LATIN.translate(_PLAIN).encode("latin-1")
_CHINESE = re.compile(r"[\x00-\x7f\u3001-\u3011\u4e00-\u9fff]*")  # has no accents


def plain(text: str) -> str:
    """A text of the same length in small letters without accents."""
    if text.isascii() or _CHINESE.fullmatch(text):
        return text.lower()
    try:
        return text.encode("latin-1").translate(_LATIN_PLAIN).decode("latin-1")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)
