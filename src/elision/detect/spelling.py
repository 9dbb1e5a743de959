"""Misspelt words: which known word a word is, but for a slip or two.

A slip is a letter too many, too few, another one, or two neighbours in the wrong order (Damerau and Levenshtein). Two
words lie within k slips only if k deletions in each can make them equal, so the known words are listed under all
that deletions make of them, and a word of the note looks under its own. That costs the same however many are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

SHORTEST = 5  # letters of a word that may have one slip
SHORTEST_TWO = 9  # of one that may have two
LONGEST = 24  # longer words have one slip at most, and none beyond LONGEST_ONE: their deletions would be too many
LONGEST_ONE = 60
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
        distinct = sorted({word for word in words if reach(word)})
        two = sum(reach(word) == 2 for word in distinct)
        self.most = 0 if not distinct else 2 if 0 < two <= MOST_TWO else 1
        self._words = distinct
        self._left: set[str] = set()  # of all words, what deletions leave
        for word in distinct:
            self._left.update(deletions(word, min(reach(word), self.most)))
        self._listed: dict[str, list[str]] = {}

    def __len__(self) -> int:
        return 2 * len(self._left)  # at most

    def near(self, word: str) -> str | None:
        """The nearest known word that this one can be a slip of."""
        size = len(word)
        if not self._left or not SHORTEST - 1 <= size <= LONGEST_ONE + 1:
            return None
        shorts = deletions(word, self.most if SHORTEST_TWO - 2 <= size <= LONGEST + 2 else min(self.most, 1))
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
                    if slips is not None and _begins_alike(word, known) and (best is None or (slips, known) < best):
                        best = slips, known
        return best[1] if best else None

    def _near(self) -> dict[str, list[str]]:
        """The known words under what deletions leave of them, made when the first word comes near to one."""
        if not self._listed:
            for word in self._words:
                for short in deletions(word, min(reach(word), self.most)):
                    alike = self._listed.setdefault(short, [])
                    if len(alike) < MOST_ALIKE:
                        alike.append(word)
        return self._listed


def _begins_alike(word: str, known: str) -> bool:
    """In words of five letters the first letter stays, or changes places with the second: Bowel is not Dowel."""
    return len(known) > SHORTEST or word[0] == known[0] or (word[0] == known[1] and word[1:2] == known[0])


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


def distance(a: str, b: str, most: int) -> int | None:
    """How many slips lie between two words; None if more than so many."""
    if abs(len(a) - len(b)) > most:
        return None
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, last, row = row, before, [i]
        for j, y in enumerate(b, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None
