"""An encoder while it is learnt, in torch. It gives the rows that `layers` gives in numpy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn.functional import (
    cross_entropy,
    dropout,
    embedding,
    gelu,
    layer_norm,
    linear,
    scaled_dot_product_attention,
)

from elision.taggers.encoder.layers import Numbers
from elision.taggers.encoder.packing import Floats, packed
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.weights import EDGE, HEADS, MATRICES, PLACES, VECTORS, WORDS, Weights

HEAD, BIAS = "head", "head.bias"
SMALLEST = 1e-12


class Module:
    """The weights: those that stay as they are, and those that are learnt."""

    def __init__(self, settings: EncoderSettings, weights: Weights, head: tuple[Floats, Floats]) -> None:
        self.settings, self.begun = settings, weights
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.learnt: dict[str, Tensor] = {}
        self.fixed: dict[str, Tensor] = {name: self._on(weights.plain[name]) for name in (PLACES, *EDGE)}
        for layer in range(settings.layers):
            into = self.fixed if layer < settings.frozen else self.learnt
            for name in MATRICES:
                into[f"{layer}.{name}"] = self._on(weights.packed[f"{layer}.{name}"].unpacked())
            for name in VECTORS:
                into[f"{layer}.{name}"] = self._on(weights.plain[f"{layer}.{name}"])
        self.learnt |= {HEAD: self._on(head[0]), BIAS: self._on(head[1])}
        for each in self.learnt.values():
            each.requires_grad_(True)

    def groups(self) -> Iterator[dict[str, object]]:
        """What is learnt at which share of the rate: the lower a layer, the more slowly."""
        settings = self.settings
        for name, weight in self.learnt.items():
            if name.startswith(HEAD):
                rate = settings.head_rate
            else:
                rate = settings.rate * settings.decay ** (settings.layers - 1 - int(name.partition(".")[0]))
            yield {"params": [weight], "lr": rate, "most": rate, "weight_decay": 0.01 if weight.ndim > 1 else 0.0}

    def loss(self, pieces: Numbers, lengths: Numbers, at: Numbers, gold: Numbers) -> Tensor:
        """What the tags of some places cost on average; places are counted through all windows."""
        with self._arithmetic():
            rows = self.rows(pieces, lengths, learning=True).flatten(0, 1)[self._on(at).long()]
            said = linear(dropout(rows, self.settings.dropout), self.learnt[HEAD].T, self.learnt[BIAS])
        return cross_entropy(said.float(), self._on(gold).long())

    def rows(self, pieces: Numbers, lengths: Numbers, *, learning: bool = False) -> Tensor:
        """A row for each piece of windows side by side."""
        distinct, of = np.unique(pieces, return_inverse=True)
        table = self._on(self.begun.packed[WORDS].rows(distinct).unpacked())
        state = embedding(self._on(of.reshape(pieces.shape)), table) + self.fixed[PLACES][: pieces.shape[1]]
        state = self._normed(state, "norm")
        seen = self._on(np.arange(pieces.shape[1]) < lengths[:, None])[:, None, None, :]
        rate = self.settings.dropout if learning else 0.0
        for layer in range(self.settings.layers):
            frozen = layer < self.settings.frozen
            with torch.no_grad() if frozen else nullcontext():
                state = self._layer(f"{layer}.", state, seen, 0.0 if frozen else rate)
        return state

    def _layer(self, at: str, state: Tensor, seen: Tensor, rate: float) -> Tensor:
        asked = self._times(state, at + "asking").unflatten(2, (3, HEADS, -1)).permute(2, 0, 3, 1, 4)
        taken = self._times(self._attended(asked, seen).transpose(1, 2).flatten(2), at + "kept")
        state = self._normed(state + dropout(taken, rate), at + "attended")
        said = self._times(gelu(self._times(state, at + "inner"), approximate="tanh"), at + "outer")
        return self._normed(state + dropout(said, rate), at + "layer")

    def _attended(self, asked: Tensor, seen: Tensor) -> Tensor:
        """What each piece takes from the others; `asked` holds queries, keys and values."""
        asking, keys, values = asked
        if self.device.type != "cpu" or not asked.requires_grad:
            return scaled_dot_product_attention(asking, keys, values, attn_mask=seen)
        shares = (asking * asking.shape[-1] ** -0.5) @ keys.transpose(-1, -2)  # learns twice as fast as torch's own
        with torch.autocast("cpu", enabled=False):
            shares = torch.softmax(shares + torch.where(seen, 0.0, float("-inf")).to(shares.dtype), -1)
        taken: Tensor = shares @ values
        return taken

    def _times(self, rows: Tensor, name: str) -> Tensor:
        return linear(rows, self._weight(name), self._weight(f"{name}.bias"))

    def _normed(self, rows: Tensor, name: str) -> Tensor:
        scale, shift = self._weight(f"{name}.scale"), self._weight(f"{name}.shift")
        return layer_norm(rows, (rows.shape[-1],), scale, shift, SMALLEST)

    def _weight(self, name: str) -> Tensor:
        found = self.learnt.get(name)
        return self.fixed[name] if found is None else found

    def _arithmetic(self) -> AbstractContextManager[object]:
        if self.settings.arithmetic == "float32":
            return nullcontext()
        return torch.autocast(self.device.type, torch.bfloat16)

    def _on(self, array: npt.NDArray[Any]) -> Tensor:
        return torch.tensor(array, device=self.device)

    def arrays(self) -> dict[str, Floats]:
        """What is learnt, as it is."""
        return {name: weight.detach().cpu().numpy().copy() for name, weight in self.learnt.items()}

    def weights(self) -> tuple[Weights, tuple[Floats, Floats]]:
        """What is learnt, packed, beside what stayed as it was; and the head."""
        arrays = self.arrays()
        return packed_of(self.begun, arrays), (arrays[HEAD], arrays[BIAS])


def packed_of(begun: Weights, arrays: Mapping[str, Floats]) -> Weights:
    """Weights with what was learnt in the place of what it began with."""
    matrices, plain = dict(begun.packed), dict(begun.plain)
    for name, array in arrays.items():
        if name.rpartition(".")[2] in MATRICES:
            matrices[name] = packed(array)
        elif not name.startswith(HEAD):
            plain[name] = array
    return Weights(matrices, plain, begun.layers)
