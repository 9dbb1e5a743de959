"""What the forms of tokens say, as numbers of the values that a model knows.

New words are what most costs in notes that nobody has seen, so this is compiled where it can be: attributes that are
data (`attributes.Written`), for forms of Latin letters. The functions do the rest, and all where nothing was compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from elision.taggers.linear.attributes import FORM, Written, plain, shape
from elision.text.native import PLAIN
from elision.text.tokens import Column

try:
    if PLAIN:
        raise ImportError("Python is asked for")
    from elision.taggers.linear import _token_features as compiled
except ImportError:
    COMPILED = False
else:
    COMPILED = True

Ints = npt.NDArray[np.int32]

LETTERS = 0x250  # those of Unicode up to here that are written with one letter are looked up where it is compiled
MOST_ATTRIBUTES = 64


@runtime_checkable
class OfMany(Protocol):
    """An attribute of the form that is quicker asked of many forms at once: their codes, and what each code means."""

    def of_many(self, forms: Sequence[str]) -> tuple[Column, Sequence[str]]: ...


class FormNumbers:
    """Attributes of the form and the numbers of their values; called with forms, it gives a row for each form and a
    column for each attribute."""

    def __init__(self, attributes: Mapping[str, FORM], numbers: Mapping[str, Mapping[str, int]]) -> None:
        self._columns = [(function, numbers[name]) for name, function in attributes.items()]
        data = [(at, each) for at, (each, _) in enumerate(self._columns) if isinstance(each, Written)]
        self._data = [at for at, _ in data][:MOST_ATTRIBUTES] if COMPILED else []
        if self._data:
            rows = np.array([(each.way, each.part, each.size, at) for at, each in data[:MOST_ATTRIBUTES]], np.int32)
            self._ready = compiled.ready(rows, _tables(), [dict(self._columns[at][1]) for at in self._data])

    def __call__(self, forms: Sequence[str]) -> Ints:
        table = np.zeros((len(forms), len(self._columns)), np.int32)
        left = compiled.look(self._ready, list(forms), table, len(self._columns)) if self._data else []
        odd = [forms[at] for at in left]
        for at, (function, known) in enumerate(self._columns):
            if at in self._data:
                if odd:
                    table[left, at] = _numbers(function, known, odd)
            else:
                table[:, at] = _numbers(function, known, forms)
        return table


def _numbers(function: FORM | OfMany, known: Mapping[str, int], forms: Sequence[str]) -> Column:
    if isinstance(function, OfMany):
        codes, meanings = function.of_many(forms)
        return np.array([known.get(meaning, 0) for meaning in meanings], np.int32)[codes]
    return np.array([known.get(function(form), 0) for form in forms], np.int32)


@cache
def _tables() -> npt.NDArray[np.uint32]:
    """How each letter is written small, plain and as a shape; 0 for those that are not looked up one by one."""
    return np.array([[_one(way, chr(code)) for code in range(LETTERS)] for way in (str.lower, plain, shape)], np.uint32)


def _one(way: FORM, letter: str) -> int:
    written = way(letter)
    usual = len(written) == 1 and letter.isupper() == (shape(letter) == "A")
    return ord(written) if usual else 0
