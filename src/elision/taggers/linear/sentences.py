"""Attributes of the sentence in which a token stands. A sentence ends with its line, or at a full stop in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch, gather
from elision.taggers.sentence_starts import stops
from elision.text.tokens import Column

Coded = tuple[Column, Sequence[str]]

FURTHEST = 20  # places in a sentence are told apart up to here
LENGTHS = (1, 2, 4, 8, 16, 32, 64)  # a sentence's length is told as the largest of these that it reaches

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
    return stops(batch.codes, batch.tokens)[lasts][number].astype(np.int32), ["0", "1"]


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
    begins = batch.sentence_begins
    return np.flatnonzero(begins), np.cumsum(begins) - 1


SENTENCES: dict[str, Callable[[Batch], Coded]] = {
    "sentence-place": sentence_place,
    "sentence-length": sentence_length,
    "sentence-end": sentence_end,
    "sentence-brackets": sentence_brackets,
}
