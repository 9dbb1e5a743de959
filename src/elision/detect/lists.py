"""Lists of words of all languages, and whether a word is somebody's name by what public lists have it as.

No list tells alone: of 310,000 listed names and places many are words, too, and many names stand in none. So a listed
name counts for more where it lies among names in the groups of like words, or in none of these at all.
"""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from elision.detect.words import bare
from elision.languages.base import COMMON as ALL
from elision.languages.base import DEFAULT, folder, is_spaced
from elision.languages.detection import everywhere
from elision.languages.groups import LISTS, SIZES, Groups, checksum, folder_of, grouped, lists, shipped
from elision.models import store


def keys_of(key: str) -> frozenset[str]:
    return frozenset(map(bare, everywhere(key)))


COMMON = keys_of("usual")
TITLES = keys_of("titles")
DROPPED = keys_of("dropped")
PARTICLES = keys_of("particles")
DOUBTFUL = keys_of("doubtful")
ABBREVIATIONS = keys_of("abbreviations")
STREETS = keys_of("streets")
STREET_ENDINGS = everywhere("street_endings")
POINTERS = keys_of("pointers")


NO, RARE, LIKELY, SURE = range(4)  # a word of the language; one that is in no list; perhaps a name; a name
AMONG_NAMES = 0.15  # of the words like it are names
_FILES = ("drugs.txt", "terms.txt", "abbreviations.txt")
_BETWEEN = keys_of("between")


@lru_cache(maxsize=20_000)
def name_of(word: str, language: str) -> int:
    """NO, RARE, LIKELY or SURE; of a word with hyphens or apostrophes, what its likeliest part is."""
    if is_word(word):
        return NO
    parts = [part for part in word.replace("’", "'").replace("'", "-").split("-") if len(part) > 1]
    if len(parts) > 1 and any(part.lower() in _BETWEEN for part in parts):  # mother-in-law
        return NO
    return max((_of_part(part, language) for part in parts), default=NO)


def _of_part(word: str, language: str) -> int:
    if is_word(word):
        return NO
    letters, among = _letters(word), _among_names(word, language)
    if "G" in letters or "S" in letters:
        return SURE if among is None or among >= AMONG_NAMES else LIKELY
    if letters:
        return LIKELY if among is None or among >= 2 * AMONG_NAMES else NO
    return RARE if among is None else NO


def is_given(word: str) -> bool:
    """Whether a word is listed as a given name."""
    return "G" in _letters(word)


def is_listed(word: str, *, rare: bool = False) -> bool:
    """Whether a word is listed as a given name or a surname, whatever else it is; with `rare`, as a rare one."""
    letters = _letters(word)
    return "G" in letters or "S" in letters or (rare and "s" in letters)


def is_place(word: str) -> bool:
    """Whether a word is listed as a place of some size."""
    return "P" in _letters(word)


def is_word(word: str) -> bool:
    """Whether a word is one of those that are more than a name, or of medicine."""
    return bare(word) in COMMON or word.lower() in _medical()


@cache
def _medical() -> frozenset[str]:
    """Drugs, eponyms and short forms, as all packs have them."""
    lines = (line for name in _FILES for line in folder(ALL, "rules", name).read_text("utf-8").splitlines())
    return frozenset(line.lower() for line in lines if not line.startswith("#"))


@cache
def _kinds() -> tuple[str, ...]:
    """What each number in the lists stands for."""
    return tuple(store.load(folder_of(LISTS), ("groups",)).card["kinds"])


def _letters(word: str) -> str:
    """G for a given name, S for a surname, P for a place, in small letters where it is a rare one; "" if not listed."""
    known = lists()
    (numbers,) = known.numbers.values()
    at = _place(known, word)
    return "" if at is None else _kinds()[int(numbers[at])]


def _among_names(word: str, language: str) -> float | None:
    """The share of names in the group of words like it; None for a word that no group has."""
    has_words = language in grouped() and is_spaced(language)
    groups, shares = _shares(language if has_words else DEFAULT)
    at = _place(groups, word)
    return None if at is None else float(shares[groups.numbers[SIZES[-1]][at]])


@cache
def _shares(language: str) -> tuple[Groups, npt.NDArray[np.float64]]:
    """The groups of a language, and the share of names in each of the smallest."""
    groups, known = shipped(language), lists()
    (numbers,) = known.numbers.values()
    are_names = np.array(["G" in kind or "S" in kind for kind in _kinds()])
    at = np.minimum(known.words.searchsorted(groups.words), len(known.words) - 1)
    named = (known.words[at] == groups.words) & are_names[numbers[at]]
    of_word, size = groups.numbers[SIZES[-1]], SIZES[-1]
    counts = np.bincount(of_word, minlength=size)
    return groups, np.bincount(of_word, weights=named, minlength=size) / np.maximum(counts, 1)


def _place(groups: Groups, word: str) -> int | None:
    key = checksum(word)
    at = int(groups.words.searchsorted(np.uint32(key)))
    return at if at < len(groups.words) and int(groups.words[at]) == key else None
