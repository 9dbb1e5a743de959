"""A neural tagger: a network, the tags that it scores, and what becomes of the scores. A tagger never changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from elision.errors import ModelError
from elision.models import store
from elision.taggers.batch import Batch, cut_long
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Tags
from elision.taggers.chained import ChainTagger
from elision.taggers.neural.network import Network
from elision.taggers.neural.pretrained import Pretrained
from elision.taggers.neural.recurrent import Floats
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.weights import shapes

SKELETON = "skeleton"


@dataclass(frozen=True, eq=False)
class NeuralTagger(ChainTagger):
    """A model that finds spans in notes; `kind.fit` learns one, `load` reads one."""

    settings: NeuralSettings
    network: Network = field(repr=False)
    chain: Chain = field(repr=False)
    unit: str  # what is one sequence
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    version: str = ""
    together: ClassVar[int] = 1 << 18

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
    def source(self) -> str:
        if self.settings.output == "crf":
            return f"bi{self.settings.cell}-crf"
        return f"{'ts' if self.settings.r else 'bi'}-{self.settings.cell}"


def load(folder: Path) -> NeuralTagger:
    """A model from its folder."""
    return store.built(folder, NeuralSettings.kind, lambda model: _tagger(model, store.fingerprint(folder)))


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
