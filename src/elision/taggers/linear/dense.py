"""Word vectors as numbers, and a bias: the SVM weighs each number of a word's vector and its neighbours' (Cotik 2019).

The offsets are those at which the features look at single forms: a window over -2 to +1 has four vectors. All vectors
are divided by their mean length, so that a vector weighs about as much as one feature. A model keeps the words and
their vectors, in half precision, and never reads the file again. A word is looked up as it stands, then in small
letters; one that is not there says nothing.

Vectors of a file are kept of all its words (the first MOST), so that words count that no training note has. Such a file
should be public: who learns one from notes has the words of the notes in it. Vectors learnt from the training notes are
kept of words that enough notes have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.models import store
from elision.models.store import Stored
from elision.taggers.batch import GAP, Batch
from elision.taggers.chain import Floats, padded
from elision.taggers.corpus import groups_with
from elision.taggers.linear.settings import Settings
from elision.taggers.rows import product
from elision.taggers.vectors.vectors import Vectors, read_vectors, train_vectors
from elision.text.tokens import Column

PRETRAINED = "pretrained"  # the kind of a folder of `elision pretrain`
MOST = 100_000  # words of a file
LARGEST = 1_000.0  # number in a vector
WORDS, TABLE, OFFSETS, WEIGHTS, BIAS = "vector-words", "vectors", "vector-offsets", "vector-weights", "bias"


@dataclass(frozen=True, slots=True, eq=False)
class Dense:
    """Vectors of words, and what each number of them, at each offset, says about each label."""

    vectors: Vectors = field(repr=False)
    offsets: tuple[int, ...]
    weights: Floats  # offsets x numbers x width
    bias: Floats  # by label, whatever the word

    def tables(self, forms: Sequence[str]) -> Floats:
        """What forms say about each label: forms x offsets x width."""
        rows = self.vectors.rows(forms)
        found = np.stack([product(rows, weights) for weights in self.weights], axis=1)
        found[:, self.offsets.index(0)] += self.bias
        return found


NONE = Vectors((), np.zeros((0, 0), np.float32))


def vectors_of(settings: Settings, batch: Batch, groups: Column) -> Vectors:
    """The vectors of a file, or vectors learnt from these notes."""
    if settings.vector_file:
        found = _read(Path(settings.vector_file))
        if not found.rows(batch.kinds[1]).any():
            raise ModelError(f"{settings.vector_file}: no vector for any word of the notes; is it of another language?")
    else:
        found = learnt(settings, batch, groups)
        if not found.table.any():
            raise ModelError(
                "the notes are too few to learn word vectors from; give a vector_file, or set vectors to 0"
            )
    lengths = np.linalg.norm(found.table, axis=1)
    table = np.clip(found.table / lengths[lengths > 0].mean(), -LARGEST, LARGEST).astype(np.float16)
    return Vectors(found.words, table.astype(np.float32))


def _read(path: Path) -> Vectors:
    """The vectors of a file, or of a folder of `elision pretrain`."""
    if not path.is_dir():
        return read_vectors(path, most=MOST)
    model = store.load(path, (PRETRAINED,))
    words, table = model.vocabulary.get(f"{PRETRAINED}.words"), model.arrays.get(f"{PRETRAINED}.table")
    if words is None or table is None or not np.isfinite(table).all():
        raise ModelError(f"{path}: has no word vectors; learn it again (elision pretrain)")
    return Vectors(tuple(words), table)


def learnt(settings: Settings, batch: Batch, groups: Column) -> Vectors:
    """Vectors that are learnt from these notes, of words in small letters that enough of them have."""
    types, forms = batch.kinds
    numbers: dict[str, int] = {}
    of_form = np.array([numbers.setdefault(form.lower(), len(numbers)) for form in forms], np.int64)
    counts = groups_with(of_form[types], groups[batch.note_of], len(numbers))
    words = tuple(word for word, number in sorted(numbers.items()) if counts[number] >= settings.least)
    lower = list(numbers)
    notes = np.split(of_form[types], batch.notes[1:-1])
    trained = train_vectors(
        ([lower[number] for number in note.tolist()] for note in notes), size=settings.vectors, seed=settings.seed
    )
    return Vectors(words, trained.rows(words))


def types_at(batch: Batch, offsets: Sequence[int]) -> npt.NDArray[np.intp]:
    """The type of each token's neighbour at each offset, counted from 1; 0 where there is none."""
    spread = np.zeros(batch.spread_size, np.intp)
    spread[batch.spread] = batch.kinds[0] + 1
    return np.stack([spread[batch.spread + offset] for offset in offsets])


def stored(dense: Dense | None) -> tuple[dict[str, tuple[str, ...]], dict[str, npt.NDArray[Any]]]:
    """What a model folder keeps: strings and arrays."""
    if dense is None:
        return {}, {}
    table = dense.vectors.table.astype(np.float16)
    offsets = np.array(dense.offsets, np.int32)
    return {WORDS: dense.vectors.words}, {TABLE: table, OFFSETS: offsets, WEIGHTS: dense.weights, BIAS: dense.bias}


def dense_of(model: Stored, settings: Settings, labels: int) -> Dense | None:
    """The way back; a KeyError or ValueError where words, vectors and weights do not fit together."""
    if settings.trainer != "svm":
        return None
    words, arrays = tuple(map(str, model.vocabulary[WORDS])), model.arrays
    table, offsets, weights, bias = (arrays[name] for name in (TABLE, OFFSETS, WEIGHTS, BIAS))
    _refuse_shapes(arrays, len(words), padded(labels))
    vectors = Vectors(words, table.astype(np.float32))
    return Dense(vectors, tuple(offsets.tolist()), np.ascontiguousarray(weights), bias)


def _refuse_shapes(arrays: Mapping[str, npt.NDArray[Any]], words: int, width: int) -> None:
    table, offsets, weights = arrays[TABLE], arrays[OFFSETS], arrays[WEIGHTS]
    if table.dtype != np.float16 or offsets.dtype != np.int32 or weights.dtype != np.float32:
        raise ValueError("vectors of another type")
    if table.ndim != 2 or len(table) != words or weights.shape != (len(offsets), table.shape[1], width):
        raise ValueError("vectors of other shapes")
    if (np.diff(offsets) <= 0).any() or (np.abs(offsets) > GAP).any() or 0 not in offsets:
        raise ValueError("offsets that cannot be")
    if arrays[BIAS].dtype != np.float32 or arrays[BIAS].shape != (width,):
        raise ValueError("a bias of another shape")
    if not all(np.isfinite(each).all() for each in (table, weights, arrays[BIAS])):
        raise ValueError("vectors of numbers that cannot be")
