"""A neural tagger: a network, the tags that it scores, and what becomes of the scores. A tagger never changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from elision.document import Document, Span
from elision.errors import ElisionError, ModelError
from elision.models import store
from elision.taggers.base import TokenView
from elision.taggers.batch import Batch, cut_long
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Tags
from elision.taggers.cutters import batch_of
from elision.taggers.found import spans_of
from elision.taggers.neural.network import Network
from elision.taggers.neural.pretrained import Pretrained
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.weights import shapes
from elision.text.portions import portions, size_of

TOGETHER = 1 << 18  # characters of notes that are looked at together
SKELETON = "skeleton"


@dataclass(frozen=True, eq=False)
class NeuralTagger:
    """A model that finds spans in notes; `kind.fit` learns one, `load` reads one."""

    settings: NeuralSettings
    network: Network = field(repr=False)
    chain: Chain = field(repr=False)
    unit: str  # what is one sequence
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    version: str = ""
    tells_chances: bool = True

    @property
    def labels(self) -> tuple[str, ...]:
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
        return self.settings.dial

    def dialled(self, dial: float) -> Self:
        return replace(self, settings=replace(self.settings, dial=dial))

    def calibrated(self, calibration: Calibration) -> Self:
        return replace(self, calibration=calibration)

    def noting(self, **facts: Any) -> Self:
        return replace(self, card={**self.card, **facts})

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        texts = [document.text for document in documents]
        return [spans for portion in portions(texts, size_of, TOGETHER) for spans in self.view(portion).spans]

    def tag(self, documents: Iterable[Document]) -> Iterable[Document]:
        """The same documents with the spans that the model finds."""
        for portion in portions(documents, lambda document: size_of(document.text), TOGETHER):
            for document, spans in zip(portion, self.detect(portion), strict=True):
                yield document.with_spans(spans)

    def view(self, texts: Sequence[str]) -> TokenView:
        """What it says of each token of some texts, all looked at together."""
        batch = batch_of(self.settings, texts)
        tags, share = self.tags(batch)
        chance = np.where(tags == self.chain.outside, 1 - share, np.float32(1))  # a free token's share is that of O
        found = self.chain.spans(tags, share, batch.notes)
        spans = spans_of(batch, found, self.chain.names, self.calibration, self._source)
        return TokenView(batch.tokens, batch.notes, batch.edges, batch.wordy, chance, spans)

    def tags(self, batch: Batch) -> tuple[Tags, Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        if not len(batch):
            return np.zeros(0, np.uint8), np.zeros(0, np.float32)
        tags, share, _ = self.chain.posterior(
            self.scores(batch), cut_long(batch, self.unit), self._turns, self.settings.dial
        )
        return tags, share

    def scores(self, batch: Batch) -> Floats:
        """What the network says of each tag of each token."""
        return self.network.scores(batch, self.unit, self.chain.width)

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        card = {
            **self.card,
            "settings": self.settings.as_json(),
            "tags": list(self.chain.tags),
            "unit": self.unit,
            "calibration": [self.calibration.slope, self.calibration.shift],
        }
        words: dict[str, Sequence[str]] = {name: list(known) for name, known in self.network.words.items()}
        arrays = dict(self.network.arrays)
        if pretrained := self.network.pretrained:
            words |= pretrained.lists()
            arrays |= pretrained.arrays()
            card["pretrained"] = dict(pretrained.card)
        return store.save(folder, store.Stored(NeuralSettings.kind, card, words, arrays), overwrite=overwrite)

    @property
    def _turns(self) -> Floats:
        turns = self.network.arrays.get("turns")
        padded = np.zeros((len(self.chain.tags) + 1, self.chain.width), np.float32)
        if turns is not None:
            padded[:, : turns.shape[1]] = turns
        return padded

    @property
    def _source(self) -> str:
        if self.settings.output == "crf":
            return f"bi{self.settings.cell}-crf"
        return f"{'ts' if self.settings.r else 'bi'}-{self.settings.cell}"


def load(folder: Path) -> NeuralTagger:
    """A model from its folder."""
    model = store.load(folder, (NeuralSettings.kind,))
    try:
        return _tagger(model, store.fingerprint(folder))
    except ElisionError as error:
        raise ModelError(f"{folder}: {error}") from None
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelError(
            f"{folder}: not a model that this elision wrote ({type(error).__name__}); train it again"
        ) from None


def chain_of(settings: NeuralSettings, tags: Sequence[str]) -> Chain:
    """The tags in a row: any may follow any where each token is judged by itself."""
    return Chain(tags, free=settings.output == "softmax")


def _tagger(model: store.Stored, version: str) -> NeuralTagger:
    card = dict(model.card)
    settings = NeuralSettings.from_json(card["settings"])
    chain = chain_of(settings, [str(tag) for tag in card["tags"]])
    if card["unit"] not in ("line", "note"):
        raise ValueError("a unit that cannot be")
    pretrained = None
    if settings.strings_of:
        pretrained = Pretrained.from_arrays(model.arrays, model.vocabulary, dict(card["pretrained"]))
    theirs = pretrained.arrays().keys() | pretrained.lists().keys() if pretrained else set()
    words = {name: rows_of(known) for name, known in model.vocabulary.items() if name not in theirs}
    arrays = {name: np.asarray(array) for name, array in model.arrays.items() if name not in theirs}
    strings = 2 * pretrained.hidden if pretrained else 0
    _check(arrays, settings, {name: len(known) + 2 for name, known in words.items()}, strings, len(chain.tags))
    network = Network(settings, arrays, words, pretrained)
    return NeuralTagger(
        settings, network, chain, str(card["unit"]), Calibration(*map(float, card["calibration"])), card, version
    )


def rows_of(words: Sequence[str]) -> dict[str, int]:
    """The row of each word in a table, behind the first two."""
    return {word: row for row, word in enumerate(words, 2)}


def _check(
    arrays: Mapping[str, Floats], settings: NeuralSettings, known: Mapping[str, int], strings: int, tags: int
) -> None:
    """Weights are those that the settings ask for, and are numbers."""
    wanted = shapes(settings, known, strings, tags)
    if missing := sorted(wanted.keys() ^ arrays.keys()):
        raise ModelError(f"weights {missing[0]!r} are missing, or nobody asks for them; train it again")
    for name, shape in wanted.items():
        if arrays[name].shape != shape or arrays[name].dtype != np.float32:
            raise ModelError(
                f"weights {name!r}: {arrays[name].dtype} of shape {arrays[name].shape} where float32 of {shape} is "
                "needed; train it again"
            )
        if not np.isfinite(arrays[name]).all():
            raise ModelError(f"weights {name!r}: not all are finite numbers; train it again")
