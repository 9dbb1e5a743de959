"""A linear model: what each feature says about each label, and its scores for a batch of notes.

Features that look at one attribute of a token's form depend on the token's *type* and its distance only. What a type
says about its neighbours is therefore worked out once and kept in a table (type x distance x label); a token's scores
are sums of table rows. Features that look at a place or at several attributes are looked up for each token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elision.errors import ElisionError
from elision.taggers import kernels
from elision.taggers.batch import GAP, Batch
from elision.taggers.chain import Floats, Ints, padded
from elision.taggers.linear.attributes import FORM
from elision.taggers.linear.columns import MOST_OF_THREE, Attributes, Values, numbered
from elision.taggers.linear.context_features import Place
from elision.taggers.linear.dense import Dense
from elision.taggers.linear.features import Template
from elision.taggers.linear.token_features import FormNumbers
from elision.text.tokens import Column

Keys = npt.NDArray[np.uint64]

MOST_TYPES = 1 << 15  # that are known at once
FORMS_TOGETHER = 2_000  # that are learnt at once: their attributes as words take ten times what is kept of them
MOST_TABLE_BYTES = 64 << 20  # what the tables of types may take; beyond that they are begun anew


class Sparse(NamedTuple):
    """Rows of weights without those that are zero: the weights of a row are those between two entries of `begins`."""

    begins: Ints  # rows + 1
    names: npt.NDArray[np.uint8]  # the label of each weight
    weights: Floats

    @classmethod
    def of(cls, dense: Floats) -> Sparse:
        rows, names = np.nonzero(dense)
        begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(rows, minlength=len(dense)))))
        return cls(begins.astype(np.int32), names.astype(np.uint8), dense[rows, names])

    def dense(self, width: int) -> Floats:
        dense = np.zeros((len(self.begins) - 1, width), np.float32)
        dense[np.repeat(np.arange(len(dense)), np.diff(self.begins)), self.names] = self.weights
        return dense

    def part(self, first: int, after: int) -> Sparse:
        """Some rows that follow each other."""
        low, high = int(self.begins[first]), int(self.begins[after])
        return Sparse(self.begins[first : after + 1] - low, self.names[low:high], self.weights[low:high])


@dataclass(frozen=True)
class Weights:
    """Features and their weights, without those that are zero: a model of four megabytes would be sixty with them.

    The features of template t that looks at one attribute are the rows of `alone` from `bases[t]`, one a value. A
    conjunction has a key of its template's number and its values' numbers; its weights are those between two entries
    of `begins`.
    """

    alone: Sparse  # features of one attribute
    bases: tuple[int, ...]  # -1 for conjunctions
    keys: Keys  # ascending
    begins: Ints  # keys + 1
    names: npt.NDArray[np.uint8]
    weights: Floats
    turns: Floats  # (labels + 1) x width: from a label to a label; the last row is that of the start

    @property
    def dense(self) -> Floats:
        """The features of one attribute with all their weights, features x width."""
        return self.alone.dense(self.turns.shape[1])


@dataclass
class _Known:
    """The types met so far: their numbers, the values of their attributes, and their tables."""

    numbers: dict[str, int]
    columns: Ints
    tables: Floats
    characters: int = 0  # of all forms together


@dataclass(frozen=True)
class Columns:
    """A batch, notes set apart by empty places: its tokens' types, as numbered in `known`, and values of places."""

    types: Column
    places: Ints
    known: _Known


class Linear:
    """Weights together with what is needed to find the features of a note. Threads may share it."""

    def __init__(
        self,
        labels: Sequence[str],
        templates: Sequence[Template],
        values: Values,
        weights: Weights,
        places: Mapping[str, Place] | None = None,
        forms: Mapping[str, FORM] | None = None,
        dense: Dense | None = None,
    ) -> None:
        self.dense = dense
        self.labels, self.templates, self.values, self.weights = tuple(labels), tuple(templates), values, weights
        self.attributes = Attributes(templates, places, forms)
        self.numbers = numbered(values)
        self.width = padded(len(self.labels))
        self._known = self._fresh()
        self._learning = Lock()

    @cached_property
    def offsets(self) -> Ints:
        """The distances at which the form of a token says something by itself."""
        alone = window(self.templates, self.attributes)
        return np.array(sorted({*alone, *(self.dense.offsets if self.dense else ())}) or [0], np.int32)

    @cached_property
    def _alone(self) -> Ints:
        """Templates of one attribute of the form: rows of (attribute, place in the table, first feature)."""
        where = {int(offset): at for at, offset in enumerate(self.offsets)}
        rows = [
            (self.attributes.number[name], where[offset], self.weights.bases[at])
            for at, template in enumerate(self.templates)
            if template.alone
            for name, offset in template.terms
            if name in self.attributes.forms
        ]
        return np.array(rows, np.int32).reshape(-1, 3)

    @cached_property
    def _direct(self) -> tuple[Ints, Floats]:
        """Templates of one attribute of the place: rows of (attribute, offset, first feature), and the weights of these
        features, which are few and asked for at each token."""
        rows: list[tuple[int, int, int]] = []
        parts = [np.zeros((0, self.width), np.float32)]
        size = 0
        for template, base in zip(self.templates, self.weights.bases, strict=True):
            terms = [term for term in template.terms if template.alone and term[0] in self.attributes.places]
            rows += [(self.attributes.number[name], offset, size) for name, offset in terms]
            if terms:
                many = len(self.values[terms[0][0]])
                parts.append(self.weights.alone.part(base, base + many).dense(self.width))
                size += many
        return np.array(rows, np.int32).reshape(-1, 3), np.concatenate(parts)

    @cached_property
    def of_forms(self) -> FormNumbers:
        """What forms say, as numbers of values."""
        return FormNumbers(self.attributes.forms, self.numbers)

    @cached_property
    def _joint(self) -> Ints:
        return joint_rows(self.templates, self.attributes)

    @cached_property
    def _slots(self) -> Ints:
        size = 1 << max(4, int(len(self.weights.keys) * 2).bit_length())
        slots = np.full(size, -1, np.int32)
        kernels.index_keys(self.weights.keys, slots)
        return slots

    def _fresh(self) -> _Known:
        """Nothing known but the empty place, type 0, which has no values and says nothing."""
        return _Known({}, np.zeros((1, len(self.attributes.forms)), np.int32), np.zeros((1, 0, 0), np.float32))

    def _types(self, batch: Batch) -> tuple[Column, _Known]:
        """The types of a batch's tokens; what is new is learnt by heart."""
        kinds, forms = batch.kinds
        with self._learning:
            known = self._known
            numbers = list(map(known.numbers.get, forms))
            if None in numbers or known.tables.size == 0:
                known = self._known_for(forms)
                numbers = list(map(known.numbers.get, forms))
        return np.array(numbers, np.int32)[kinds], known

    def _known_for(self, forms: Sequence[str]) -> _Known:
        """What is known, these forms included. What another thread holds stays as it is or grows."""
        known = self._known
        row_bytes = 4 * len(self.offsets) * self.width
        new = [form for form in forms if form not in known.numbers]
        count = len(known.numbers) + len(new)
        if known.numbers and (count > MOST_TYPES or count * row_bytes + known.characters > MOST_TABLE_BYTES):
            known, new = self._fresh(), list(forms)
            self._known = known
        for at in range(0, len(new) or known.tables.size == 0, FORMS_TOGETHER):
            self._learn(known, new[at : at + FORMS_TOGETHER])
        return known

    def _learn(self, known: _Known, forms: Sequence[str]) -> None:
        first = len(known.numbers) + 1
        size = first + len(forms)
        if size > len(known.columns) or known.tables.size == 0:
            # What is not used takes no memory yet, and what need not grow need not be copied.
            room = max(size + size // 4, MOST_TABLE_BYTES // (4 * self.width * max(1, len(self.offsets))))
            columns = np.zeros((room, len(self.attributes.forms)), np.int32)
            tables = np.zeros((room, len(self.offsets), self.width), np.float32)
            columns[:first] = known.columns[:first]
            if known.tables.size:
                tables[:first] = known.tables[:first]
            known.columns, known.tables = columns, tables
        known.columns[first:size] = self.of_forms(forms)
        kernels.fill(
            known.columns[first:size], self._alone, *self.weights.alone, known.tables[first:size],
            len(self.attributes.forms), len(self.offsets), self.width,
        )  # fmt: skip
        if self.dense:
            places = np.searchsorted(self.offsets, self.dense.offsets)
            known.tables[first:size, places] += self.dense.tables(forms)
        # Last of all: a form whose table could not be filled must not pass for one that says nothing.
        known.numbers.update({form: first + at for at, form in enumerate(forms)})
        known.characters += sum(map(len, forms))

    def scores(self, begin: int, end: int, columns: Columns) -> Floats:
        """A row of scores for each place from `begin` up to `end`, of the columns that `columns` gave."""
        known = columns.known
        window = slice(begin - GAP, end + GAP)
        out = np.empty((end - begin + 2 * GAP, self.width), np.float32)
        w = self.weights
        kernels.emit(
            columns.types[window], known.columns, columns.places[window], known.tables, self.offsets, *self._direct,
            self._joint, self._slots, w.keys, w.begins, w.names, w.weights, out,
            len(self.attributes.forms), len(self.attributes.places), len(self.labels), self.width,
        )  # fmt: skip
        return out[GAP : end - begin + GAP]

    @property
    def kept(self) -> int:
        """How many features have a weight."""
        return int((np.diff(self.weights.alone.begins) > 0).sum()) + len(self.weights.keys)

    def columns(self, batch: Batch) -> Columns:
        """The columns of a batch, for `scores`."""
        types = np.zeros(batch.spread_size, np.int32)
        types[batch.spread], known = self._types(batch)
        places = np.zeros((batch.spread_size, len(self.attributes.places)), np.int32)
        if self.attributes.places:
            places[batch.spread] = self.attributes.of_places(batch, self.numbers)
        return Columns(types, places, known)


def window(templates: Sequence[Template], attributes: Attributes) -> list[int]:
    """The distances at which templates look at one attribute of the form."""
    return sorted({o for t in templates if t.alone for name, o in t.terms if name in attributes.forms})


def joint_rows(templates: Sequence[Template], attributes: Attributes) -> Ints:
    """For each conjunction three times (attribute or -1, offset), and the number of its template."""
    rows = []
    for at, template in enumerate(templates):
        if not template.alone:
            if len(template.terms) == 3 and at >= MOST_OF_THREE:
                raise ElisionError(
                    f"{len(templates)} kinds of features: one of three attributes together must be among the first "
                    f"{MOST_OF_THREE}; name it further up"
                )
            terms = [number for name, offset in template.terms for number in (attributes.number[name], offset)]
            rows.append([*terms, *[-1, 0] * (3 - len(template.terms)), at + 1])
    return np.array(rows, np.int32).reshape(-1, 7)
