"""Encoders as a kind of models; see `elision.taggers.store`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from elision.document import Document
from elision.errors import MissingExtraError, ModelError
from elision.taggers.base import Tagger, Watch
from elision.taggers.corpus import check
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import EncoderTagger, load

MEMORY = "memory does not suffice; set a smaller batch, more frozen layers, or learn from fewer notes"
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
    try:
        import torch  # noqa: F401
    except ImportError:
        raise MissingExtraError("learning an encoder", "train") from None
    from elision.taggers.encoder import training  # who tags does not wait for it

    if start is not None and not isinstance(start, EncoderTagger):
        raise ModelError("learning goes on from an encoder only; this model is of another kind")
    own = list(documents)
    check(own)
    try:
        return training.fit(settings, own, tuple(dev), watch, start, again, checkpoints)
    except MemoryError:
        raise ModelError(MEMORY) from None
    except RuntimeError as error:
        if "alloc" in str(error) or "out of memory" in str(error):  # how torch says it
            raise ModelError(MEMORY) from None
        raise
