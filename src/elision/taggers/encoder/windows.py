"""Which stretches of notes an encoder reads together, so that every piece is read, and not at the edge of a window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch
from elision.taggers.encoder.layers import Numbers
from elision.taggers.encoder.pieces import END, Pieces
from elision.text.tokens import Column

EDGE = 32  # pieces at the edge of a window that another window reads better
AROUND = 14  # pieces that are read on either side of one that is asked for: with it and the edges, 31
EDGES = 2  # pieces that stand around what is read
_TIGHT = 0  # kinds of what stands before a token: nothing

Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Line:
    """The pieces of a batch in a row; END stands between two lines."""

    pieces: Numbers
    first: Longs  # the first piece of each token
    notes: Longs  # the first piece of each note, and one more for the end


@dataclass(frozen=True, eq=False)
class Windows:
    """Stretches of a line of pieces, and in each the part that nobody reads better."""

    begin: Longs
    end: Longs
    own: Longs
    own_end: Longs

    def __len__(self) -> int:
        return len(self.begin)


def line_of(batch: Batch, pieces: Pieces) -> Line:
    """The pieces of a batch."""
    types, forms = batch.kinds
    blank = batch.gaps != _TIGHT
    kinds, of = np.unique(types.astype(np.int64) * 2 + blank, return_inverse=True)
    cuts = pieces.cut((forms[kind >> 1], bool(kind & 1)) for kind in kinds.tolist())
    sizes = np.array([len(cut) for cut in cuts], np.int64)
    flat = np.array([piece for cut in cuts for piece in cut], np.int32)
    begins = np.cumsum(sizes) - sizes
    broken = batch.newlines > 0
    broken[batch.notes[:-1][np.diff(batch.notes) > 0]] = False
    count = sizes[of]
    after = np.cumsum(count + broken)
    first = after - count
    total = int(after[-1]) if len(after) else 0
    line = np.full(total, END, np.int32)
    within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
    line[np.repeat(first, count) + within] = flat[np.repeat(begins[of], count) + within]
    ends = np.append(after - count - broken, total)  # what stands between two lines belongs to the second
    return Line(line, first, ends[batch.notes])


def windows_over(notes: Longs, size: int) -> Windows:
    """Windows over all pieces of notes, none longer than `size`."""
    return _windows(notes[:-1], notes[1:], size)


def windows_drawn(notes: Longs, sizes: Longs, rng: np.random.Generator) -> Windows:
    """Windows to learn from, which do not overlap. Their size is drawn for each note, and where the first begins: what
    stood at an edge once stands in the middle another time."""
    count = len(notes) - 1
    size = rng.choice(sizes, count)
    before = (size * rng.random(count)).astype(np.int64)  # pieces of the first window that would stand before the note
    length = np.diff(notes)
    each = np.where(length > 0, -(-(length + before) // size), 0)
    of = np.repeat(np.arange(count), each)
    begin = np.maximum(notes[of] + _number(each) * size[of] - before[of], notes[of])
    end = np.minimum(notes[of] + (_number(each) + 1) * size[of] - before[of], notes[of + 1])
    return Windows(begin, end, begin, end)


def windows_around(line: Line, asked: Longs, size: int, around: int = AROUND) -> Windows:
    """Windows over the pieces around some, which are sorted; none over the edge of a note."""
    if not len(asked):
        return _windows(asked, asked, size)
    note = np.searchsorted(line.notes, asked, side="right") - 1
    begin = np.maximum(asked - around, line.notes[note])
    end = np.minimum(asked + around + 1, line.notes[note + 1])
    fresh = np.append(True, (begin[1:] >= np.maximum.accumulate(end)[:-1]) | (note[1:] != note[:-1]))
    at = np.flatnonzero(fresh)
    return _windows(begin[at], np.maximum.reduceat(end, at), size)


def _windows(begin: Longs, end: Longs, size: int) -> Windows:
    """Stretches cut into windows that overlap, the last of each as long as the others."""
    length = end - begin
    step = size - 2 * min(EDGE, size // 4)
    count = np.where(length > size, 1 + -(-(length - size) // step), np.minimum(length, 1))
    of = np.repeat(np.arange(len(begin)), count)
    number = _number(count)
    last = number == count[of] - 1
    first = np.where(last, np.maximum(end[of] - size, begin[of]), begin[of] + number * step)
    after = np.minimum(first + size, end[of])
    own, own_end = first.copy(), after.copy()
    follows = np.flatnonzero(number > 0)
    middle = (after[follows - 1] + first[follows]) // 2
    own[follows], own_end[follows - 1] = middle, middle
    return Windows(first, after, own, own_end)


def _number(count: Longs) -> Longs:
    """0, 1, 2 … for each of some counts."""
    return np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)


def gathered(line: Line, windows: Windows, chosen: Sequence[int] | Longs, places: int) -> tuple[Numbers, Numbers]:
    """The pieces of some windows with their edges, windows x places, and how many of each count."""
    begin, size = windows.begin[chosen], (windows.end - windows.begin)[chosen]
    found = np.full((len(begin), places), END, np.int32)
    found[:, 0] = 0
    way = np.arange(places - 1)
    inside = way < size[:, None]
    found[:, 1:][inside] = line.pieces[(begin[:, None] + way)[inside]]
    return found, (size + EDGES).astype(np.int32)


def tokens_of(line: Line, windows: Windows) -> tuple[Column, Column]:
    """The first token of each window's own part, and the one after the last."""
    return (
        np.searchsorted(line.first, windows.own).astype(np.int32),
        np.searchsorted(line.first, windows.own_end).astype(np.int32),
    )
