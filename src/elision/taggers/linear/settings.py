"""All that can be chosen about a linear tagger, as data that a model keeps with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from math import isfinite
from numbers import Integral, Real
from pathlib import PurePath
from typing import Any, ClassVar

from elision.errors import ModelError
from elision.plugins import names

LOSSES = ("chain", "softmax", "hinge")
DECODINGS = ("posterior", "viterbi", "each")
UNITS = ("auto", "line", "sentence", "note")
OWN: Mapping[str, tuple[str, ...]] = {"cut": ("fine",), "trainer": ("online", "svm")}  # others are plug-ins
PLUGINS = {"cut": "tokenizers", "trainer": "trainers"}
WORDS = ("language", "vector_file")
WHOLE = {"epochs": 1, "seeds": 1, "seed": 0, "least": 1, "vectors": 0}  # the least that each may be
REAL = {"rate": 1e-6, "dropout": 0, "l1": 0, "l2": 0, "megabytes": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How to find features, how to learn, how to decode."""

    kind: ClassVar[str] = "linear"

    features: tuple[str, ...]
    language: str = ""
    cut: str = "fine"  # the tokeniser: ours, or one of a plug-in, such as that of He 2015
    unit: str = "auto"  # what is one sequence: a line, a sentence or a note; auto: lines unless spans run over them
    loss: str = "chain"  # a CRF; softmax or hinge: each token by itself
    decoding: str = "posterior"
    trainer: str = "online"  # svm: exact, with vectors as numbers; loss hinge
    options: Mapping[str, float | int | str | bool] = field(default_factory=dict)  # CRFsuite's own, or the SVM's
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
        self._keep()
        for name, known in (
            ("unit", UNITS),
            ("loss", LOSSES),
            ("decoding", DECODINGS),
        ):
            if getattr(self, name) not in known:
                raise ModelError(f"{name} {getattr(self, name)!r}: choose one of {', '.join(known)}")
        for name, mine in OWN.items():
            value = getattr(self, name)
            if value not in mine and value not in (all_ := (*mine, *names(PLUGINS[name]))):
                raise ModelError(
                    f"{name} {_brief(value)}: choose one of {', '.join(all_)}; others come with packages that are not "
                    "installed"
                )
        for name, bottom in {**WHOLE, **REAL}.items():
            value = getattr(self, name)
            if not value >= bottom or not isfinite(value):
                raise ModelError(f"{name} {value!r}: must be at least {bottom}, and finite")
        if not 0 <= self.dropout < 0.95:
            raise ModelError(f"dropout {self.dropout}: must be at least 0 and less than .95")
        if self.vectors and self.vector_file:
            raise ModelError("word vectors come from a vector_file or, with vectors, from the notes; choose one")
        if self.trainer == "svm" and (self.loss, self.decoding) != ("hinge", "each"):
            raise ModelError("trainer 'svm': judges each token by itself; set loss=hinge and decoding=each")
        if not 0 < self.dial <= 1e6:
            raise ModelError(f"dial {self.dial}: must be more than 0; 1 changes nothing, less finds more")
        if self.dial != 1 and self.decoding == "viterbi":
            raise ModelError(
                f"dial {self.dial}: has no effect on decoding 'viterbi'; take dial 1, or decoding 'posterior'"
            )

    def _keep(self) -> None:
        """Each value as what it is declared to be, and a copy of all that a caller could still change."""
        kept: dict[str, Any] = {name: _word(name, getattr(self, name)) for name in WORDS}
        kept |= {name: _whole(name, getattr(self, name)) for name in WHOLE}
        kept |= {name: _real(name, getattr(self, name)) for name in (*REAL, "dial")}
        kept |= {name: _lists(name, getattr(self, name)) for name in ("lexicons", "patterns")}
        kept |= {"features": _strings("features", self.features), "options": _options(self.options)}
        for name, value in kept.items():
            object.__setattr__(self, name, value)
        if not self.features:
            raise ModelError("features: there are none; name at least one, such as lower[-1..1]")

    @property
    def dense(self) -> bool:
        """Whether vectors count as numbers; other trainers know groups of like words only."""
        return self.trainer == "svm" and bool(self.vectors or self.vector_file)

    def as_json(self) -> dict[str, Any]:
        file = PurePath(self.vector_file).name  # where it lies is nobody's business, and it is not read again
        return {**asdict(self), "vector_file": file}

    @staticmethod
    def from_json(found: Mapping[str, Any]) -> Settings:
        """Settings that a model kept."""
        known = {each.name for each in fields(Settings)}
        if unknown := set(found) - known:
            raise ModelError(f"settings that this elision does not know: {', '.join(sorted(map(str, unknown))[:5])}")
        if "features" not in found:
            raise ModelError("settings that cannot be: they have no features")
        return Settings(**found)


def _word(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise ModelError(f"{name}: must be a string, not of type {type(value).__name__}")
    return value


def _whole(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ModelError(f"{name} {_brief(value)}: must be a whole number")
    return int(value)


def _real(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ModelError(f"{name} {_brief(value)}: must be a number")
    return float(value)


def _strings(name: str, value: object) -> tuple[str, ...]:
    """Not quoted where it is none: words of a lexicon may come from notes."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        raise ModelError(f"{name}: must be a list of strings")
    return tuple(value)


def _lists(name: str, value: object) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        raise ModelError(f"{name}: must be lists of strings by their names")
    return {_word(f"a name of {name}", key): _strings(f"{name} {key}", words) for key, words in value.items()}


def _options(value: object) -> dict[str, float | int | str | bool]:
    if not isinstance(value, Mapping):
        raise ModelError("options: must be values by their names")
    for name, each in value.items():
        if not isinstance(each, (float, int, str)):
            raise ModelError(f"options {name}: must be a number or a string")
    return {_word("a name of options", name): each for name, each in value.items()}


def _brief(value: object) -> str:
    return repr(value) if isinstance(value, (str, int, float)) and len(repr(value)) <= 40 else type(value).__name__
