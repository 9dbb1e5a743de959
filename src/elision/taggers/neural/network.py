"""A network at work, in numpy: from the positions of a batch to a score for each tag.

All that a step adds up from tables is weighed once for each row of a table and not for each position. Products always
have the same number of rows, so that a note comes out the same whatever stands beside it (`rows`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from elision.taggers.batch import Batch, cut_long
from elision.taggers.neural import strings as contextual
from elision.taggers.neural.inputs import PADDING, Inputs, Numbers, coded, inputs_of, spelling
from elision.taggers.neural.pretrained import Pretrained
from elision.taggers.neural.reading import ROWS, Pairs, Reading, reading_of
from elision.taggers.neural.recurrent import Floats, gru, lstm
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.weights import DIRECTIONS, TEXT, branches_of
from elision.taggers.rows import product, together

STEPS = 64  # that are weighed at once

Inflow = Callable[[Numbers, Pairs], Floats]


@dataclass(frozen=True, eq=False)
class Network:
    """Weights by their names, and the words and characters that they know.

    BRANCH.words, text.gaps, text.characters and text.filters are what a position is known by; BRANCH.DIRECTION.inputs,
    .bias, .turning and .candidate the recurrent layers; output.weights and .bias what the states say of each tag.
    """

    settings: NeuralSettings
    arrays: Mapping[str, Floats] = field(repr=False)
    words: Mapping[str, dict[str, int]] = field(repr=False)  # by branch, and "characters"
    pretrained: Pretrained | None = None  # where contextual strings come from

    def scores(self, batch: Batch, unit: str, width: int) -> Floats:
        """A row of scores for each token of a batch, so wide."""
        inputs = inputs_of(self.settings, batch)
        reading = reading_of(self.settings, batch, inputs, unit)
        strings = strings_of(self.pretrained, batch, inputs)
        size = self.settings.hidden
        scores = np.zeros((len(inputs.form_of), width), np.float32)
        weights = np.zeros((self.arrays["output.weights"].shape[0], width), np.float32)
        weights[:, : self.arrays["output.weights"].shape[1]] = self.arrays["output.weights"]
        scores[:, : len(self.arrays["output.bias"])] = self.arrays["output.bias"]
        at = 0
        for branch in branches_of(self.settings):
            for direction in DIRECTIONS:
                self._run(f"{branch}.{direction}", self._inflow(branch, direction, inputs, reading, strings), reading,
                          weights[at : at + size], scores)  # fmt: skip
                at += size
        return scores[inputs.place_of]

    def _run(self, name: str, inflow: Inflow, reading: Reading, weights: Floats, scores: Floats) -> None:
        """Read all sequences in one direction and add what the states say of each tag."""
        backward = name.endswith("backward")
        for portion in reading.portions(together(ROWS[self.settings.reading])):
            index, notes = reading.steps(portion, backward=backward), reading.notes[portion]
            first = 0
            for states in self._states(name, inflow, index, notes):
                if reading.targets is None:
                    scores[index[first : first + len(states)]] += states @ weights
                first += len(states)
            if reading.targets is not None:
                scores[reading.targets[portion]] += states[-1] @ weights

    def _states(self, name: str, inflow: Inflow, index: Numbers, notes: Pairs) -> Iterator[Floats]:
        """The states of a recurrent layer, some steps at a time."""
        turning = self.arrays[f"{name}.turning"]
        cell: Floats | None = None
        state: Floats | None = None
        for first in range(0, len(index), STEPS):
            inputs = inflow(index[first : first + STEPS], notes)
            if self.settings.cell == "gru":
                states = gru(inputs, turning, self.arrays[f"{name}.candidate"], state)
            else:
                start = None if state is None or cell is None else (state, cell)
                states, cell = lstm(inputs, turning, start)
            state = states[-1]
            yield states

    def _inflow(self, branch: str, direction: str, inputs: Inputs, reading: Reading, strings: Floats) -> Inflow:
        """What flows into a recurrent layer at some positions, already weighed."""
        weights, bias = (self.arrays[f"{branch}.{direction}.{name}"] for name in ("inputs", "bias"))
        forms = self._forms(branch, inputs)
        joined = self.settings.reading == "joined"
        ways = range(-reading.before, reading.behind + 1) if joined else (0,)
        size = len(weights) // len(ways)
        tables: list[tuple[int, Numbers, Floats]] = []
        rest: list[tuple[int, Floats]] = []
        for number, way in enumerate(ways):
            part = weights[number * size : (number + 1) * size]
            table = product(forms, part[: forms.shape[1]])
            tables.append((way, inputs.form_of, table if tables else table + bias))
            at = forms.shape[1]
            if branch == TEXT and self.settings.gaps:
                gaps = self.arrays["text.gaps"]
                tables.append((way, inputs.gap_of, gaps @ part[at : at + gaps.shape[1]]))
                at += gaps.shape[1]
            if branch == TEXT and strings.shape[1]:
                rest.append((way, np.ascontiguousarray(part[at:])))

        def inflow(index: Numbers, notes: Pairs) -> Floats:
            there = {way: reading.shifted(index, way, notes) if way else index for way in ways}
            total: Floats = np.zeros((), np.float32)
            for way, codes, table in tables:
                rows = table[codes[there[way]]]
                total = np.add(total, rows, out=rows)
            for way, part in rest:
                total += strings[there[way]] @ part
            return total

        return inflow

    def _forms(self, branch: str, inputs: Inputs) -> Floats:
        """What a branch knows of each form: the vector of its word, and what the convolution says of its characters."""
        vectors = self.arrays[f"{branch}.words"][coded(inputs.forms, self.words[branch])]
        if branch != TEXT or self.settings.characters == "none":
            return vectors
        shown = convolved(self.arrays, spelling(inputs.spelled, self.words["characters"]))
        return np.concatenate((vectors, np.append(shown, np.zeros_like(shown[:1]), axis=0)), axis=1)


def strings_of(pretrained: Pretrained | None, batch: Batch, inputs: Inputs) -> Floats:
    """The contextual strings of each position, where a network has such; zeros where no token stands."""
    if pretrained is None:
        return np.zeros((len(inputs.form_of), 0), np.float32)
    found = np.zeros((len(inputs.form_of), 2 * pretrained.hidden), np.float32)
    found[inputs.place_of] = contextual.states(pretrained, batch, cut_long(batch, "line"))
    return found


def convolved(arrays: Mapping[str, Floats], spelled: Numbers) -> Floats:
    """For each filter the most that it says of any three characters beside one another of each word."""
    windows = np.stack((spelled[:, :-2], spelled[:, 1:-1], spelled[:, 2:]), axis=2)
    characters = arrays["text.characters"]
    size = len(characters)
    codes, of = np.unique(windows @ np.array((size * size, size, 1)), return_inverse=True)
    distinct = np.stack((codes // (size * size), codes // size % size, codes % size), axis=1)
    seen = product(characters[distinct].reshape(len(distinct), -1), arrays["text.filters"])
    said: Floats = np.maximum(seen + arrays["text.filters.bias"], 0.0)
    said[distinct[:, 2] == PADDING] = 0.0  # behind the word
    most: Floats = said[of.reshape(windows.shape[:2])].max(axis=1, initial=0.0)
    return most
