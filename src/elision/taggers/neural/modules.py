"""A network while it is learnt, in torch. The weights have the names and shapes of `weights`, and give the scores that
`network` gives in numpy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy, embedding

from elision.taggers.neural.inputs import GAPS, PADDING, Inputs, Numbers, coded, spelling
from elision.taggers.neural.reading import Pairs, Reading
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.weights import TEXT, branches_of

NEVER = -1e4  # what a turn that cannot be weighs


class Corpus(NamedTuple):
    """Notes to learn from, as numbers."""

    inputs: Inputs
    reading: Reading
    strings: npt.NDArray[np.float16]
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
        """What the tags cost on average, by sequence for a CRF, else by token; with `chance`, numbers are dropped."""
        reading = corpus.reading
        index, scores = self.scores(corpus, known, chosen, chance)
        if reading.targets is not None:
            return cross_entropy(scores, torch.from_numpy(corpus.gold[reading.targets[chosen]]).long())
        gold = torch.from_numpy(corpus.gold[index]).long()
        inside = torch.from_numpy(index != reading.outside)
        if self.settings.output == "crf":
            turns = self.weights["turns"] + self._barred
            return chain_loss(scores, gold, inside, turns) / len(chosen)
        return cross_entropy(scores[inside], gold[inside])

    def scores(
        self, corpus: Corpus, known: Known, chosen: Pairs, chance: torch.Generator | None
    ) -> tuple[Numbers, Tensor]:
        """The positions of some sequences, steps x rows, and a score for each tag of each; of windows, the middle."""
        index, lengths = _index(corpus.reading, chosen)
        notes = corpus.reading.notes[chosen]
        states: list[Tensor] = []
        rate, before = self.settings.dropout, corpus.reading.before
        reverse = _reversed(index, lengths)
        for branch in branches_of(self.settings):
            rows, of = self._seen(branch, corpus, known, index, notes)
            if corpus.reading.targets is not None:
                states.append(self._run(f"{branch}.forward", rows, of[: before + 1], chance)[-1])
                states.append(self._run(f"{branch}.backward", rows, of[before:].flip(0), chance)[-1])
            else:
                columns = torch.arange(of.shape[1])
                states.append(self._run(f"{branch}.forward", rows, of, chance))
                states.append(self._run(f"{branch}.backward", rows, of[reverse, columns], chance)[reverse, columns])
        joined = dropped(torch.cat(states, dim=-1), rate, chance, locked=self.settings.locked)
        return index, joined @ self.weights["output.weights"] + self.weights["output.bias"]

    def _seen(self, branch: str, corpus: Corpus, known: Known, index: Numbers, notes: Pairs) -> tuple[Tensor, Tensor]:
        """What a branch knows of the distinct things that stand at some positions, and which of them stands at each."""
        inputs, reading = corpus.inputs, corpus.reading
        joined = self.settings.reading == "joined"
        whole = joined or (branch == TEXT and corpus.strings.shape[1] > 0)
        if whole:
            at, of = np.unique(index, return_inverse=True)
        else:  # forms that look the same to this branch are weighed once
            key = known.words[branch].astype(np.int64) if branch != TEXT else np.arange(len(known.words[branch]))
            _, first, of = np.unique(
                key[inputs.form_of[index]] * GAPS + (inputs.gap_of[index] if self.settings.gaps else 0),
                return_index=True,
                return_inverse=True,
            )
            at = index.reshape(-1)[first]
        parts: list[Tensor] = []
        for way in range(-reading.before, reading.behind + 1) if joined else (0,):
            there = reading.shifted(at, way, _note_of(notes, at)) if way else at
            parts += self._parts(branch, corpus, known, there)
        return torch.cat(parts, dim=-1), torch.from_numpy(of.reshape(index.shape))

    def _parts(self, branch: str, corpus: Corpus, known: Known, at: Numbers) -> list[Tensor]:
        """What a branch knows of some positions, a row for each."""
        inputs = corpus.inputs
        forms = inputs.form_of[at]
        parts = [_rows(self.weights[f"{branch}.words"], known.words[branch][forms])]
        if branch == TEXT and self.settings.characters == "cnn":
            distinct, of = np.unique(forms, return_inverse=True)
            parts.append(_rows(self._convolved(known.spelled[distinct]), of))
        if branch == TEXT and self.settings.gaps:
            parts.append(_rows(self.weights["text.gaps"], inputs.gap_of[at]))
        if branch == TEXT and corpus.strings.shape[1]:
            parts.append(torch.from_numpy(corpus.strings[at].astype(np.float32)))
        return parts

    def _convolved(self, spelled: Numbers) -> Tensor:
        windows = np.stack((spelled[:, :-2], spelled[:, 1:-1], spelled[:, 2:]), axis=2)
        seen = _rows(self.weights["text.characters"], windows).flatten(2) @ self.weights["text.filters"]
        said = torch.relu(seen + self.weights["text.filters.bias"])
        return said.masked_fill(torch.from_numpy(windows[:, :, 2:] == PADDING), 0.0).amax(dim=1)

    def _run(self, name: str, rows: Tensor, of: Tensor, chance: torch.Generator | None) -> Tensor:
        """The states of a recurrent layer that reads these rows, step by step."""
        inputs, bias, turning = (self.weights[f"{name}.{part}"] for part in ("inputs", "bias", "turning"))
        if self.settings.cell == "lstm":
            return _lstm(self._locked(embedding(of, rows), chance), inputs, bias, turning)
        if self.settings.locked:
            inflow = self._locked(embedding(of, rows), chance) @ inputs + bias
        else:  # what stands in several places is weighed once
            inflow = embedding(of, rows @ inputs + bias)
        return _gru(inflow, turning, self.weights[f"{name}.candidate"])

    def _locked(self, x: Tensor, chance: torch.Generator | None) -> Tensor:
        return dropped(x, self.settings.dropout, chance, locked=True) if self.settings.locked else x


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


def _rows(table: Tensor, at: npt.NDArray[np.integer[Any]]) -> Tensor:
    """Rows of a table. What they cost is added up in the same order every time, as it is not with table[at]."""
    return embedding(torch.from_numpy(at), table)


def _note_of(notes: Pairs, at: Numbers) -> Pairs:
    """The note of each of some positions, from those of the rows in which they stand."""
    order = np.argsort(notes[:, 0], kind="stable")
    return notes[order][np.maximum(np.searchsorted(notes[order, 0], at, side="right") - 1, 0)]


def _index(reading: Reading, chosen: Pairs) -> tuple[Numbers, Pairs]:
    """The positions of some sequences or windows, steps x rows, and how many each has."""
    if reading.targets is not None:
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
