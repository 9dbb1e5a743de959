"""The names in use, by what a name is and by its first letter; and letters that stand for initials.

What a word is (given name or surname, a woman's or a man's) depends on the word alone, never on where it stands, so
that it has one stand-in in "Roe", "Jane Roe" and "Roe, J.". Letters stand for letters, the same for all names of a
person, so that J.R. is still Jane Roe.

Which letter stands for one is drawn as often as names begin with it, whatever the letter was: so nobody who sees the
stand-in's letter knows more of the original's. Two letters may have the same stand-in; if each had its own, or none its
own self, a rare letter would tell of a rare one.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import accumulate
from struct import Struct

from elision.keys import Secret
from elision.languages.base import COMMON, languages
from elision.replace.choices import Choices, Scope
from elision.replace.standins import base, choices, known_words, latin, table
from elision.replace.words import LETTERS, plain

FEMALE, MALE, EITHER, SURNAME, BEHIND, PINYIN = "female", "male", "either", "surname", "behind", "pinyin"
KINDS = (FEMALE, MALE, EITHER, SURNAME)

Pools = Mapping[str, Mapping[str, Choices]]  # kind -> letter -> names


@cache
def _kinds(language: str) -> Mapping[str, str]:
    """What plain words are as names: by the lists of the language, then those of the others, then what all share."""
    found: dict[str, str] = {}
    for code in (COMMON, *reversed([*languages()]), language):
        found |= {word: kind for kind in KINDS for word in known_words(code, kind)}
    for special in (BEHIND, PINYIN):  # where a language has them
        found |= dict.fromkeys(known_words(language, special), special)
    return found


@cache
def _listed() -> frozenset[str]:
    syllables = (word for code in languages() for word in known_words(code, PINYIN))
    names = (word for code in (COMMON, *languages()) for kind in KINDS for word in known_words(code, kind))
    return frozenset((*names, *syllables))


def is_listed(word: str) -> bool:
    """Whether a plain word stands in any list of names."""
    return word in _listed()


@cache
def _given() -> frozenset[str]:
    kinds = (FEMALE, MALE, EITHER)
    names = {word for code in (COMMON, *languages()) for kind in kinds for word in known_words(code, kind)}
    return frozenset(names - {word for code in (COMMON, *languages()) for word in known_words(code, SURNAME)})


def is_given(word: str) -> bool:
    """Whether a plain word is listed as a given name, and as no surname."""
    return word in _given()


def kind(word: str, language: str) -> str:
    """What a plain word is as a name, by the first list that has it; what stands in none is a surname."""
    return _kinds(language).get(word, SURNAME)


def by_letter(names: Iterable[str]) -> Mapping[str, Choices]:
    """Names by their first letter."""
    found: dict[str, list[str]] = {letter: [] for letter in LETTERS}
    for name in names:
        found[plain(name)[0]].append(name)
    return {letter: Choices(listed) for letter, listed in found.items()}


@cache
def pools(language: str) -> Pools:
    """All stand-ins of a language by kind and letter."""
    lists = {name: choices(latin(language), name) for name in KINDS}
    lists |= {name: choices(language, name) for name in (BEHIND, PINYIN)}
    return {name: by_letter(listed) for name, listed in lists.items()}


@cache
def letter_shares(language: str) -> tuple[int, ...]:
    """How many surnames of the language begin with each letter or one before it. Each letter has some."""
    shares = table(latin(language), "letters")
    return tuple(accumulate(int(str(shares[letter])) for letter in LETTERS))


_DRAWN = Struct(f">{len(LETTERS)}I")  # four bytes a letter
_SMALL = re.compile(r"(?<![^\W\d_])(?:v|d|y|e)(?![^\W\d_])")


@lru_cache(maxsize=4_096)
def _mapping(secret: Secret, patient: str, language: str) -> dict[str, str]:
    shares = letter_shares(language)
    total = shares[-1]
    drawn = hashlib.shake_256(secret.digest(patient, "letters", language)).digest(_DRAWN.size)
    numbers = zip(LETTERS, _DRAWN.unpack(drawn), strict=True)
    return {letter: LETTERS[bisect_right(shares, number % total)] for letter, number in numbers}


def letters_of(scope: Scope) -> dict[str, str]:
    """Which letter stands for which in this scope."""
    return _mapping(scope.secret, scope.patient, base(scope.language))


def other_letter(letter: str, scope: Scope) -> str:
    """The letter for an initial, in its case; for one that is not Latin, some letter that the key chooses."""
    word = plain(letter)[:1]
    found = letters_of(scope).get(word) or LETTERS[scope.number("letter", word) % 26]
    return found.upper() if letter.isupper() or not letter.islower() else found


def initials(text: str, scope: Scope) -> str | None:
    """Initials, letter by letter; small v., d. and y among capitals are particles and stay."""
    small = any(c.isupper() for c in text)
    stay = {match.start() for match in _SMALL.finditer(text)} if small else set()
    moved = "".join(c if at in stay or not c.isalpha() else other_letter(c, scope) for at, c in enumerate(text))
    return None if plain(moved) == plain(text) or scope.forbidden(moved) else moved
