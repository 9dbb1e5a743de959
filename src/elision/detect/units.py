"""A note as units to compare: words, numbers and single Chinese characters, each with a key.

The key is the unit without case, accents and other habits of spelling, so that two ways to write a name have one key.
Units are cut from the folded text, where disguises are gone, and know where they stand in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from elision.fold import Folded, fold

HAN = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"[^\W\d_{HAN}]"
_UNIT = re.compile(rf"({_LETTER}+(?:[\u0300-\u036f]+{_LETTER}*)*|\d+|[{HAN}])")
_HAN = re.compile(rf"[{HAN}]")
GLUED = ""  # in place of the key of a word that may have to be cut
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

    @property
    def text(self) -> str:
        return self.view.text

    def capitals(self) -> set[str]:
        """The keys of the units that are not in small letters."""
        return {key for key, text in zip(self.keys, self.texts, strict=True) if key != text or not text.islower()}

    def __len__(self) -> int:
        return len(self.starts)

    def gap(self, i: int) -> str:
        """What stands between unit i and the next, at most a few characters of it."""
        end = self.ends[i]
        return self.text[end : min(self.starts[i + 1], end + 12)]


def units_of(text: str, whole: Callable[[str], bool] = lambda _: False) -> Units:
    """The units of a note. Words glued at a capital ("PacienteRoe") are cut there, unless `whole` knows their key."""
    view = fold(text)
    parts = _UNIT.split(view.text)  # what stands between two units, a unit, and so on
    edges = list(accumulate(map(len, parts)))
    starts, ends, texts = edges[:-1:2], edges[1::2], parts[1::2]
    units = Units(view, starts, ends, texts, list(map(_KEYS.__getitem__, texts)))
    if GLUED in units.keys:
        units = _unglued(units, whole)
    return units


@lru_cache(maxsize=512)
def units_of_value(value: str) -> Units:
    """The units of something known, whose words are whole as they are; an address is looked at several times."""
    return units_of(value, lambda _: True)


def _unglued(units: Units, whole: Callable[[str], bool]) -> Units:
    """The units with glued words cut."""
    cut = Units(units.view, [], [], [], [])

    def copy(first: int, after: int) -> None:
        cut.starts.extend(units.starts[first:after])
        cut.ends.extend(units.ends[first:after])
        cut.texts.extend(units.texts[first:after])
        cut.keys.extend(units.keys[first:after])

    done = 0
    for at in [at for at, key in enumerate(units.keys) if key == GLUED]:
        copy(done, at)
        done = at + 1
        word, start = units.texts[at], units.starts[at]
        for first, after in [(0, len(word))] if whole(bare(word)) else _pieces(word):
            cut.starts.append(start + first)
            cut.ends.append(start + after)
            cut.texts.append(word[first:after])
            cut.keys.append(bare(word[first:after]))
    copy(done, len(units))
    return cut


class _Keys(dict[str, str]):
    """The keys of words, kept for the words that come often: most words of a note do."""

    def __missing__(self, word: str) -> str:
        if len(self) >= MOST_KEPT:
            self.clear()
        key = self[word] = GLUED if _glued(word) else bare(word)
        return key


_KEYS = _Keys()


def is_han(text: str) -> bool:
    """Whether a text begins with a Chinese character."""
    return _HAN.match(text) is not None


def has_han(text: str) -> bool:
    return _HAN.search(text) is not None


def bare(word: str) -> str:
    """The key of a word: small letters without accents. Dutch ij and y are one."""
    low = word.lower() if word.isascii() else _without_marks(word.casefold().translate(_LETTERS))
    return low.replace("ij", "y")


@lru_cache(maxsize=MOST_KEPT)
def spellings(word: str) -> frozenset[str]:
    """The keys that a word of the record may have in a note: Müller is Muller or Mueller."""
    if word.isascii():
        return frozenset((bare(word),))
    return frozenset((bare(word), bare(unicodedata.normalize("NFC", word).lower().translate(_LONG_UMLAUTS))))


def _without_marks(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))


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
