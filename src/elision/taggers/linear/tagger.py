"""A linear tagger: a CRF and a window classifier are settings of it.

`training.fit` learns one, `loading.load` reads one. A tagger never changes; `dataclasses.replace` gives another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import ModelError
from elision.taggers.base import TokenView
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats, TokenSpans
from elision.taggers.cutters import batch_of
from elision.taggers.found import spans_of
from elision.taggers.linear.decoding import Decoder
from elision.taggers.linear.model import Linear
from elision.taggers.linear.saving import save
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import WordGroups
from elision.text.portions import portions, size_of


@dataclass(frozen=True, eq=False)
class LinearTagger:
    """A model that finds spans in notes.

        tagger = fit(settings, documents)
        for document in tagger.tag(documents): ...
        tagger.save(folder); load(folder)

    As a detector it is asked with `detect`.
    """

    settings: Settings
    linear: Linear = field(repr=False)
    chain: Chain = field(repr=False)
    unit: str  # what is one sequence
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    word_groups: WordGroups | None = field(default=None, repr=False)
    version: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that the model knows."""
        return tuple(self.chain.names)

    @property
    def name(self) -> str:
        """What receipts call it."""
        return f"{self._source} {self.settings.language}".strip()

    @property
    def language(self) -> str:
        return self.settings.language

    @property
    def dial(self) -> float:
        """How readily it finds; see `elision.taggers.threshold`."""
        return self.settings.dial

    @property
    def tells_chances(self) -> bool:
        return self.settings.decoding == "posterior"

    def dialled(self, dial: float) -> Self:
        """This tagger with another dial."""
        return replace(self, settings=replace(self.settings, dial=dial))

    def calibrated(self, calibration: Calibration) -> Self:
        """This tagger with scores that are read so."""
        return replace(self, calibration=calibration)

    def noting(self, **facts: Any) -> Self:
        """This tagger with more facts in its card."""
        return replace(self, card={**self.card, **facts})

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        return save(self, folder, overwrite=overwrite)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of each note."""
        return self.spans([document.text for document in documents])

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same documents with the spans that the model finds."""
        for portion in portions(documents, lambda document: size_of(document.text)):
            for document, spans in zip(portion, self._spans([each.text for each in portion]), strict=True):
                yield document.with_spans(spans)

    def spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The spans of each text."""
        if isinstance(texts, str):
            raise ModelError("one text where a list of texts is needed; write [text]")
        return [spans for portion in portions(texts, size_of) for spans in self._spans(portion)]

    def view(self, texts: Sequence[str]) -> TokenView:
        """What it says of each token of some texts, all looked at together."""
        if not self.tells_chances:
            raise ModelError(f"{self.name}: tells no chances with decoding {self.settings.decoding!r}")
        batch = self.batch(texts)
        tags, share = self.tags(batch)
        chance = np.where(tags == self.chain.outside, 1 - share, np.float32(1))  # a free token's share is that of O
        spans = self._placed(batch, self.chain.spans(tags, share, batch.notes))
        return TokenView(batch.tokens, batch.notes, batch.edges, batch.wordy, chance, spans)

    def posteriors(self, text: str) -> tuple[Batch, Floats]:
        """A row for each token: how likely the model holds each tag (`chain.tags`)."""
        batch = self.batch([text])
        return batch, self._decoder.posteriors(batch)

    def batch(self, texts: Sequence[str]) -> Batch:
        return batch_of(self.settings, texts)

    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        return self._decoder.tags(batch, self.settings.dial)

    def found(self, batch: Batch) -> TokenSpans:
        """The spans of a batch, in tokens, with scores as the model has them."""
        tags, share = self.tags(batch)
        return self.chain.spans(tags, share, batch.notes)

    def _spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        batch = self.batch(texts)
        return self._placed(batch, self.found(batch))

    def _placed(self, batch: Batch, found: TokenSpans) -> list[tuple[Span, ...]]:
        return spans_of(batch, found, self.chain.names, self.calibration, self._source)

    @cached_property
    def _decoder(self) -> Decoder:
        return Decoder(self.linear, self.chain, self.unit, self.settings.decoding)

    @property
    def _source(self) -> str:
        return {"chain": "crf", "hinge": "window", "softmax": "window"}[self.settings.loss]
