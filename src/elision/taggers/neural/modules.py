"""A network while it is learnt, in torch. The weights have the names and shapes of `weights`, and give the scores that
`network` gives in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from elision.taggers.neural.inputs import PADDING, Inputs, Numbers, coded, spelling
from elision.taggers.neural.reading import Pairs, Reading
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.weights import TEXT, branches_of

NEVER = -1e4  # what a turn that cannot be weighs


class Corpus(NamedTuple):
    """Notes to learn from, as numbers."""

    inputs: Inputs
    reading: Reading
    strings: Floats
    gold: Numbers  # the tag of each position


class Module:
    """The weights that are learnt, and what a portion of a corpus costs with them."""

    def __init__(self, settings: NeuralSettings, arrays: Mapping[str, Floats], allowed: Floats) -> None:
        self.settings = settings
        self.weights = {name: torch.tensor(array, requires_grad=True) for name, array in arrays.items()}
        self._barred = torch.where(torch.tensor(allowed) > 0, 0.0, NEVER)

    def arrays(self) -> dict[str, Floats]:
        return {name: weight.detach().numpy().copy() for name, weight in self.weights.items()}

    def loss(self, corpus: Corpus, known: Known, chosen: Pairs, chance: torch.Generator | None) -> Tensor:
        """What the tags of some sequences cost on average; with `chance`, some numbers are dropped."""
        reading = corpus.reading
        index, lengths = _index(reading, chosen)
        scores = self._scores(corpus, known, index, lengths, reading.notes[chosen], chance)
        if len(reading.targets):
            return cross_entropy(scores, torch.from_numpy(corpus.gold[reading.targets[chosen]]).long())
        gold = torch.from_numpy(corpus.gold[index]).long()
        inside = torch.from_numpy(np.arange(len(index))[:, None] < lengths)
        if self.settings.output == "crf":
            turns = self.weights["turns"] + self._barred
            return chain_loss(scores, gold, inside, turns) / int(lengths.sum())
        return cross_entropy(scores[inside], gold[inside])

    def _scores(
        self,
        corpus: Corpus,
        known: Known,
        index: Numbers,
        lengths: Pairs,
        notes: Pairs,
        chance: torch.Generator | None,
    ) -> Tensor:
        states: list[Tensor] = []
        rate, before = self.settings.dropout, corpus.reading.before
        reverse = _reversed(index, lengths)
        for branch in branches_of(self.settings):
            x = self._seen(branch, corpus, known, index, notes)
            if self.settings.locked:
                x = dropped(x, rate, chance, locked=True)
            if len(corpus.reading.targets):
                states.append(self._run(f"{branch}.forward", x[: before + 1])[-1])
                states.append(self._run(f"{branch}.backward", x[before:].flip(0))[-1])
            else:
                columns = torch.arange(x.shape[1])
                states.append(self._run(f"{branch}.forward", x))
                states.append(self._run(f"{branch}.backward", x[reverse, columns])[reverse, columns])
        joined = dropped(torch.cat(states, dim=-1), rate, chance, locked=self.settings.locked)
        return joined @ self.weights["output.weights"] + self.weights["output.bias"]

    def _seen(self, branch: str, corpus: Corpus, known: Known, index: Numbers, notes: Pairs) -> Tensor:
        """What a branch knows of each position, steps x rows x numbers."""
        inputs, reading = corpus.inputs, corpus.reading
        joined = self.settings.reading == "joined"
        ways = range(-reading.before, reading.behind + 1) if joined else (0,)
        parts: list[Tensor] = []
        for way in ways:
            there = reading.shifted(index, way, notes) if way else index
            forms = inputs.form_of[there]
            parts.append(self.weights[f"{branch}.words"][torch.from_numpy(known.words[branch][forms])])
            if branch == TEXT and self.settings.gaps:
                parts.append(self.weights["text.gaps"][torch.from_numpy(inputs.gap_of[there])])
            if branch == TEXT and self.settings.characters == "cnn":
                distinct, of = np.unique(forms, return_inverse=True)
                shown = self._convolved(known.spelled[distinct])
                parts.append(shown[torch.from_numpy(of.reshape(forms.shape))])
            if branch == TEXT and corpus.strings.shape[1]:
                parts.append(torch.from_numpy(corpus.strings[there]))
        return torch.cat(parts, dim=-1)

    def _convolved(self, spelled: Numbers) -> Tensor:
        windows = torch.from_numpy(np.stack((spelled[:, :-2], spelled[:, 1:-1], spelled[:, 2:]), axis=2))
        seen = self.weights["text.characters"][windows].flatten(2) @ self.weights["text.filters"]
        said = torch.relu(seen + self.weights["text.filters.bias"])
        return said.masked_fill((windows[:, :, 2] == PADDING)[:, :, None], 0.0).amax(dim=1)

    def _run(self, name: str, x: Tensor) -> Tensor:
        inputs, bias, turning = (self.weights[f"{name}.{part}"] for part in ("inputs", "bias", "turning"))
        if self.settings.cell == "lstm":
            return _lstm(x, inputs, bias, turning)
        return _gru(x @ inputs + bias, turning, self.weights[f"{name}.candidate"])


class Known(NamedTuple):
    """Rows of tables for the forms of a corpus; the last is that of what lies outside."""

    words: Mapping[str, Numbers]
    spelled: Numbers


def known_of(inputs: Inputs, words: Mapping[str, dict[str, int]]) -> Known:
    """Which rows the forms have in the tables of a network that knows these words and characters."""
    rows = {branch: coded(inputs.forms, known) for branch, known in words.items() if branch != "characters"}
    return Known(rows, spelling((*inputs.spelled, ""), words.get("characters", {})))


def dropped(x: Tensor, rate: float, chance: torch.Generator | None, *, locked: bool) -> Tensor:
    """Some numbers set to zero and the others raised; `locked`, the same ones in every step of a sequence."""
    if chance is None or not rate:
        return x
    shape = (1, *x.shape[1:]) if locked else x.shape
    kept = torch.empty(shape).bernoulli_(1 - rate, generator=chance) / (1 - rate)
    return x * kept


def chain_loss(scores: Tensor, gold: Tensor, inside: Tensor, turns: Tensor) -> Tensor:
    """How much less likely than certain the tags of sequences are, all together: steps x rows x tags."""
    rows = torch.arange(scores.shape[1])
    start, turns = turns[-1], turns[:-1]
    total = start + scores[0]
    right = total[rows, gold[0]]
    for step in range(1, len(scores)):
        further = torch.logsumexp(total[:, :, None] + turns, dim=1) + scores[step]
        total = torch.where(inside[step, :, None], further, total)
        gained = turns[gold[step - 1], gold[step]] + scores[step, rows, gold[step]]
        right = right + torch.where(inside[step], gained, 0.0)
    return (torch.logsumexp(total, dim=1) - right).sum()


def _index(reading: Reading, chosen: Pairs) -> tuple[Numbers, Pairs]:
    """The positions of some sequences or windows, steps x rows, and how many each has."""
    if len(reading.targets):
        ways = np.arange(-reading.before, reading.behind + 1)[:, None]
        index = reading.shifted(reading.targets[chosen][None, :], ways, reading.notes[chosen])
        return index, np.full(len(chosen), len(ways))
    bounds = reading.bounds[chosen]
    return reading.steps(chosen, backward=False), bounds[:, 1] - bounds[:, 0]


def _reversed(index: Numbers, lengths: Pairs) -> Tensor:
    """For each step, which step stands there when each row is read backwards."""
    steps = np.arange(len(index))[:, None]
    return torch.from_numpy(np.where(steps < lengths, lengths - 1 - steps, steps))


def _gru(inputs: Tensor, turning: Tensor, candidate: Tensor) -> Tensor:
    size = turning.shape[0]
    states: list[Tensor] = []
    state = torch.zeros(inputs.shape[1], size)
    for step in range(len(inputs)):
        if step:
            gates = torch.sigmoid(inputs[step, :, : 2 * size] + state @ turning)
            fresh = torch.tanh(inputs[step, :, 2 * size :] + (gates[:, :size] * state) @ candidate)
            state = torch.lerp(state, fresh, gates[:, size:])
        else:
            state = torch.sigmoid(inputs[0, :, size : 2 * size]) * torch.tanh(inputs[0, :, 2 * size :])
        states.append(state)
    return torch.stack(states)


def _lstm(x: Tensor, inputs: Tensor, bias: Tensor, turning: Tensor) -> Tensor:
    """torch's own loop, whose gates stand in another order: in, forget, candidate, out."""
    size = turning.shape[0]
    order = torch.cat([torch.arange(size) + at * size for at in (0, 1, 3, 2)])
    start = torch.zeros(1, x.shape[1], size)
    weights = [inputs.T[order].contiguous(), turning.T[order].contiguous(), bias[order], torch.zeros_like(bias)]
    states: Tensor = torch.lstm(x, (start, start), weights, True, 1, 0.0, True, False, False)[0]
    return states
