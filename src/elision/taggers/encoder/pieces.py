"""Words as pieces: which of the known pieces, put together, a word is likeliest made of."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from elision.text.characters import is_han

START, END, UNKNOWN, FIRST = 0, 1, 2, 3  # the first numbers: edges of what is read, what is no piece, the first piece
BLANK = "▁"  # stands in a piece for the blank before it
LONGEST = 16  # characters of a piece
STRETCH = 64  # characters of a word that are cut into pieces at once
_KEPT = 1 << 17  # words whose pieces are kept
_STRANGE = 10.0  # how much less likely an unknown character is than the unlikeliest piece

Cut = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pieces:
    """Pieces by their numbers, from FIRST on, and the logarithm of how likely each is."""

    pieces: Sequence[str] = field(repr=False)
    scores: npt.NDArray[np.float32] = field(repr=False)
    _known: dict[tuple[str, bool], Cut] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return FIRST + len(self.pieces)

    def cut(self, words: Iterable[tuple[str, bool]]) -> list[Cut]:
        """The numbers of the pieces of each word, at least one; with each, whether a blank stands before it."""
        return [self._known.get(word) or self._kept(word) for word in words]

    def letters(self, word: str) -> tuple[int, int]:
        """How many letters a word has, and how many of them are in pieces that say more than one letter does: longer
        ones, a whole word, a Chinese character."""
        text = unicodedata.normalize("NFKC", word)
        known = 0
        (cut,) = self.cut([(word, True)])
        for number in cut:
            piece = self.pieces[number - FIRST] if number >= FIRST else ""
            own = sum(map(str.isalpha, piece))
            known += own if own > 1 or len(text) == 1 or is_han(piece.removeprefix(BLANK)) else 0
        many = sum(map(str.isalpha, text))
        return many, min(known, many)

    def _kept(self, word: tuple[str, bool]) -> Cut:
        found = self._cut(*word)
        if len(self._known) >= _KEPT:
            self._known.clear()
        if len(word[0]) <= STRETCH:
            self._known[word] = found
        return found

    def _cut(self, word: str, blank: bool) -> Cut:
        text = (BLANK if blank else "") + unicodedata.normalize("NFKC", word)
        found = [piece for at in range(0, len(text), STRETCH) for piece in self._best(text[at : at + STRETCH])]
        return tuple(found) or (UNKNOWN,)

    def _best(self, text: str) -> list[int]:
        """The likeliest pieces of some characters, one after another."""
        numbers, costs = self._numbers, self._costs
        best = [0.0]  # of what ends at each place
        last = [(0, 0)]  # the piece that ends there: its begin and its number
        for end in range(1, len(text) + 1):
            score, begin, number = best[end - 1] + self._strange, end - 1, UNKNOWN
            for start in range(max(0, end - LONGEST), end):
                piece = numbers.get(text[start:end])
                if piece is not None and best[start] + costs[piece] > score:
                    score, begin, number = best[start] + costs[piece], start, piece
            best.append(score)
            last.append((begin, number))
        found: list[int] = []
        end = len(text)
        while end:
            begin, number = last[end]
            if not (number == UNKNOWN and found and found[-1] == UNKNOWN):  # strange characters are one piece
                found.append(number)
            end = begin
        return found[::-1]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {piece: number for number, piece in enumerate(self.pieces, FIRST)}

    @cached_property
    def _costs(self) -> list[float]:
        return [0.0] * FIRST + list(map(float, self.scores))

    @cached_property
    def _strange(self) -> float:
        return float(self.scores.min(initial=0.0)) - _STRANGE
