"""The weights of an encoder: how they are kept, and how they are used.

A table of words and the matrices of the layers are packed (`packing`), biases and scales of norms are plain. Used, the
matrices are plain numbers that stand so that rows are multiplied from the left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.taggers.encoder.packing import BLOCK, Floats, Packed, checked

Arrays = Mapping[str, npt.NDArray[Any]]

HEADS = 12
WORDS, PLACES = "words", "places"
MATRICES = ("asking", "kept", "inner", "outer")  # of a layer: queries, keys and values; what they give; up; down
VECTORS = ("asking.bias", "kept.bias", "inner.bias", "outer.bias", "attended.scale", "attended.shift", "layer.scale",
           "layer.shift")  # fmt: skip
EDGE = ("norm.scale", "norm.shift")  # of what a piece is at its place
CODES, SCALES = ".codes", ".scales"


@dataclass(frozen=True, eq=False)
class Weights:
    """What a network is made of. Matrices are outputs x inputs."""

    packed: Mapping[str, Packed] = field(repr=False)  # WORDS, and LAYER.MATRIX
    plain: Mapping[str, Floats] = field(repr=False)
    layers: int

    @property
    def width(self) -> int:
        return self.packed[WORDS].shape[1]

    def lower(self, layers: int) -> Weights:
        """These without their upper layers."""

        def stays(name: str) -> bool:
            layer, dot, _ = name.partition(".")
            return not (dot and layer.isdigit() and int(layer) >= layers)

        packed = {name: matrix for name, matrix in self.packed.items() if stays(name)}
        return Weights(packed, {name: array for name, array in self.plain.items() if stays(name)}, layers)

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """As they are kept in a file."""
        found: dict[str, npt.NDArray[Any]] = dict(self.plain)
        for name, matrix in self.packed.items():
            found |= {name + CODES: matrix.codes, name + SCALES: matrix.scales}
        return found


def shapes(pieces: int, width: int, inner: int, places: int, layers: int) -> dict[str, tuple[int, ...]]:
    """The shape of each."""
    found: dict[str, tuple[int, ...]] = {WORDS: (pieces, width), PLACES: (places, width)}
    found |= dict.fromkeys(EDGE, (width,))
    sizes = {"asking": (3 * width, width), "kept": (width, width), "inner": (inner, width), "outer": (width, inner)}
    for layer in range(layers):
        found |= {f"{layer}.{name}": sizes[name] for name in MATRICES}
        found |= {f"{layer}.{name}.bias": sizes[name][:1] for name in MATRICES}
        found |= {f"{layer}.{name}": (width,) for name in VECTORS if not name.endswith("bias")}
    return found


def from_arrays(arrays: Arrays, pieces: int, layers: int) -> Weights:
    """The weights of a file, all of which are there and are numbers."""
    width, inner, places = _sizes(arrays)
    found: dict[str, Packed] = {}
    plain: dict[str, Floats] = {}
    for name, shape in shapes(pieces, width, inner, places, layers).items():
        if name == WORDS or name.rpartition(".")[2] in MATRICES:
            matrix = checked(_array(arrays, name + CODES), _array(arrays, name + SCALES), (shape[0], shape[1]))
            if matrix is None:
                raise ModelError(f"weights {name!r} are not of shape {shape}, in blocks of {BLOCK}; train it again")
            found[name] = matrix
        else:
            plain[name] = plain_of(arrays, name, shape)
    return Weights(found, plain, layers)


def plain_of(arrays: Arrays, name: str, shape: tuple[int, ...]) -> Floats:
    """Plain weights of this shape."""
    array = _array(arrays, name)
    if array.dtype != np.float32 or array.shape != shape:
        raise ModelError(f"weights {name!r}: {array.dtype} of shape {array.shape} where float32 of {shape} is needed; "
                         "train it again")  # fmt: skip
    if not np.isfinite(array).all():
        raise ModelError(f"weights {name!r}: not all are finite numbers; train it again")
    return array


def _array(arrays: Arrays, name: str) -> npt.NDArray[Any]:
    if name not in arrays:
        raise ModelError(f"weights {name!r} are missing; train it again")
    return arrays[name]


def _sizes(arrays: Arrays) -> tuple[int, int, int]:
    """The numbers of a piece, those inside of a layer, and the places of a window."""
    places, inner = _array(arrays, PLACES), _array(arrays, "0.inner.bias")
    if places.ndim != 2 or inner.ndim != 1 or places.shape[1] % (BLOCK * HEADS) or inner.shape[0] % BLOCK:
        raise ModelError(f"weights {PLACES!r}: not of an encoder; train it again")
    return places.shape[1], inner.shape[0], places.shape[0]
