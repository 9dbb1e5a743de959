"""The words of known names or addresses, and how a word of a note is found among them.

Words are listed, not values: what a word needs to know about the values that it stands in (which initials, numbers
and particles go with it) is a small set. So a note takes the same time whether a patient has one relative or 5,000.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from elision.detect.lists import COMMON, STREETS
from elision.detect.spelling import Spelling
from elision.detect.words import Ranges, Units, bare
from elision.languages.detection import everywhere

MOST_REMEMBERED = 20_000  # words of notes whose spelling was looked up
_ENDINGS = everywhere("endings")
_SMALL = dict(pair.split(":") for pair in everywhere("small"))  # Juanito, Anita
_SHORT = dict(pair.split(":") for pair in everywhere("short"))  # Mª for María
_NO_SPELLING = Spelling(())
_SOUNDS = everywhere("sounds")  # that count as one letter
_LAST = (*_ENDINGS, *_SMALL)
SHORTEST_STEM = 3
MOST_BESIDE = 64  # initials or numbers of one value; a value of more is no name, and its words stand for themselves
ANY_STREET = "*"  # in `beside`: every word such as "street"


@dataclass(slots=True)
class Word:
    """A word that names. Alone it is found if `alone`, else only beside another word of its values, or a title."""

    alone: bool = False
    kinds: set[int] = field(default_factory=set)
    beside: set[str] = field(default_factory=set)  # keys that may stand beside it: initials, house numbers
    before: set[tuple[str, ...]] = field(default_factory=set)  # particles right before it


class Hit(NamedTuple):
    """A word of a note that is a known one: how surely, and whether it is spelt as known."""

    key: str
    word: Word
    sure: float
    exact: bool


class Index:
    """Words by key. Fill it with `add`, then `close` it."""

    def __init__(self) -> None:
        self.words: dict[str, Word] = {}
        self._spelling = _NO_SPELLING
        self.parts: set[str] = set()  # keys of all that a find may have besides misspelt words
        self._met: set[str] = set()  # words of notes that were looked up
        self._near: dict[str, tuple[str, float]] = {}  # what they are with an ending or misspelt, and how surely

    def add(
        self,
        keys: AbstractSet[str],
        kind: int,
        *,
        alone: bool,
        beside: AbstractSet[str],
        before: tuple[str, ...] | None = None,
    ) -> None:
        for key in keys:
            word = self.words.get(key)
            if word is None:
                word = self.words[key] = Word()
            word.alone = word.alone or (alone and key not in COMMON)
            word.kinds.add(kind)
            if len(beside) <= MOST_BESIDE:
                word.beside |= beside
            if before:
                word.before.add(before)

    def close(self) -> None:
        if not self.words:
            return
        self._spelling = Spelling(self.words)
        self.parts.update(self.words)
        for word in self.words.values():
            self.parts.update(word.beside, *word.before)
        if ANY_STREET in self.parts:
            self.parts |= STREETS

    @property
    def entries(self) -> int:
        """How much is held, in entries of tables."""
        return len(self._spelling) + sum(1 + len(w.beside) + len(w.before) + len(w.kinds) for w in self.words.values())

    def beginnings(self, units: Units, within: Ranges | None = None) -> Iterator[int]:
        """Where known words may stand: the units that are known words, or such words misspelt with a capital."""
        keys = units.keys
        if within is not None:
            here = {key for first, after in within for key in keys[first:after]}
            found = here & self.words.keys()
            found |= self.meant(here - found)
            return (at for first, after in within for at in range(first, after) if keys[at] in found)
        found = self.words.keys() & keys
        found |= self.meant(units.capitals() - found)
        return (at for at, key in enumerate(keys) if key in found)

    def look(self, key: str, *, slips: bool = True) -> Hit | None:
        """The known word that a word of a note is: itself or, with `slips`, with an ending or misspelt."""
        word = self.words.get(key)
        if word is not None:
            return Hit(key, word, 1.0, True)
        if not slips or not (key in self._near or self.meant({key})):
            return None
        near, sure = self._near[key]
        return Hit(near, self.words[near], sure, False)

    def meant(self, keys: AbstractSet[str]) -> set[str]:
        """Which of these keys, none of them a known word, are one with an ending or misspelt."""
        if not self.words:
            return set()
        met, near = self._met, self._near
        fresh = [key for key in keys if key not in met and len(key) > SHORTEST_STEM and key > ":" and key not in COMMON]
        if fresh:
            if len(met) + len(fresh) > MOST_REMEMBERED:
                met.clear()
                near.clear()
            met.update(fresh)
            for key, known in zip(fresh, self._spelling.near(fresh), strict=True):
                if known:
                    near[key] = known, 0.85
                if key.endswith(_LAST):
                    near.update((key, pair) for pair in reversed(_stems(key)) if pair[0] in self.words)
        return near.keys() & keys


@lru_cache(maxsize=MOST_REMEMBERED)
def _stems(key: str) -> tuple[tuple[str, float], ...]:
    """What a word may be without its ending, and how surely."""
    stems = [(key[: -len(ending)], 0.95) for ending in _ENDINGS if key.endswith(ending)]
    if key[-3:] in _SMALL:
        stems += ((key[:-3], 0.9), (key[:-3] + _SMALL[key[-3:]], 0.9))
    return tuple(pair for pair in stems if len(pair[0]) >= SHORTEST_STEM)


@lru_cache(maxsize=MOST_REMEMBERED)
def initials_of(word: str) -> frozenset[str]:
    """How a word is cut short: its letter, two for a sound of two letters, Mª for María."""
    key = bare(word)
    found = {key[:1]}
    if key.startswith(_SOUNDS):
        found |= {start for start in _SOUNDS if key.startswith(start)}
    if key in _SHORT:
        found |= set(_SHORT[key].split(","))
    return frozenset(found - {""})
