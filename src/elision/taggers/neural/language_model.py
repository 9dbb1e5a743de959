"""One direction of a character language model while it learns, with torch.

The stream of characters is laid in rows, which are read side by side, STEPS characters at a time. The state goes from
one such step to the next, errors go back within a step (truncated back-propagation). Adam, with a rate that falls when
the perplexity on notes held out does; the best weights by that count in the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from elision.taggers.neural.pretrained import Floats, Ints, LanguageModel
from elision.taggers.neural.stream import UNKNOWN

STEPS = 100  # characters that errors go back
RATE, LEAST_RATE = 4e-3, 1e-4
FALL = 0.5  # the rate is multiplied with it
GAIN = 1e-3  # a loss that falls by less has not fallen
CLIP = 1.0
DROPPED = 0.1  # of the outputs
MASKED = 1e-3  # of the characters are read as an unknown one, so that this learns, too
_SEEDS = 1 << 32


class CharacterModel(nn.Module):
    """Predicts each character from those before it."""

    def __init__(self, characters: int, embedding: int, hidden: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(characters + 1, embedding)
        self.lstm = nn.LSTM(embedding, hidden)
        self.output = nn.Linear(hidden, characters + 1)

    def forward(
        self, rows: Tensor, state: tuple[Tensor, Tensor], keep: Tensor | None = None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """What the next characters are, as logarithms before softmax, and the state to go on with."""
        states, state = self.lstm(self.embedding(rows), state)
        return self.output(states if keep is None else states * keep), state


def plain_weights(arrays: Mapping[str, npt.NDArray[Any]]) -> LanguageModel:
    """A model's arrays in the layout of `recurrent.lstm`: the output gate stands before the candidate."""

    def gates(array: npt.NDArray[Any]) -> Floats:
        entry, forget, candidate, out = np.split(array, 4)
        found: Floats = np.ascontiguousarray(np.concatenate((entry, forget, out, candidate)).T, np.float32)
        return found

    return LanguageModel(
        arrays["embedding.weight"],
        gates(arrays["lstm.weight_ih_l0"]),
        gates(arrays["lstm.bias_ih_l0"] + arrays["lstm.bias_hh_l0"]),
        gates(arrays["lstm.weight_hh_l0"]),
    )


class Direction:
    """A model of one direction with all that its learning needs to go on."""

    def __init__(self, characters: int, embedding: int, hidden: int, seed: int) -> None:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.model = CharacterModel(characters, embedding, hidden)
        self.seed = seed
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=RATE)
        self.generator = torch.Generator()
        self.state = (torch.zeros(0), torch.zeros(0))
        self.best = self._weights()
        self.best_loss = float("inf")
        self.rate = RATE
        self.steps = 0  # so far

    @property
    def perplexity(self) -> float:
        """The best so far on notes held out; 0 before there is one."""
        return exp(self.best_loss) if self.best_loss < float("inf") else 0.0

    @property
    def is_done(self) -> bool:
        return self.rate < LEAST_RATE

    def step(self, rows: Ints, *, fresh: bool) -> float:
        """Learn from one step of the rows, characters x rows, the last of which is only predicted; the loss."""
        if fresh:
            self.state = self._zeros(rows.shape[1])
        self.generator.manual_seed((self.seed * 1_000_003 + self.steps) % _SEEDS)  # so that going on needs no more
        given, wanted = _tensors(rows)
        masked = torch.rand(given.shape, generator=self.generator) < MASKED
        shape = (1, rows.shape[1], self.model.lstm.hidden_size)  # the same at every step: locked dropout
        keep = (torch.rand(shape, generator=self.generator) >= DROPPED).float() / (1 - DROPPED)
        self.optimiser.zero_grad()
        found, state = self.model(given.masked_fill(masked, UNKNOWN), self.state, keep)
        loss = _loss(found, wanted)
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimiser.step()
        self.state = (state[0].detach(), state[1].detach())
        self.steps += 1
        return float(loss.item())

    def measure(self, steps: Iterator[Ints]) -> float:
        """The loss on a stream that is not learnt from. The rate falls if it does not; the best weights are kept."""
        total, count = 0.0, 0
        state = None
        with torch.no_grad():
            for rows in steps:
                given, wanted = _tensors(rows)
                found, state = self.model(given, state or self._zeros(rows.shape[1]))
                total += float(_loss(found, wanted).item()) * wanted.numel()
                count += wanted.numel()
        loss = total / max(1, count)
        if not loss < self.best_loss - GAIN:
            self._set_rate(self.rate * FALL)
        if loss < self.best_loss:
            self.best_loss, self.best = loss, self._weights()
        return loss

    def plain(self) -> LanguageModel:
        """The best weights, for numpy."""
        return plain_weights(self.best)

    def facts(self) -> dict[str, Any]:
        """What a checkpoint keeps as JSON."""
        best = None if self.best_loss == float("inf") else self.best_loss
        return {"steps": self.steps, "rate": self.rate, "best_loss": best}

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What a checkpoint keeps as arrays."""
        found = {f"model.{name}": array for name, array in self._weights().items()}
        found |= {f"best.{name}": array for name, array in self.best.items()}
        found |= {f"state.{at}": part.numpy() for at, part in enumerate(self.state)}
        for at, part in self.optimiser.state_dict()["state"].items():
            found |= {f"optimiser.{at}.{name}": value.numpy() for name, value in part.items()}
        return found

    def restore(self, facts: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Stand where `facts` and `arrays` were taken. What is missing or of another shape is a KeyError, ValueError or
        torch's RuntimeError."""
        self.steps, best = int(facts["steps"]), facts["best_loss"]
        self.best_loss = float("inf") if best is None else float(best)
        self.model.load_state_dict({name: _tensor(array) for name, array in _under("model.", arrays).items()})
        self.best = {name: np.array(arrays[f"best.{name}"]).reshape(weight.shape) for name, weight in self.best.items()}
        self.state = (_tensor(arrays["state.0"]), _tensor(arrays["state.1"]))
        moments: dict[int, dict[str, Tensor]] = {}
        for at, weight in enumerate(self.model.parameters() if self.steps else ()):
            kept = {name: _tensor(arrays[f"optimiser.{at}.{name}"]) for name in ("step", "exp_avg", "exp_avg_sq")}
            moments[at] = {name: part if name == "step" else part.view_as(weight) for name, part in kept.items()}
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": moments})
        self._set_rate(float(facts["rate"]))

    def _weights(self) -> dict[str, npt.NDArray[Any]]:
        return {name: weight.detach().numpy().copy() for name, weight in self.model.state_dict().items()}

    def _zeros(self, rows: int) -> tuple[Tensor, Tensor]:
        shape = (1, rows, self.model.lstm.hidden_size)
        return torch.zeros(shape), torch.zeros(shape)

    def _set_rate(self, rate: float) -> None:
        self.rate = rate
        for group in self.optimiser.param_groups:
            group["lr"] = rate


def _tensors(rows: Ints) -> tuple[Tensor, Tensor]:
    """What is read, and what comes after each of it."""
    whole = torch.from_numpy(rows.astype(np.int64))
    return whole[:-1], whole[1:]


def _loss(found: Tensor, wanted: Tensor) -> Tensor:
    return nn.functional.cross_entropy(found.flatten(0, 1), wanted.flatten())


def _tensor(array: npt.NDArray[Any]) -> Tensor:
    return torch.from_numpy(np.array(array))


def _under(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
