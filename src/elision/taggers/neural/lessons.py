"""What a network is to learn: notes as numbers, with their tags, the words that it will know, and what it begins with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elision.document import Document
from elision.taggers.batch import Batch, cut_long
from elision.taggers.chain import Chain
from elision.taggers.corpus import groups_of
from elision.taggers.cutters import batch_of
from elision.taggers.gold import begun_anew, tag_set, tags_of, unit_of
from elision.taggers.neural.inputs import EDGES, Inputs, Numbers, inputs_of
from elision.taggers.neural.modules import Corpus, Known, known_of
from elision.taggers.neural.reading import reading_of
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.skeleton import RETURN, skeleton_words
from elision.taggers.neural.tagger import NeuralTagger, chain_of, rows_of
from elision.taggers.neural.weights import beginning, branches_of, shapes
from elision.taggers.vectors.vectors import train_vectors

SPREAD = 0.1  # of the numbers of word vectors to begin with


@dataclass(frozen=True, eq=False)
class Lessons:
    chain: Chain
    unit: str
    words: Mapping[str, dict[str, int]]
    arrays: Mapping[str, Floats]
    corpus: Corpus
    known: Known
    batch: Batch
    tags: Sequence[str]  # of each token

    def own(self, notes: int) -> int:
        """How many tokens the first notes have."""
        return int(self.batch.notes[notes])


def lessons_of(settings: NeuralSettings, notes: Sequence[Document], start: NeuralTagger | None) -> Lessons:
    """What these notes have to teach, to a network that is new or to one that goes on."""
    batch = batch_of(settings, [note.text for note in notes])
    tags = tags_of(notes, batch)
    unit = start.unit if start else unit_of(settings.unit, batch, tags)
    if settings.reading == "whole":
        begun_anew(tags, cut_long(batch, unit)[:, 0].tolist())
    chain = chain_of(settings, tag_set([*tags, *(start.chain.tags if start else ())]))
    inputs = inputs_of(settings, batch)
    words = _words(settings, batch, inputs, notes)
    wanted = shapes(settings, {name: len(known) + 2 for name, known in words.items()}, 0, len(chain.tags))
    arrays = beginning(wanted, settings.cell, settings.seed)
    if settings.embeddings == "notes":
        _learn_vectors(settings, arrays, words, inputs)
    gold = _gold(chain, tags, inputs)
    corpus = Corpus(
        inputs, reading_of(settings, batch, inputs, unit), np.zeros((len(inputs.form_of), 0), np.float32), gold
    )
    return Lessons(chain, unit, words, arrays, corpus, known_of(inputs, words), batch, tags)


def _gold(chain: Chain, tags: Sequence[str], inputs: Inputs) -> Numbers:
    number = {tag: at for at, tag in enumerate(chain.tags)}
    gold = np.full(len(inputs.form_of), chain.outside, np.int32)
    gold[inputs.place_of] = [number[tag] for tag in tags]
    return gold


def _words(
    settings: NeuralSettings, batch: Batch, inputs: Inputs, notes: Sequence[Document]
) -> dict[str, dict[str, int]]:
    """The words and characters that enough notes or patients have, most frequent first."""
    numbers: dict[str, int] = {}
    number_of = np.array([numbers.setdefault(form, len(numbers)) for form in inputs.forms], np.int64)
    forms = inputs.form_of[:-1]
    note_of = np.searchsorted(inputs.notes, np.arange(len(forms)), side="right") - 1
    group_of = groups_of(notes)[note_of].astype(np.int64)
    counts = np.bincount(number_of[forms], minlength=len(numbers))
    pairs = np.unique(number_of[forms] * (len(notes) + 1) + group_of) // (len(notes) + 1)
    wide = np.bincount(pairs, minlength=len(numbers)) >= settings.least
    told = {word: int(counts[at]) for word, at in numbers.items() if counts[at]}
    known = [word for word, at in numbers.items() if wide[at] and counts[at]]
    known.sort(key=lambda word: (-told[word], word))
    words = {"text": rows_of(known)}
    if settings.r:
        stay = {RETURN, *skeleton_words(told, settings.r, settings.kept)}
        words["skeleton"] = rows_of([word for word in known if word in stay])
    if settings.characters == "cnn":
        seen = sorted({letter for word, at in numbers.items() if wide[at] for letter in word} - set(EDGES))
        words["characters"] = rows_of([*EDGES, *seen])
    return words


def _learn_vectors(
    settings: NeuralSettings, arrays: dict[str, Floats], words: Mapping[str, dict[str, int]], inputs: Inputs
) -> None:
    """Word vectors that are learnt from the notes without their spans; the network's learning goes on from them."""
    forms = np.array(inputs.forms, dtype=object)[inputs.form_of[:-1]]
    notes = np.split(forms, inputs.notes[1:-1])
    vectors = train_vectors(
        (note.tolist() for note in notes), size=settings.embedding, minimum=max(2, settings.least), seed=settings.seed
    )
    scale = float(vectors.table.std()) or 1.0
    for branch in branches_of(settings):
        table = vectors.rows(list(words[branch])) * np.float32(SPREAD / scale)
        rows = np.flatnonzero(table.any(axis=1))
        arrays[f"{branch}.words"][rows + 2] = table[rows]
