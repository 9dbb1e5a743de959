"""Text to tokens, as columns of offsets.

The one tokeniser for all our languages cuts finely: at every change between letters, digits and
punctuation, at case changes inside a word, and between Chinese characters. Notes are full of glued words
("CABG6/95", "52 añosingresó", "MartínezNºCol"), and a span can only be found exactly if it starts and ends where
tokens do. Every character that is not white space belongs to exactly one token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[np.int32]

# Character classes. Everything after MARK stands alone: one character, one token.
SPACE, UPPER, LOWER, LETTER, DIGIT, MARK, HAN, OTHER = range(8)
UNKNOWN = 255
_CLASSES = np.full(0x110000, UNKNOWN, np.uint8)  # filled for the code points that come along
_PHONE = re.compile(r"\d{4}[-.,]\d{3}[-.,]\d{4}\d*")
_FORMATS = "Cf"  # zero-width characters, soft hyphens, direction marks


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text: where each starts and ends. Ascending, disjoint, never empty."""

    starts: Column
    ends: Column

    def __len__(self) -> int:
        return len(self.starts)

    def texts(self, text: str) -> list[str]:
        """The tokens as strings, cut from their text."""
        return [text[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def tokens_at(edges: Sequence[tuple[int, int]]) -> Tokens:
    """Tokens from (start, end) pairs."""
    pairs = np.array(edges, np.int32).reshape(-1, 2)
    return Tokens(pairs[:, 0].copy(), pairs[:, 1].copy())


def tokenize(text: str, language: str = "", *, words: bool = False) -> Tokens:
    """The tokens of a text. With `words`, Chinese characters are joined to words (extra `zh`).

    English, Spanish and Dutch need no difference: finer than any of their words is fine for all.
    """
    if not text:
        return tokens_at([])
    kinds = _kinds(text)
    begins = _boundaries(kinds)
    if words and language.startswith("zh"):
        from elision.chinese import word_edges

        begins &= ~_inside_words(kinds, word_edges(text))
    solid = kinds != SPACE
    starts = np.flatnonzero(begins & solid)
    after = np.append(begins[1:] | ~solid[1:], True)
    ends = np.flatnonzero(after & solid) + 1
    return _unglue_phones(text, Tokens(starts.astype(np.int32), ends.astype(np.int32)))


def _unglue_phones(text: str, tokens: Tokens) -> Tokens:
    """Cut digits glued to a telephone number from it: 47798 of 47798497-045-1949 (He 2015, Table 1)."""
    sizes = tokens.ends - tokens.starts
    like = (sizes[:-4] > 3) & (sizes[1:-3] == 1) & (sizes[2:-2] == 3) & (sizes[3:-1] == 1) & (sizes[4:] > 3)
    cuts = [
        int(tokens.ends[i]) - 3
        for i in np.flatnonzero(like).tolist()
        if _PHONE.fullmatch(text, int(tokens.ends[i]) - 4, int(tokens.ends[i + 4]))
    ]
    if not cuts:
        return tokens
    starts, ends = (np.sort(np.concatenate((column, cuts))) for column in (tokens.starts, tokens.ends))
    return Tokens(starts.astype(np.int32), ends.astype(np.int32))


def _kinds(text: str) -> npt.NDArray[np.uint8]:
    """The class of every character, looked up in a table that learns new characters as they come."""
    kinds = classes(np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32))
    return _settle_marks(kinds) if (kinds == MARK).any() else kinds


def classes(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """The class of each code point: SPACE, UPPER, LOWER, LETTER, DIGIT, MARK, HAN or OTHER."""
    kinds: npt.NDArray[np.uint8] = _CLASSES[codes]
    if len(kinds) and kinds.max() == UNKNOWN:
        for code in np.unique(codes[kinds == UNKNOWN]).tolist():
            _CLASSES[code] = _kind(chr(code))
        kinds = _CLASSES[codes]
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
    if _is_han(character):
        return HAN
    return LETTER if character.isalnum() else OTHER


def _is_han(character: str) -> bool:
    name = unicodedata.name(character, "")
    return name.startswith(("CJK UNIFIED", "CJK COMPATIBILITY IDEO")) or character in "〇々"


def _settle_marks(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Marks and zero-width characters inside a word stay in it; elsewhere each stands alone."""
    kinds = kinds.copy()
    marks = np.flatnonzero(kinds == MARK)
    for run in np.split(marks, np.flatnonzero(np.diff(marks) > 1) + 1):
        first, last = int(run[0]), int(run[-1])
        before = kinds[first - 1] if first else SPACE
        after = kinds[last + 1] if last + 1 < len(kinds) else SPACE
        if not (UPPER <= before <= DIGIT and UPPER <= after <= DIGIT):
            kinds[first : last + 1] = OTHER
    return kinds


def _boundaries(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """Where a token begins, white space counted as if it were one."""
    marks = kinds == MARK
    if not marks.any():
        return _letter_boundaries(kinds)
    begins = np.zeros(len(kinds), np.bool_)
    begins[~marks] = _letter_boundaries(kinds[~marks])
    return begins


def _letter_boundaries(kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    before, here = kinds[:-1], kinds[1:]
    cut = (here > MARK) | (before > MARK) | ((before == DIGIT) != (here == DIGIT))
    cut |= (here == SPACE) != (before == SPACE)
    cut |= ((before == LOWER) | (before == LETTER)) & (here == UPPER)  # LETTER: the º of NºCol
    # ALMarital: of a run of capitals, the last one belongs to the small letters that follow.
    cut[:-1] |= (before[:-1] == UPPER) & (here[:-1] == UPPER) & (here[1:] == LOWER)
    return np.concatenate((np.ones(1, np.bool_), cut))


def _inside_words(kinds: npt.NDArray[np.uint8], edges: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Positions between two Chinese characters where no word begins."""
    inside = np.zeros(len(kinds), np.bool_)
    inside[1:] = (kinds[1:] == HAN) & (kinds[:-1] == HAN)
    inside[np.array([edge for edge in edges if edge < len(kinds)], np.intp)] = False
    return inside


@cache
def _ascii_ready() -> bool:
    for code in range(128):
        _CLASSES[code] = _kind(chr(code))
    return True


_ascii_ready()
