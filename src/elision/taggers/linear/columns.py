"""Attributes of tokens as columns of numbers: which value each token has, 0 where the model knows none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np
import numpy.typing as npt

from elision.errors import ElisionError
from elision.taggers.batch import Batch
from elision.taggers.corpus import groups_with
from elision.taggers.linear.attributes import FORM, form
from elision.taggers.linear.context_features import PLACES, Place
from elision.taggers.linear.features import Template
from elision.text.tokens import Column

Values = Mapping[str, Sequence[str]]  # the values of each attribute that a model knows; the first has number 1

MOST_VALUES = (1 << 18) - 1  # three numbers and that of a template go into 64 bits
MOST_OF_THREE = (1 << 10) - 2  # so this is the highest number of a template of three attributes


class Attributes:
    """The attributes that some templates look at: those of the form first, then those of the place. A model may bring
    `places` and `forms` of its own."""

    def __init__(
        self,
        templates: Sequence[Template],
        places: Mapping[str, Place] | None = None,
        forms: Mapping[str, FORM] | None = None,
    ) -> None:
        known = {**PLACES, **(places or {})}
        names = list(dict.fromkeys(name for template in templates for name, _ in template.terms))
        self.places: dict[str, Place] = {name: known[name] for name in names if name in known}
        self.forms: dict[str, FORM] = {}
        for name in names:
            if name in self.places:
                continue
            function = (forms or {}).get(name) or form(name)
            if function is None:
                raise ElisionError(
                    f"features look at {name!r}, which is no attribute; there are: {', '.join(sorted(known))}, "
                    "and those of the form, such as lower, shape, prefix3 or suffix4"
                )
            self.forms[name] = function
        self._constant: dict[str, tuple[Sequence[str], Mapping[str, int], Column]] = {}
        self.number = {name: at for at, name in enumerate((*self.forms, *self.places))}

    def of_places(self, batch: Batch, numbers: Mapping[str, Mapping[str, int]]) -> npt.NDArray[np.int32]:
        """A row for each token, a column for each attribute of the place."""
        table = np.zeros((len(batch), len(self.places)), np.int32)
        for at, (name, function) in enumerate(self.places.items()):
            codes, meanings = function(batch)
            table[:, at] = self._numbers(name, meanings, numbers[name])[codes]
        return table

    def _numbers(self, name: str, meanings: Sequence[str], known: Mapping[str, int]) -> Column:
        """The numbers of what codes mean; kept where they mean the same in every batch."""
        before = self._constant.get(name)
        if before is not None and before[0] is meanings and before[1] is known:
            return before[2]
        column = np.array(list(map(known.get, meanings, repeat(0))), np.int32)
        if isinstance(meanings, tuple):
            self._constant[name] = meanings, known, column
        return column

    def values(self, batch: Batch, least: int, groups: Column) -> dict[str, tuple[str, ...]]:
        """The values of every attribute that occur in at least so many groups of notes, the most frequent first."""
        types, forms = batch.kinds
        group = groups[batch.note_of]
        found: dict[str, tuple[str, ...]] = {}
        for name, function in self.forms.items():
            numbers: dict[str, int] = {}
            of_form = np.array([numbers.setdefault(function(token), len(numbers)) for token in forms], np.int32)
            found[name] = _frequent(of_form[types], list(numbers), group, least)
        for name, place in self.places.items():
            codes, meanings = place(batch)
            found[name] = _frequent(codes, meanings, group, least)
        return found


def numbered(values: Values) -> dict[str, dict[str, int]]:
    """The number of each value."""
    return {name: {value: at for at, value in enumerate(known, 1)} for name, known in values.items()}


def _frequent(codes: Column, meanings: Sequence[str], groups: Column, least: int) -> tuple[str, ...]:
    counts = groups_with(codes.astype(np.int64), groups, len(meanings))
    order = sorted(range(len(meanings)), key=lambda at: (-counts[at], meanings[at]))
    return tuple(meanings[at] for at in order if counts[at] >= least and meanings[at])[:MOST_VALUES]
