"""What taggers share that give each token a tag of a chain: all but how they come to it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Protocol, Self, cast

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import ModelError
from elision.taggers.base import Recipe, TokenView
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats
from elision.taggers.cutters import Cut, batch_of
from elision.taggers.found import spans_of
from elision.text.portions import PORTION, portions, size_of


class ChainRecipe(Recipe, Cut, Protocol):
    """Settings of such a tagger."""

    @property
    def dial(self) -> float: ...


class ChainTagger(ABC):
    """A frozen dataclass with these fields, that says which tags the tokens of a batch have."""

    settings: ChainRecipe
    chain: Chain
    calibration: Calibration
    card: Mapping[str, Any]
    together: ClassVar[int] = PORTION  # characters of notes that are looked at together

    @abstractmethod
    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], Floats]:
        """A tag for each token, and the shares that make the scores of spans."""

    @property
    @abstractmethod
    def source(self) -> str:
        """Where its spans say that they come from."""

    @property
    def tells_chances(self) -> bool:
        return True

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that the model knows."""
        return tuple(self.chain.names)

    @property
    def name(self) -> str:
        """What receipts call it."""
        return f"{self.source} {self.settings.language}".strip()

    @property
    def language(self) -> str:
        return self.settings.language

    @property
    def dial(self) -> float:
        """How readily it finds; see `elision.taggers.threshold`."""
        return self.settings.dial

    def dialled(self, dial: float) -> Self:
        """This tagger with another dial."""
        return self._with(settings=replace(cast(Any, self.settings), dial=dial))

    def calibrated(self, calibration: Calibration) -> Self:
        """This tagger with scores that are read so."""
        return self._with(calibration=calibration)

    def noting(self, **facts: Any) -> Self:
        """This tagger with more facts in its card."""
        return self._with(card={**self.card, **facts})

    def _with(self, **fields: Any) -> Self:
        return cast(Self, replace(cast(Any, self), **fields))

    def batch(self, texts: Sequence[str]) -> Batch:
        if isinstance(texts, str):
            raise ModelError("one text where a list of texts is needed; write [text]")
        return batch_of(self.settings, texts)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of each note."""
        return self.spans([document.text for document in documents])

    def spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The spans of each text."""
        if isinstance(texts, str):
            raise ModelError("one text where a list of texts is needed; write [text]")
        return [spans for portion in portions(texts, size_of, self.together) for spans in self._spans(portion)]

    def view(self, texts: Sequence[str]) -> TokenView:
        """What it says of each token of some texts, all looked at together."""
        if not self.tells_chances:
            raise ModelError(f"{self.name}: tells no chances with these settings")
        batch = self.batch(texts)
        tags, share = self.tags(batch)
        chance = np.where(tags == self.chain.outside, 1 - share, np.float32(1))  # a free token's share is that of O
        return TokenView(batch.tokens, batch.notes, batch.edges, batch.wordy, chance, self.placed(batch, tags, share))

    def placed(self, batch: Batch, tags: npt.NDArray[np.uint8], share: Floats) -> list[tuple[Span, ...]]:
        """The spans of each note of a batch with these tags."""
        found = self.chain.spans(tags, share, batch.notes)
        return spans_of(batch, found, self.chain.names, self.calibration, self.source)

    def _spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        batch = self.batch(texts)
        return self.placed(batch, *self.tags(batch))
