"""In which order a network reads the positions of a batch: what stands where, step by step and row by row.

The text of TS-RNN allows three readings of its context window, of which `middle` is the default:

- middle: for each token, the window around it. The forward layer reads up to the token, the backward layer down to it.
- chunks: windows beside one another, each of them a sequence.
- joined: sequences as long as they are, each step seeing the words of the window beside one another.
- whole: sequences as long as they are, without a window.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch, cut_long
from elision.taggers.neural.inputs import Inputs, Numbers
from elision.taggers.neural.settings import NeuralSettings

ROWS = {"middle": 128, "chunks": 128, "joined": 32, "whole": 32}  # sequences side by side
Pairs = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Reading:
    """Sequences of positions; `outside` stands for what lies outside of them."""

    bounds: Pairs  # of sequences: the first position of each, and the one after its last
    notes: Pairs  # of the note of each
    targets: Numbers | None  # the middle position of each window; None where all of a sequence is read out
    outside: int
    before: int  # positions of a window in front of the middle one
    behind: int

    def __len__(self) -> int:
        return len(self.bounds if self.targets is None else self.targets)

    def steps(self, chosen: Pairs, *, backward: bool) -> Numbers:
        """The position that each step reads in each of some sequences, steps x rows."""
        if self.targets is not None:
            far = self.behind if backward else self.before
            ways = np.arange(far, -1, -1) if backward else np.arange(-far, 1)
            return self.shifted(self.targets[chosen][None, :], ways[:, None], self.notes[chosen])
        first, after = self.bounds[chosen, 0], self.bounds[chosen, 1]
        longest = int((after - first).max(initial=0))
        along = np.arange(longest)[:, None]
        index = after - 1 - along if backward else first + along
        return np.where((index >= first) & (index < after), index, self.outside).astype(np.int32)

    def shifted(self, index: Numbers, way: npt.ArrayLike, notes: Pairs) -> Numbers:
        """Positions so far away in the same note."""
        there = index + np.asarray(way)
        inside = (index != self.outside) & (there >= notes[:, 0]) & (there < notes[:, 1])
        return np.where(inside, there, self.outside).astype(np.int32)

    def portions(self, rows: int) -> Iterator[Pairs]:
        """Sequences of about the same length, so many at a time; the last portion is filled up with its first."""
        order = np.arange(len(self))
        if self.targets is None:
            order = np.argsort(self.bounds[:, 0] - self.bounds[:, 1], kind="stable")
        for first in range(0, len(order), rows):
            portion = order[first : first + rows]
            yield np.append(portion, np.full(rows - len(portion), portion[0])).astype(np.int64)


def reading_of(settings: NeuralSettings, batch: Batch, inputs: Inputs, unit: str) -> Reading:
    """How a network with these settings reads a batch."""
    before, behind = settings.window // 2, (settings.window - 1) // 2
    outside = len(inputs.form_of) - 1
    edges = inputs.notes.astype(np.int64)
    whole = np.stack((edges[:-1], edges[1:]), axis=1)
    if settings.reading == "middle":
        return Reading(whole, whole[batch.note_of], inputs.place_of, outside, before, behind)
    tokens = cut_long(batch, unit if settings.reading == "whole" else "note")
    bounds = np.stack((inputs.place_of[tokens[:, 0]], inputs.place_of[tokens[:, 1] - 1] + 1), axis=1).astype(np.int64)
    notes = whole[batch.note_of[tokens[:, 0]]]
    if settings.reading == "chunks":
        bounds, notes = _chunks(bounds, notes, settings.window)
    return Reading(bounds, notes, None, outside, before, behind)


def _chunks(bounds: Pairs, notes: Pairs, window: int) -> tuple[Pairs, Pairs]:
    counts = -(-(bounds[:, 1] - bounds[:, 0]) // window)
    of = np.repeat(np.arange(len(bounds)), counts)
    number = np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
    first = bounds[of, 0] + number * window
    return np.stack((first, np.minimum(first + window, bounds[of, 1])), axis=1), notes[of]
