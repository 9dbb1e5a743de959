"""A linear SVM: each label against all others, by the squared hinge, over features and over numbers of word vectors.

It finds what scikit-learn's LinearSVC finds, the least of |w|^2 / 2 + C * (sum of the squared errors of all tokens), by
Newton's steps (Keerthi and DeCoste 2005). Only tokens whose error is not zero count in a step, and they are few. It
draws no random numbers. The last weight is a bias, which counts in |w| as in LinearSVC: without one, far too much is
tagged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np
import numpy.typing as npt

from elision.errors import ModelError
from elision.taggers.chain import Ints

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Told = Callable[[int, float], None]  # the number of a label that is learnt, and its loss

STEPS, INNER = 60, 40  # at most, of Newton's and within one of them
NEAR = 0.002  # how much more than the least there may be, as a share
NOTHING = 1e-4  # a weight below it is left out
NEVER = -1e6  # the score of a label that no token has: with none, it would win wherever all others say no
OPTIONS = {"C": 1.0, "positive": 1.0}


@dataclass(frozen=True, slots=True)
class Inputs:
    """What tokens are: features that are there, and the vectors of the word itself and of its neighbours."""

    rows: Ints  # tokens x features that are there; -1 fills up
    features: int
    table: Numbers  # a vector for each type; the first is that of no word, and zero
    types: Places  # offsets x tokens: the type of the token and of its neighbours

    @property
    def size(self) -> int:
        return self.features + len(self.types) * int(self.table.shape[1]) + 1  # the bias

    def dense(self, weights: Numbers) -> Numbers:
        """The part of the vectors, offsets x numbers."""
        return weights[self.features : -1].reshape(len(self.types), self.table.shape[1])

    def times(self, weights: Numbers, at: Places | slice = slice(None)) -> Numbers:
        """The score of each token."""
        scores: Numbers = np.append(weights[: self.features], 0.0)[self.rows[at]].sum(axis=1) + weights[-1]
        for types, part in zip(self.types, self.dense(weights), strict=True):
            scores += (self.table @ part)[types[at]]
        return scores

    def back(self, errors: Numbers, at: Places) -> Numbers:
        """The sum of what these tokens are, each times its error."""
        rows = self.rows[at]
        found = np.bincount(rows.ravel() + 1, np.repeat(errors, rows.shape[1]), self.features + 1)[1:]
        sums = [np.bincount(types[at], errors, len(self.table)) @ self.table for types in self.types]
        return np.concatenate([found, *sums, [errors.sum()]])


def packed(rows: Ints) -> Ints:
    """The same features in as few columns as the fullest token needs."""
    most = int((rows >= 0).sum(axis=1).max(initial=1))
    return np.ascontiguousarray(-np.sort(-rows, axis=1)[:, :most])


def options_of(given: Mapping[str, float | int | str | bool]) -> tuple[float, float]:
    """C, and how much more a token of an identifier weighs than another."""
    found = {**OPTIONS, **given}
    if unknown := sorted(set(found) - set(OPTIONS)):
        raise ModelError(f"options {unknown[0][:40]}: the SVM knows {', '.join(OPTIONS)}")
    for name, value in found.items():
        if isinstance(value, str | bool) or not (isfinite(value) and value > 0):
            raise ModelError(f"options {name}: must be a number above 0")
    return float(found["C"]), float(found["positive"])


def learn_svm(inputs: Inputs, gold: npt.NDArray[np.int16], labels: int, costs: Numbers, told: Told) -> Numbers:
    """Weights, inputs x labels; `costs` are those of the tokens' errors."""
    weights = np.zeros((inputs.size, labels))
    for label in range(labels):
        signs = np.where(gold == label, 1.0, -1.0)
        if (signs > 0).any():
            weights[:, label], loss = _one(inputs, signs, costs)
            told(label, loss / max(1, len(gold)))
        else:
            weights[-1, label] = NEVER
    weights[: inputs.features][np.abs(weights[: inputs.features]) < NOTHING] = 0.0
    return weights


def _one(inputs: Inputs, signs: Numbers, costs: Numbers) -> tuple[Numbers, float]:
    """The weights of one label against all others, and what is left of its loss."""
    weights, scores = np.zeros(inputs.size), np.zeros(len(signs))
    for step in range(STEPS + 1):
        errors = 1.0 - signs * scores
        at: Places = np.flatnonzero(errors > 0)
        pull = weights - inputs.back(2.0 * (costs * signs * errors)[at], at)
        loss = float(costs[at] @ errors[at] ** 2)
        # The sum curves by at least 1 everywhere, so that half the squared slope bounds what is left to win.
        if step == STEPS or float(pull @ pull) <= NEAR * (float(weights @ weights) + 2.0 * loss):
            break
        way = _newton(inputs, pull, 2.0 * costs[at], at)
        along = inputs.times(way)
        length = _length(weights, way, errors, signs * along, costs)
        weights += length * way
        scores += length * along
    idle = np.ones(inputs.features + 1, np.bool_)  # only tokens with an error hold a weight up
    idle[inputs.rows[at]] = False
    weights[: inputs.features][idle[:-1]] = 0.0
    return weights, loss


def _newton(inputs: Inputs, pull: Numbers, costs: Numbers, at: Places) -> Numbers:
    """Newton's step against a gradient, by conjugate gradients, about as exactly as it is worth."""
    way = np.zeros_like(pull)
    left = -pull
    turn, size = left.copy(), float(left @ left)
    enough = 0.01 * size
    for _ in range(INNER):
        bent = turn + inputs.back(costs * inputs.times(turn, at), at)
        far = size / float(turn @ bent)
        way += far * turn
        left -= far * bent
        before, size = size, float(left @ left)
        if size <= enough:
            break
        turn = left + (size / before) * turn
    return way


def _length(weights: Numbers, way: Numbers, errors: Numbers, gain: Numbers, costs: Numbers) -> float:
    """How far to go along a way: the least of a function of one number that is convex."""
    flat, bent, length = float(weights @ way), float(way @ way), 1.0
    for _ in range(20):
        left = errors - length * gain
        on = left > 0
        slope = flat + length * bent - 2.0 * float(costs[on] @ (left[on] * gain[on]))
        curve = bent + 2.0 * float(costs[on] @ gain[on] ** 2)
        step = slope / curve
        length = max(length - step, 0.0)
        if abs(step) < 1e-3 * length:
            break
    return length
