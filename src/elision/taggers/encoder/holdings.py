"""What an encoder holds in clear: pieces of words, all of which it began with. Learning adds none, so that no string of
a note is in it. What the weights themselves may have kept of the notes, nobody can count."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from elision.taggers.audit_words import Counts, Lists, Run, SpanWords
from elision.taggers.batch import Batch
from elision.taggers.encoder.tagger import PIECES, EncoderTagger
from elision.text.tokens import Column


class EncoderHoldings:
    """See `elision.taggers.audit_words.Holdings`."""

    given: Iterable[str] = ()
    least = 0

    def __init__(self, tagger: EncoderTagger) -> None:
        self._tagger = tagger
        self.lists: Lists = {PIECES: tagger.pieces.pieces}
        self.before: Mapping[str, Collection[str]] = {PIECES: frozenset(tagger.pieces.pieces)}

    def batch(self, texts: Sequence[str]) -> Batch:
        return self._tagger.batch(texts)

    def counted(self, _batch: Batch, _groups: Column) -> tuple[Counts, Counts]:
        return {PIECES: np.zeros(len(self.lists[PIECES]), np.int64)}, {}

    def spelled(self, _words: SpanWords, _clear: Lists) -> list[Run]:
        return []

    def rows(self, _words: SpanWords, _clear: Lists) -> Iterator[Run]:
        return iter(())
