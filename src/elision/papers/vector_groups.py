"""Word vectors as groups of similar words, few large ones and many small ones (`taggers.linear.word_groups`).

Cotik 2019 gave the numbers of a word's vector to a linear SVM; the trainer "svm" does so. The others know features that
are there or not, so words are sorted into groups of like vectors (k-means on the unit sphere), coarse to fine, and the
group is the feature: `vector-8` to `vector-512`. What words of one group have in common is learnt once for all of
them, as with the numbers; what is lost is how far inside its group a word lies.

A model keeps the words and their groups, no vectors, and only words of the training notes that enough notes have. A
word that was not in them has no group, however large the file of vectors was.

Do not expect much of vectors that are learnt from the training notes. On MEDDOCAN dev the window classifier's strict
F1 was .802 without and .800 with them where all words are features, as in Cotik's, and .795 and .796 where those of one
or two notes are dropped (three seeds each). They helped where words are left out at random in learning: at a dropout of
.5, .735 without and .760 with them (two seeds).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.taggers.batch import Batch
from elision.taggers.corpus import groups_with
from elision.taggers.linear.dense import learnt
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import SIZES, WordGroups
from elision.taggers.vectors.vectors import read_vectors
from elision.text.tokens import Column

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

ROUNDS = 20


def learn_groups(settings: Settings, batch: Batch, groups: Column) -> WordGroups:
    """Groups for the words of these notes, from a file or learnt from the notes."""
    types, forms = batch.kinds
    numbers: dict[str, int] = {}
    of_form = np.array([numbers.setdefault(form.lower(), len(numbers)) for form in forms], np.int64)
    counts = groups_with(of_form[types], groups[batch.note_of], len(numbers))
    words = [word for word, number in sorted(numbers.items()) if counts[number] >= settings.least]
    if settings.vector_file:
        table = _from_file(Path(settings.vector_file), words, forms)
    else:
        table = learnt(settings, batch, groups).rows(words)
    known = np.flatnonzero(table.any(axis=1))
    if not len(known):
        raise ModelError(
            f"{settings.vector_file}: no vector for any word of the notes; is it of another language?"
            if settings.vector_file
            else "the notes are too few to learn word vectors from; give a vector_file, or set vectors to 0"
        )
    unit = table[known] / np.linalg.norm(table[known], axis=1, keepdims=True)
    columns = [_grouped(unit, min(size, len(unit)), settings.seed) for size in SIZES]
    return WordGroups(tuple(words[at] for at in known.tolist()), np.stack(columns, axis=1).astype(np.uint16))


def _from_file(path: Path, words: list[str], forms: list[str]) -> Floats:
    """A vector for each word: that of its small letters, or else of another form that the notes have."""
    wanted = set(words)
    other = {form.lower(): form for form in sorted(forms, reverse=True) if form.lower() in wanted}
    vectors = read_vectors(path, only={*wanted, *other.values()})
    table = vectors.rows(words)
    bare = np.flatnonzero(~table.any(axis=1))
    table[bare] = vectors.rows([other[words[at]] for at in bare.tolist()])
    return table


def _grouped(unit: Floats, size: int, seed: int) -> Indices:
    """Which of `size` groups each vector belongs to: k-means by the angle, from vectors drawn at random."""
    centres = unit[np.random.default_rng((seed, size)).choice(len(unit), size, replace=False)]
    near: Indices = (unit @ centres.T).argmax(axis=1)
    for _ in range(ROUNDS):
        sums = np.zeros_like(centres)
        np.add.at(sums, near, unit)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 1e-6, sums / np.maximum(lengths, 1e-6), centres)  # an empty group stays put
        before, near = near, (unit @ centres.T).argmax(axis=1)
        if (near == before).all():
            break
    return near
