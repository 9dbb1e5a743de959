"""More templates beside those of a country, and the words that they are made of.

Each slot's templates have a weight by which old and new come about equally often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from elision.languages.synth_lists import weighted

Made = Mapping[str, tuple[str, tuple[str, ...]]]
More = Mapping[str, tuple[float, tuple[str, ...]]]  # slot -> the weight of a template (times its own), templates
Words = Mapping[str, Callable[[], Sequence[str]]]


def listed(**lists: Sequence[str]) -> Words:
    """Lists that are there, as a language asks for them."""
    return {name: partial(tuple, words) for name, words in lists.items()}


def small(words: Sequence[str]) -> tuple[str, ...]:
    """Words in small letters, as hasty people write them."""
    return tuple(word.lower() for word in words)


def mixed(made: Made, *more: More) -> Made:
    """Templates with more of them. Weights are fixed by hand: a row's side depends on its weight, too."""
    found = dict(made)
    for table in more:
        for slot, (weight, rows) in table.items():
            label, before = found[slot]
            found[slot] = (label, (*before, *(f"{weight * own:.3g}: {row}" for own, row in weighted(rows))))
    return found
