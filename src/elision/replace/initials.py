"""Initials: letters stand for letters, the same for all names of a person, so that J.R. is still Jane Roe."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from elision.replace.name_lists import base, letter_classes
from elision.replace.scope import Scope
from elision.replace.words import LETTERS, plain

_SMALL = re.compile(r"(?<![^\W\d_])(?:v|d|y|e)(?![^\W\d_])")


@lru_cache(maxsize=4_096)
def _mapping(seed: bytes, classes: tuple[str, ...]) -> dict[str, str]:
    """A permutation in one ring through each class of letters: no letter stays, none is taken twice."""
    found: dict[str, str] = {}
    seed = hashlib.shake_256(seed).digest(64)  # two bytes a letter
    at = 0
    for letters in classes:
        ring = list(letters)
        for last in range(len(ring) - 1, 0, -1):  # Sattolo's shuffle
            other = (seed[at] * 256 + seed[at + 1]) % last
            ring[last], ring[other] = ring[other], ring[last]
            at += 2
        found |= dict(zip(letters, ring, strict=True))
    return found


def letters_of(scope: Scope) -> dict[str, str]:
    """Which letter stands for which in this scope."""
    language = base(scope.language)
    return _mapping(scope.secret.digest(scope.patient, "letters", language), letter_classes(language))


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
