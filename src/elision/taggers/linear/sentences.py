"""Attributes of the sentence in which a token stands. A sentence ends with its line, or at a full stop in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch, gather
from elision.text.tokens import Column

Coded = tuple[Column, Sequence[str]]

SHORT = 3  # a full stop behind a capital and at most two letters more is an abbreviation's: "Dr. Roe"
FURTHEST = 20  # places in a sentence are told apart up to here
LENGTHS = (1, 2, 4, 8, 16, 32, 64)  # a sentence's length is told as the largest of these that it reaches

_ENDS = np.array([ord(character) for character in ".?!。？！"], np.uint32)
_PAIRS = ("()", "[]", "{}", "（）", "【】")


def sentences_in(text: str) -> int:
    """How many sentences a text has."""
    return len(_sentences(gather([text]))[0])


def sentence_place(batch: Batch) -> Coded:
    """How many tokens of its sentence stand before a token, up to twenty."""
    firsts, number = _sentences(batch)
    at = np.arange(len(batch)) - firsts[number]
    return np.minimum(at, FURTHEST).astype(np.int32), [str(place) for place in range(FURTHEST + 1)]


def sentence_length(batch: Batch) -> Coded:
    """About how many tokens the sentence has."""
    firsts, number = _sentences(batch)
    buckets = np.searchsorted(LENGTHS, np.diff(np.append(firsts, len(batch))), side="right")
    return buckets[number].astype(np.int32), ["", *map(str, LENGTHS)]


def sentence_end(batch: Batch) -> Coded:
    """Whether the sentence ends in a full stop, a question mark or an exclamation mark."""
    firsts, number = _sentences(batch)
    lasts = np.append(firsts, len(batch))[1:] - 1
    return _stops(batch)[lasts][number].astype(np.int32), ["0", "1"]


def sentence_brackets(batch: Batch) -> Coded:
    """Whether a bracket of the sentence is opened and not closed, or closed and not opened."""
    firsts, number = _sentences(batch)
    broken = np.zeros(len(firsts), np.bool_)
    codes = batch.codes
    edges = (
        np.append(batch.tokens.starts[firsts], len(codes)).astype(np.int64) if len(firsts) else np.zeros(1, np.int64)
    )
    for pair in _PAIRS:
        step = (codes == ord(pair[0])).astype(np.int32) - (codes == ord(pair[1]))
        if not step.any():
            continue
        depth = np.concatenate((np.zeros(1, np.int32), np.cumsum(step)))
        broken |= depth[edges[1:]] != depth[edges[:-1]]
        if len(firsts):  # as many closed as opened, and yet one closed before it was opened
            broken |= np.minimum.reduceat(depth, edges[:-1]) < depth[edges[:-1]]
    return broken[number].astype(np.int32), ["0", "1"]


def _sentences(batch: Batch) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The first token of each sentence, and the number of each token's sentence."""
    begins = batch.newlines > 0
    if len(batch) > 1:
        types, forms = batch.kinds
        capital = np.array([form[0].isupper() or form[0] in "¿¡" for form in forms], np.bool_)[types]
        starts, ends = batch.tokens.starts, batch.tokens.ends
        apart = starts[1:] > ends[:-1]
        begins[1:] |= (_stops(batch) & ~_abbreviations(batch))[:-1] & apart & capital[1:]
    begins[:1] = True
    return np.flatnonzero(begins), np.cumsum(begins) - 1


def _stops(batch: Batch) -> npt.NDArray[np.bool_]:
    return np.isin(batch.codes[batch.tokens.ends - 1], _ENDS)


def _abbreviations(batch: Batch) -> npt.NDArray[np.bool_]:
    """Tokens that end in a full stop which belongs to an abbreviation, in this token or the one it is glued to."""
    starts, ends = batch.tokens.starts, batch.tokens.ends
    sizes = ends - starts
    before = np.concatenate((np.full(1, SHORT + 1, np.int32), sizes[:-1]))
    glued = np.concatenate((np.zeros(1, np.bool_), starts[1:] == ends[:-1]))
    stop = batch.codes[ends - 1] == ord(".")
    capital = np.zeros(len(batch), np.bool_)
    types, forms = batch.kinds
    if forms:
        capital = np.array([form[0].isupper() for form in forms], np.bool_)[types]
    before_capital = np.concatenate((np.zeros(1, np.bool_), capital[:-1]))
    inside = (sizes > 1) & (sizes <= SHORT + 1) & capital
    beside = (sizes == 1) & glued & (before <= SHORT) & before_capital
    found: npt.NDArray[np.bool_] = stop & (inside | beside)
    return found


SENTENCES: dict[str, Callable[[Batch], Coded]] = {
    "sentence-place": sentence_place,
    "sentence-length": sentence_length,
    "sentence-end": sentence_end,
    "sentence-brackets": sentence_brackets,
}
