"""What notes in a language are made of: data, and a few functions where data does not suffice.

`synth.md` says how to write one; `en/synth` and `en/synth_notes.py` are the example.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import NamedTuple

from elision.document import Info


class Piece(NamedTuple):
    """A stretch of text that a slot becomes; without a label it is no PHI."""

    text: str
    label: str = ""
    info: Info | None = None


Pieces = tuple[Piece, ...]


class Names(NamedTuple):
    """The names of an origin, before they are divided between training and what is held out."""

    female: Sequence[str]
    male: Sequence[str]
    family: Sequence[str]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody in a note. `more` is for what only one language knows ("family2", "mark" ...)."""

    sex: str  # "f" or "m"
    given: tuple[str, ...]
    family: str
    origin: str
    more: Mapping[str, str] = field(default_factory=dict)


class Age(NamedTuple):
    """How old the patient is on the day of the visit: whole years, months and days."""

    years: int
    months: int
    days: int


@dataclass(frozen=True, slots=True)
class Country:
    """What differs between the countries of a language. Rows may begin with a weight: "3: MM/DD/YYYY"."""

    weight: float
    dates: Mapping[str, Sequence[str]]  # form -> patterns; "full" is what a note's habit is chosen from
    codes: Mapping[str, tuple[str, Sequence[str]]]  # slot -> its label, and patterns of numbers
    made: Mapping[str, tuple[str, Sequence[str]]]  # slot -> its label, and what it is put together from
    place: Callable[[Random, str], Mapping[str, str]]  # (rng, side) -> city, state, zip ... that fit together
    origins: Mapping[str, float]  # where people come from, with weights


@dataclass(frozen=True, slots=True)
class Synth:
    """All that is asked of a language in which notes are made."""

    code: str
    countries: Mapping[str, Country]
    names: Callable[[str], Names]  # of an origin
    words: Mapping[str, Callable[[], Sequence[str]]]  # lists that `made` and <pick:...> speak of
    titles: Mapping[str, Mapping[str, Sequence[str]]]  # role -> "f" or "m" -> titles before a name
    sexes: Mapping[str, tuple[Sequence[str], Sequence[str]]]  # <sex:KEY> -> words for her, words for him
    months: Sequence[str]
    months_short: Sequence[str]
    weekdays: Sequence[str]  # from Monday
    weekdays_short: Sequence[str]
    ordinal: Callable[[int], str]  # of a day of the month
    age: Callable[[Age, str, Random], Pieces]
    mixture: Mapping[str, float]  # profiles and their shares of the notes to learn from; the language's own comes first
    unlabelled: tuple[str, ...] = ()  # labels that its grammars lack; what they lack, carriers must not have
    behind: Mapping[str, Sequence[str]] = field(default_factory=dict)  # role -> what follows a name where people sign
    person: Callable[[str, str, str, Random, str], Person] | None = None  # (sex, origin, country, rng, side)
    form: Callable[[Person, str, Random], str | None] | None = None  # a form of a name; None: as everywhere
    titled: Callable[[str, str], tuple[str, str]] | None = None  # (title, form) -> text before and after the name
    date_tokens: Mapping[str, Callable[[date], str]] = field(default_factory=dict)  # more tokens of date patterns
    unaccented: float = 0.0  # how often names lose their accents
    spaced: bool = True  # words are divided by blanks; False for Chinese
    syllables: bool = True  # names can be invented from Latin syllables
