"""Weights in 4 or 8 bits: blocks of 32 numbers beside one another share a scale. Arithmetic is never done in them: a
matrix is unpacked to plain numbers when a model is loaded, rows of a table when they are looked up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

BLOCK = 32
_HALF = BLOCK // 2
_MIDDLE = 8  # of 4 bits, what stands for zero
_MOST = 127  # of 8 bits


class Packed(NamedTuple):
    """A matrix. In 4 bits, a byte has the number at its place in the first half of its block, and above it that of the
    second half."""

    codes: npt.NDArray[np.uint8] | npt.NDArray[np.int8]  # rows x blocks x bytes of a block
    scales: npt.NDArray[np.float16]  # rows x blocks

    @property
    def shape(self) -> tuple[int, int]:
        rows, blocks = self.scales.shape
        return rows, blocks * BLOCK

    def rows(self, at: npt.NDArray[np.integer]) -> Packed:
        return Packed(self.codes[at], self.scales[at])

    def unpacked(self) -> Floats:
        scales = self.scales.astype(np.float32)[:, :, None]
        if self.codes.dtype == np.int8:
            found = self.codes.astype(np.float32) * scales
        else:
            halves = np.concatenate((self.codes & 15, self.codes >> 4), axis=2)
            found = (halves.astype(np.float32) - _MIDDLE) * scales
        return found.reshape(self.shape)


def packed(matrix: Floats) -> Packed:
    """A matrix in 8 bits; its rows are whole blocks."""
    blocks = matrix.reshape(len(matrix), -1, BLOCK)
    scales = np.maximum(np.abs(blocks).max(axis=2) / _MOST, 1e-7).astype(np.float16)
    codes = np.rint(blocks / scales.astype(np.float32)[:, :, None])
    return Packed(np.clip(codes, -_MOST, _MOST).astype(np.int8), scales)


def checked(codes: npt.NDArray[np.generic], scales: npt.NDArray[np.generic], shape: tuple[int, int]) -> Packed | None:
    """The matrix of this shape that two arrays hold; None if they hold none."""
    rows, blocks = shape[0], shape[1] // BLOCK
    wide = {"uint8": _HALF, "int8": BLOCK}.get(codes.dtype.name)
    if wide is None or scales.dtype != np.float16 or codes.shape != (rows, blocks, wide):
        return None
    if scales.shape != (rows, blocks) or not np.isfinite(scales).all():
        return None
    return Packed(codes, scales)  # type: ignore[arg-type]
