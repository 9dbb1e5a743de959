"""A tagger with the manners of scikit-learn: for its grids, folds and pipelines, and without needing it."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from elision.document import Document, Span
from elision.errors import ModelError
from elision.taggers.base import Recipe, Tagger
from elision.taggers.corpus import strict_f1
from elision.taggers.presets import preset
from elision.taggers.store import fit, load

Notes = Sequence[Document] | Sequence[str]
Spans = Sequence[Sequence[Span]]


class SpanTagger:
    """Finds spans in notes, as a scikit-learn estimator.

    `preset` names one of `elision.taggers.presets`, or one of a plug-in, or is the settings of any kind; every other
    parameter is the setting of that name and stays as the preset has it where it is None. X is a sequence of documents
    or of plain texts, y the spans of each; without y, the documents' own. What is set after `fit` counts from the next
    `fit` on.

    >>> from elision import Span
    >>> from elision.integrations.sklearn import SpanTagger
    >>> names = ["Roe", "Lund", "Vale", "Marsh", "Corr", "Hart"]
    >>> notes = [f"Seen by Dr. {name} today." for name in names]
    >>> spans = [[Span(12, 12 + len(name), "NAME")] for name in names]
    >>> model = SpanTagger(features=["lower[-2..2]", "shape[0]"], least=1).fit(notes, spans)
    >>> (found,) = model.predict(["Seen by Dr. Ashby today."])
    >>> [(span.start, span.end, span.label) for span in found]
    [(12, 17, 'NAME')]
    >>> model.score(notes, spans)
    1.0
    """

    _estimator_type = None

    def __init__(
        self,
        *,
        preset: str | Recipe = "elision-fast",
        features: Sequence[str] | None = None,
        language: str | None = None,
        cut: str | None = None,
        unit: str | None = None,
        loss: str | None = None,
        decoding: str | None = None,
        trainer: str | None = None,
        options: Mapping[str, float | int | str | bool] | None = None,
        epochs: int | None = None,
        seeds: int | None = None,
        seed: int | None = None,
        dropout: float | None = None,
        rate: float | None = None,
        l1: float | None = None,
        l2: float | None = None,
        least: int | None = None,
        megabytes: float | None = None,
        dial: float | None = None,
        lexicons: Mapping[str, tuple[str, ...]] | None = None,
        patterns: Mapping[str, tuple[str, ...]] | None = None,
        vectors: int | None = None,
        vector_file: str | None = None,
    ) -> None:
        self.preset = preset
        self.features = features
        self.language = language
        self.cut = cut
        self.unit = unit
        self.loss = loss
        self.decoding = decoding
        self.trainer = trainer
        self.options = options
        self.epochs = epochs
        self.seeds = seeds
        self.seed = seed
        self.dropout = dropout
        self.rate = rate
        self.l1 = l1
        self.l2 = l2
        self.least = least
        self.megabytes = megabytes
        self.dial = dial
        self.lexicons = lexicons
        self.patterns = patterns
        self.vectors = vectors
        self.vector_file = vector_file

    # -- what `fit` or `load` sets
    tagger_: Tagger
    labels_: tuple[str, ...]

    def fit(self, X: Notes, y: Spans | None = None) -> Self:  # noqa: N803 # scikit-learn's name, given by keyword
        """Learn from notes and their spans."""
        documents = _documents(X, y, wanted=True)
        self.tagger_ = fit(self._settings(documents), documents)
        self.labels_ = self.tagger_.labels
        return self

    def predict(self, X: Notes) -> list[tuple[Span, ...]]:  # noqa: N803
        """The spans of each note."""
        return self._fitted().detect(_documents(X, None, wanted=False))

    def score(self, X: Notes, y: Spans | None = None) -> float:  # noqa: N803
        """Micro F1 of spans with the same offsets and label."""
        tagger, gold = self._fitted(), _documents(X, y, wanted=True)
        return strict_f1(gold, tagger.detect(gold))

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 # nothing here has parts of its own
        """All parameters by name."""
        return {name: getattr(self, name) for name in _parameters()}

    def set_params(self, **parameters: Any) -> Self:
        """Other values for some parameters."""
        if unknown := sorted(set(parameters) - set(_parameters())):
            raise ModelError(f"no parameter {', '.join(unknown)}; there are: {', '.join(_parameters())}")
        for name, value in parameters.items():
            setattr(self, name, value)
        return self

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder that `taggers.store.load` reads, too; returns its size in bytes."""
        return self._fitted().save(folder, overwrite=overwrite)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """An estimator that was fitted, from the model's folder."""
        tagger = load(folder)
        found = cls(preset=tagger.settings)
        found.tagger_, found.labels_ = tagger, tagger.labels
        return found

    def _settings(self, documents: Sequence[Document]) -> Recipe:
        """The preset with what was chosen."""
        chosen = {name: value for name, value in self.get_params().items() if name != "preset" and value is not None}
        if "features" in chosen:
            chosen["features"] = tuple(chosen["features"])
        settings: Recipe = (
            preset(self.preset, documents, **chosen) if isinstance(self.preset, str) else replace(self.preset, **chosen)
        )
        return settings

    def _fitted(self) -> Tagger:
        tagger: Tagger | None = self.__dict__.get("tagger_")
        if tagger is None:
            raise ModelError("this SpanTagger has not learnt anything yet; fit() first, or load() a model")
        return tagger

    def __sklearn_is_fitted__(self) -> bool:
        return "tagger_" in self.__dict__

    def __sklearn_tags__(self) -> Any:
        """What scikit-learn asks every estimator; nobody else does, so it is there to import from."""
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            input_tags=InputTags(two_d_array=False, string=True),
        )

    def __repr__(self) -> str:
        """Only what differs, and lists by their size: they may be long."""
        defaults = {name: parameter.default for name, parameter in _signature().items()}
        shown = (
            f"{name}=<{len(value)}>" if isinstance(value, Mapping) else f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value != defaults[name]
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def _signature() -> Mapping[str, inspect.Parameter]:
    return inspect.signature(SpanTagger).parameters


def _parameters() -> tuple[str, ...]:
    return tuple(_signature())


def _documents(notes: Notes, spans: Spans | None, *, wanted: bool) -> list[Document]:
    """Notes as documents with the spans of y, if there is one."""
    if isinstance(notes, (str, Document)):
        raise ModelError("X is one note; give a list of notes")
    if spans is None:
        if wanted and any(isinstance(note, str) for note in notes):
            raise ModelError("plain texts have no spans of their own; give y, the spans of each, or documents")
        return [Document(note) if isinstance(note, str) else note for note in notes]
    if len(notes) != len(spans):
        raise ModelError(f"{len(notes)} notes and spans for {len(spans)}; y must have an entry for each note")
    return [
        document.with_spans(found) for document, found in zip(_documents(notes, None, wanted=False), spans, strict=True)
    ]
