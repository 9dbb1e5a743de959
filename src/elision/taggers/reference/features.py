"""From tokens to features to scores, as the compiled loops do it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from elision.taggers.reference.learning import mixed
from elision.taggers.reference.rows import Floats

Ints = npt.NDArray[np.int32]
Bytes = npt.NDArray[np.uint8]
Keys = npt.NDArray[np.uint64]
Codes = npt.NDArray[np.uint32]
Indices = npt.NDArray[np.intp]

KEY_BITS = np.uint64(18)


def fill(
    columns: Ints, alone: Ints, begins: Ints, names: Bytes, weights: Floats, tables: Floats, attributes: int,
    offsets: int, width: int, /,
) -> None:  # fmt: skip
    """What types say about their neighbours. `columns` has the values of each type's attributes, 0 for one without a
    feature; `alone` a row for each feature of one attribute: attribute, place in the table, row of its first value.
    The weights of row r are those from `begins[r]` up to the next; they are added up in `tables`, types x places x
    width."""
    values = columns.reshape(-1, attributes or 1)
    out = tables.reshape(-1, offsets, width)[: len(values)]
    out[...] = 0
    for attribute, place, base in alone.reshape(-1, 3).tolist():
        value = values[:, attribute]
        known = np.flatnonzero(value > 0)
        token, each = _weights_of(known, base + value[known] - 1, begins)
        out[token, place, names[each]] += weights[each]


def _weights_of(tokens: Indices, rows: Indices | Ints, begins: Ints) -> tuple[Indices, Indices]:
    """The weights of a row for each token: the token again for each weight, and which weight."""
    sizes = begins[rows + 1] - begins[rows]
    return np.repeat(tokens, sizes), np.arange(sizes.sum()) + np.repeat(
        begins[rows] - (np.cumsum(sizes) - sizes), sizes
    )


def emit(
    types: Ints, columns: Ints, places: Ints, tables: Floats, offsets: Ints, direct: Ints, dense: Floats, joint: Ints,
    _slots: Ints, keys: Keys, begins: Ints, names: Bytes, weights: Floats, out: Floats, attributes: int,
    place_attributes: int, _labels: int, width: int, /,
) -> None:  # fmt: skip
    """Types and places of tokens to scores of labels, added up in `out`.

    A token gets what the types at each of the `offsets` (ascending) say of it, from `tables`; then the weights of
    features of one attribute of a place, for each row of `direct`: attribute, offset, weights of its first value in
    `dense`; then those of conjunctions, for each row of `joint`: three times attribute (-1: none) and offset, and a
    number. Number and values make a key; if it is `keys[k]` (ascending), its weights are those from `begins[k]` up to
    the next. An attribute is one of the type (`columns`) or, counted on from those, one of the place. Beyond the ends
    is nothing, and type 0 is an empty place between notes: it says nothing and has no features.
    """
    n = len(types)
    scores = out.reshape(-1)[: n * width].reshape(n, width)
    scores[...] = 0
    there = types > 0
    of_type, of_place = columns.reshape(-1, attributes or 1), places.reshape(-1, place_attributes or 1)
    said, rows = tables.reshape(-1, len(offsets), width) if tables.size else tables, dense.reshape(-1, width)

    def values(attribute: int, offset: int) -> Indices:
        found = np.zeros(n, np.intp)
        to, since = _window(n, offset)
        if attribute < attributes:
            found[to] = of_type[types[since], attribute]
        else:
            found[to] = of_place[since, attribute - attributes]
        return found

    for place, offset in enumerate(offsets.tolist()):
        to, since = _window(n, offset)
        scores[to] += np.where(types[since, None] > 0, said[types[since], place], np.float32(0))
    for attribute, offset, base in direct.reshape(-1, 3).tolist():
        value = values(attribute, offset)
        known = np.flatnonzero((value > 0) & there)
        scores[known] += rows[base + value[known] - 1]
    for *terms, template in joint.reshape(-1, 7).tolist():
        found = np.full(n, template, np.uint64)
        whole = there.copy()
        for attribute, offset in zip(terms[0::2], terms[1::2], strict=True):
            if attribute < 0:
                break
            value = values(attribute, offset)
            whole &= value > 0
            found = found << KEY_BITS | value.astype(np.uint64)
        _add_joint(scores, np.flatnonzero(whole), found[whole], keys, begins, names, weights)


def _window(n: int, offset: int) -> tuple[slice, slice]:
    """The tokens that have one at this offset, and the ones there."""
    size = max(0, n - abs(offset))
    return slice(max(0, -offset), max(0, -offset) + size), slice(max(0, offset), max(0, offset) + size)


def _add_joint(
    scores: Floats, tokens: Indices, found: Keys, keys: Keys, begins: Ints, names: Bytes, weights: Floats
) -> None:
    if not len(keys):
        return
    at = np.minimum(np.searchsorted(keys, found), len(keys) - 1)
    hit = keys[at] == found
    token, each = _weights_of(tokens[hit], at[hit], begins)
    np.add.at(scores.reshape(-1), token * scores.shape[1] + names[each], weights[each])


def index_keys(keys: Keys, slots: Ints, /) -> None:
    """A hash table of the keys' numbers, -1 where empty: a key stands where `mixed` says or, where that is taken, in
    the next place that is free. (`emit` here finds keys by bisection and does without.)"""
    size = len(slots)
    if size <= len(keys) or size & (size - 1):
        raise ValueError("the number of slots is not a power of two, or too small")
    slots[...] = -1
    waiting = np.arange(len(keys))
    at = mixed(keys) & np.uint64(size - 1)
    while len(waiting):  # all that wait knock at their place; one of them gets it, if it is free
        free = slots[at] < 0
        slots[at[free]] = waiting[free]
        out = slots[at] != waiting
        waiting, at = waiting[out], (at[out] + np.uint64(1)) & np.uint64(size - 1)


def number(codes: Codes, starts: Ints, ends: Ints, kinds: Ints, firsts: Ints, /) -> int:
    """Numbers tokens by their characters, in the order in which they first occur; returns how many different ones
    there are. `kinds` gets the number of each token, `firsts` the first token of each number."""
    if len(starts) and (starts.min() < 0 or (ends < starts).any() or int(ends.max()) > len(codes)):
        raise ValueError("a token that is not within the text")
    text, size = codes.tobytes(), codes.itemsize
    known: dict[bytes, int] = {}
    for at, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        form = text[size * start : size * end]
        kind = known.get(form)
        if kind is None:
            kind = known[form] = len(known)
            firsts[kind] = at
        kinds[at] = kind
    return len(known)
