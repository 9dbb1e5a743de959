"""Groups of like words that come with elision: what a word is like that no note to learn from had.

A model knows words of its training notes; of others it sees letters and neighbours. The groups hold 200,000 words of a
language, sorted by what a large language model takes them for: towns lie with towns, surnames with surnames, trades
with trades. So what is learnt of one holds for those like it. `experiments/word_groups.py` makes them.

Words stand there as checksums, sorted: that loads at once, and lists nothing. One strange word in 20,000 is taken for
another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.linear.attributes import FORM
from elision.models import store
from elision.pos import code_of

LANGUAGES = ("en", "es", "nl")  # in Chinese, a token is a character
SIZES = (128, 512, 2048)  # of how many groups there are, coarse to fine
SHIPPED = Path(__file__).resolve().parents[1] / "data" / "groups"
KIND, WORDS = "groups", "words"


def checksum(word: str) -> int:
    """What stands for a word, whatever its case."""
    return crc32(word.lower().encode("utf-8", "surrogatepass"))


@dataclass(frozen=True, slots=True, eq=False)
class Groups:
    """The checksums of words, ascending, and for each size the numbers of their groups."""

    words: npt.NDArray[np.uint32]
    numbers: Mapping[int, npt.NDArray[Any]]
    version: str = ""  # which they are, if they were loaded: the fingerprint of their folder

    def of(self, size: int) -> FORM:
        """An attribute of the form: the number of a word's group, "" for a word that is not known."""
        numbers = self.numbers[size]
        names = tuple(map(str, range(size)))

        def group(token: str) -> str:
            at = _place(self, token)
            return "" if at is None else names[numbers[at]]

        return group

    def save(self, folder: Path, card: Mapping[str, Any]) -> int:
        """Write them as a folder; how many bytes it has."""
        arrays = {WORDS: self.words, **{f"group-{size}": each for size, each in self.numbers.items()}}
        return store.save(folder, store.Stored(KIND, card, {}, arrays), overwrite=True)

    @classmethod
    def load(cls, folder: Path) -> Groups:
        arrays = store.load(folder, (KIND,)).arrays
        sizes = sorted(int(name.removeprefix("group-")) for name in arrays if name != WORDS)
        return cls(arrays[WORDS], {size: arrays[f"group-{size}"] for size in sizes}, store.fingerprint(folder))


@lru_cache(maxsize=1 << 12)  # each size asks for the same words
def _place(groups: Groups, word: str) -> int | None:
    """Which of the words this is; None for none."""
    key = checksum(word)
    at = int(groups.words.searchsorted(np.uint32(key)))
    return at if at < len(groups.words) and groups.words[at] == key else None


@cache
def _load(language: str) -> Groups:
    return Groups.load(SHIPPED / language)


def shipped(language: str) -> Groups:
    """The groups for a language such as es or es-MX; they are read once."""
    code = code_of(language)
    if code not in LANGUAGES:
        said = f"language {language!r}" if language else "no language was named"
        raise ModelError(
            f"{said}: groups of words are known for {', '.join(LANGUAGES)}; choose one, or leave features of them out"
        )
    return _load(code)
