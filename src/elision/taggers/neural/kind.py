"""Neural taggers as a kind of models; see `elision.taggers.store`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document
from elision.errors import ModelError
from elision.taggers.base import Tagger, Watch
from elision.taggers.corpus import check
from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.neural.tagger import NeuralTagger, load
from elision.taggers.with_torch import with_torch

__all__ = ["fit", "load"]


def fit(
    settings: NeuralSettings,
    documents: Iterable[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> NeuralTagger:
    if start is not None and not isinstance(start, NeuralTagger):
        raise ModelError("learning goes on from a neural model only; this one is of another kind")
    own = list(documents)
    check(own)
    with with_torch("a neural tagger", "set a smaller batch, fewer hidden units, or learn from fewer notes"):
        from elision.taggers.neural import training  # who tags does not wait for it

        return training.fit(settings, own, tuple(dev), watch, start, again, checkpoints)
