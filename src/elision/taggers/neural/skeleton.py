"""Text skeletons of Zhao 2018: the words that are frequent in the training notes stay, all others are UNKNOWN.

The factor r is about the share of the vocabulary that stays. Equation 4 makes a threshold t of it: of all n with
0 < n < maxFreq, the one for which the number of words with a frequency of n or more is nearest to r * vocabSize.

Where the paper is silent, this is chosen:

- Of several n that are equally near, the smallest: so, of two skeletons, the one with more words. Distances are exact,
  with r as it is written in decimals.
- Where no word stands twice there is no n below maxFreq, and t is 1.
- "more than t times" (the prose) or "at least t times" is the `reading`. "at-least" is the default: the sum of
  Equation 4 begins at t, and only with it is "t = 2 when r is larger than .4" possible, where every word that stands
  twice stays.
- A digit is any decimal digit of Unicode (category Nd), such as those of full width or of Arabic, but not Chinese
  numerals, fractions or superscripts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from elision.errors import ModelError

UNKNOWN = "<UNK>"
DIGIT = "DIGIT"
RETURN = "#RETURN"  # between two lines of a note
READINGS = ("at-least", "more-than")

_ANY_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The words that stay, and the threshold that chose them."""

    words: frozenset[str]
    threshold: int
    reading: str = READINGS[0]

    def of(self, words: Iterable[str]) -> list[str]:
        """Each word if it stays, else UNKNOWN."""
        kept = self.words
        return [word if word in kept else UNKNOWN for word in words]


def skeleton(counts: Mapping[str, int], r: float, reading: str = READINGS[0]) -> Skeleton:
    """The skeleton of training texts, from how often each word stands in them."""
    if reading not in READINGS:
        raise ModelError(f"reading {reading[:40]!r}: choose one of {', '.join(READINGS)}")
    t = threshold(counts, r)
    least = t + (reading == "more-than")
    return Skeleton(frozenset(word for word, count in counts.items() if count >= least), t, reading)


def skeleton_words(counts: Mapping[str, int], r: float, reading: str = READINGS[0]) -> frozenset[str]:
    """The words that stay, of training texts."""
    return skeleton(counts, r, reading).words


def threshold(counts: Mapping[str, int], r: float) -> int:
    """The t of Equation 4. Words that are counted less than once are none of the vocabulary."""
    factor = factor_of(r)
    words_with = Counter(count for count in counts.values() if count > 0)
    if not words_with:
        raise ModelError("a skeleton needs words; the training notes have none")
    frequencies = sorted(words_with)
    stay = size = words_with.total()
    t, nearest = 1, abs(stay - factor * size)
    for frequency in frequencies[:-1]:  # from one of them to the next the sum is the same: the first n stands for all
        stay -= words_with[frequency]
        distance = abs(stay - factor * size)
        if frequency + 1 < frequencies[-1] and distance < nearest:
            t, nearest = frequency + 1, distance
    return t


def digits(word: str) -> str:
    """A word with DIGIT in place of each digit: DIGITDIGIT for 46."""
    return _ANY_DIGIT.sub(DIGIT, word)


def factor_of(r: float) -> Fraction:
    """The factor exactly, as it is written in decimals; a ModelError if it can be none."""
    if isinstance(r, bool) or not isinstance(r, (int, float)) or not 0 < r <= 1:  # true for nan, too
        raise ModelError(f"r {r!r}: the share of the vocabulary that stays, more than 0 and at most 1, such as 0.25")
    return Fraction(str(r))
