"""What a linear model holds in clear: the values of its attributes, and conjunctions, which spell words in a row.

A value that is a piece of a word (a prefix, a shape) spells nothing; one of several words spells each of them and every
run of them. A conjunction of words at neighbouring places spells them in a row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np

from elision.taggers.audit_words import Counts, Lists, Run, SpanWords
from elision.taggers.batch import Batch
from elision.taggers.chain import Ints
from elision.taggers.corpus import groups_with
from elision.taggers.linear.context_features import PLACES
from elision.taggers.linear.dense import stored
from elision.taggers.linear.learning import KEY_BITS, packed_keys
from elision.taggers.linear.model import Keys, joint_rows
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.warm_start import fresh_keys
from elision.taggers.linear.word_groups import stored_groups
from elision.text.tokens import Column

# Attributes whose values are no words: pieces of them, shapes, marks. A name that is not here counts as one of words.
_NO_WORDS = re.compile(
    r"(prefix|suffix)\d+|(gram|run)\d+-\d+|(chunk-)?(shape|brief)|length|upper|title|inner-upper|ascii|roman|some-.*|digits"
    r"|letters-digits|digits-punctuation|gap|line-place|key-distance|chunk-place|sentence-.*|pos2?"
    r"|(vector|group)-\d+|listed|(lexicon|in|beside|pattern)-.*"
)
_WORD_ALONE = ("form", "lower", "plain", "short")  # attributes that are the token itself
_NO_DIGITS = "plain"  # of these, the one whose digits are hidden


class LinearHoldings:
    """See `elision.taggers.audit_words.Holdings`; `start` is the model from which learning went on."""

    def __init__(self, tagger: LinearTagger, start: LinearTagger | None) -> None:
        self._tagger, self._linear = tagger, tagger.linear
        self._keys: Keys = fresh_keys(start.linear, tagger.linear) if start else tagger.linear.weights.keys
        before = {**start.linear.values, **stored_groups(start.word_groups)[0]} if start else {}
        if tagger.settings.vector_file:  # a file's words are not from these notes
            before |= stored(tagger.linear.dense)[0]
        self.before: Mapping[str, Collection[str]] = {name: frozenset(values) for name, values in before.items()}

    @property
    def least(self) -> int:
        return self._tagger.settings.least

    @property
    def lists(self) -> Lists:
        return self._linear.values

    @property
    def given(self) -> Iterable[str]:
        return {word for lexicon in self._tagger.settings.lexicons.values() for word in lexicon}

    def batch(self, texts: Sequence[str]) -> Batch:
        return self._tagger.batch(texts)

    def counted(self, batch: Batch, groups: Column) -> tuple[Counts, Counts]:
        table, values, of_token = self._table(batch), self._linear.values, groups[batch.note_of]
        alone = {
            name: groups_with(table[batch.spread, at].astype(np.int64), of_token, len(values[name]) + 1)[1:]
            for name, at in self._linear.attributes.number.items()
        }
        return alone, self._conjunctions(batch, table, of_token)

    def spelled(self, words: SpanWords, clear: Lists) -> list[Run]:
        runs: list[Run] = []
        for name, values in clear.items():
            kind = words_kind(name)
            if kind == "alone":
                runs += [(number,) for number in words.numbers_of(values, digits=name != _NO_DIGITS)]
            elif kind == "several":
                runs += words.runs_in(values, digits=name not in PLACES)
        return runs

    def rows(self, words: SpanWords, clear: Lists) -> Iterator[Run]:
        """By values of several words, and by the conjunctions held."""
        yield from (run for run in self.spelled(words, clear) if len(run) > 1)
        values = self._linear.values
        single = {
            name: np.array([-1, *words.numbers_of(values[name], digits=name != _NO_DIGITS)], np.int64)
            for name in _WORD_ALONE
            if name in values
        }
        for number, template in enumerate(self._linear.templates, 1):
            if template.alone:
                continue
            keys = self._keys_of(number, len(template.terms))
            shift = KEY_BITS * len(template.terms)
            places = {
                offset: single[name][
                    (keys >> np.uint64(shift - KEY_BITS * at) & np.uint64((1 << KEY_BITS) - 1)).astype(np.int64)
                ]
                for at, (name, offset) in enumerate(template.terms, 1)
                if name in single
            }
            for offsets in _neighbours(sorted(places)):
                yield from map(tuple, np.stack([places[offset] for offset in offsets], axis=1).tolist())

    def _table(self, batch: Batch) -> Ints:
        """The number of each attribute's value at each token, as learning has it."""
        linear = self._linear
        types, forms = batch.kinds
        table = np.zeros((batch.spread_size, len(linear.attributes.number)), np.int32)
        if len(batch):
            of_form = linear.of_forms(forms)[types]
            of_place = linear.attributes.of_places(batch, linear.numbers)
            table[batch.spread] = np.concatenate((of_form, of_place), axis=1)
        return table

    def _conjunctions(self, batch: Batch, table: Ints, of_token: Ints) -> Counts:
        """Of each template of several attributes: in how many groups the conjunctions with these keys occur."""
        linear, found = self._linear, {}
        for terms in joint_rows(linear.templates, linear.attributes).tolist():
            keys = self._keys_of(terms[6], sum(attribute >= 0 for attribute in terms[0:6:2]))
            packed = packed_keys(batch, table, terms)
            at = np.searchsorted(keys, packed)
            at[at == len(keys)] = 0
            hit = np.flatnonzero(keys[at] == packed) if len(keys) else np.zeros(0, np.int64)
            name = " ".join(f"{name}[{offset}]" for name, offset in linear.templates[terms[6] - 1].terms)
            found[name] = groups_with(at[hit].astype(np.int64), of_token[hit], len(keys))
        return found

    def _keys_of(self, number: int, terms: int) -> Keys:
        """The keys of one template's conjunctions."""
        shift = KEY_BITS * terms
        low, high = np.searchsorted(self._keys, np.array([number << shift, number + 1 << shift], np.uint64))
        return self._keys[low:high]


def words_kind(name: str) -> Literal["alone", "several", "none"]:
    """Whether the values of an attribute are words alone, may hold several, or hold none."""
    if name in _WORD_ALONE:
        return "alone"
    return "none" if _NO_WORDS.fullmatch(name) else "several"


def _neighbours(offsets: Sequence[int]) -> list[list[int]]:
    """The runs of two and more offsets that follow one another."""
    runs: list[list[int]] = []
    for offset in offsets:
        if runs and runs[-1][-1] == offset - 1:
            runs[-1].append(offset)
        else:
            runs.append([offset])
    return [run for run in runs if len(run) > 1]
