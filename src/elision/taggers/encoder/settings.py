"""All that can be chosen about an encoder, as data that a model keeps with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import PurePath
from typing import Any, ClassVar

from elision.errors import ModelError
from elision.taggers.settings import typed

LEAST: Mapping[str, float] = {
    "layers": 1, "frozen": 0, "window": 16, "rate": 1e-9, "head_rate": 1e-9, "batch": 16, "epochs": 1, "seed": 0,
    "dropout": 0, "decay": 0, "warm": 0,
}  # fmt: skip
MOST: Mapping[str, float] = {"window": 256, "dropout": 0.9, "decay": 1, "warm": 0.9, "layers": 64}


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSettings:
    """Which weights it begins with, and how it learns."""

    kind: ClassVar[str] = "encoder"

    language: str = ""  # that of the notes; "" where it is of several
    cut: str = "fine"  # the tokeniser
    base: str = ""  # folder of the pre-trained weights with which learning begins
    layers: int = 12  # of the pre-trained ones, from below
    frozen: int = 6  # of these, from below, that stay as they are
    window: int = 256  # pieces that are read together
    rate: float = 3e-4
    head_rate: float = 1e-3  # of what says the tags
    decay: float = 0.93  # of the rate, from each layer to the one below
    warm: float = 0.06  # share of the learning in which the rates rise
    dropout: float = 0.1
    arithmetic: str = "float32"  # or bfloat16: quicker where the processor or GPU has it
    batch: int = 2048  # pieces that are learnt at once, the padding with them
    epochs: int = 5
    seeds: int = 1
    seed: int = 0
    dial: float = 1.0  # the probability of O is multiplied by it: less is more recall

    def __post_init__(self) -> None:
        typed(self)
        for name, bottom in LEAST.items():
            top = MOST.get(name, float("inf"))
            if not bottom <= getattr(self, name) <= top:
                most = "" if top == float("inf") else f" and at most {top:g}"
                raise ModelError(f"{name} {getattr(self, name)}: must be at least {bottom:g}{most}")
        if self.arithmetic not in ("float32", "bfloat16"):
            raise ModelError(f"arithmetic {self.arithmetic[:40]!r}: choose one of float32, bfloat16")
        if self.frozen > self.layers:
            raise ModelError(f"frozen {self.frozen}: there are {self.layers} layers")
        if self.batch < self.window:
            raise ModelError(f"batch {self.batch}: must hold a window, {self.window} pieces")
        if self.seeds != 1:
            raise ModelError(f"seeds {self.seeds}: an encoder is learnt from one seed; learn one for each")
        if not 0 < self.dial <= 1e6:
            raise ModelError(f"dial {self.dial}: must be more than 0; 1 changes nothing, less finds more")

    @property
    def trainer(self) -> str:
        return "online"

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "base": PurePath(self.base).name}  # where it lies is nobody's business

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> EncoderSettings:
        """Settings that a model kept."""
        if unknown := set(found) - {each.name for each in fields(EncoderSettings)}:
            raise ModelError(f"settings that this elision does not know: {', '.join(sorted(map(str, unknown))[:5])}")
        return EncoderSettings(**found)
