"""The weights of a network: which there are, of what shape, and what they begin with."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from elision.taggers.neural.inputs import GAPS, OUTSIDE
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings

TEXT, SKELETON = BRANCHES = ("text", "skeleton")
CHARACTERS = "characters"  # the list of those that a convolution sees
DIRECTIONS = ("forward", "backward")
GATES = {"gru": 3, "lstm": 4}
GAP = 8  # numbers for what stands before a token
CHARACTER, FILTERS, WIDTH = 32, 64, 3  # numbers for a character, filters over so many of them

Shapes = dict[str, tuple[int, ...]]


def branches_of(settings: NeuralSettings) -> tuple[str, ...]:
    return BRANCHES if settings.r else (TEXT,)


def shapes(settings: NeuralSettings, known: Mapping[str, int], strings: int, tags: int) -> Shapes:
    """The shape of each array. `known` counts the rows of words by branch, and of characters; `strings` the
    numbers that come from contextual strings."""
    hidden, gates = settings.hidden, GATES[settings.cell]
    found: Shapes = {}
    for branch in branches_of(settings):
        found[f"{branch}.words"] = (known[branch], settings.embedding)
        size = settings.embedding
        if branch == TEXT and settings.gaps:
            found["text.gaps"] = (GAPS, GAP)
            size += GAP
        if branch == TEXT and settings.characters == "cnn":
            found["text.characters"] = (known[CHARACTERS], CHARACTER)
            found["text.filters"] = (WIDTH * CHARACTER, FILTERS)
            found["text.filters.bias"] = (FILTERS,)
            size += FILTERS
        size += strings if branch == TEXT else 0
        size *= settings.window if settings.reading == "joined" else 1
        for direction in DIRECTIONS:
            name = f"{branch}.{direction}"
            found[f"{name}.inputs"] = (size, gates * hidden)
            found[f"{name}.bias"] = (gates * hidden,)
            found[f"{name}.turning"] = (hidden, (2 if settings.cell == "gru" else 4) * hidden)
            if settings.cell == "gru":
                found[f"{name}.candidate"] = (hidden, hidden)
    found["output.weights"] = (len(branches_of(settings)) * len(DIRECTIONS) * hidden, tags)
    found["output.bias"] = (tags,)
    if settings.output == "crf":
        found["turns"] = (tags + 1, tags)
    return found


def beginning(wanted: Shapes, cell: str, seed: int) -> dict[str, Floats]:
    """Weights to begin with, as Keras has them: even within Glorot's bounds, orthogonal from state to state, biases of
    zero, and of one for the gate with which an LSTM forgets."""
    rng = np.random.default_rng(seed)
    return {name: _first(name, shape, cell, rng) for name, shape in wanted.items()}


def _first(name: str, shape: tuple[int, ...], cell: str, rng: np.random.Generator) -> Floats:
    last = name.rpartition(".")[2]
    if last in ("words", "gaps", "characters"):
        table = rng.uniform(-0.05, 0.05, shape).astype(np.float32)
        table[OUTSIDE] = 0.0 if last != "gaps" else table[OUTSIDE]
        return table
    if last in ("turning", "candidate"):
        size = shape[0]
        parts = [np.linalg.qr(rng.normal(size=(size, size)))[0] for _ in range(shape[1] // size)]
        return np.concatenate(parts, axis=1).astype(np.float32)
    if last == "bias":
        bias = np.zeros(shape, np.float32)
        if cell == "lstm" and name.count(".") == 2 and "filters" not in name:
            size = shape[0] // 4
            bias[size : 2 * size] = 1.0
        return bias
    if last == "turns":
        return np.zeros(shape, np.float32)
    bound = np.sqrt(6.0 / sum(shape))
    return rng.uniform(-bound, bound, shape).astype(np.float32)
