"""Word vectors from which words stand beside which, for `train_vectors`.

Counts of neighbours, weighed by positive pointwise mutual information (PPMI) and reduced by a truncated singular
value decomposition: what word2vec does without saying so (Levy and Goldberg 2014), but in seconds and the same every
time. All is numpy: the sparse matrix is three sorted columns.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

MOST_WORDS = 20_000
SMOOTHING = 0.75  # of the neighbours' frequencies; without it, PMI is drawn to rare neighbours
_BLOCK = 1_000_000  # tokens whose pairs are counted at once
_CHUNK = 50_000  # entries of the matrix that are multiplied at once
_EXTRA = 10  # columns beyond those asked for, and rounds, that make the random projection exact enough
_ROUNDS = 4
_ZERO = 1e-12  # a squared singular value below this share of the greatest is a rounding error

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sparse:
    """A matrix that is nearly all zeros: its other entries, sorted by row and then by column."""

    rows: Ints
    columns: Ints
    values: Floats
    shape: tuple[int, int]

    def transposed(self) -> Sparse:
        order = np.argsort(self.columns, kind="stable")
        return Sparse(self.columns[order], self.rows[order], self.values[order], self.shape[::-1])

    def times(self, dense: Floats) -> Floats:
        """The product with a dense matrix, a chunk of whole rows at a time, so that memory stays small."""
        product = np.zeros((self.shape[0], dense.shape[1]))
        begins = np.flatnonzero(np.diff(self.rows, prepend=-1, append=-1))  # of each row, and the end of the last
        chunks = np.searchsorted(begins[:-1], np.arange(0, len(self.rows), _CHUNK))
        for first, last in pairwise(np.unique([*chunks, len(begins) - 1]).tolist()):
            start, end = begins[first], begins[last]
            parts = self.values[start:end, None] * dense[self.columns[start:end]]
            product[self.rows[begins[first:last]]] = np.add.reduceat(parts, begins[first:last] - start)
        return product


def vocabulary(sequences: Iterable[Sequence[str]], minimum: int) -> tuple[list[str], npt.NDArray[np.int32], Ints]:
    """The frequent words, most frequent first; each token's place among them, else -1; each token's sequence."""
    seen: dict[str, int] = {}
    stream, sizes = array("i"), array("q")
    for sequence in sequences:
        stream.extend(seen.setdefault(word, len(seen)) for word in sequence)
        sizes.append(len(sequence))
    ids = np.array(stream, np.int32)
    counts = np.bincount(ids, minlength=len(seen)).tolist()
    frequent = [(-count, word) for word, count in zip(seen, counts, strict=True) if count >= minimum]
    words = [word for _, word in sorted(frequent)[:MOST_WORDS]]
    places = np.full(len(seen), -1, np.int32)
    places[[seen[word] for word in words]] = np.arange(len(words), dtype=np.int32)
    return words, places[ids], np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64))


def neighbours(ids: npt.NDArray[np.int32], sequence: Ints, size: int, window: int) -> tuple[Ints, Ints]:
    """How often each word has each neighbour, by where it stands: codes, ascending, and counts.

    A code is word × 2 window size + slot × size + neighbour. The slots (one left, one right, two left, …) are kept
    apart, as in a tagger's window: what stands before a name is not what stands after it.
    """
    width = 2 * window * size
    codes, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
    for start in range(0, len(ids), _BLOCK):
        pairs = []
        for distance in range(1, window + 1):
            stop = max(start, min(start + _BLOCK, len(ids) - distance))
            left, right = slice(start, stop), slice(start + distance, stop + distance)
            a, b = ids[left].astype(np.int64), ids[right].astype(np.int64)
            good = (a >= 0) & (b >= 0) & (sequence[left] == sequence[right])
            a, b, slot = a[good], b[good], (2 * distance - 2) * size
            pairs += [b * width + slot + a, a * width + slot + size + b]
        found, times = np.unique(np.concatenate(pairs), return_counts=True)
        codes, counts = _summed(np.concatenate((codes, found)), np.concatenate((counts, times)))
    return codes, counts


def _summed(codes: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Codes made unique, their counts added up."""
    order = np.argsort(codes, kind="stable")
    codes, counts = codes[order], counts[order]
    begins = np.flatnonzero(np.diff(codes, prepend=-1))
    return codes[begins], np.add.reduceat(counts, begins) if len(begins) else counts


def ppmi(codes: Ints, counts: Ints, shape: tuple[int, int]) -> Sparse:
    """Positive pointwise mutual information: how much oftener than by chance two things meet, as a logarithm."""
    rows, columns = np.divmod(codes, max(shape[1], 1))
    words = np.bincount(rows, counts, shape[0])
    contexts = np.bincount(columns, counts, shape[1]) ** SMOOTHING
    values = np.log(counts * contexts.sum() / (words[rows] * contexts[columns]))
    good = values > 0
    return Sparse(rows[good], columns[good], values[good], shape)


def svd(matrix: Sparse, size: int, seed: int) -> tuple[Floats, Floats]:
    """The left singular vectors with the greatest singular values, and these; by random projection (Halko 2011).

    A vector and its negative would do as well; we take the one whose greatest entry is positive. Where the matrix has
    fewer than `size`, zeros fill up.
    """
    turned = matrix.transposed()
    basis = matrix.times(np.random.default_rng(seed).standard_normal((matrix.shape[1], size + _EXTRA)))
    for _ in range(_ROUNDS):
        basis = matrix.times(_orthonormal(turned.times(_orthonormal(basis))))
    basis = _orthonormal(_orthonormal(basis))  # the second time takes away the rounding errors of the first
    squares, turns = _eigen(turned.times(basis))
    vectors, values = (basis @ turns)[:, :size], np.sqrt(squares[:size])
    if matrix.shape[0]:
        vectors *= np.where(vectors.max(axis=0) < -vectors.min(axis=0), -1.0, 1.0)
    missing = size - len(values)
    return np.pad(vectors, ((0, 0), (0, missing))), np.pad(values, (0, missing))


def _orthonormal(columns: Floats) -> Floats:
    """Orthonormal columns that span the same space, fewer if that is smaller."""
    squares, turns = _eigen(columns)
    turned: Floats = columns @ (turns / np.sqrt(squares))
    return turned


def _eigen(columns: Floats) -> tuple[Floats, Floats]:
    """The squared singular values of a tall matrix, greatest first, and its right singular vectors; those not zero.

    By the small square matrix: LAPACK's routines for tall ones are many times slower where BLAS has several threads.
    """
    squares, turns = np.linalg.eigh(columns.T @ columns)
    good = squares > squares.max(initial=0) * _ZERO
    return squares[good][::-1], turns[:, good][:, ::-1]
