"""Initials: letters stand for letters, the same for all names of a person, so that J.R. is still Jane Roe.

Which letter stands for one is drawn as often as names begin with it, whatever the letter was: so nobody who sees the
stand-in's letter knows more of the original's. Two letters may have the same stand-in; if each had its own, or none its
own self, a rare letter would tell of a rare one.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from functools import lru_cache
from struct import Struct

from elision.keys import Secret
from elision.replace.name_lists import letter_shares
from elision.replace.scope import Scope
from elision.replace.standins import base
from elision.replace.words import LETTERS, plain

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
