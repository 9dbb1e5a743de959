"""What nothing but repetition speaks for is doubted: as a word that the language uses, and by the tagger.

A word that is replaced in one place of a note may be a name there and no name elsewhere: "Dr. See will see her", "Luna"
and "media luna". Patient memory and the sweep find such words by their letters alone. So, unless more than one word of
a name or a number agrees, a tagger that knows the language is asked how likely the word is part of an identifier here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from elision.detect.base import Detector, TellsChances
from elision.detect.lists import COMMON, PARTICLES
from elision.detect.words import bare
from elision.languages.base import COMMON as SHARED
from elision.languages.base import code_of, folder, known

# How likely a word must be part of an identifier where nothing but repetition speaks for it; of a word that the
# language uses as a word, USED. Chosen on notes by hand that may be read and on made notes.
LEAST = 0.002
USED = 0.02
NEVER = 2.0  # more than anything is
SHORTEST = 3  # letters of a word that is not doubted as much as one that the language uses


class Doubt:
    """Asks a weigher, where there is one; without one, everything is likely enough."""

    def __init__(self, weigher: TellsChances | None = None) -> None:
        self._weigher = weigher

    @classmethod
    def of(cls, detectors: Sequence[Detector]) -> Doubt:
        """The doubt of the first of these detectors that tells chances."""
        return cls(next((one for one in detectors if isinstance(one, TellsChances)), None))

    def likely(self, text: str, stretches: Sequence[tuple[int, int, float]]) -> list[bool]:
        """Whether any token of each stretch of a text is as likely part of an identifier as is asked for."""
        if self._weigher is None or not stretches:
            return [least < NEVER for _, _, least in stretches]
        tokens, chance = self._weigher.chances(text)
        first = np.searchsorted(tokens.ends, [start for start, _, _ in stretches], "right").tolist()
        after = np.searchsorted(tokens.starts, [end for _, end, _ in stretches]).tolist()
        return [
            begin >= end or bool(chance[begin:end].max() >= least)
            for begin, end, (_, _, least) in zip(first, after, stretches, strict=True)
        ]


@lru_cache(maxsize=64)
def _used(code: str) -> frozenset[str]:
    own = found.words("used") if (found := known(code)) else ()
    drugs = folder(SHARED, "rules", "drugs.txt").read_text("utf-8").split()
    return COMMON | PARTICLES | frozenset(map(bare, (*own, *drugs)))


def is_used(word: str, language: str) -> bool:
    """Whether the language uses this word as a word, too, or medicine does as the name of a drug."""
    return bare(word) in _used(code_of(language))
