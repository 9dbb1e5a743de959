"""What a tagger is: a detector that was learnt. Whatever fits `Tagger` can be plugged in.

`tests/taggers/test_contract.py` says what more it keeps to. A tagger never changes: who wants
another dial, calibration or card gets another tagger.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span, documents_of
from elision.taggers.calibration import Calibration
from elision.text.tokens import Column, Tokens

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

# Told of learning as it goes on: seed, epoch, loss, and F1 on dev where it was measured.
Watch = Callable[[int, int, float, float | None], None]


@dataclass(frozen=True, slots=True, eq=False)
class TokenView:
    """What a tagger says of some texts, token by token. The texts stand behind one another, a newline between two."""

    tokens: Tokens
    notes: Column  # the first token of each text, and one more for the end
    edges: Column  # the first character of each text, and one more
    wordy: Flags  # tokens that are made of letters or digits, not of marks
    chance: Floats  # how likely each token is part of an identifier; 1 where the tagger finds it
    spans: list[tuple[Span, ...]] = field(repr=False)  # what it finds in each text


class Recipe(Protocol):
    """Settings from which a tagger is learnt, a dataclass; `taggers.store.fit` finds by the kind who learns."""

    __dataclass_fields__: ClassVar[dict[str, Any]]
    kind: ClassVar[str]

    @property
    def language(self) -> str: ...
    @property
    def trainer(self) -> str: ...  # "online": it tells whoever watches how far it is
    @property
    def epochs(self) -> int: ...
    @property
    def seeds(self) -> int: ...
    @property
    def seed(self) -> int: ...


class Tagger(Protocol):
    """A detector that was learnt from notes with spans."""

    @property
    def name(self) -> str:
        """What receipts call it."""

    @property
    def version(self) -> str:
        """Which model it is: the fingerprint of its folder, "" if it was not loaded."""

    @property
    def language(self) -> str:
        """That of the notes it was learnt from, "" if it was not said."""

    @property
    def labels(self) -> tuple[str, ...]: ...

    @property
    def settings(self) -> Recipe: ...

    @property
    def card(self) -> Mapping[str, Any]:
        """What was learnt from, and what was measured, as JSON."""

    @property
    def calibration(self) -> Calibration: ...

    @property
    def dial(self) -> float:
        """The threshold: how readily it finds; see `elision.taggers.threshold`."""

    @property
    def tells_chances(self) -> bool:
        """Whether `view` is there to be asked."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of each note."""

    def view(self, texts: Sequence[str]) -> TokenView:
        """What it says of each token; a ModelError where it tells no chances."""

    def dialled(self, dial: float) -> Self:
        """Another tagger: this one with another dial."""

    def calibrated(self, calibration: Calibration) -> Self:
        """Another tagger: this one with scores that are read so."""

    def noting(self, **facts: Any) -> Self:
        """Another tagger: this one with more facts in its card."""

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""


def goes_on_from(card: Mapping[str, Any], version: str) -> bool:
    """Whether a model's learning began where that of this fingerprint stands, at once or over others between."""
    start = card.get("start")
    while isinstance(start, dict):
        if start.get("fingerprint") == version:
            return True
        start = start.get("start")
    return False


def tag(tagger: Tagger, documents: Sequence[Document]) -> list[Document]:
    """The same documents with the spans that a tagger finds."""
    documents = documents_of(documents)
    found = tagger.detect(documents)
    return [document.with_spans(spans) for document, spans in zip(documents, found, strict=True)]
