"""The words of known names or addresses: how a word of a note is found among them, and where one is looked for.

Words are listed, not values: what a word needs to know about the values that it stands in (which initials, numbers
and particles go with it) is a small set. So a note takes the same time whether a patient has one relative or 5,000.

Memory asks for what no span covers as a whole. Units stand in one chain as long as each is covered or could be part
of a find: no find reaches beyond its chain, and a chain that is covered from end to end has nothing to tell.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

from elision.detect.lists import COMMON, STREETS
from elision.detect.spelling import Spelling
from elision.detect.words import CAPITALS, SMALL, Ranges, Units, bare, with_capitals
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
        self.particles: set[str] = set()  # that stand before any of the words
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
            self.particles.update(*word.before)
            self.parts.update(word.beside)
        self.parts |= self.particles
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
        if not slips:
            return None
        if key not in self._met:
            self.meant({key})
        if key not in self._near:
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


_COVERED, _TOUCHED, _CLEAR = 0, 1, 2  # touched: not covered, and perhaps part of a find
_STATES = bytes(kind and _CLEAR for kind in range(256))  # of open units by their kinds, 0 of others


def open_units(units: Units, stretches: Sequence[tuple[int, int]]) -> Ranges:
    """The ranges of units that lie in none of these stretches of the original text, which are disjoint and ascend.

    Empty ranges are seams, where one stretch follows another: a find may lie in both. A letter whose dot is not in the
    stretch is open, too, since the dot belongs to an initial.
    """
    found: Ranges = []
    after = 0
    for start, end in units.view.within(stretches):
        first = bisect_left(units.starts, start, after)
        upto = bisect_right(units.ends, end, first)
        if upto > first and units.ends[upto - 1] == end and units.text[end : end + 1] == ".":
            upto -= len(units.texts[upto - 1]) == 1
        if upto > first:
            if first:
                found.append((after, first))
            after = upto
    if after < len(units):
        found.append((after, len(units)))
    return found


def chains(units: Units, index: Index, unseen: Ranges) -> Ranges:
    """The chains in which a find may stand that reaches into the open units and over the seams `unseen`."""
    keys, kinds, size, parts = units.keys, units.kinds, len(units), index.parts
    bare = bytearray(size)  # the kinds of the open units
    for first, after in unseen:
        bare[first:after] = kinds[first:after]
    seams = [first for first, after in unseen if first == after]
    capitals = with_capitals(bare)
    asked = {*compress(keys, capitals), *(keys[at] for seam in seams for at in (seam - 1, seam))}
    meant = index.meant(asked - parts)
    short = {at for at in units.of_kind(CAPITALS) if keys[at] not in parts and parts.issuperset(keys[at])}
    touched = [at for at in compress(range(size), map(parts.__contains__, keys)) if bare[at]]
    touched += [at for at in compress(range(size), capitals) if keys[at] in meant or at in short]
    telling = {at for seam in seams for at in (seam - 1, seam) if at in short or keys[at] in parts or keys[at] in meant}
    touched += [at for at in seams if at - 1 in telling and at in telling]
    state = bare.translate(_STATES)
    for at in touched:
        state[at] = _TOUCHED
    # A misspelt word in small letters counts only beside another.
    beside = {at for first, after in unseen for at in (first, after - 1)}
    beside.update(near for at in touched for near in (at - 1, at + 1))
    while beside:
        clear = [at for at in beside if 0 <= at < size and state[at] == _CLEAR and kinds[at] == SMALL]
        meant = index.meant({keys[at] for at in clear})
        nearer = [at for at in clear if keys[at] in meant]
        for at in nearer:
            state[at] = _TOUCHED
        touched += nearer
        beside = {near for at in nearer for near in (at - 1, at + 1)}
    found: Ranges = []
    for at in sorted(touched):
        if found and at < found[-1][1]:
            continue
        first = state.rfind(_CLEAR, 0, at) + 1
        after = state.find(_CLEAR, at)
        found.append((first, len(state) if after < 0 else after))
    return found
