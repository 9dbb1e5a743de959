"""Linear taggers as a kind of models; see `elision.taggers.store`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document
from elision.errors import ModelError
from elision.taggers.base import Tagger, Watch
from elision.taggers.linear.loading import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger

__all__ = ["fit", "load"]


def fit(
    settings: Settings,
    documents: Iterable[Document],
    dev: Sequence[Document] = (),
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
    checkpoints: Path | None = None,
) -> LinearTagger:
    if checkpoints:
        raise ModelError("linear taggers are learnt in minutes and keep no checkpoints; leave them out")
    from elision.taggers.linear import training  # who tags does not wait for it

    return training.fit(settings, documents, dev, watch, start, again)
