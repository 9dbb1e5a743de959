"""Misspelt words: which known word a word is, but for a slip or two.

A slip is a letter too many, too few, another one, or two neighbours in the wrong order (Damerau and Levenshtein). Two
words lie within k slips only if k deletions in each can make them equal, so the known words are listed under all
that deletions make of them, and a word of the note looks under its own. That costs the same however many are known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

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
        self._near: dict[str, list[str]] = {}
        for word in distinct:
            for short in deletions(word, min(reach(word), self.most)):
                alike = self._near.setdefault(short, [])
                if len(alike) < MOST_ALIKE:
                    alike.append(word)

    def __len__(self) -> int:
        return len(self._near)

    def near(self, word: str) -> str | None:
        """The nearest known word that this one can be a slip of."""
        size = len(word)
        if not self._near or not SHORTEST - 1 <= size <= LONGEST_ONE + 1:
            return None
        mine = self.most if SHORTEST_TWO - 2 <= size <= LONGEST + 2 else min(self.most, 1)
        best: tuple[int, str] | None = None
        seen: set[str] = set()
        for short in deletions(word, mine):
            for known in self._near.get(short, ()):
                if known not in seen:
                    seen.add(known)
                    slips = distance(word, known, min(reach(known), self.most))
                    if slips is not None and _begins_alike(word, known) and (best is None or (slips, known) < best):
                        best = slips, known
        return best[1] if best else None


def _begins_alike(word: str, known: str) -> bool:
    """In words of five letters the first letter stays, or changes places with the second: Bowel is not Dowel."""
    return len(known) > SHORTEST or word[0] == known[0] or (word[0] == known[1] and word[1:2] == known[0])


def deletions(word: str, most: int) -> Iterator[str]:
    """The word, and what is left of it without one letter, or without two."""
    yield word
    for count in range(1, most + 1):
        yield from {_without(word, at) for at in combinations(range(len(word)), count)}


def _without(word: str, at: tuple[int, ...]) -> str:
    if len(at) == 1:
        return word[: at[0]] + word[at[0] + 1 :]
    return word[: at[0]] + word[at[0] + 1 : at[1]] + word[at[1] + 1 :]


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
