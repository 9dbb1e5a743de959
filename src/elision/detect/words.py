"""A note as units to compare: words, numbers and single Chinese characters, each with a key.

The key is the unit without case, accents and other habits of spelling, so that two ways to write a name have one key.
Units are cut from the folded text, where disguises are gone, and know where they stand in it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress, pairwise

from elision.text import native
from elision.text.characters import is_han, unaccented
from elision.text.classes import TABLE, classes, codes_of
from elision.text.fold import Folded, fold

# What kind of unit one is: SMALL as `islower` says; CAPITALS are few, all capitals; GLUED may have to be cut; a SIGN is
# a Chinese character.
SMALL, CAPITAL, CAPITALS, GLUED, NUMBER, SIGN = range(1, 7)
MOST_CAPITALS = 4  # initials written as one word: JR, JAR
_OF_KIND = [bytes(kind == other for other in range(256)) for kind in range(SIGN + 1)]
_WITH_CAPITALS = bytes(kind in (CAPITAL, CAPITALS, GLUED) for kind in range(256))
MOST_KEPT = 20_000  # words whose keys are kept
Ranges = list[tuple[int, int]]  # of units: the first, and the one after the last
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i"})
_LONG_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})


@dataclass(frozen=True, slots=True)
class Units:
    """The units of a text as columns; offsets are those of `text`, the folded one."""

    view: Folded
    starts: list[int]
    ends: list[int]
    texts: list[str]
    keys: list[str]
    kinds: bytes

    @property
    def text(self) -> str:
        return self.view.text

    def capitals(self) -> set[str]:
        """The keys of the words that are not in small letters."""
        return set(compress(self.keys, with_capitals(self.kinds)))

    def of_kind(self, kind: int) -> Iterator[int]:
        """The units of a kind."""
        return compress(range(len(self)), self.kinds.translate(_OF_KIND[kind]))

    def __len__(self) -> int:
        return len(self.starts)

    def gap(self, i: int) -> str:
        """What stands between unit i and the next, at most a few characters of it."""
        end = self.ends[i]
        return self.text[end : min(self.starts[i + 1], end + 12)]


def units_of(text: str, whole: Callable[[str], bool] = lambda _: False) -> Units:
    """The units of a note. Words glued at a capital ("PacienteRoe") are cut there, unless `whole` knows their key."""
    view = fold(text)
    while (columns := native.units(view.text, TABLE, _KEYS)) is None:  # a character that has not come along before
        classes(codes_of(view.text))
    units = Units(view, *columns)
    return _unglued(units, whole) if GLUED in units.kinds else units


def with_capitals(kinds: bytes | bytearray) -> bytes | bytearray:
    """For each unit, 1 if it is a word that is not in small letters."""
    return kinds.translate(_WITH_CAPITALS)


@lru_cache(maxsize=512)
def units_of_value(value: str) -> Units:
    """The units of something known, whose words are whole as they are; an address is looked at several times."""
    return units_of(value, lambda _: True)


def _unglued(units: Units, whole: Callable[[str], bool]) -> Units:
    """The units with glued words cut."""
    cut = Units(units.view, [], [], [], [], b"")
    kinds = bytearray()

    def copy(first: int, after: int) -> None:
        cut.starts.extend(units.starts[first:after])
        cut.ends.extend(units.ends[first:after])
        cut.texts.extend(units.texts[first:after])
        cut.keys.extend(units.keys[first:after])
        kinds.extend(units.kinds[first:after])

    done = 0
    for at in [at for at, kind in enumerate(units.kinds) if kind == GLUED]:
        copy(done, at)
        done = at + 1
        word, start = units.texts[at], units.starts[at]
        for first, after in [(0, len(word))] if whole(bare(word)) else _pieces(word):
            cut.starts.append(start + first)
            cut.ends.append(start + after)
            cut.texts.append(word[first:after])
            cut.keys.append(bare(word[first:after]))
            kinds.append(_kind(word[first:after]))
    copy(done, len(units))
    return replace(cut, kinds=bytes(kinds))


class _Keys(dict[str, tuple[str, int]]):
    """The keys and kinds of units, kept for the words that come often: most words of a note do."""

    def __missing__(self, word: str) -> tuple[str, int]:
        if len(self) >= MOST_KEPT:
            self.clear()
        key = bare(word)
        found = self[word] = key, _kind(word)
        return found


_KEYS = _Keys()


def _kind(word: str) -> int:
    if word.islower():
        return SMALL
    if word.isdecimal():
        return NUMBER
    if len(word) == 1 and is_han(word):
        return SIGN
    if word.isupper():
        return CAPITALS if len(word) <= MOST_CAPITALS else CAPITAL
    return GLUED if _glued(word) else CAPITAL


def bare(word: str) -> str:
    """The key of a word: small letters without accents. Dutch ij and y are one."""
    low = word.lower() if word.isascii() else unaccented(word.casefold().translate(_LETTERS))
    return low.replace("ij", "y")


@lru_cache(maxsize=MOST_KEPT)
def spellings(word: str) -> frozenset[str]:
    """The keys that a word of the record may have in a note: Müller is Muller or Mueller."""
    if word.isascii():
        return frozenset((bare(word),))
    return frozenset((bare(word), bare(unicodedata.normalize("NFC", word).lower().translate(_LONG_UMLAUTS))))


def _glued(word: str) -> bool:
    """Whether a capital follows a small letter."""
    if word.islower() or word.isupper() or word[1:].islower():
        return False
    return any(a.islower() and b.isupper() for a, b in pairwise(word))


def _pieces(word: str) -> Iterator[tuple[int, int]]:
    first = 0
    for at in range(1, len(word)):
        if word[at - 1].islower() and word[at].isupper():
            yield first, at
            first = at
    yield first, len(word)


@lru_cache(maxsize=MOST_KEPT)
def pieces(word: str) -> tuple[str, ...]:
    """A word cut where a capital follows a small letter."""
    return tuple(word[first:after] for first, after in _pieces(word)) if _glued(word) else (word,)
