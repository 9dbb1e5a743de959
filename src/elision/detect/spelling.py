"""Misspelt words: which known word a word is, but for a slip or two.

A slip is a letter too many, too few, another one, or two neighbours in the wrong order (Damerau and Levenshtein). Two
words lie within k slips only if k deletions in each can make them equal, so many known words are listed under all
that deletions make of them, and a word of the note looks under its own. That costs the same however many are known. A
few are compared one by one, which is quicker, and needs no lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from elision.text.native import nearest
from elision.text.native_plain import MOST_LETTERS, SHORTEST, begins_alike, distance

SHORTEST_TWO = 9  # of one that may have two
LONGEST = 24  # longer words have one slip at most, and none beyond LONGEST_ONE: their deletions would be too many
LONGEST_ONE = MOST_LETTERS - 1
FEW = 512  # known words with which each word of a note is compared; more are listed under their deletions
MOST_TWO = 2_000  # known words that may have two slips; if there are more, all of them have one: memory stays bounded
MOST_ALIKE = 16  # known words that are listed under one deletion; only made-up words reach it


def reach(word: str) -> int:
    """How many slips a known word may have."""
    size = len(word)
    if not SHORTEST <= size <= LONGEST_ONE:
        return 0
    return 2 if SHORTEST_TWO <= size <= LONGEST else 1


class Spelling:
    """Known words, to be found in spite of slips."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = sorted({word for word in words if reach(word)})
        slips = bytes(map(reach, self._words))
        self.most = 2 if 0 < slips.count(2) <= MOST_TWO else min(len(slips), 1)
        self._slips = slips if self.most == 2 else b"\1" * len(slips)  # that each may have
        self._left: set[str] = set()  # of all words, if they are many, what deletions leave
        if len(slips) > FEW:
            for word, most in zip(self._words, self._slips, strict=True):
                self._left.update(deletions(word, most))
        self._listed: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return 2 * len(self._left) or len(self._words)  # at most

    def near(self, words: list[str]) -> list[str | None]:
        """For each word the nearest known word that it can be a slip of."""
        if self._left:
            return [self._nearest(word) for word in words]
        return [None if at < 0 else self._words[at] for at in nearest(words, self._words, self._slips)]

    def _nearest(self, word: str) -> str | None:
        size = len(word)
        if not SHORTEST - 1 <= size <= LONGEST_ONE + 1:
            return None
        shorts = deletions(word, self.most if SHORTEST_TWO - 2 <= size <= LONGEST + 2 else 1)
        if self._left.isdisjoint(shorts):  # most words
            return None
        best: tuple[int, str] | None = None
        seen: set[str] = set()
        near = self._near()
        for short in shorts:
            for known in near.get(short, ()):
                if known not in seen:
                    seen.add(known)
                    slips = distance(word, known, min(reach(known), self.most))
                    if slips is not None and begins_alike(word, known) and (best is None or (slips, known) < best):
                        best = slips, known
        return best[1] if best else None

    def _near(self) -> dict[str, list[str]]:
        """The known words under what deletions leave of them, made when the first word comes near to one."""
        if not self._listed:
            for word, most in zip(self._words, self._slips, strict=True):
                for short in deletions(word, most):
                    alike = self._listed.setdefault(short, [])
                    if len(alike) < MOST_ALIKE:
                        alike.append(word)
        return self._listed


@lru_cache(maxsize=5_000)
def deletions(word: str, most: int) -> tuple[str, ...]:
    """The word, and what is left of it without one letter, or without two."""
    left = {word}
    if most:
        ones = [word[:at] + word[at + 1 :] for at in range(len(word))]
        left.update(ones)
        if most > 1:
            left.update([one[:at] + one[at + 1 :] for end, one in enumerate(ones) for at in range(end)])
    return tuple(left)
