"""Label rates: a grammar's weights are tilted until its expected share of each label is what a profile asks for.

How many spans of each label a symbol brings can be computed from the weights, without writing a note. An alternative
with more of a wanted label gets a larger weight, by exp(theta x what it brings); theta is found step by step.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from elision.languages.synth import Synth
from elision.synth.grammar import START, Grammar, Ref, Repeat, Slot, named
from elision.synth.slots import labels_of

ROUNDS = 24  # through a grammar that leads back to itself
STEPS = 40
MOST_TILT = 2.5
MOST_SPANS = 1e6  # of a symbol, where a grammar leads back to itself more often than not
OTHER = "*"

Array = NDArray[np.float64]


class Counts:
    """A grammar as arrays: which alternative brings which labels, and which symbols."""

    def __init__(self, grammar: Grammar, language: Synth, labels: tuple[str, ...]) -> None:
        self.names = reachable(grammar)
        self.labels = (*labels, OTHER)
        place = {name: at for at, name in enumerate(self.names)}
        column = {label: at for at, label in enumerate(labels)}
        self.of: list[int] = []  # an alternative's symbol
        direct: list[Array] = []
        refs: list[tuple[int, int, float]] = []
        base: list[float] = []
        for name in self.names:
            for row in grammar.symbols[name]:
                counts = np.zeros(len(labels) + 1)
                for part in row.parts:
                    if isinstance(part, Slot):
                        for label in labels_of(part, language):
                            counts[column.get(label, len(labels))] += 1
                    symbol = named(part)
                    if isinstance(part, Ref | Repeat) and symbol is not None:
                        times = 1.0 if isinstance(part, Ref) else (part.least + part.most) / 2
                        refs.append((len(self.of), place[symbol], times))
                direct.append(counts)
                base.append(row.weight)
                self.of.append(place[name])
        self.direct = np.array(direct)
        self.base = np.array(base)
        self.symbol = np.array(self.of)
        self.begins = np.flatnonzero(np.diff(self.symbol, prepend=-1))  # the first alternative of each symbol
        table = np.array(refs).reshape(-1, 3)
        self.users, self.uses = np.unique(table[:, 0].astype(int), return_index=True)
        self.used, self.times = table[:, 1].astype(int), table[:, 2:]
        self.start = place[START]

    def expected(self, weights: Array, guess: Array | None = None) -> tuple[Array, Array]:
        """Spans by label that each alternative brings, and each symbol; a good guess at the latter saves rounds."""
        total = np.add.reduceat(weights, self.begins)
        share = weights / total[self.symbol]
        symbols = np.zeros((len(self.names), len(self.labels))) if guess is None else guess
        rows = self.direct
        for _ in range(ROUNDS):
            rows = self.direct.copy()
            if len(self.times):
                rows[self.users] += np.add.reduceat(self.times * symbols[self.used], self.uses)
            following = np.minimum(np.add.reduceat(share[:, None] * rows, self.begins), MOST_SPANS)
            near = np.abs(following - symbols).max() < 1e-4
            symbols = following
            if near:
                break
        return rows, symbols


class Tilt:
    """A grammar whose weights lean towards label rates; asked again, it goes on from where it stands."""

    def __init__(self, grammar: Grammar, language: Synth, labels: tuple[str, ...]) -> None:
        self.grammar = grammar
        self.counts = Counts(grammar, language, labels)
        self.theta = np.zeros(len(labels) + 1)
        self.weights = self.counts.base
        self.symbols: Array | None = None

    def towards(self, shares: Mapping[str, float], steps: int = STEPS) -> dict[str, tuple[float, ...]]:
        """Weights of alternatives so that labels come in these shares of all spans, as nearly as can be."""
        counts = self.counts
        listed = [shares[label] for label in counts.labels[:-1]]
        goal = np.array([*listed, max(0.0, 1 - sum(listed))])
        goal = np.maximum(goal / goal.sum(), 1e-4)
        best, nearest = self.weights, np.inf
        for _ in range(steps):
            rows, self.symbols = counts.expected(self.weights, self.symbols)
            got = self.symbols[counts.start]
            if got.sum() == 0:
                return _by_symbol(counts, self.grammar, counts.base)
            share = np.maximum(got / got.sum(), 1e-4)
            distance = float(np.abs(share - goal).sum())
            if distance < nearest:
                best, nearest = self.weights, distance
            self.theta = np.clip(self.theta + 0.35 * np.log(goal / share), -MOST_TILT, MOST_TILT)
            scale = np.maximum(1.0, rows.sum(axis=1))  # a long section counts by what it is made of, not by its length
            lean = rows @ self.theta / scale * np.minimum(scale, 2.0)
            self.weights = counts.base * np.exp(np.clip(lean, -4, 4))
        return _by_symbol(counts, self.grammar, best)


def _by_symbol(counts: Counts, grammar: Grammar, weights: Array) -> dict[str, tuple[float, ...]]:
    found = {name: tuple(row.weight for row in rows) for name, rows in grammar.symbols.items()}
    at = 0
    for name in counts.names:
        following = at + len(found[name])
        found[name] = tuple(float(weight) for weight in weights[at:following])
        at = following
    return found


def reachable(grammar: Grammar) -> list[str]:
    """The symbols that a note can come to."""
    found, waiting = {START: None}, [START]
    while waiting:
        for row in grammar.symbols[waiting.pop()]:
            for part in row.parts:
                symbol = named(part)
                if symbol is not None and symbol not in found:
                    found[symbol] = None
                    waiting.append(symbol)
    return list(found)
