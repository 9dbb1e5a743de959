"""A word and its stand-in: how words are compared, how they are dressed, and how one of a list is picked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from itertools import islice

from elision.replace.choices import Choices, Scope
from elision.text.characters import HAN_RANGES
from elision.text.fold import fold

TRIES = 50
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_USUAL = re.compile(rf"[\t\n -~À-ÖØ-öø-ſª’–·，、（）。{HAN_RANGES}]*")
_LATIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i", "’": "'", "ħ": "h"}
)


@lru_cache(maxsize=65_536)
def plain(word: str) -> str:
    """A word as it is compared: small letters without accents, apostrophes or dots."""
    small = unicodedata.normalize("NFKD", word.casefold()).translate(_LATIN)
    return small if small.isalnum() and small.isascii() else "".join(c for c in small if c.isalnum() or c == " ")


def tidy(text: str) -> str:
    """A text without what hides in it: odd widths, zero-width characters, loose accents. Usual texts stay."""
    if _USUAL.fullmatch(text):
        return text
    folded = unicodedata.normalize("NFC", fold(text).text)
    return "".join(c for c in folded if unicodedata.category(c)[0] != "M")


def dressed(word: str, like: str) -> str:
    """A listed word in the case of the original: JONES, jones; any other case is the listed one."""
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word.lower() if like[:1].islower() else word


def apart(candidate: str, original: str) -> bool:
    """Whether neither of two plain words holds the other."""
    return candidate not in original and original not in candidate


def pick(
    choices: Choices, scope: Scope, fits: Callable[[str], bool], *parts: str, turn: int = 0, show: str = ""
) -> str | None:
    """The heaviest fitting choice for the key and these texts; None if the fifty heaviest do not fit.

    `fits` judges the listed word; `show` is the original in whose case the choice is shown and judged by the scope.
    """
    number = scope.number(*parts, str(turn)) if turn else scope.number(*parts)
    for choice in islice(choices.ranked(number), TRIES):
        if fits(choice):
            shown = dressed(choice, show) if show else choice
            if not scope.forbidden(shown):
                return shown
    return None


def digits(run: str, scope: Scope, *parts: str, turn: int = 0) -> str:
    """Another number of as many digits, never the same; one that begins without 0 still does."""
    size = len(run)
    if size > 18:  # piece by piece: one keyed number has no more digits
        return "".join(digits(run[at : at + 18], scope, *parts, str(at), turn=turn) for at in range(0, size, 18))
    number = scope.number(*parts, "digits", run, *([str(turn)] if turn else []))
    original = int(run)
    low, many = (10 ** (size - 1), 9 * 10 ** (size - 1)) if run[0] != "0" else (0, 10 ** (size - 1))
    if size == 1:
        low, many = 1, 9
    if many < 2:  # a lone 0
        low, many = 1, 9
    other = low + number % many
    if other == original:
        other = low + (other - low + 1) % many
    return f"{other:0{size}d}"
