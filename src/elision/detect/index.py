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

from elision.detect.spelling import Spelling
from elision.detect.units import Ranges, Units, bare
from elision.detect.words import COMMON, STREETS

MOST_REMEMBERED = 20_000  # words of notes whose spelling was looked up
_ENDINGS = ("s", "es", "je", "tje", "pje", "ke", "tjes")
_SMALL = {"ito": "o", "ita": "a"}  # Juanito, Anita
SHORTEST_STEM = 3
MOST_CAPITALS = 4  # initials written as one word: JR, JAR
MOST_BESIDE = 64  # initials or numbers of one value; a value of more is no name, and its words stand for themselves
ANY_STREET = "*"  # in `beside`: every word such as "street"
_NOT_MET: tuple[str, float] = ("", 0.0)


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
        self._spelling = Spelling(())
        self.parts: set[str] = set()  # keys of all that a find may have besides misspelt words
        self._met: dict[str, tuple[str, float] | None] = {}

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
        if within is not None:
            return (at for first, after in within for at in range(first, after) if self.look(units.keys[at]))
        found = self.words.keys() & units.keys
        found |= {key for key in units.capitals() - found if self.look(key)}
        return (at for at, key in enumerate(units.keys) if key in found)

    def touches(self, key: str, text: str) -> bool:
        """Whether a unit can be part of a find, a misspelt word in small letters left aside."""
        if key in self.parts:
            return True
        if text.islower():
            return False
        return (len(text) <= MOST_CAPITALS and text.isupper() and self.parts.issuperset(key)) or bool(self.look(key))

    def look(self, key: str, *, slips: bool = True) -> Hit | None:
        """The known word that a word of a note is: itself or, with `slips`, with an ending or misspelt."""
        word = self.words.get(key)
        if word is not None:
            return Hit(key, word, 1.0, True)
        if not slips or len(key) < SHORTEST_STEM + 1 or key < ":" or not self.words or key in COMMON:
            return None
        met = self._met.get(key, _NOT_MET)
        if met is _NOT_MET:
            if len(self._met) >= MOST_REMEMBERED:
                self._met.clear()
            met = self._met[key] = self._otherwise(key)
        return Hit(met[0], self.words[met[0]], met[1], False) if met else None

    def _otherwise(self, key: str) -> tuple[str, float] | None:
        for stem, sure in _stems(key):
            if stem in self.words:
                return stem, sure
        near = self._spelling.near(key)
        return (near, 0.85) if near else None


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
    found |= {start for start in ("ch", "chr", "fr", "ph", "sj", "th", "tj") if key.startswith(start)}
    if key == "maria":
        found |= {"mª", "ma"}
    return frozenset(found - {""})
