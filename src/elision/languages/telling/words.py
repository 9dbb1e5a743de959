"""What a word says about the language it is in: a number for each language in Latin letters, from a file of 1.4 MB.

The number is how many nats likelier the word is in that language than in a mixture of all. Of 81,000 words the file has
it as their frequencies tell (`wordfreq`, lists by hand, the notes by hand); of others the groups of letters in them
tell, with less weight. Words stand there as checksums, as in `elision.languages.groups`. `experiments/languages.py`
makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from elision.models import store

FOLDER = Path(__file__).parent / "model"
KIND = "language"
UNIT = 16  # of a nat; numbers are kept in such
BUCKETS = 13  # bits of a number of a group of letters
PAIRS = 16  # bits of a number of two Chinese characters
HAN = (0x3400, 0xA000)  # their code points
LONGEST = 4  # letters of a group
TOGETHER = 1 << 14  # words that are looked up at once
MOST = 1 << 16  # words that are remembered
SPREAD = 0.6  # of what letters say: they are surer of themselves than they should be
LEAST, GREATEST = -2.5 * UNIT, 2.0 * UNIT  # what letters can say of a word
ONE = 1.25 * UNIT  # what a single letter can say: "y" and "o" are words of Spanish, and of years old
NAMED = 0.5  # of what a word with a capital says: it is a name as often as not
FIRST = 0.9  # the same of a common word, which may begin a sentence
ONLY = 3.5 * UNIT  # from which on a character is of one language only
END = -128  # in place of a word's weight: here a stretch ends
BRIEF = 4  # letters of capitals that are likely an abbreviation
LONG = 12  # letters of a word with a capital that is likely no name: "Dopingkontrollprotokoll"

Rows = npt.NDArray[np.int8]


class Words:
    """The file, and the words that were looked up before."""

    def __init__(self, stored: store.Stored) -> None:
        arrays = stored.arrays
        self.languages: tuple[str, ...] = tuple(stored.vocabulary["languages"])
        self.words: npt.NDArray[np.uint32] = arrays["words"]
        self.floors: Rows = arrays["floors"]  # of each word, in languages that have no entry
        # where each word's entries begin
        self.first = np.concatenate((np.zeros(1, np.int64), np.cumsum(arrays["sizes"], dtype=np.int64)))
        self.common: npt.NDArray[np.bool_] = arrays["common"].astype(bool)  # too frequent to be mostly names
        self.columns: npt.NDArray[np.uint8] = arrays["columns"]
        self.values: Rows = arrays["values"]
        self.groups: Rows = arrays["groups"]
        self.scale: float = float(stored.card["scale"])
        self._han: Rows = arrays["han"]  # how much likelier a character is in Chinese than in Japanese
        self._pairs: Rows = arrays["pairs"]  # and two in a row
        self._lock = Lock()
        self._places: dict[str, int] = {}
        self._rows: Rows = np.zeros((MOST, len(self.languages) + 1), np.int8)

    def of(self, tokens: Sequence[str]) -> Rows:
        """A row for each of at most `TOGETHER` tokens, and in its last place how far the word counts: one that says
        nothing does not, and what has no letters has `END` there."""
        with self._lock:
            if len(self._places) + len(tokens) > MOST:
                self._places.clear()
            places = self._places
            found = list(map(places.get, tokens))
            if None in found:
                new = list(dict.fromkeys(token for token in tokens if token not in places))
                first = len(places)
                self._rows[first : first + len(new)] = self._made(new)
                places.update(zip(new, range(first, first + len(new)), strict=True))
                found = list(map(places.get, tokens))
            rows: Rows = self._rows[np.array(found, np.int64)]
        return rows

    def chinese(self, runs: Sequence[str]) -> tuple[int, int, float]:
        """How many characters only Chinese has, how many only Japanese, and how much likelier all are in Chinese."""
        text = "\n".join(runs)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64) - HAN[0]
        single = self._han[codes[(codes >= 0) & (codes < len(self._han))]]
        inside = (codes[:-1] >= 0) & (codes[1:] >= 0)
        pairs = self._pairs[pairs_of(text)[inside]]
        likely = (int(single.sum(dtype=np.int64)) + int(pairs.sum(dtype=np.int64))) / UNIT
        return int((single >= ONLY).sum()), int((single <= -ONLY).sum()), likely

    def _made(self, tokens: Sequence[str]) -> Rows:
        lower = [token.lower() for token in tokens]
        keys = np.array([crc32(word.encode("utf-8", "surrogatepass")) for word in lower], np.uint32)
        at = self.words.searchsorted(keys)
        known = at < self.words.searchsorted(keys, side="right")
        made = np.zeros((len(tokens), len(self.languages) + 1), np.float32)
        rows = made[:, :-1]
        rows[known] = self._listed(at[known])
        strange = np.flatnonzero(~known)
        strange = strange[[lower[one].isalpha() for one in strange.tolist()]] if len(strange) else strange
        if len(strange):
            rows[strange] = self._by_letters([lower[one] for one in strange.tolist()])
        common = np.zeros(len(tokens), bool)
        common[known] = self.common[at[known]]
        told = zip(tokens, known.tolist(), common.tolist(), strict=True)
        weights = np.array([_weight(token, old, plain) for token, old, plain in told], np.float32)
        rows *= weights[:, None]
        single = np.array([len(token) == 1 for token in tokens])
        rows[single] = rows[single].clip(-ONE, ONE)
        made[:, -1] = weights * UNIT * rows.any(axis=1)
        made[[not token[0].isalpha() for token in tokens], -1] = END
        return np.rint(made).astype(np.int8)

    def _listed(self, at: npt.NDArray[np.intp]) -> Rows:
        rows = np.repeat(self.floors[at][:, None], len(self.languages), axis=1)
        first = self.first[at]
        sizes = self.first[at + 1] - first
        row = np.repeat(np.arange(len(at)), sizes)
        entry = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes - first, sizes)
        rows[row, self.columns[entry]] = self.values[entry]
        return rows

    def _by_letters(self, words: Sequence[str]) -> npt.NDArray[Any]:
        buckets, edges = groups_of(words)
        sums = np.add.reduceat(self.groups[buckets], edges[:-1], axis=0, dtype=np.int32).astype(np.float32) * self.scale
        sums -= sums.max(axis=1, keepdims=True)
        sums -= np.log(np.exp(sums).mean(axis=1, keepdims=True))
        return np.asarray((sums * UNIT * SPREAD).clip(LEAST, GREATEST))


def _weight(token: str, known: bool, common: bool) -> float:
    """How far a word's say counts."""
    if token.islower() or not token[:1].isupper():
        return 1.0
    if len(token) <= BRIEF and token.isupper():
        return NAMED if known else 0.0
    return FIRST if common else NAMED if known or len(token) >= LONG else NAMED / 2


def groups_of(words: Sequence[str]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The numbers of the groups of letters in words, which have an edge at both ends, and where those of each begin."""
    codes = np.frombuffer("".join(f"\2{word}\3" for word in words).encode("utf-32-le", "surrogatepass"), np.uint32)
    sizes = np.array([len(word) + 2 for word in words])
    whose = np.repeat(np.arange(len(words)), sizes)
    numbers, owners = [], []
    value = np.zeros(len(codes), np.uint32)
    for size in range(1, LONGEST + 1):
        count = len(codes) - size + 1
        if count <= 0:
            break
        value = value[:count] * np.uint32(0x01000193) + codes[size - 1 :]
        inside = whose[:count] == whose[size - 1 :]
        mixed = (value ^ (value >> np.uint32(15))) * np.uint32(0x9E3779B1)
        numbers.append((mixed >> np.uint32(32 - BUCKETS))[inside])
        owners.append(whose[:count][inside])
    whole, owner = np.concatenate(numbers).astype(np.int64), np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    edges = np.concatenate(([0], np.cumsum(np.bincount(owner, minlength=len(words)))))
    return whole[order], edges


def pairs_of(text: str) -> npt.NDArray[np.int64]:
    """The numbers of two characters that follow each other."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    both = codes[:-1] * np.uint32(0x01000193) + codes[1:]
    mixed = (both ^ (both >> np.uint32(15))) * np.uint32(0x9E3779B1)
    return (mixed >> np.uint32(32 - PAIRS)).astype(np.int64)


@cache
def shipped() -> Words:
    """The file, read once."""
    return Words(store.load(FOLDER, (KIND,)))
