"""Text to tokens, as columns of offsets.

The one tokeniser for all our languages cuts finely: at every change between letters, digits and
punctuation, at case changes inside a word, and between Chinese characters. Notes are full of glued words
("CABG6/95", "52 añosingresó", "MartínezNºCol"), and a span can only be found exactly if it starts and ends where
tokens do. Every character that is not white space belongs to exactly one token.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.text import native
from elision.text.classes import TABLE, classes, codes_of

Column = npt.NDArray[np.int32]


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


def tokenize(text: str, _language: str = "") -> Tokens:
    """The tokens of a text. They are the same for every language: finer than any of its words is fine for all."""
    codes = codes_of(text)
    starts, ends = np.empty(len(codes), np.int32), np.empty(len(codes), np.int32)
    count = native.cut(codes, TABLE, starts, ends)
    if count < 0:  # a character that has not come along before
        classes(codes)
        count = native.cut(codes, TABLE, starts, ends)
    return Tokens(starts[:count].copy(), ends[:count].copy())
