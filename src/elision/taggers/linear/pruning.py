"""Making a model small: the least weights go, features without weights go, numbers are rounded as a file keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.taggers.chain import Floats, Ints
from elision.taggers.linear.columns import MOST_VALUES, Values
from elision.taggers.linear.features import Template
from elision.taggers.linear.learning import KEY_BITS, Rows
from elision.taggers.linear.model import Keys, Linear, Sparse, Weights

Longs = npt.NDArray[np.int64]

MEGABYTE = 1_000_000


def weights_of(rows: Rows, w: Floats, turns: Floats) -> Weights:
    """Learnt weights as a model keeps them."""
    order = np.argsort(rows.keys, kind="stable")  # those of three attributes are larger than those of two behind them
    joint = w[rows.alone :][order]
    at, names = np.nonzero(joint)
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(np.bincount(at, minlength=len(joint)))))
    return Weights(
        Sparse.of(w[: rows.alone]), rows.bases, rows.keys[order], begins.astype(np.int32),
        names.astype(np.uint8), joint[at, names], turns,
    )  # fmt: skip


def file_bytes(linear: Linear) -> int:
    """About what the model takes as a folder."""
    w = linear.weights
    words = sum(_letters(values).sum() for values in linear.values.values())
    return _bytes(len(w.alone.weights) + len(w.weights), len(w.alone.begins) - 1, len(w.keys), words)


def _bytes(weights: int, rows: int, keys: int, words: int) -> int:
    settings = 20_000
    return int(3 * weights + rows + 9 * keys + words + settings)


def _letters(values: Sequence[str]) -> Longs:
    """What each value takes."""
    return np.array([len(value.encode()) + 3 for value in values], np.int64)


class _Sizes:
    """`file_bytes` of a model without its least weights and made compact, told without making it."""

    def __init__(self, linear: Linear) -> None:
        w = linear.weights
        self._alone, self._joint = np.abs(w.alone.weights), np.abs(w.weights)
        self._rows, self._keys = len(w.alone.begins) - 1, len(w.keys)
        self._row_of = np.repeat(np.arange(self._rows), np.diff(w.alone.begins))
        self._key_of = np.repeat(np.arange(self._keys), np.diff(w.begins))
        self._letters = {name: _letters(values) for name, values in linear.values.items()}
        self._templates = [
            (template.terms[0][0], base)
            for template, base in zip(linear.templates, w.bases, strict=True)
            if template.alone
        ]
        self._parts = list(_numbers_in(linear, w.keys))

    def __call__(self, least: float) -> int:
        alone, joint = self._alone > least, self._joint > least
        rows, keys = np.zeros(self._rows, np.bool_), np.zeros(self._keys, np.bool_)
        rows[self._row_of[alone]] = True
        keys[self._key_of[joint]] = True
        needed = {name: np.zeros(len(letters), np.bool_) for name, letters in self._letters.items()}
        for name, base in self._templates:
            needed[name] |= rows[base : base + len(needed[name])]
        for name, at, numbers in self._parts:
            needed[name][numbers[keys[at]] - 1] = True
        words = sum(int(letters[needed[name]].sum()) for name, letters in self._letters.items())
        kept = sum(int(needed[name].sum()) for name, _ in self._templates)
        return _bytes(int(alone.sum()) + int(joint.sum()), kept, int(keys.sum()), words)


def prune(linear: Linear, megabytes: float) -> Linear:
    """The same model without its least weights, so that its folder is no larger; 0 keeps all."""
    if not megabytes:
        return linear
    size_without = _Sizes(linear)
    if size_without(0.0) <= megabytes * MEGABYTE:
        return linear
    w = linear.weights
    sizes = np.sort(np.abs(np.concatenate((w.alone.weights, w.weights[w.weights != 0]))))
    if not len(sizes):
        return linear
    low, high = 0, len(sizes) - 1
    while low < high:  # the smallest threshold that fits
        middle = (low + high) // 2
        if size_without(float(sizes[middle])) <= megabytes * MEGABYTE:
            high = middle
        else:
            low = middle + 1
    if sizes[low] == sizes[-1]:
        raise ModelError(
            f"megabytes {megabytes:g}: too few for this model, no weight would be left; give it more, or 0 to keep all"
        )
    return _above(linear, float(sizes[low]))


def _above(linear: Linear, least: float) -> Linear:
    w = linear.weights
    alone = np.where(np.abs(w.dense) > least, w.dense, np.float32(0))
    weights = np.where(np.abs(w.weights) > least, w.weights, np.float32(0))
    return _with(linear, replace(w, alone=Sparse.of(alone), weights=weights))


def _with(linear: Linear, weights: Weights, values: Values | None = None) -> Linear:
    own = linear.attributes
    return Linear(
        linear.labels, linear.templates, linear.values if values is None else values, weights, own.places, own.forms,
        linear.dense,
    )  # fmt: skip


def rounded(linear: Linear) -> Linear:
    """With weights in half precision, as they are stored: a model tags alike before it was saved and after."""
    w = linear.weights
    dense, weights, turns = (each.astype(np.float16).astype(np.float32) for each in (w.dense, w.weights, w.turns))
    return _with(linear, replace(w, alone=Sparse.of(dense), weights=weights, turns=turns))


def compact(linear: Linear) -> Linear:
    """Without conjunctions that have no weight, and without values that no feature needs."""
    w = _without_empty(linear.weights)
    needed = _needed(linear, w)
    renumber: dict[str, npt.NDArray[np.int64]] = {
        name: np.concatenate((np.zeros(1, np.int64), np.cumsum(keep, dtype=np.int64))) for name, keep in needed.items()
    }
    values = {
        name: tuple(value for value, keep in zip(linear.values[name], needed[name].tolist(), strict=True) if keep)
        for name in linear.values
    }
    dense, kept = w.dense, [np.zeros((0, linear.width), np.float32)]
    bases: list[int] = []
    size = 0
    for template, base in zip(linear.templates, w.bases, strict=True):
        bases.append(size if template.alone else -1)
        if template.alone:
            keep = needed[template.terms[0][0]]
            kept.append(dense[base : base + len(keep)][keep])
            size += int(keep.sum())
    keys = renumbered(linear, w.keys, renumber)
    order, begins, moved = in_order(keys, np.diff(w.begins))
    weights = Weights(
        Sparse.of(np.concatenate(kept)),
        tuple(bases),
        keys[order],
        begins,
        w.names[moved],
        w.weights[moved],
        w.turns,
    )
    return _with(linear, weights, values)


def in_order(keys: Keys, counts: npt.NDArray[np.integer]) -> tuple[Longs, Ints, Longs]:
    """Keys that have so many weights each, sorted: their order, where the weights of each begin, the weights' order."""
    order = np.argsort(keys, kind="stable")
    place = np.argsort(order, kind="stable")  # of each key
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts[order])))
    return order, begins.astype(np.int32), np.argsort(np.repeat(place, counts), kind="stable")


def _without_empty(w: Weights) -> Weights:
    kept = w.weights != 0
    at = np.repeat(np.arange(len(w.keys)), np.diff(w.begins))[kept]
    counts = np.bincount(at, minlength=len(w.keys))
    full = counts > 0
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(counts[full])))
    return replace(w, keys=w.keys[full], begins=begins.astype(np.int32), names=w.names[kept], weights=w.weights[kept])


def _needed(linear: Linear, w: Weights) -> dict[str, npt.NDArray[np.bool_]]:
    needed = {name: np.zeros(len(values), np.bool_) for name, values in linear.values.items()}
    heavy: npt.NDArray[np.bool_] = np.diff(w.alone.begins) > 0
    for template, base in zip(linear.templates, w.bases, strict=True):
        if template.alone:
            mask = needed[template.terms[0][0]]
            mask |= heavy[base : base + len(mask)]
    for name, _, numbers in _numbers_in(linear, w.keys):
        needed[name][numbers - 1] = True
    return needed


def _numbers_in(linear: Linear, keys: Keys) -> Iterator[tuple[str, Longs, Ints]]:
    """For each conjunction and each of its attributes, which keys are its, and the numbers of values in them."""
    for template, part in _by_template(linear, keys):
        for at, (name, _) in enumerate(reversed(template.terms)):
            numbers = keys[part] >> np.uint64(KEY_BITS * at) & np.uint64(MOST_VALUES)
            yield name, part, numbers.astype(np.int32)


def _by_template(linear: Linear, keys: Keys) -> Iterator[tuple[Template, npt.NDArray[np.int64]]]:
    """The conjunctions that have keys, and where these stand."""
    for number, template in enumerate(linear.templates, 1):
        if template.alone:
            continue
        shift = KEY_BITS * len(template.terms)
        low, high = np.array([number << shift, number + 1 << shift], np.uint64)
        at = np.flatnonzero((keys >= low) & (keys < high))
        if len(at):
            yield template, at


def renumbered(linear: Linear, keys: Keys, renumber: Mapping[str, npt.NDArray[np.int64]]) -> Keys:
    """Keys of conjunctions with other numbers for their values: for each attribute the new number of each old one."""
    fresh = keys.copy()
    for template, part in _by_template(linear, keys):
        shift = KEY_BITS * len(template.terms)
        key = keys[part] >> np.uint64(shift)
        for at, (name, _) in enumerate(template.terms):
            numbers = keys[part] >> np.uint64(shift - KEY_BITS * (at + 1)) & np.uint64(MOST_VALUES)
            key = key << np.uint64(KEY_BITS) | renumber[name][numbers.astype(np.int64)].astype(np.uint64)
        fresh[part] = key
    return fresh
