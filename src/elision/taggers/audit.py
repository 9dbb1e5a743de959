"""Does a model list what only few patients have? The strings that it holds, counted in notes.

A model folder holds strings in clear: the values of its attributes, which conjunctions point to. A string that stands
in the notes of one patient only may be that patient's name. Learning drops such strings; an audit proves it on the
notes themselves. It counts in how many groups each string occurs, where a group is all notes of one patient, or one
note if its patient is not known. It says numbers and names of attributes, never a word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.labels import canonical, guess_tag_set, parent, tag_set
from elision.taggers.audit_words import SpanWords, Spelled, count_strings, count_words, spelled_by
from elision.taggers.batch import Batch
from elision.taggers.chain import Ints
from elision.taggers.corpus import groups_of
from elision.taggers.linear.columns import groups_with
from elision.taggers.linear.learning import KEY_BITS, packed_keys
from elision.taggers.linear.model import Keys, joint_rows
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.warm_start import fresh_keys
from elision.taggers.linear.word_groups import stored_groups

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
    tagger: LinearTagger,
    documents: Sequence[Document],
    least: int = 0,
    vocabulary: Mapping[str, Sequence[str]] | None = None,
    *,
    trust_lists: bool = False,
    start: LinearTagger | None = None,
) -> Audit:
    """Count what the model holds in the notes that it was learnt from.

    `least`: by default that of the settings, but not below LEAST. `vocabulary`: all lists of strings in the model's
    folder; those beyond the attributes' values are taken for lists of words. `trust_lists`: the lexicons of the
    settings are public, and not made from notes. `start`: the model from which learning went on; what it holds, too,
    is not from these notes.
    """
    linear, settings = tagger.linear, tagger.settings
    before = {**start.linear.values, **stored_groups(start.word_groups)[0]} if start else {}
    had = {name: frozenset(values) for name, values in before.items()}
    keys = fresh_keys(start.linear, linear) if start else linear.weights.keys
    least = least or max(LEAST, settings.least)
    batch = tagger.batch([document.text for document in documents])
    groups = groups_of(documents)
    table = _table(tagger, batch)
    of_token = groups[batch.note_of]
    attributes = [
        _counted(
            name,
            groups_with(table[batch.spread, at].astype(np.int64), of_token, len(linear.values[name]) + 1)[1:][
                [value not in had.get(name, ()) for value in linear.values[name]]
            ],
            least,
        )
        for name, at in linear.attributes.number.items()
    ]
    labels = identifying(documents)
    words = SpanWords(tagger, batch, of_token, documents, labels)
    every = SpanWords(
        tagger, batch, of_token, documents, {span.label for document in documents for span in document.spans}
    )
    clear = {
        name: [value for value in values if value not in had.get(name, ())]
        for name, values in {**(vocabulary or {}), **linear.values}.items()
    }
    for name in sorted(clear.keys() - linear.values.keys()):
        counts = np.array([words.groups_of(words.key(word)) for word in clear[name]], np.int64)
        attributes.append(_counted(name, counts, least))
    given = sorted({word for lexicon in settings.lexicons.values() for word in lexicon})
    return Audit(
        least,
        len(documents),
        int(groups.max(initial=-1)) + 1,
        tuple(attributes),
        tuple(_conjunctions(tagger, keys, batch, table, of_token, least)),
        labels,
        count_words(words, words.spelled(clear), least),
        count_strings(words, spelled_by(linear, keys, words, clear), least),
        count_words(every, every.runs_in(given, digits=True), least),
        trust_lists,
    )


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


def _table(tagger: LinearTagger, batch: Batch) -> Ints:
    """The number of each attribute's value at each token, as learning has it."""
    linear = tagger.linear
    attributes = linear.attributes
    types, forms = batch.kinds
    table = np.zeros((batch.spread_size, len(attributes.number)), np.int32)
    if len(batch):
        of_form = linear.of_forms(forms)[types]
        table[batch.spread] = np.concatenate((of_form, attributes.of_places(batch, linear.numbers)), axis=1)
    return table


def _counted(name: str, counts: npt.NDArray[np.int64], least: int) -> Counted:
    return Counted(name, len(counts), int(counts.min()) if len(counts) else 0, int((counts < least).sum()))


def _conjunctions(
    tagger: LinearTagger, held: Keys, batch: Batch, table: Ints, of_token: Ints, least: int
) -> list[Counted]:
    """Each template of several attributes: in how many groups the conjunctions with these keys occur."""
    linear = tagger.linear
    found = []
    for terms in joint_rows(linear.templates, linear.attributes).tolist():
        keys = keys_of(held, terms[6], sum(attribute >= 0 for attribute in terms[0:6:2]))
        packed = packed_keys(batch, table, terms)
        at = np.searchsorted(keys, packed)
        at[at == len(keys)] = 0
        hit = np.flatnonzero(keys[at] == packed) if len(keys) else np.zeros(0, np.int64)
        name = " ".join(f"{name}[{offset}]" for name, offset in linear.templates[terms[6] - 1].terms)
        found.append(_counted(name, groups_with(at[hit].astype(np.int64), of_token[hit], len(keys)), least))
    return found


def keys_of(keys: Keys, number: int, terms: int) -> Keys:
    """The keys of one template's conjunctions."""
    shift = KEY_BITS * terms
    low, high = np.searchsorted(keys, np.array([number << shift, number + 1 << shift], np.uint64))
    return keys[low:high]
