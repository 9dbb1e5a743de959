"""A transformer at work, in numpy: from the pieces of windows to a row of numbers for each.

What it is learnt with is `modules`, and both give the same numbers. A window comes out the same to the bit whatever is
read beside it: products have the same number of rows, or fewer where that is seen to give the same, or a product for
each window where places differ (see `rows`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from elision.taggers.encoder.packing import Floats
from elision.taggers.encoder.weights import HEADS, MATRICES, PLACES, WORDS, Weights
from elision.taggers.rows import alike, by_window

Numbers = npt.NDArray[np.int32]

ROWS = 256  # pieces that are read at once, the padding with them
FEWER = (32, 64, 96, 128, 192)  # so many where there are no more
LENGTHS = (32, 64, 128, 256)  # of windows, the padding with them
SMALLEST = np.float32(1e-12)
SLOPE, CUBE = np.float32((2 / np.pi) ** 0.5), np.float32(0.044715)
TOGETHER = 32  # rows that stay near the processor while they are worked on
NOBODY = np.float32(-1e4)  # what says that a piece is not looked at


@dataclass(frozen=True, eq=False)
class Layers:
    """Weights as they are used: matrices unpacked, inputs x outputs."""

    weights: Weights
    matrices: dict[str, Floats] = field(repr=False)

    @staticmethod
    def of(weights: Weights) -> Layers:
        names = [f"{layer}.{name}" for layer in range(weights.layers) for name in MATRICES]
        return Layers(weights, {name: np.ascontiguousarray(weights.packed[name].unpacked().T) for name in names})

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many rows may be read at once. Fewer than ROWS only where each row comes out the same to the bit: that is
        up to what multiplies matrices here, so it is tried."""
        if not alike():
            return tuple(range(LENGTHS[0], ROWS + 1, LENGTHS[0]))
        same = set(FEWER)
        for name in MATRICES:
            matrix = self.matrices[f"0.{name}"]
            rows = np.random.default_rng(0).standard_normal((ROWS, len(matrix)), np.float32)
            whole = rows @ matrix
            same -= {size for size in same if not np.array_equal(rows[-size:] @ matrix, whole[-size:])}
        return (*sorted(same), ROWS)

    def read(self, pieces: Numbers, lengths: Numbers) -> Floats:
        """A row for each piece of windows side by side, windows x places; so many pieces of each count."""
        plain = self.weights.plain
        windows, places = pieces.shape
        distinct, of = np.unique(pieces, return_inverse=True)
        table = self.weights.packed[WORDS].rows(distinct).unpacked()
        state = table[of.reshape(pieces.shape)] + plain[PLACES][:places]
        state = normed(state.reshape(windows * places, -1), plain["norm.scale"], plain["norm.shift"])
        barred = np.where(np.arange(places) < lengths[:, None], np.float32(0), NOBODY)[:, None, None, :]
        for layer in range(self.weights.layers):
            state = self._layer(f"{layer}.", state, windows, barred)
        return state.reshape(windows, places, -1)

    def _layer(self, at: str, state: Floats, windows: int, barred: Floats) -> Floats:
        plain, matrices = self.weights.plain, self.matrices
        asked = by_window(state, matrices[at + "asking"], windows)
        asked += plain[at + "asking.bias"]
        seen = by_window(attended(asked, windows, barred), matrices[at + "kept"], windows)
        seen += plain[at + "kept.bias"]
        seen += state
        state = normed(seen, plain[at + "attended.scale"], plain[at + "attended.shift"])
        inner = by_window(state, matrices[at + "inner"], windows)
        inner += plain[at + "inner.bias"]
        said = by_window(gelu(inner), matrices[at + "outer"], windows)
        said += plain[at + "outer.bias"]
        said += state
        return normed(said, plain[at + "layer.scale"], plain[at + "layer.shift"])


def attended(asked: Floats, windows: int, barred: Floats) -> Floats:
    """What each piece takes from the others of its window; `asked` holds queries, keys and values."""
    width = asked.shape[1] // 3
    places = len(asked) // windows
    heads = asked.reshape(windows, places, 3, HEADS, width // HEADS).transpose(2, 0, 3, 1, 4)
    asking, keys, values = np.ascontiguousarray(heads)
    asking *= np.float32((width // HEADS) ** -0.5)
    shares = asking @ keys.transpose(0, 1, 3, 2)
    shares += barred
    shares -= shares.max(axis=-1, keepdims=True)
    np.exp(shares, out=shares)
    shares /= shares.sum(axis=-1, keepdims=True)
    taken: Floats = (shares @ values).transpose(0, 2, 1, 3).reshape(len(asked), width)
    return taken


def normed(rows: Floats, scale: Floats, shift: Floats) -> Floats:
    """Rows with a mean of 0 and a spread of 1, then scaled and shifted; in place."""
    rows -= rows.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1]) + SMALLEST)
    rows /= spread[:, None]
    rows *= scale
    rows += shift
    return rows


def gelu(values: Floats) -> Floats:
    """x times about the share of a normal distribution below x, in place, by way of tanh; learnt with the same."""
    for first in range(0, len(values), TOGETHER):
        x = values[first : first + TOGETHER]
        inner = x * x
        inner *= CUBE * SLOPE
        inner += SLOPE
        inner *= x
        np.tanh(inner, out=inner)
        inner += np.float32(1)
        inner *= np.float32(0.5)
        x *= inner
    return values
