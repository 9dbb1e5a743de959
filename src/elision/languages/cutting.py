"""Words of text without blanks: what a Chinese character is part of, as attributes of the place where it stands.

Our tokens are characters there, and a model that sees characters alone takes 安 for a name wherever it may be one. Text
is cut into the known words that are the most likely together; a name is mostly left in single characters, or in words
that seldom stand beside each other.

word-place        how long the word is in which a character stands, and how far into it
word-rarity       how long and how rare it is
word-SIZE         the group of like words in which it is (`elision.languages.groups`), ? if the word is not known
before-SIZE, behind-SIZE   the group of the word before it and behind it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from elision.languages.groups import PER_NAT, Groups
from elision.text import native
from elision.text.tokens import Column, Tokens

LONGEST_TOLD = 5  # characters of a word whose length is told
RARITY = 1.4 * PER_NAT  # what makes a word of the next degree of rarity
DEGREES = 16
UNKNOWN, NONE = -1, -2  # in place of a word's place in the groups
_PLACES = ("", *(f"{size}.{at}" for size in range(1, LONGEST_TOLD + 1) for at in range(LONGEST_TOLD)))
_RARITIES = ("", *(f"{size}.{degree}" for size in range(1, LONGEST_TOLD + 1) for degree in ("?", *range(DEGREES))))
_KEPT = "_words"
_WAYS = ("word", "before", "behind")


class Batch(Protocol):
    """Notes side by side, as a tagger has them."""

    __dict__: dict[str, Any]

    def __len__(self) -> int: ...

    @property
    def tokens(self) -> Tokens: ...

    @property
    def codes(self) -> npt.NDArray[np.uint32]: ...

    @property
    def classes(self) -> npt.NDArray[np.uint8]: ...

    @property
    def note_of(self) -> Column: ...


Coded = tuple[Column, Sequence[str]]  # for each token the place of its value, and all values
Place = Callable[[Batch], Coded]


class Words(NamedTuple):
    """For each token how far into its word it stands, and how many tokens that has, 0 if it stands in none; and the
    places in the groups of its word, of the word before and of that behind."""

    at: Column
    sizes: Column
    places: tuple[Column, Column, Column]


def words_of(batch: Batch, groups: Groups) -> Words:
    """The words of a batch. Several attributes need them: they are kept with it."""
    kept: tuple[Groups, Words] | None = batch.__dict__.get(_KEPT)
    if kept is None or kept[0] is not groups:
        kept = batch.__dict__[_KEPT] = groups, _cut(batch, groups)
    return kept[1]


def _cut(batch: Batch, groups: Groups) -> Words:
    firsts, which = np.empty(len(batch), np.int32), np.empty(len(batch), np.int32)
    native.words(
        batch.codes, batch.tokens.starts, batch.tokens.ends, batch.classes, groups.words, groups.buckets, groups.costs,
        groups.dearest, firsts, which,
    )  # fmt: skip
    inside = firsts >= 0
    which[~inside] = NONE
    sizes = np.where(inside, np.bincount(firsts[inside], minlength=len(batch))[firsts], 0).astype(np.int32)
    before, behind = (
        np.where(inside & (batch.note_of.take(at, mode="clip") == batch.note_of), which.take(at, mode="clip"), NONE)
        for at in (firsts - 1, firsts + sizes)
    )
    before[firsts == 0] = NONE
    behind[firsts + sizes == len(batch)] = NONE
    return Words(np.arange(len(batch), dtype=np.int32) - firsts, sizes, (which, before, behind))


def word_places(groups: Groups) -> Mapping[str, Place]:
    """The attributes that these groups know."""
    found: dict[str, Place] = {"word-place": partial(_place, groups), "word-rarity": _rarity(groups)}
    for size, numbers in groups.numbers.items():
        codes = np.append(numbers.astype(np.int32) + 2, np.array([0, 1], np.int32))  # the last are NONE and UNKNOWN
        names = ("", "?", *map(str, range(size)))
        for number, way in enumerate(_WAYS):
            found[f"{way}-{size}"] = partial(_group, groups, codes, names, number)
    return found


def _place(groups: Groups, batch: Batch) -> Coded:
    at, sizes, _ = words_of(batch, groups)
    codes = (np.minimum(sizes, LONGEST_TOLD) - 1) * LONGEST_TOLD + np.minimum(at, LONGEST_TOLD - 1) + 1
    return np.where(sizes, codes, 0), _PLACES


def _rarity(groups: Groups) -> Place:
    degrees = np.append(np.minimum(groups.costs / RARITY, DEGREES - 1).astype(np.int32) + 1, np.zeros(2, np.int32))

    def place(batch: Batch) -> Coded:
        _, sizes, (which, _, _) = words_of(batch, groups)
        codes = (np.minimum(sizes, LONGEST_TOLD) - 1) * (DEGREES + 1) + degrees[which] + 1
        return np.where(sizes, codes, 0), _RARITIES

    return place


def _group(groups: Groups, codes: Column, names: tuple[str, ...], number: int, batch: Batch) -> Coded:
    return codes[words_of(batch, groups).places[number]], names
