"""Does a model list what only few patients have? The strings that it holds, counted in notes.

A model folder holds strings in clear: the values of its attributes, which conjunctions point to; the words and
characters that a network knows. A string that stands in the notes of one patient only may be that patient's name.
Learning drops such strings; an audit proves it on the notes themselves. It counts in how many groups each string
occurs, where a group is all notes of one patient, or one note if its patient is not known. It says numbers and names of
lists, never a word.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.errors import ModelError
from elision.labels import canonical, guess_tag_set, parent, tag_set
from elision.taggers.audit_words import Holdings, SpanWords, Spelled, count_strings, count_words
from elision.taggers.base import Tagger
from elision.taggers.corpus import groups_of
from elision.taggers.encoder.holdings import EncoderHoldings
from elision.taggers.encoder.tagger import EncoderTagger
from elision.taggers.linear.holdings import LinearHoldings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.neural.holdings import NeuralHoldings, PretrainedHoldings
from elision.taggers.neural.pretrained import Pretrained
from elision.taggers.neural.tagger import NeuralTagger

LEAST = 3  # groups; a model that was learnt with less is audited by this all the same
IDENTIFYING = ("NAME", "ID")  # parents of canonical labels


@dataclass(frozen=True, slots=True)
class Counted:
    """How often strings of one kind occur: the fewest groups that any of them occurs in, and how many are below."""

    name: str
    strings: int
    fewest: int
    below: int


@dataclass(frozen=True, slots=True)
class Audit:
    """What a model holds of these notes."""

    least: int  # groups that a string must occur in
    notes: int
    groups: int
    attributes: tuple[Counted, ...]
    conjunctions: tuple[Counted, ...]
    labels: tuple[str, ...]  # whose spans identify somebody
    words: Spelled  # of these spans
    strings: Spelled  # whole spans of several words
    given: Spelled  # words of spans of any label, as far as they stand in lists of the settings
    trusted: bool  # these lists are public, so that they may hold rare words

    @property
    def passed(self) -> bool:
        """Whether nothing that the model holds is in fewer groups than it must be."""
        return not self.rare_learnt and (self.trusted or not self.given.below)

    @property
    def rare_learnt(self) -> int:
        """How many strings that were learnt from the notes are in too few groups; a word may count more than once."""
        kinds = sum(kind.below for kind in (*self.attributes, *self.conjunctions))
        return kinds + self.words.below + self.strings.below

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "passed": self.passed}


def audit(
    model: Tagger | Pretrained,
    documents: Sequence[Document],
    least: int = 0,
    vocabulary: Mapping[str, Sequence[str]] | None = None,
    *,
    trust_lists: bool = False,
    start: Tagger | None = None,
    pretrained: Pretrained | None = None,
) -> Audit:
    """Count what the model holds in the notes that it was learnt from.

    `least`: by default that of the settings, but not below LEAST. `vocabulary`: all lists of strings in the model's
    folder; those that its kind does not know are taken for lists of words. `trust_lists`: the lexicons of the
    settings are public, and not made from notes. `start`: the model from which learning went on, `pretrained`: what a
    neural model began with. What these hold, too, is not from these notes.
    """
    held = holdings(model, start, pretrained)
    least = least or max(LEAST, held.least)
    batch, groups = held.batch([document.text for document in documents]), groups_of(documents)
    lists = {**(vocabulary or {}), **held.lists}
    fresh = {name: _fresh(values, held.before.get(name, ())) for name, values in lists.items()}
    clear = {name: list(compress(values, fresh[name])) for name, values in lists.items()}
    labels = identifying(documents)
    words = SpanWords(held.batch, batch, groups[batch.note_of], documents, labels)
    every = SpanWords(
        held.batch, batch, groups[batch.note_of], documents, {s.label for note in documents for s in note.spans}
    )
    alone, together = held.counted(batch, groups)
    counts = {name: alone[name][fresh[name]] for name in alone}
    for name in sorted(lists.keys() - alone.keys()):
        counts[name] = np.array([words.groups_of(words.key(word)) for word in clear[name]], np.int64)
    return Audit(
        least,
        len(documents),
        int(groups.max(initial=-1)) + 1,
        tuple(_counted(name, each, least) for name, each in counts.items()),
        tuple(_counted(name, each, least) for name, each in together.items()),
        labels,
        count_words(words, held.spelled(words, clear), least),
        count_strings(words, held.rows(words, clear), least),
        count_words(every, every.runs_in(sorted(held.given), digits=True), least),
        trust_lists,
    )


def holdings(model: Tagger | Pretrained, start: Tagger | None, pretrained: Pretrained | None) -> Holdings:
    """What a model of any kind that can be audited holds."""
    if isinstance(model, Pretrained):
        return PretrainedHoldings(model)
    if isinstance(model, LinearTagger) and isinstance(start, LinearTagger | None):
        return LinearHoldings(model, start)
    if isinstance(model, NeuralTagger) and isinstance(start, NeuralTagger | None):
        return NeuralHoldings(model, start, pretrained)
    if isinstance(model, EncoderTagger):
        return EncoderHoldings(model)
    raise ModelError("a model of this kind, or one that goes on from a model of another kind, cannot be audited")


def _fresh(values: Sequence[str], before: Collection[str]) -> npt.NDArray[np.bool_]:
    """Which strings are from these notes."""
    return np.array([value not in before for value in values], np.bool_)


def identifying(documents: Sequence[Document]) -> tuple[str, ...]:
    """The labels of the notes that stand for names and numbers of persons; all where that cannot be told."""
    labels = sorted({span.label for document in documents for span in document.spans})
    tags = guess_tag_set(labels) or tag_set("canonical")
    if not set(labels) <= set(tags.tags):
        return tuple(labels)
    known = canonical()
    chosen = [
        label for label in labels if parent(tags.tags[label].label) in IDENTIFYING and tags.tags[label].label in known
    ]
    return tuple(chosen or labels)


def _counted(name: str, counts: npt.NDArray[np.int64], least: int) -> Counted:
    return Counted(name, len(counts), int(counts.min()) if len(counts) else 0, int((counts < least).sum()))
