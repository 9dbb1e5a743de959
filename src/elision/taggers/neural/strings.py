"""Contextual string embeddings (Akbik 2018): what language models of characters remember around each word.

A word's vector is the state of the forward model after the word's last character, beside that of the backward model
before the word's first one, which is after it has read the word from its end. A newline stands before and after each
sequence, as the models learnt from lines.

A sequence of more than STRETCH + LEAD characters is read in stretches, side by side as sequences are. Each begins anew,
LEAD characters early, so that the model has seen what stands before it. No state is left out; those of the first
stretch are the very same, others differ by what a model still remembers after LEAD characters. So a line of any length
takes time by its length, and memory for the vectors alone, beside some 40 MB: models read PIECE characters at a time,
and only the states of tokens are kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch
from elision.taggers.neural.pretrained import Floats, Ints, LanguageModel, Pretrained
from elision.taggers.neural.recurrent import ROWS, lstm
from elision.taggers.rows import together
from elision.text.tokens import Column

Places = npt.NDArray[np.signedinteger[Any]]

STRETCH, LEAD = 1024, 256  # characters
PIECE = 128  # characters that are read at once; 16 MB for 256 hidden units


class _Reading(NamedTuple):
    """Stretches of text for one direction, and where in them states are wanted: one entry for each token."""

    text: Ints  # rows of characters, in the direction of reading
    starts: Column  # of each stretch, the first character
    ends: Column
    stretch_of: Column  # of each token, the stretch that its state is taken from, ascending
    place_of: Column  # of each token, the character that its state stands behind


def states(pretrained: Pretrained, batch: Batch, bounds: Column) -> Floats:
    """For each token of a batch the forward and the backward state: tokens x 2 hidden sizes.

    `bounds` says which tokens are a sequence, as `cut_long` gives them; a token of none gets zeros. A note's states are
    the same, to the bit, alone and among others.
    """
    hidden = pretrained.hidden
    found = np.zeros((len(batch), 2 * hidden), np.float32)
    if not len(bounds):
        return found
    tokens = _tokens_in(bounds)
    starts, ends = batch.tokens.starts, batch.tokens.ends
    text, edges = _laid(pretrained, batch, bounds)
    shift = np.repeat(edges[:-1] + 1 - starts[bounds[:, 0]], bounds[:, 1] - bounds[:, 0])
    forward = _reading(text, edges, ends[tokens] - 1 + shift)
    found[tokens, :hidden] = _read(pretrained.forward, forward)
    last = len(text) - 1
    backward = _reading(text[::-1], len(text) - edges[::-1], (last - (starts[tokens] + shift))[::-1])
    found[tokens, hidden:] = _read(pretrained.backward, backward)[::-1]
    return found


def _tokens_in(bounds: Column) -> Column:
    """The tokens of all sequences, one after the other."""
    sizes = bounds[:, 1] - bounds[:, 0]
    steps = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    tokens: Column = (np.repeat(bounds[:, 0], sizes) + steps).astype(np.int32)
    return tokens


def _laid(pretrained: Pretrained, batch: Batch, bounds: Column) -> tuple[Ints, Column]:
    """The rows of all sequences' characters, each between two newlines; where each begins, and the last ends."""
    firsts, lasts = batch.tokens.starts[bounds[:, 0]], batch.tokens.ends[bounds[:, 1] - 1]
    edges = np.concatenate((np.zeros(1, np.int64), np.cumsum(lasts - firsts + 2)))
    text = np.full(edges[-1], pretrained.rows(np.array([ord("\n")], np.uint32))[0], np.int32)
    codes = pretrained.rows(batch.codes)
    for first, last, edge in zip(firsts.tolist(), lasts.tolist(), edges.tolist(), strict=False):
        text[edge + 1 : edge + 1 + last - first] = codes[first:last]
    return text, edges.astype(np.int32)


def _reading(text: Ints, edges: Column, places: Column) -> _Reading:
    """Sequences as stretches, and in which of them and where the states behind these characters are."""
    sizes = np.diff(edges)
    counts = np.maximum(1, -(-(sizes - LEAD) // STRETCH))  # the last stretch of a sequence may be LEAD longer
    firsts = np.cumsum(counts) - counts
    number = np.arange(counts.sum()) - np.repeat(firsts, counts)  # of a stretch, within its sequence
    starts = np.repeat(edges[:-1], counts) + number * STRETCH
    ends = np.minimum(starts + STRETCH + LEAD, np.repeat(edges[1:], counts))
    fresh = starts + np.where(number > 0, LEAD, 0)  # the first character whose state is taken from a stretch
    stretch_of = np.searchsorted(fresh, places, side="right") - 1
    return _Reading(
        text, starts.astype(np.int32), ends.astype(np.int32), stretch_of.astype(np.int32), places.astype(np.int32)
    )


def _read(model: LanguageModel, reading: _Reading) -> Floats:
    """The states that are wanted, as many stretches side by side as may be, those of a size together."""
    found = np.empty((len(reading.place_of), model.hidden), np.float32)
    order = np.argsort(reading.ends - reading.starts, kind="stable")
    edges = np.searchsorted(reading.stretch_of, np.arange(len(order) + 1))  # of each stretch, the first token
    rows = together(ROWS)
    for first in range(0, len(order), rows):
        _read_together(model, reading, order[first : first + rows], rows, edges, found)
    return found


def _read_together(
    model: LanguageModel, reading: _Reading, stretches: Places, most: int, edges: Places, found: Floats
) -> None:
    """Read some stretches, at most so many, and keep the states of their tokens."""
    starts, ends = reading.starts[stretches], reading.ends[stretches]
    tokens = np.concatenate([np.arange(edges[at], edges[at + 1]) for at in stretches.tolist()])
    rows = np.repeat(np.arange(len(stretches)), edges[stretches + 1] - edges[stretches])
    steps = reading.place_of[tokens] - starts[rows]
    start = None
    longest = int((ends - starts).max())
    for first in range(0, longest, PIECE):
        wide = starts[:, None] + np.arange(first, min(first + PIECE, longest))
        codes = np.where(wide < ends[:, None], reading.text[np.minimum(wide, len(reading.text) - 1)], 0)
        block = np.zeros((wide.shape[1], most), np.int32)
        block[:, : len(stretches)] = codes.T
        states, cell = lstm(model.inputs[block], model.turning, start)
        start = (states[-1], cell)
        here = np.flatnonzero((steps >= first) & (steps < first + PIECE))
        found[tokens[here]] = states[steps[here] - first, rows[here]]
