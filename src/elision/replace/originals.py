"""What is replaced in a note, ready to be looked for wherever it may still stand.

Used three times: for what a detector has overlooked in the same note, to keep a stand-in from being one of the
originals, and by the check of what comes out. It looks for

- names: as a whole, the first word first or the last, with whatever stands between; each word of three letters or more
  (particles and titles aside), in any case and without accents; words that the language uses as words (May, Rosa) only
  in the very same letters, with a capital;
- streets, institutions, dates, as a whole;
- numbers and codes with a digit: from five characters as they stand, from six also with other blanks, dashes or dots;
- e-mail and web addresses as they stand.

All are looked for as whole words only, longer names in their plural, too. Each find tells how much doubt there is: none
about whole names, numbers and addresses; a single word may be a name here and none there (`elision.detect.doubt`).

It does not look for what says little by itself and stands in every note: ages, initials, professions, relations, sexes,
towns, states, countries, departments, rooms without a number, day and month without a year.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from elision.detect.doubt import LEAST, USED, is_used
from elision.detect.lists import DROPPED, PARTICLES
from elision.detect.markup import bare as as_read
from elision.detect.markup import unmarked
from elision.document import Document
from elision.labels import canonical
from elision.text.characters import HAN_SIGN, UNMARKED
from elision.text.characters import base as base_of
from elision.text.fold import Folded, fold
from elision.text.many import AnyOf, places_of

SHORTEST = 3  # letters of a word that is looked for
CODE, LOOSE = 5, 6  # characters of a number that is looked for; of one that may be spaced otherwise
WHOLE = 6  # of a date, an institution, a street, a whole name
PLURAL = 5  # letters of a name that is looked for in its plural, too
BETWEEN = 6  # characters that may stand between the words of a whole name, all together
SURE = 0.0  # the doubt about a find that needs no other sign
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT = re.compile(r"\d")
_PLURAL = frozenset(("s", "es"))  # the Roes
_OVERLOOKED = frozenset(("AGE", "PROFESSION", "DEMOGRAPHIC"))
_PLACES = frozenset(("CITY", "STATE", "COUNTRY", "DEPARTMENT"))
_STREETS = frozenset(("STREET", "ADDRESS"))


class Found(NamedTuple):
    """A stretch of a text in which an original stands, the label that the original had, and how likely it must be part
    of an identifier to count: SURE if it does anyway."""

    start: int
    end: int
    label: str
    least: float


class Originals:
    """The originals of a note in this language."""

    def __init__(
        self, pairs: Iterable[tuple[str, str]], language: str = "", unsure: frozenset[tuple[str, str]] = frozenset()
    ) -> None:
        """`pairs` of a label and the original text. Those `unsure` may be none: their words are doubted more."""
        self._language = language
        # What is looked for, with its label and the doubt about it.
        self._words: dict[str, tuple[str, float]] = {}
        self._exact: dict[str, tuple[str, float]] = {}
        self._wholes: dict[str, tuple[str, float]] = {}
        self._spaced: dict[str, tuple[str, float]] = {}
        self._names: dict[str, tuple[str, float]] = {}
        places: list[str] = []  # in what stands in for something only
        for label, written in dict.fromkeys(pairs):
            self._often = USED if (label, written) in unsure else LEAST  # the doubt about a word
            text = as_read(written)
            folded = text if text.isascii() else fold(text).text
            if label in _PLACES:
                places.append(plain(folded).strip())
            else:
                self._add(label, folded)
        places = [place for place in places if len(place) >= SHORTEST or HAN_SIGN.search(place)]
        self._parts = AnyOf((*self._words, *self._wholes, *map(plain, self._exact), *places))
        self._bare_parts = AnyOf(self._spaced)

    def _add(self, label: str, folded: str) -> None:
        known = canonical().get(label)
        parent = known.parent if known else label
        if parent in _OVERLOOKED or label == "INITIALS":
            return
        low = plain(folded)
        bare = squeezed(low)
        digit = _DIGIT.search(bare)
        if parent == "NAME" and label != "USERNAME":
            self._add_name(label, folded)
        elif label in ("EMAIL", "URL", "IP", "USERNAME"):
            if len(bare) >= CODE:
                self._put(self._wholes, low.strip(), label, folded, sure=label != "USERNAME" or digit is not None)
        elif parent != "DATE" and digit:
            if len(bare) >= CODE:
                self._wholes[low.strip()] = label, SURE
            if len(bare) >= LOOSE:
                self._spaced[bare] = label, SURE
        elif label != "ROOM" and (len(bare) >= WHOLE or (len(bare) > 2 and HAN_SIGN.search(bare))):
            self._put(self._spaced, bare, label, folded, sure=digit is not None or label in _STREETS)

    def _put(self, where: dict[str, tuple[str, float]], key: str, label: str, text: str, *, sure: bool) -> None:
        """A whole; one word that the language uses only in the very same letters."""
        word = text.strip()
        if sure or not _WORD.fullmatch(word) or not is_used(word, self._language):
            where[key] = label, SURE if sure else self._often
        elif word[:1].isupper():
            self._exact[word] = label, USED

    def _add_name(self, label: str, folded: str) -> None:
        words = [word for word in _WORD.findall(folded) if not DROPPED.intersection((plain(word),))]
        naming = []
        for word in words:
            key = plain(word)
            if HAN_SIGN.search(word):
                if len(word) > 1:
                    self._words[key] = label, SURE if len(word) > 2 else self._often
            elif key in PARTICLES:
                continue
            elif is_used(word, self._language):
                if len(word) >= SHORTEST and word[0].isupper():
                    self._exact[word] = label, USED
            elif len(key) >= SHORTEST:
                self._words[key] = label, min(self._often, self._words.get(key, (label, USED))[1])
            if len(key) > 1:
                naming.append(key)
        if len(naming) > 1:
            whole = "".join(map(plain, words))
            for name in {whole, "".join((naming[-1], *naming[:-1])), *map("".join, self._pairs(naming))}:
                if len(name) >= WHOLE:
                    self._names[name] = label, SURE

    def _pairs(self, naming: list[str]) -> Iterator[tuple[str, str]]:
        """Two words of a name together, unless the language may say both as words."""
        for first, second in {*pairwise(naming), (naming[0], naming[-1]), (naming[-1], naming[0])}:
            if not (is_used(first, self._language) and is_used(second, self._language)):
                yield first, second

    def within(self, candidate: str) -> bool:
        """Whether a stand-in is or holds an original."""
        low = plain(candidate)
        return self._parts.within(low) or (bool(self._bare_parts) and self._bare_parts.within(squeezed(low)))

    def remaining(self, text: str) -> list[Found]:
        """Where originals stand in a text, in order."""
        if not (self._words or self._exact or self._wholes or self._spaced or self._names):
            return []
        found = self._seen_in(fold(text))
        if marked := unmarked(text):
            found |= self._seen_in(marked.then(fold(marked.text)))
        return list(_outermost(found))

    def _seen_in(self, view: Folded) -> set[Found]:
        """Where originals stand in a view of a text, as places of the text."""
        found = set(self._in(view.text, plain(view.text)))
        if view.starts is None:
            return found
        return {Found(*view.original(start, end), label, least) for start, end, label, least in found}

    def _in(self, text: str, low: str) -> Iterator[Found]:
        around = (0, 0)  # the word in which the last one stood
        for word, start in places_of(self._words, low):
            end = start + len(word)
            if HAN_SIGN.search(word):
                yield Found(start, end, *self._words[word])
                continue
            if not around[0] <= start < end <= around[1]:
                around = _word_around(low, start, end)
            if around == (start, end):
                yield Found(start, end, *self._words[word])
            elif around[0] == start and low[end : around[1]] in _PLURAL and len(word) >= PLURAL:
                yield Found(*around, *self._words[word])
        for wholes, where in ((self._exact, text), (self._wholes, low)):
            for whole, start in places_of(wholes, where):
                end = start + len(whole)
                if not cuts(low, start) and not cuts(low, end):
                    yield Found(start, end, *wholes[whole])
        if self._spaced or self._names:
            yield from self._in_spaced(low)

    def _in_spaced(self, low: str) -> Iterator[Found]:
        bare = squeezed(low)
        places: list[int] | None = None
        for wholes, most in ((self._spaced, len(low)), (self._names, BETWEEN)):
            for whole, start in places_of(wholes, bare):
                if places is None:
                    places = [at for at, character in enumerate(low) if character.isalnum()]
                first, last = places[start], places[start + len(whole) - 1] + 1
                if last - first <= len(whole) + most and not cuts(low, first) and not cuts(low, last):
                    yield Found(first, last, *wholes[whole])


def _outermost(found: Iterable[Found]) -> Iterator[Found]:
    """Finds in order, without those that lie in one of which there is no doubt."""
    reach = -1
    for one in sorted(found, key=lambda one: (one.start, -one.end, one.label, one.least)):
        if one.end > reach:
            yield one
        if one.least == SURE:
            reach = max(reach, one.end)


def squeezed(text: str) -> str:
    """Letters and digits only."""
    if text.isalnum():
        return text
    try:
        return text.encode("latin-1").translate(None, _NO_LETTERS).decode("latin-1")
    except UnicodeEncodeError:
        return "".join(filter(str.isalnum, text))


def _word_around(text: str, start: int, end: int) -> tuple[int, int]:
    while start and text[start - 1].isalpha() and not HAN_SIGN.match(text[start - 1]):
        start -= 1
    while end < len(text) and text[end].isalpha() and not HAN_SIGN.match(text[end]):
        end += 1
    return start, end


def cuts(text: str, at: int) -> bool:
    """Whether a word or a number runs over this place. Chinese characters are words of their own."""
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    if a.isalpha():
        return b.isalpha() and not HAN_SIGN.match(a) and not HAN_SIGN.match(b)
    return a.isdigit() and b.isdigit()


class _Plain(dict[int, str]):
    """Characters to small letters without accents, one for one."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = base_of(character).lower()
        self[code] = found = base if len(base) == 1 else character
        return found


_PLAIN = _Plain()
# What the two functions do with a text of Latin-1 characters, as most are: byte by byte, many times as fast.
_LATIN = bytes(range(256)).decode("latin-1")
_NO_LETTERS = "".join(character for character in _LATIN if not character.isalnum()).encode("latin-1")
_LATIN_PLAIN = _LATIN.translate(_PLAIN).encode("latin-1")


def plain(text: str) -> str:
    """A text of the same length in small letters without accents."""
    if text.isascii() or UNMARKED.fullmatch(text):
        return text.lower()
    try:
        return text.encode("latin-1").translate(_LATIN_PLAIN).decode("latin-1")
    except UnicodeEncodeError:
        return text.translate(_PLAIN)


def known_values(documents: Iterable[Document]) -> Callable[[str], bool]:
    """Tells whether a text is a known value of a patient of these notes."""
    values = {
        plain(value).strip() for document in documents for known in document.known.values() for value in known
    } - {""}
    return (lambda text: plain(text).strip() in values) if values else _never


def _never(_text: str) -> bool:
    return False
