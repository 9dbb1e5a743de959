"""What kind of character each is, in a table that learns characters as they come along."""

from __future__ import annotations

import unicodedata

import numpy as np
import numpy.typing as npt

from elision.text.characters import is_han

# Everything after MARK stands alone: one character, one token.
SPACE, UPPER, LOWER, LETTER, DIGIT, MARK, HAN, OTHER = range(8)
UNKNOWN = 255
TABLE = np.full(0x110000, UNKNOWN, np.uint8)
_FORMATS = "Cf"  # zero-width characters, soft hyphens, direction marks


def codes_of(text: str) -> npt.NDArray[np.uint32]:
    """The code points of a text."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def classes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """The class of each code point: SPACE, UPPER, LOWER, LETTER, DIGIT, MARK, HAN or OTHER."""
    kinds: npt.NDArray[np.uint8] = TABLE[codes]
    if len(kinds) and kinds.max() == UNKNOWN:
        for code in np.unique(codes[kinds == UNKNOWN]).tolist():
            TABLE[code] = _kind(chr(code))
        kinds = TABLE[codes]
    return kinds


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if character.isspace():
        return SPACE
    if category in ("Lu", "Lt"):
        return UPPER
    if category == "Ll":
        return LOWER
    if category == "Nd":
        return DIGIT
    if category in ("Mn", "Mc", "Me", _FORMATS):
        return MARK
    if is_han(character):
        return HAN
    return LETTER if character.isalnum() else OTHER


TABLE[:128] = [_kind(chr(code)) for code in range(128)]
