"""All that can be chosen about a linear tagger, as data that a model keeps with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import PurePath
from typing import Any

from elision.errors import ModelError

LOSSES = ("chain", "softmax", "hinge")
DECODINGS = ("posterior", "viterbi", "each")
UNITS = ("auto", "line", "note")
CUTS = ("fine", "he2015", "he2015-plain")
TRAINERS = ("online", "crfsuite")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to find features, how to learn, how to decode."""

    features: tuple[str, ...]
    language: str = ""
    cut: str = "fine"  # the tokeniser: ours, or that of He 2015 with or without its preprocessing
    unit: str = "auto"  # what is one sequence: a line, or a note; auto: lines unless spans run over them
    loss: str = "chain"  # a CRF; softmax or hinge: each token by itself
    decoding: str = "posterior"
    trainer: str = "online"
    options: Mapping[str, float | int | str | bool] = field(default_factory=dict)  # CRFsuite's own
    epochs: int = 12
    seeds: int = 1
    seed: int = 0
    dropout: float = 0.5
    rate: float = 0.2
    l1: float = 0.5
    l2: float = 0.0
    least: int = 3  # features of fewer notes or patients are dropped
    megabytes: float = 0.0  # prune the model to this size; 0: keep all
    dial: float = 1.0  # the probability of O is multiplied by it: less is more recall
    lexicons: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # attribute lexicon-NAME
    patterns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # attribute pattern-NAME
    vectors: int = 0  # size of word vectors learnt from the training notes; 0: none
    vector_file: str = ""  # or read from a file: GloVe, word2vec, fastText; a model keeps its name only

    def __post_init__(self) -> None:
        for name, known in (
            ("cut", CUTS),
            ("unit", UNITS),
            ("loss", LOSSES),
            ("decoding", DECODINGS),
            ("trainer", TRAINERS),
        ):
            if getattr(self, name) not in known:
                raise ModelError(f"{name} {getattr(self, name)!r}: choose one of {', '.join(known)}")
        least = {
            "epochs": 1,
            "seeds": 1,
            "least": 1,
            "rate": 1e-6,
            "dropout": 0,
            "l1": 0,
            "l2": 0,
            "megabytes": 0,
            "vectors": 0,
        }
        for name, bottom in least.items():
            if not getattr(self, name) >= bottom:
                raise ModelError(f"{name} {getattr(self, name)!r}: must be at least {bottom}")
        if not 0 <= self.dropout < 0.95:
            raise ModelError(f"dropout {self.dropout}: must be at least 0 and less than .95")
        if self.vectors and self.vector_file:
            raise ModelError("word vectors come from a vector_file or, with vectors, from the notes; choose one")
        if not 0 < self.dial <= 1e6:
            raise ModelError(f"dial {self.dial}: must be more than 0; 1 changes nothing, less finds more")

    def as_json(self) -> dict[str, Any]:
        file = PurePath(self.vector_file).name  # where it lies is nobody's business, and it is not read again
        return {**asdict(self), "vector_file": file}

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> Settings:
        """Settings that a model kept."""
        known = {each.name for each in fields(Settings)}
        if unknown := set(found) - known:
            raise ModelError(f"settings that this elision does not know: {', '.join(sorted(map(str, unknown))[:5])}")
        values = dict(found)
        try:
            values["features"] = tuple(map(str, found["features"]))
            for name in ("lexicons", "patterns"):
                values[name] = {str(key): tuple(map(str, words)) for key, words in found.get(name, {}).items()}
            return Settings(**values)
        except (TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"settings that cannot be: {type(error).__name__}") from None
