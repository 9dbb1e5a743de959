"""Where sentences begin: with a line, and behind a full stop inside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from elision.text.tokens import Column, Tokens

Codes = npt.NDArray[np.uint32]
Flags = npt.NDArray[np.bool_]

SHORT = 3  # a full stop behind a capital and at most two letters more is an abbreviation's: "Dr. Roe"

_ENDS = np.array([ord(character) for character in ".?!。？！"], np.uint32)


def sentence_starts(codes: Codes, tokens: Tokens, newlines: Column, kinds: tuple[Column, Sequence[str]]) -> Flags:
    """Whether a sentence begins with each token, in notes as a batch holds them."""
    begins: Flags = newlines > 0
    if len(tokens) > 1:
        types, forms = kinds
        capital = np.array([form[0].isupper() or form[0] in "¿¡" for form in forms], np.bool_)[types]
        apart = tokens.starts[1:] > tokens.ends[:-1]
        ends = (stops(codes, tokens) & ~_abbreviations(codes, tokens, kinds))[:-1]
        begins[1:] |= ends & apart & capital[1:]
    begins[:1] = True
    return begins


def stops(codes: Codes, tokens: Tokens) -> Flags:
    """Whether each token ends as a sentence can."""
    return np.isin(codes[tokens.ends - 1], _ENDS)


def _abbreviations(codes: Codes, tokens: Tokens, kinds: tuple[Column, Sequence[str]]) -> Flags:
    """Tokens that end in a full stop which belongs to an abbreviation, in this token or the one it is glued to."""
    starts, ends = tokens.starts, tokens.ends
    sizes = ends - starts
    before = np.concatenate((np.full(1, SHORT + 1, np.int32), sizes[:-1]))
    glued = np.concatenate((np.zeros(1, np.bool_), starts[1:] == ends[:-1]))
    stop = codes[ends - 1] == ord(".")
    capital = np.zeros(len(tokens), np.bool_)
    types, forms = kinds
    if forms:
        capital = np.array([form[0].isupper() for form in forms], np.bool_)[types]
    before_capital = np.concatenate((np.zeros(1, np.bool_), capital[:-1]))
    inside = (sizes > 1) & (sizes <= SHORT + 1) & capital
    beside = (sizes == 1) & glued & (before <= SHORT) & before_capital
    found: Flags = stop & (inside | beside)
    return found
