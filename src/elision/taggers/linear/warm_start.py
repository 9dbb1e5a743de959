"""Learning that goes on where a model stands: its weights are what new notes begin with, and what these do not touch
stays as it was.

The model's values keep their numbers and new ones follow; so a conjunction of known values has the same key in both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from elision.taggers.chain import Floats, padded
from elision.taggers.linear.columns import MOST_VALUES, Values
from elision.taggers.linear.learning import Hook, Rows
from elision.taggers.linear.model import Keys, Linear, Weights
from elision.taggers.linear.pruning import in_order, renumbered, weights_of

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
    at, there = _places(rows, known.keys)
    key_of = np.repeat(np.arange(len(known.keys)), np.diff(known.begins))
    mine = there[key_of]
    w[rows.alone + at[key_of[mine]], where[known.names[mine]]] = known.weights[mine]
    turns = np.zeros((len(labels) + 1, w.shape[1]), np.float32)
    turns[np.ix_(np.append(where, len(labels)), where)] = known.turns[:, : len(where)]
    return w, turns


class Few:
    """The features that stand in the notes at hand, of a model's many: when learning goes on, only these move."""

    def __init__(self, rows: Rows, start: Floats) -> None:
        self._all, self._used = start, np.unique(rows.rows[rows.rows >= 0])
        place = np.full(rows.features + 1, -1, np.int32)  # the last one stands for none, -1
        place[self._used] = np.arange(len(self._used), dtype=np.int32)
        self.rows = Rows(place[rows.rows], rows.bases, len(self._used), np.zeros(0, np.uint64))
        self.start = start[self._used]

    def whole(self, w: Floats) -> Floats:
        """The weights of all features, with those of the few as they are now."""
        found = self._all.copy()
        found[self._used] = w
        return found

    def told(self, hook: Hook) -> Hook:
        """One who is told of learning, with the weights of all features."""
        return lambda seed, epoch, loss, now: hook(seed, epoch, loss, lambda: (self.whole(now()[0]), now()[1]))


def going_on(base: Linear, rows: Rows, w: Floats, turns: Floats, labels: Sequence[str]) -> Weights:
    """The weights that were learnt, and those of the model's conjunctions that stand in none of the new notes."""
    learnt, known = weights_of(rows, w, turns), base.weights
    rest = ~_places(rows, known.keys)[1]
    theirs = np.repeat(rest, np.diff(known.begins))
    keys = np.concatenate((learnt.keys, known.keys[rest]))
    names = np.concatenate((learnt.names, _columns(base, labels)[known.names[theirs]].astype(np.uint8)))
    weights = np.concatenate((learnt.weights, known.weights[theirs]))
    order, begins, moved = in_order(keys, np.concatenate((np.diff(learnt.begins), np.diff(known.begins)[rest])))
    return Weights(learnt.alone, learnt.bases, keys[order], begins, names[moved], weights[moved], turns)


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


def _places(rows: Rows, keys: Keys) -> tuple[Longs, npt.NDArray[np.bool_]]:
    """Where a model's conjunctions stand among those of new notes, and whether they do."""
    if not len(rows.keys):
        return np.zeros(len(keys), np.int64), np.zeros(len(keys), np.bool_)
    order = np.argsort(rows.keys)
    at = order[np.minimum(np.searchsorted(rows.keys, keys, sorter=order), len(order) - 1)]
    return at, rows.keys[at] == keys
