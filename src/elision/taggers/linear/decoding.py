"""From a batch to tags: the weights of a model at work, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.taggers.batch import Batch, cut_long
from elision.taggers.chain import Chain, Floats, Ints
from elision.taggers.linear.model import Linear

BLOCK_TOKENS = 1 << 11  # of a batch whose scores are held at once


@dataclass(frozen=True, eq=False)
class Decoder:
    """Weights, the labels that they weigh for, what is one sequence (a line, a note), and how to decode."""

    linear: Linear
    chain: Chain
    unit: str
    decoding: str

    def tags(self, batch: Batch, dial: float = 1.0) -> tuple[npt.NDArray[np.uint8], Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        parts = list(self._decoded(batch, dial))
        if not parts:
            return np.zeros(0, np.uint8), np.zeros(0, np.float32)
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def posteriors(self, batch: Batch) -> Floats:
        """A row for each token: how likely the model holds each tag (`chain.tags`)."""
        return self.tags_and_posteriors(batch, 1.0)[2]

    def tags_and_posteriors(self, batch: Batch, dial: float) -> tuple[npt.NDArray[np.uint8], Floats, Floats]:
        """What `tags` gives, and `posteriors`."""
        count = len(self.chain.tags)
        parts = list(self._decoded(batch, dial, keep=True))
        if not parts:
            return np.zeros(0, np.uint8), np.zeros(0, np.float32), np.zeros((0, count), np.float32)
        tags, shares, kept = zip(*parts, strict=True)
        return np.concatenate(tags), np.concatenate(shares), np.concatenate([each[:, :count] for each in kept])

    def _decoded(
        self, batch: Batch, dial: float, keep: bool = False
    ) -> Iterator[tuple[npt.NDArray[np.uint8], Floats, Floats]]:
        """Tags, shares and posteriors, block by block: scores of a whole batch could be large."""
        if not len(batch):
            return
        columns = self.linear.columns(batch)
        bounds = cut_long(batch, self.unit)
        turns, chain, spread = self.linear.weights.turns, self.chain, batch.spread
        for first, after in _blocks(bounds):
            begin, end = int(bounds[first, 0]), int(bounds[after - 1, 1])
            origin = int(spread[begin])
            scores = self.linear.scores(origin, int(spread[end - 1]) + 1, columns)
            part = np.ascontiguousarray(
                bounds[first:after] + (spread[bounds[first:after, 0]] - bounds[first:after, 0] - origin)[:, None]
            )
            at = spread[begin:end] - origin
            if self.decoding == "posterior":
                tags, share, kept = chain.posterior(scores, part, turns, dial, keep)
                yield tags[at], share[at], kept[at] if keep else kept
            elif self.decoding == "viterbi":
                yield chain.viterbi(scores, part, turns)[at], np.ones(len(at), np.float32), scores[at]
            else:
                if dial != 1.0 and chain.outside < len(chain.tags):
                    scores[:, chain.outside] += np.float32(np.log(dial))
                yield chain.each(scores)[at], np.ones(len(at), np.float32), scores[at]


def _blocks(bounds: Ints) -> Iterator[tuple[int, int]]:
    """Runs of sequences of about BLOCK_TOKENS together."""
    ends = bounds[:, 1]
    first = 0
    while first < len(bounds):
        after = int(np.searchsorted(ends, bounds[first, 0] + BLOCK_TOKENS, side="right"))
        after = max(after, first + 1)
        yield first, after
        first = after
