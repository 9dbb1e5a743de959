"""What a language may know of places: postcodes, streets, and forms of words for what people are."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


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
