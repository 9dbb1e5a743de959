"""Encoders as a kind of models; see `elision.taggers.store`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document
from elision.errors import ModelError
from elision.taggers.base import Tagger, Watch
from elision.taggers.corpus import check
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import EncoderTagger, load
from elision.taggers.with_torch import with_torch

__all__ = ["fit", "load"]


def fit(
    settings: EncoderSettings,
    documents: Iterable[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> EncoderTagger:
    if start is not None and not isinstance(start, EncoderTagger):
        raise ModelError("learning goes on from an encoder only; this model is of another kind")
    own = list(documents)
    check(own)
    with with_torch("an encoder", "set a smaller batch, more frozen layers, or learn from fewer notes"):
        from elision.taggers.encoder import training  # who tags does not wait for it

        return training.fit(settings, own, tuple(dev), watch, start, again, checkpoints)
