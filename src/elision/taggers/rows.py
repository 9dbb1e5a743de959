"""Products of matrices in which a row comes out the same to the bit, whatever stands beside it.

What multiplies matrices may add up a row's numbers in another order at another place, or among another number of rows.
OpenBLAS does so with its routines for processors without AVX-512, and takes these for some that have it. The difference
is in the last digits, but a note would have other scores alone than among others. So it is tried here, once. Where
places differ, rows are multiplied few at a time, which is slower.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

FEW = 8  # rows: among so many, all places are alike in all routines that were tried
BLOCK = 32  # rows of a product of any number of rows
TRIED = ((128, 150, 300), (32, 256, 1024), (256, 384, 1536), (256, 1536, 384))  # rows x inputs x outputs


@cache
def alike() -> bool:
    """Whether a row comes out the same at any place among many."""
    random = np.random.default_rng(0)
    for rows, inputs, outputs in TRIED:
        row, matrix = (random.standard_normal(shape, np.float32) for shape in ((1, inputs), (inputs, outputs)))
        found = np.repeat(row, rows, axis=0) @ matrix
        if not (found == found[0]).all():
            return False
    return True


def together(most: int) -> int:
    """How many rows to multiply at a time."""
    return most if alike() else min(most, FEW)


def product(rows: Floats, weights: Floats) -> Floats:
    """rows @ weights for any number of rows."""
    size = together(BLOCK)
    blocks = -(-len(rows) // size)
    padded = np.zeros((blocks * size, rows.shape[1]), np.float32)
    padded[: len(rows)] = rows
    weighed: Floats = padded.reshape(blocks, size, rows.shape[1]) @ np.ascontiguousarray(weights)
    return weighed.reshape(blocks * size, weights.shape[1])[: len(rows)]


def by_window(rows: Floats, matrix: Floats, windows: int) -> Floats:
    """rows @ matrix for windows that stand one behind the other, all of a length: a window comes out the same among any
    others. A row has its place in its window, which may differ by place."""
    if alike():
        return rows @ matrix
    return (rows.reshape(windows, -1, rows.shape[1]) @ matrix).reshape(len(rows), -1)
