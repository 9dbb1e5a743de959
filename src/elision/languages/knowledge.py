"""What a language may know besides lists: of dates, ages, telephone numbers and places.

In forms and grammars of dates, `<d0>` is the day of the first date, `<m1>` the month of the second, and so on; 9 is the
last date, whichever that is. `replace.dates.forms` says what the other letters are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

DIGIT = "[0-9０-９]"
TIME = "<T>"  # in a form of dates, stands for a time behind it


@dataclass(frozen=True, slots=True)
class Words:
    """Families of words: in a family, a word stands at the place of its month or day, perhaps with others that mean it.

    The first word of a place is the one that is written. `seasons` begin with winter, weeks with Monday.
    """

    months: tuple[tuple[tuple[str, ...], ...], ...] = ()
    weekdays: tuple[tuple[tuple[str, ...], ...], ...] = ()
    seasons: tuple[tuple[tuple[str, ...], ...], ...] = ()
    numbers: tuple[tuple[str, ...], ...] = ()  # families of words for 1 to 31
    quarters: tuple[tuple[str, ...], ...] = ()  # and for 1 to 4
    decades: tuple[str, ...] = ()  # twenty to ninety
    undotted: tuple[str, ...] = ()  # short months that are whole words


@dataclass(frozen=True, slots=True)
class Grammar:
    """How dates with months in words are put together."""

    day: str
    between: str  # links two dates of a range
    about: str  # may stand before a month or a year
    of: str  # from day to month
    year: str  # from month to year
    the: str  # from weekday to day
    decade: str  # a decade, of which <e0> is the number
    quarter: str  # the words for a quarter and a week
    week: str
    month_before_day: bool = False  # May 3
    part: str = r"s\b"  # of a day, behind a weekday


@dataclass(frozen=True, slots=True)
class Numerals:
    """Signs for numbers that a language has besides 0 to 9."""

    sign: str  # a pattern for one
    not_month: str  # one that begins no month
    year: str  # a pattern for those of a year, digit by digit or as a number
    grouped: str  # those that make a number of what stands around them, as ten and hundred do
    zeros: str  # the ways to write 0, the usual one first
    number: Callable[[str], int]  # -1: no number
    numeral: Callable[[int], str]
    digits: Callable[[int, str, int], str]  # digit by digit: value, zero, width


def _as_it_is(_ending: str, _old: int, _new: int) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class Dates:
    """What a language knows of dates. Without any of it, dates by numbers are read, and no others."""

    words: Words = Words()
    grammar: Grammar | None = None
    forms: tuple[str, ...] = (f"<n0>{TIME}",)  # where there is no grammar
    before: re.Pattern[str] | None = None  # words before a date that belong to the sentence
    relative: str = ""  # a pattern for what counts from the day of the note; NUMBER stands for one
    number: str = ""  # a pattern for its numbers in words
    month_first: tuple[str, ...] = ()  # countries where 3/5 is in March; "" where none is told
    year_first: bool = False  # whether numbers stand so usually
    ordinal: Callable[[str, int, int], str | None] = _as_it_is  # ending of an ordinal, old, new: its new ending
    year: Callable[[int], str] | None = None  # 1900 to 2099 in words
    month_year: str = ""  # a month with its year, with {month}, {word} and {year}
    marks: str = ""  # signs behind a year and behind a month
    numerals: Numerals | None = None
    republic: tuple[str, ...] = ()  # countries where years of two digits count from 1912
    latin: str = ""  # the tag of the language that reads a date in Latin letters
    at: str = ""  # words before a time of day
    hours: str = ""  # and behind one, besides h


def listed(words: str) -> tuple[str, ...]:
    return tuple(words.split())


def family(words: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(word.replace("_", " ").split("|")) for word in words.split())


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
    units: tuple[tuple[str, int], ...] = ()  # patterns for what is less than a year, and how many of it make one
    between: str = ""  # a pattern for words between two ages
    youngest: str = ""  # one for an age of less than two years without a number
    general: str = ""  # one for what stands behind a number of the group
    link: str = ""  # one for words between years and months
    glued: str = ""  # one for what is glued to a number with a hyphen
    endings: str = ""  # of ordinal numbers


@lru_cache
def said(words: Callable[[], Said]) -> Said:
    """The numbers in words, worked out once."""
    return words()


def _nowhere(_digits: str, zeros: int, _country: str) -> tuple[str, int]:
    return "", zeros


@dataclass(frozen=True, slots=True)
class Phones:
    """What a language knows of telephone numbers."""

    spoken: tuple[str, ...] = ()  # the words for 0 to 9
    also: Mapping[str, int] = field(default_factory=dict)  # other words for a digit
    home: Callable[[str, int, str], tuple[str, int]] = _nowhere
    """The digits, how many zeros they begin with, and the note's country: the calling code of the country that a number
    without one is likely of, "" if that is not told, and how many digits stand before the number proper."""


def _any(_word: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Places:
    """What a language knows of places."""

    country: str = ""  # of notes that name none, where their postcodes are that country's
    postcode: re.Pattern[str] | None = None  # in a piece of an address
    postcode_first: bool = True  # whether other words may follow it
    provinces: int = 0  # up to which number the first two of five digits go; 0 for any
    particles: bool = True  # whether particles of names stay in names of streets
    joined_streets: bool = False  # whether the kind of street ends the word: Kerkstraat
    towns_of: str = ""  # where no country is named, the one whose towns count amid other words; "" for any
    by_gender: bool = False  # whether the lists of nationalities are women's and men's forms
    gender: Callable[[str], str] = _any  # female, male, or "" for either: of the first word for a profession
