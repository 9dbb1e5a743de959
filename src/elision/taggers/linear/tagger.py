"""A linear tagger: a CRF and a window classifier are settings of it.

`training.fit` learns one, `loading.load` reads one. A tagger never changes; `dataclasses.replace` gives another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats
from elision.taggers.chained import ChainTagger
from elision.taggers.linear.decoding import Decoder
from elision.taggers.linear.model import Linear
from elision.taggers.linear.saving import save
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import WordGroups


@dataclass(frozen=True, eq=False)
class LinearTagger(ChainTagger):
    """A model that finds spans in notes.

    tagger = fit(settings, documents)
    spans = tagger.detect(documents)
    tagger.save(folder); load(folder)
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
    def tells_chances(self) -> bool:
        return self.settings.decoding == "posterior"

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        return save(self, folder, overwrite=overwrite)

    def posteriors(self, batch: Batch) -> Floats:
        """A row for each token: how likely the model holds each tag (`chain.tags`)."""
        return self._decoder.posteriors(batch)

    def tags(self, batch: Batch) -> tuple[npt.NDArray[np.uint8], Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        return self._decoder.tags(batch, self.settings.dial)

    def tags_and_posteriors(self, batch: Batch, dial: float) -> tuple[npt.NDArray[np.uint8], Floats, Floats]:
        """What `tags` gives with a dial, and `posteriors`, in one."""
        return self._decoder.tags_and_posteriors(batch, dial)

    @cached_property
    def _decoder(self) -> Decoder:
        return Decoder(self.linear, self.chain, self.unit, self.settings.decoding)

    @property
    def source(self) -> str:
        return {"chain": "crf", "hinge": "window", "softmax": "window"}[self.settings.loss]
