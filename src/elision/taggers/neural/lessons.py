"""What a network is to learn: notes as numbers with their tags, the words that it will know, and its first weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from elision.document import Document
from elision.errors import ModelError
from elision.models import store
from elision.taggers.batch import Batch, cut_long
from elision.taggers.chain import Chain
from elision.taggers.corpus import groups_of, groups_with
from elision.taggers.cutters import batch_of
from elision.taggers.gold import begun_anew, tag_set, tags_of, unit_of
from elision.taggers.neural.inputs import EDGES, Inputs, Numbers, characters_with, inputs_of, normal
from elision.taggers.neural.modules import Corpus, Known, known_of
from elision.taggers.neural.network import Network, strings_of
from elision.taggers.neural.pretrained import Pretrained, form_of
from elision.taggers.neural.pretrained import load as load_pretrained
from elision.taggers.neural.reading import reading_of
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.skeleton import RETURN, skeleton_words
from elision.taggers.neural.tagger import NeuralTagger, chain_of, rows_of
from elision.taggers.neural.weights import CHARACTERS, SKELETON, TEXT, beginning, branches_of, shapes
from elision.taggers.vectors.vectors import Vectors, train_vectors

CROSSING = 0.05  # of spans: a network learns far less from few long sequences than from many short ones
SPREAD = 0.1  # of the numbers of word vectors to begin with


@dataclass(frozen=True, eq=False)
class Lessons:
    settings: NeuralSettings
    chain: Chain
    unit: str
    network: Network  # as it begins
    corpus: Corpus
    known: Known
    begun_with: str = ""  # the fingerprint of the pretrained folder


def lessons_of(
    settings: NeuralSettings,
    own: Sequence[Document],
    start: NeuralTagger | None = None,
    again: Sequence[Document] = (),
) -> Lessons:
    """What these notes have to teach, to a network that is new or to one that goes on. From those to learn `again` come
    no words."""
    notes = [*own, *again]
    pretrained = _pretrained(settings, start)
    if pretrained and not start:
        settings = replace(settings, embedding=pretrained.size)
    batch = batch_of(settings, [note.text for note in notes])
    tags = tags_of(notes, batch)
    unit = start.unit if start else unit_of(settings.unit, batch, tags, CROSSING)
    if settings.reading == "whole":
        begun_anew(tags, cut_long(batch, unit)[:, 0].tolist())
    chain = chain_of(settings, tag_set([*tags, *(start.chain.tags if start else ())]))
    inputs = inputs_of(settings, batch)
    words = _words(settings, batch, inputs, own, pretrained, start)
    kept = replace(pretrained, words=(), table=pretrained.table[:0]) if pretrained and settings.strings else None
    sizes = {name: len(known) + 2 for name, known in words.items()}
    wanted = shapes(settings, sizes, 2 * kept.hidden if kept else 0, len(chain.tags))
    arrays = beginning(wanted, settings.cell, settings.seed)
    if start:
        _go_on(arrays, chain, start)
    elif pretrained or settings.embeddings == "notes":
        _begin_words(settings, arrays, words, inputs, pretrained.vectors if pretrained else None)
    corpus = Corpus(
        inputs,
        reading_of(settings, batch, inputs, unit),
        strings_of(kept, batch, inputs).astype(np.float16),  # half the memory; they are between -1 and 1
        _gold(chain, tags, inputs),
    )
    network = Network(settings, arrays, words, kept)
    begun = store.fingerprint(Path(settings.pretrained)) if pretrained and not start else ""
    return Lessons(settings, chain, unit, network, corpus, known_of(inputs, words), begun)


def _pretrained(settings: NeuralSettings, start: NeuralTagger | None) -> Pretrained | None:
    if start:
        return start.network.pretrained
    if not settings.pretrained:
        return None
    if not Path(settings.pretrained).is_dir():
        raise ModelError(f"pretrained {settings.pretrained}: no such folder; `elision pretrain NOTES --out` makes one")
    return load_pretrained(Path(settings.pretrained))


def _gold(chain: Chain, tags: Sequence[str], inputs: Inputs) -> Numbers:
    number = {tag: at for at, tag in enumerate(chain.tags)}
    gold = np.full(len(inputs.form_of), chain.outside, np.int32)
    gold[inputs.place_of] = [number[tag] for tag in tags]
    return gold


def _words(
    settings: NeuralSettings,
    batch: Batch,
    inputs: Inputs,
    notes: Sequence[Document],
    pretrained: Pretrained | None,
    start: NeuralTagger | None,
) -> dict[str, dict[str, int]]:
    """The words and characters of enough notes or patients, most frequent first, behind those of the model that
    learning goes on from; with pre-trained vectors that are looked up in the same way, their words, too."""
    counts, wide = _counted(settings, inputs, notes)
    known = sorted((word for word in counts if word in wide), key=lambda word: (-counts[word], word))
    before = start.network.words if start else {}
    theirs = pretrained.words if pretrained and settings.words_of else ()
    found = {TEXT: rows_of(list(dict.fromkeys((*before.get(TEXT, ()), *known, *theirs))))}
    if settings.r:
        stay = {RETURN, *skeleton_words(counts, settings.r, settings.kept)}
        found[SKELETON] = before.get(SKELETON) or rows_of([word for word in known if word in stay])
    if settings.characters == "cnn":
        patients = characters_with(batch, groups_of(notes))
        seen = sorted(each for each, count in patients.items() if count >= settings.least and not each.isspace())
        found[CHARACTERS] = rows_of(list(dict.fromkeys((*before.get(CHARACTERS, EDGES), *seen))))
    return found


def _counted(
    settings: NeuralSettings, inputs: Inputs, notes: Sequence[Document]
) -> tuple[dict[str, int], frozenset[str]]:
    """How often each word stands in the notes, the first of the inputs, and which stand in those of enough patients."""
    numbers: dict[str, int] = {}
    number_of = np.array([numbers.setdefault(form, len(numbers)) for form in inputs.forms], np.int64)
    stands = number_of[inputs.form_of[: inputs.notes[len(notes)]]]
    note_of = np.searchsorted(inputs.notes, np.arange(len(stands)), side="right") - 1
    counts = np.bincount(stands, minlength=len(numbers))
    patients = groups_with(stands, groups_of(notes)[note_of], len(numbers))
    told = {word: int(counts[at]) for word, at in numbers.items() if counts[at]}
    return told, frozenset(word for word, at in numbers.items() if patients[at] >= settings.least)


def _begin_words(
    settings: NeuralSettings,
    arrays: dict[str, Floats],
    words: Mapping[str, dict[str, int]],
    inputs: Inputs,
    vectors: Vectors | None,
) -> None:
    """Vectors for words to begin with: pre-trained ones, or learnt from the notes without their spans."""
    if vectors is None:
        forms = np.array(inputs.forms, dtype=object)[inputs.form_of[:-1]]
        streams = (note.tolist() for note in np.split(forms, inputs.notes[1:-1]))
        vectors = train_vectors(streams, size=settings.embedding, minimum=max(2, settings.least), seed=settings.seed)
        asked = {word: word for known in words.values() for word in known}
    else:
        asked = {normal(word, settings): form_of(word) for word in reversed(inputs.spelled) if word}
    scale = SPREAD / (float(vectors.table.std()) or 1.0)
    for branch in branches_of(settings):
        table = vectors.rows([asked.get(word, word) for word in words[branch]]) * np.float32(scale)
        rows = np.flatnonzero(table.any(axis=1))
        arrays[f"{branch}.words"][rows + 2] = table[rows]


def _go_on(arrays: dict[str, Floats], chain: Chain, start: NeuralTagger) -> None:
    """Take over the weights of a model: rows by word or character, columns by tag, all else as it is. New tags begin as
    unlikely ones."""
    ours, theirs = {tag: at for at, tag in enumerate(chain.tags)}, start.network.arrays
    columns = [ours[tag] for tag in start.chain.tags]
    for name, array in arrays.items():
        before = theirs[name]
        if name == "turns":
            array[np.ix_([*columns, len(array) - 1], columns)] = before
        elif name.startswith("output."):
            array[...] = before.min() - 1 if name.endswith("bias") else 0
            array[..., columns] = before
        else:  # what is new of words and characters stands behind
            array[: len(before)] = before
