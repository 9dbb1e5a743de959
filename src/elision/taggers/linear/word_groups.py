"""Word vectors as attributes: which group of similar words a word belongs to, in few large groups and many small ones.

Cotik 2019 gave the numbers of a word's vector to a linear SVM. Our learning and tagging know features that are there or
not, so words are sorted into groups of like vectors (k-means on the unit sphere), coarse to fine, and the group is the
feature: `vector-8` to `vector-512`. What words of one group have in common is learnt once for all of them, as with
the numbers; what is lost is how far inside its group a word lies.

A model keeps the words and their groups, no vectors, and only words of the training notes that enough notes have. A
word that was not in them has no group, however large the file of vectors was.

Do not expect much of vectors that are learnt from the training notes. On MEDDOCAN dev the window classifier's strict
F1 was .802 without and .800 with them where all words are features, as in Cotik's, and .795 and .796 where those of one
or two notes are dropped (three seeds each). They helped where words are left out at random in learning: at a dropout of
.5, .735 without and .760 with them (two seeds).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.models.store import Stored
from elision.papers.vectors.vectors import read_vectors, train_vectors
from elision.taggers.linear.attributes import FORM
from elision.taggers.linear.batch import Batch
from elision.taggers.linear.columns import groups_with
from elision.taggers.linear.features import Template, templates
from elision.taggers.linear.settings import Settings
from elision.text.tokens import Column

Numbers = npt.NDArray[np.uint16]
Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.intp]

SIZES = (8, 32, 128, 512)  # of groups; on MEDDOCAN dev, single components cut in two to four did worse
ROUNDS = 20
WORDS, NUMBERS = "vector-words", "vector-groups"  # what a model folder calls them


@dataclass(frozen=True, slots=True, eq=False)
class WordGroups:
    """Words in small letters, and for each the number of its group in each of SIZES."""

    words: tuple[str, ...]
    numbers: Numbers  # words x SIZES


def templates_of(settings: Settings) -> tuple[Template, ...]:
    """The templates of these settings; vectors are features of the token itself unless said otherwise."""
    lines = list(settings.features)
    if settings.vectors or settings.vector_file:
        lines += [f"vector-{size}[0]" for size in SIZES]
    return templates(lines)


def learn_groups(settings: Settings, batch: Batch, groups: Column) -> WordGroups | None:
    """Groups for the words of these notes, from a file or learnt from the notes; None where no vectors are wanted."""
    if not settings.vectors and not settings.vector_file:
        return None
    types, forms = batch.kinds
    numbers: dict[str, int] = {}
    of_form = np.array([numbers.setdefault(form.lower(), len(numbers)) for form in forms], np.int64)
    counts = groups_with(of_form[types], groups[batch.note_of], len(numbers))
    words = [word for word, number in sorted(numbers.items()) if counts[number] >= settings.least]
    if settings.vector_file:
        table = _from_file(Path(settings.vector_file), words, forms)
    else:
        lower = list(numbers)
        notes = np.split(of_form[types], batch.notes[1:-1])
        table = train_vectors(
            ([lower[number] for number in note.tolist()] for note in notes), size=settings.vectors, seed=settings.seed
        ).rows(words)
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


def vector_forms(known: WordGroups | None) -> dict[str, FORM]:
    """The attributes `vector-8` and so on."""
    if known is None:
        return {}
    row = {word: at for at, word in enumerate(known.words)}
    return {f"vector-{size}": _form(row, known.numbers[:, at].tolist()) for at, size in enumerate(SIZES)}


def _form(row: Mapping[str, int], numbers: Sequence[int]) -> FORM:
    def group(token: str) -> str:
        at = row.get(token.lower())
        return "" if at is None else str(numbers[at])

    return group


def stored_groups(known: WordGroups | None) -> tuple[dict[str, tuple[str, ...]], dict[str, npt.NDArray[Any]]]:
    """What a model folder keeps: strings and an array."""
    return ({}, {}) if known is None else ({WORDS: known.words}, {NUMBERS: known.numbers})


def groups_from(model: Stored, settings: Settings) -> WordGroups | None:
    """The way back; a KeyError or ValueError where words and groups do not fit together."""
    if not settings.vectors and not settings.vector_file:
        return None
    words, numbers = tuple(map(str, model.vocabulary[WORDS])), model.arrays[NUMBERS]
    if numbers.dtype != np.uint16 or numbers.shape != (len(words), len(SIZES)) or (numbers >= SIZES).any():
        raise ValueError("words without their groups")
    return WordGroups(words, numbers)
