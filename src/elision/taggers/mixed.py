"""A linear tagger with an encoder beside it: the encoder is asked where the other is not sure.

The encoder knows far more words, the linear tagger knows better where a value ends, and is a hundred times as fast.
So the encoder reads only what stands around tokens that the linear tagger doubts, and what both say there is mixed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import ModelError
from elision.labels import nearest
from elision.taggers.base import Tagger
from elision.taggers.batch import Batch, cut_long
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats, Tags
from elision.taggers.chained import ChainTagger
from elision.taggers.encoder.tagger import EncoderTagger
from elision.taggers.encoder.windows import AROUND
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger

LEAST = 1e-9  # of a chance


@dataclass(frozen=True, slots=True)
class Mixing:
    """Where the encoder is asked, and what its word is worth."""

    gate: float = 0.98  # the encoder is asked where the linear tagger's best tag is less likely; 1: everywhere
    share: float = 0.7  # of the encoder in the mixture
    dial: float = 0.12  # of the mixture, at a dial of `CALM` of the linear tagger
    capitals: bool = False  # and where a word begins with a capital
    around: int = AROUND  # how many pieces it reads on either side


DOUBTED = Mixing()
UNSURE = Mixing(gate=0.999, around=62)  # everywhere would cost precision and find no more
CALM = 0.1


@dataclass(frozen=True)
class Asked:
    """The encoder of a mixture, as receipts name it: with the places where it is asked."""

    encoder: EncoderTagger
    mixing: Mixing

    @property
    def name(self) -> str:
        where = "of all" if self.mixing.gate >= 1 else f"of what is doubted (below {self.mixing.gate:g})"
        return f"{self.encoder.name} {where}"

    @property
    def version(self) -> str:
        return self.encoder.version

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.encoder.detect(documents)


@dataclass(frozen=True, eq=False)
class Mixed(ChainTagger):
    """A tagger made of two. It is not saved: its parts are."""

    linear: LinearTagger
    encoder: EncoderTagger
    mixing: Mixing
    settings: Settings
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    together: ClassVar[int] = 1 << 18

    @property
    def parts(self) -> tuple[LinearTagger, Asked]:
        return self.linear, Asked(self.encoder, self.mixing)

    @property
    def version(self) -> str:
        """Its parts have theirs."""
        return ""

    @property
    def source(self) -> str:
        return f"{self.linear.source}+{self.encoder.source}"

    @property
    def chain(self) -> Chain:  # type: ignore[override]
        return self.linear.chain

    def save(self, folder: Path, *, overwrite: bool = False) -> int:  # noqa: ARG002
        raise ModelError(f"{folder}: a mixture of two models is not saved; save its parts")

    def tags(self, batch: Batch) -> tuple[Tags, Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        tags, share, chances = self.linear.tags_and_posteriors(batch, self.settings.dial)
        asked = self.asked(batch, chances)
        if not len(asked):
            return tags, share
        bounds = cut_long(batch, self.linear.unit)
        doubted = np.searchsorted(asked, bounds[:, 0]) < np.searchsorted(asked, bounds[:, 1])
        self._decode(batch, chances, asked, bounds[doubted], tags, share)
        return tags, share

    def asked(self, batch: Batch, chances: Floats) -> npt.NDArray[np.int64]:
        """The tokens of which the encoder is asked, by what the linear tagger holds likely."""
        if self.mixing.gate >= 1:
            return np.arange(len(batch))
        doubted = chances.max(axis=1, initial=0) < self.mixing.gate
        if self.mixing.capitals:
            kinds, forms = batch.kinds
            doubted |= np.array([len(form) > 1 and form[0].isupper() for form in forms], np.bool_)[kinds]
        return np.flatnonzero(doubted)

    def _decode(
        self,
        batch: Batch,
        chances: Floats,
        asked: npt.NDArray[np.int64],
        bounds: npt.NDArray[np.int32],
        tags: Tags,
        share: Floats,
    ) -> None:
        """Tag the sequences that hold a token that was doubted anew, with what both say of it."""
        chain, mixing = self.chain, self.mixing
        said = self.encoder.chances_around(batch, asked, mixing.around) @ self._ways
        mixed = (1 - mixing.share) * chances[asked] + mixing.share * said
        mixed[:, chain.outside] *= np.float32(mixing.dial / CALM)
        chances[asked] = mixed
        where = np.concatenate([np.arange(first, after) for first, after in bounds.tolist()])
        sizes = bounds[:, 1] - bounds[:, 0]
        ends = np.cumsum(sizes)
        scores = np.zeros((len(where), chain.width), np.float32)
        scores[:, : chances.shape[1]] = np.log(np.maximum(chances[where], LEAST))
        turns = np.zeros((len(chain.tags) + 1, chain.width), np.float32)
        inner = np.stack((ends - sizes, ends), axis=1).astype(np.int32)
        tags[where], share[where], _ = chain.posterior(scores, inner, turns, self.settings.dial)

    @cached_property
    def _ways(self) -> Floats:
        """From the tags of the encoder to those of the linear tagger, or to the nearest that this knows, or to none."""
        ours = {tag: at for at, tag in enumerate(self.chain.tags)}
        found = np.zeros((len(self.encoder.chain.tags), len(ours)), np.float32)
        for at, tag in enumerate(self.encoder.chain.tags):
            part, dash, label = tag.partition("-")
            found[at, ours.get(part + dash + nearest(label, self.labels), self.chain.outside)] = 1.0
        return found


def mixed(linear: Tagger, encoder: Tagger, mixing: Mixing) -> Mixed:
    """The two as one tagger."""
    if not isinstance(linear, LinearTagger) or not linear.tells_chances:
        raise ModelError(f"{linear.name}: tells no chances that could be mixed with those of an encoder")
    if not isinstance(encoder, EncoderTagger):
        raise ModelError(f"{encoder.name}: is no encoder to mix with a linear model")
    return Mixed(linear, encoder, mixing, linear.settings, linear.calibration, linear.card)
