"""Learning that goes on where a model stands: its weights are what new notes begin with, and what these do not touch
stays as it was.

The model's values keep their numbers and new ones follow; so a conjunction of known values has the same key in both.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from elision.linear.columns import MOST_VALUES, Values
from elision.linear.learning import Hook, Pace, Rows, learn
from elision.linear.model import Floats, Ints, Keys, Linear, Weights, padded
from elision.linear.pruning import renumbered, weights_of

Longs = npt.NDArray[np.int64]


def more_values(known: Values, new: Values) -> dict[str, tuple[str, ...]]:
    """The values that a model knows, and behind them those of new notes."""
    return {name: tuple(dict.fromkeys((*values, *new[name])))[:MOST_VALUES] for name, values in known.items()}


def beginning(base: Linear, rows: Rows, labels: Sequence[str]) -> tuple[Floats, Floats]:
    """Where learning begins: a model's weights for the features of new notes, and its turns."""
    where = _columns(base, labels)
    w = np.zeros((rows.features, padded(len(labels))), np.float32)
    dense = base.weights.dense
    for template, old, new in zip(base.templates, base.weights.bases, rows.bases, strict=True):
        if template.alone:
            many = len(base.values[template.terms[0][0]])
            w[new : new + many, where] = dense[old : old + many, : len(where)]
    known = base.weights
    at, hit = _places(known.keys, rows.keys)
    counts = np.where(hit, np.diff(known.begins, append=known.begins[-1])[at], 0)
    mine = np.repeat(np.arange(len(rows.keys)), counts)
    theirs = np.repeat(known.begins[at], counts) + _within(counts)
    w[rows.alone + mine, where[known.names[theirs]]] = known.weights[theirs]
    turns = np.zeros((len(labels) + 1, w.shape[1]), np.float32)
    turns[np.ix_(np.append(where, len(labels)), where)] = known.turns[:, : len(where)]
    return w, turns


def learn_on(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    bounds: Ints,
    allowed: Floats,
    labels: int,
    pace: Pace,
    hook: Hook | None,
    start: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """Learning that goes on with these weights and turns. Only features of the notes at hand move, and so only these
    are looked after, of a model's many."""
    first, turns = start
    used = np.unique(rows.rows[rows.rows >= 0])
    place = np.full(rows.features + 1, -1, np.int32)  # the last one stands for none, -1
    place[used] = np.arange(len(used), dtype=np.int32)
    few = Rows(place[rows.rows], rows.bases, len(used), np.zeros(0, np.uint64))

    def whole(moved: Floats) -> Floats:
        w = first.copy()
        w[used] = moved
        return w

    def told(number: int, epoch: int, loss: float, now: Callable[[], tuple[Floats, Floats]]) -> None:
        if hook:
            hook(number, epoch, loss, lambda: (whole(now()[0]), now()[1]))

    moved, turns = learn(few, gold, bounds, allowed, labels, pace, told, (first[used], turns))
    return whole(moved), turns


def going_on(base: Linear, rows: Rows, w: Floats, turns: Floats, labels: Sequence[str]) -> Weights:
    """The weights that were learnt, and those of the model's conjunctions that stand in none of the new notes."""
    learnt, known = weights_of(rows, w, turns), base.weights
    rest = np.flatnonzero(~_places(rows.keys[np.argsort(rows.keys)], known.keys)[1])
    counts = np.diff(known.begins)[rest]
    theirs = np.repeat(known.begins[rest], counts) + _within(counts)
    keys = np.concatenate((learnt.keys, known.keys[rest]))
    order = np.argsort(keys, kind="stable")
    sizes = np.concatenate((np.diff(learnt.begins), counts))
    firsts = np.concatenate((learnt.begins[:-1], len(learnt.names) + np.cumsum(counts) - counts))
    at = np.repeat(firsts[order], sizes[order]) + _within(sizes[order])
    names = np.concatenate((learnt.names, _columns(base, labels)[known.names[theirs]].astype(np.uint8)))
    begins = np.concatenate((np.zeros(1, np.int64), np.cumsum(sizes[order]))).astype(np.int32)
    weights = np.concatenate((learnt.weights, known.weights[theirs]))
    return Weights(learnt.alone, learnt.bases, keys[order], begins, names[at], weights[at], turns)


def fresh_keys(base: Linear, linear: Linear) -> Keys:
    """The conjunctions of a model that the one from which its learning went on does not have."""
    renumber = {
        name: np.array([0, *(linear.numbers[name].get(value, 0) for value in values)], np.int64)
        for name, values in base.values.items()
    }
    keys = linear.weights.keys
    return keys[~np.isin(keys, renumbered(base, base.weights.keys, renumber))]


def _columns(base: Linear, labels: Sequence[str]) -> Longs:
    """Which of these labels each label of the model is."""
    number = {label: at for at, label in enumerate(labels)}
    return np.array([number[label] for label in base.labels], np.int64)


def _places(keys: Keys, wanted: Keys) -> tuple[Longs, npt.NDArray[np.bool_]]:
    """Where wanted keys stand among ascending ones, and whether they do."""
    if not len(keys):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return at, keys[at] == wanted


def _within(counts: npt.NDArray[np.integer]) -> Longs:
    """0, 1, 2, … for each count anew."""
    ends = np.cumsum(counts, dtype=np.int64)
    within: Longs = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - counts, counts)
    return within
