"""All that can be chosen about a neural tagger, as data that a model keeps with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import PurePath
from typing import Any, ClassVar

from elision.errors import ModelError
from elision.plugins import names
from elision.taggers.settings import typed

CHOICES: Mapping[str, tuple[str, ...]] = {
    "cell": ("gru", "lstm"),
    "reading": ("middle", "chunks", "joined", "whole"),
    "unit": ("auto", "line", "note"),
    "digits": ("DIGIT", "zero", "kept"),
    "kept": ("at-least", "more-than"),
    "characters": ("none", "cnn"),
    "embeddings": ("notes", "random"),
    "output": ("softmax", "crf"),
    "optimiser": ("rmsprop", "sgd", "adam"),
}
LEAST: Mapping[str, float] = {
    "hidden": 1, "embedding": 1, "window": 1, "least": 1, "batch": 1, "epochs": 1, "patience": 0, "seed": 0, "clip": 0,
    "rate": 1e-9, "r": 0, "validation": 0, "dropout": 0,
}  # fmt: skip
BELOW: Mapping[str, float] = {"r": 1.000001, "validation": 0.9, "dropout": 0.95}


@dataclass(frozen=True, slots=True, kw_only=True)
class NeuralSettings:
    """What the network sees, what it is made of, how it learns."""

    kind: ClassVar[str] = "neural"

    language: str = ""
    cut: str = "fine"  # the tokeniser: ours, or one of a plug-in, such as zh-words
    digits: str = "DIGIT"  # what each digit becomes: DIGIT, zero, or what it is
    lower: bool = False  # words in small letters
    returns: bool = True  # #RETURN stands between two lines
    gaps: bool = False  # whether a blank, a new line or nothing stands before a token
    r: float = 0.0  # a second branch reads the text skeleton of this factor; 0: none
    kept: str = "at-least"  # words of the skeleton are frequent at least as t, or more than t
    characters: str = "none"  # of a word, seen by a convolution
    pretrained: str = (
        ""  # folder of `elision pretrain`: its word vectors and contextual strings; a model keeps its name
    )
    strings: bool = True  # of a pretrained folder, contextual strings, not the word vectors alone
    embeddings: str = "notes"  # what those of words begin with: learnt from the notes without their spans, or random
    embedding: int = 150
    cell: str = "gru"
    hidden: int = 150  # of each direction
    reading: str = "middle"
    window: int = 7
    unit: str = "note"  # what is one sequence where the network reads "whole" ones
    output: str = "softmax"
    dropout: float = 0.5
    locked: bool = False  # the same numbers are dropped in all steps of a sequence, before the network and behind it
    optimiser: str = "rmsprop"
    rate: float = 0.001
    falling: bool = False  # the rate falls evenly from epoch to epoch, down to nothing behind the last
    clip: float = 0.0  # the longest gradient; 0: any
    batch: int = 64  # windows or sequences that are learnt at once
    epochs: int = 8
    patience: int = 0  # epochs without gain after which it stops, or sgd halves its rate; 0: any number
    validation: float = 0.2  # share of the notes that decide which epoch was best; 0: none, the last one counts
    least: int = 3  # words of fewer notes or patients are unknown ones
    seeds: int = 1
    seed: int = 0
    dial: float = 1.0  # the probability of O is multiplied by it: less is more recall

    def __post_init__(self) -> None:
        typed(self)
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise ModelError(f"{name} {getattr(self, name)[:40]!r}: choose one of {', '.join(known)}")
        if self.cut != "fine" and self.cut not in (others := names("tokenizers")):
            raise ModelError(f"cut {self.cut[:40]!r}: choose one of {', '.join(('fine', *others))}")
        for name, bottom in LEAST.items():
            top = BELOW.get(name, float("inf"))
            if not bottom <= getattr(self, name) < top:
                most = "" if top == float("inf") else f" and below {top:g}"
                raise ModelError(f"{name} {getattr(self, name)}: must be at least {bottom:g}{most}")
        if self.seeds != 1:
            raise ModelError(f"seeds {self.seeds}: a neural tagger is learnt from one seed; learn one for each")
        if not 0 < self.dial <= 1e6:
            raise ModelError(f"dial {self.dial}: must be more than 0; 1 changes nothing, less finds more")
        if self.output == "crf" and self.reading != "whole":
            raise ModelError(f"reading {self.reading!r}: a CRF needs whole sequences; choose reading whole")

    @property
    def strings_of(self) -> str:
        """The pretrained folder from which contextual strings come, "" where there are none."""
        return self.pretrained if self.strings else ""

    @property
    def words_of(self) -> str:
        """The pretrained folder whose words a network knows, too: where words are looked up as they are there."""
        return self.pretrained if self.lower and self.digits == "zero" else ""

    @property
    def trainer(self) -> str:
        return "online"

    def as_json(self) -> dict[str, Any]:
        folder = PurePath(self.pretrained).name  # where it lies is nobody's business, and it is not read again
        return {**asdict(self), "pretrained": folder}

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> NeuralSettings:
        """Settings that a model kept."""
        if unknown := set(found) - {each.name for each in fields(NeuralSettings)}:
            raise ModelError(f"settings that this elision does not know: {', '.join(sorted(map(str, unknown))[:5])}")
        return NeuralSettings(**found)
