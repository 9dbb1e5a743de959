"""Groups of like words that come with elision: what a word is like that no note to learn from had.

A model knows words of its training notes; of others it sees letters and neighbours. The groups hold 200,000 words of a
language, sorted by what a large language model takes them for: towns lie with towns, surnames with surnames, trades
with trades. So what is learnt of one holds for those like it. `experiments/word_groups.py` makes them.

Words stand there as checksums, sorted: that loads at once, and lists nothing. One strange word in 20,000 is taken for
another. Those of Chinese have a cost, too: the rarer the higher, so that text can be cut (`elision.languages.cutting`).

`lists` is one more file of the kind, for all languages in Latin letters: 310,000 words by what public lists have them
as, given names, surnames, places, or several of these. `experiments/word_lists.py` makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.languages.base import COMMON, code_of, folder, language, languages
from elision.models import store
from elision.text.tokens import Column

SIZES = (128, 512, 2048)  # of how many groups there are, coarse to fine
LISTS = "lists"  # what is listed in public
KIND, WORDS, COSTS = "groups", "words", "costs"
PER_NAT = 1000  # a word with the share p of all words costs -log p times this


def checksum(word: str) -> int:
    """What stands for a word, whatever its case."""
    return crc32(word.lower().encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, eq=False)
class Groups:
    """The checksums of words, ascending, and for each size the numbers of their groups."""

    words: npt.NDArray[np.uint32]
    numbers: Mapping[int, npt.NDArray[Any]]
    # of words, where text is cut into them
    costs: npt.NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    version: str = ""  # which they are, if they were loaded: the fingerprint of their folder

    def of(self, size: int) -> Group:
        """An attribute of the form: the number of a word's group, "" for a word that is not known."""
        return Group(self, self.numbers[size], ("", *map(str, range(size))))

    @cached_property
    def buckets(self) -> Column:
        """Where the checksums with each upper half begin."""
        return self.words.searchsorted(np.arange((1 << 16) + 1, dtype=np.int64) << 16).astype(np.int32)

    @cached_property
    def dearest(self) -> int:
        """The cost of the rarest word."""
        return int(self.costs.max(initial=0))

    def save(self, folder: Path, card: Mapping[str, Any]) -> int:
        """Write them as a folder; how many bytes it has."""
        arrays = {WORDS: self.words, **{f"group-{size}": each for size, each in self.numbers.items()}}
        if len(self.costs):
            arrays[COSTS] = self.costs
        return store.save(folder, store.Stored(KIND, card, {}, arrays), overwrite=True)

    @classmethod
    def load(cls, folder: Path) -> Groups:
        arrays = store.load(folder, (KIND,)).arrays
        sizes = sorted(int(name.removeprefix("group-")) for name in arrays if name not in (WORDS, COSTS))
        numbers = {size: arrays[f"group-{size}"] for size in sizes}
        costs = arrays.get(COSTS, np.zeros(0, np.uint16))
        return cls(arrays[WORDS], numbers, costs, store.fingerprint(folder))


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One size of groups, as an attribute of the form."""

    groups: Groups
    numbers: npt.NDArray[Any]
    names: tuple[str, ...]  # of no group, and of each

    def __call__(self, token: str) -> str:
        return self.names[int(self.of_many((token,))[0][0])]

    def of_many(self, forms: Sequence[str]) -> tuple[Column, Sequence[str]]:
        """For each form the place of its group's name, and all names."""
        known, at = _places(self.groups, tuple(forms))
        codes = np.zeros(len(forms), np.int32)
        codes[known] = self.numbers[at].astype(np.int32) + 1
        return codes, self.names


# All sizes of groups, and the lists, are asked for the same forms, one after the other.
@lru_cache(maxsize=2)
def _checksums(forms: tuple[str, ...]) -> npt.NDArray[np.uint32]:
    return np.array(list(map(checksum, forms)), np.uint32)


@lru_cache(maxsize=2)
def _places(groups: Groups, forms: tuple[str, ...]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.intp]]:
    """Which of the forms are known words, and where these stand."""
    keys = _checksums(forms)
    at = groups.words.searchsorted(keys)
    known = at < groups.words.searchsorted(keys, side="right")
    return known, at[known]


def folder_of(which: str) -> Path:
    """Where the groups of a language are, or the lists."""
    return folder(COMMON, "listed") if which == LISTS else language(which).path("groups")


@cache
def _load(which: str) -> Groups:
    return Groups.load(folder_of(which))


def lists() -> Groups:
    """What words are in public lists, in one size; it is read once."""
    return _load(LISTS)


def grouped() -> tuple[str, ...]:
    """The languages whose words are known."""
    return tuple(code for code, one in languages().items() if one.has("groups"))


def cut() -> tuple[str, ...]:
    """Those of them whose text is cut: there, a token is a character, and a word has several."""
    return tuple(code for code in grouped() if not language(code).spaced)


def shipped(tag: str) -> Groups:
    """The groups for a language such as es or es-MX; they are read once."""
    code = code_of(tag)
    if code not in grouped():
        said = f"language {tag!r}" if tag else "no language was named"
        raise ModelError(
            f"{said}: groups of words are known for {', '.join(grouped())}; choose one, or leave features of them out"
        )
    return _load(code)
