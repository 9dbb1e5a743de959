"""What a language may know of ages: numbers in words, words for decades of a life, how a group of ages is written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

MOST = 129  # years that words can say


class Found(NamedTuple):
    """A number in a text: from `start` to `end`, at least `low` and at most `high`."""

    start: int
    end: int
    low: float
    high: float
    kind: str = ""  # decade, person, nth, part


Said = Mapping[str, tuple[float, float, str]]  # numbers in words: their least, most and kind


def _no_words() -> Said:
    return {}


def _group(_kind: str, least: int) -> str:
    return f"{least}+"


@dataclass(frozen=True, slots=True)
class Ages:
    """What a language knows of ages. Without any of it, ages by digits are read, and 92 becomes 90+."""

    words: Callable[[], Said] = _no_words
    stems: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # what so begins is so old, or up to nine more
    stages: Mapping[str, int] = field(default_factory=dict)  # words for one age
    joined: re.Pattern[str] | None = None  # a word that begins with a number
    numbers: Callable[[str], list[Found]] | None = None  # how numbers are found besides digits, if not by words
    born: Callable[[str], int | None] | None = None  # of a generation by its decade: that decade, of the century
    group: Callable[[str, int], str] = _group  # a decade or a person of the group that begins with so many years
    nth: str = "{}+"  # an ordinal number of the group
    more: str = ""  # a number of the group, where nothing is glued to it
    whole: Callable[[str, int], str] | None = None  # how a text with an age of the group is written anew
    latin: str = ""  # the language of a text with Latin letters


@lru_cache
def said(words: Callable[[], Said]) -> Said:
    """The numbers in words, worked out once."""
    return words()
