"""Labels in a row: which may follow which, and from scores to tags and spans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from elision.bio import OUTSIDE
from elision.errors import LabelError
from elision.taggers import kernels

Tags = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int32]

MOST_LABELS = 248  # of tags; a tag is a byte, and rows are padded
STEEPEST = 20.0  # turns beyond it say no more


def padded(labels: int) -> int:
    """The width of a row for so many labels: whole vector registers."""
    return -(-labels // 8) * 8


@dataclass(frozen=True)
class TokenSpans:
    """Spans over tokens: the first token of each, the one after its last, its label's number, its score."""

    first: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]
    label: npt.NDArray[np.int64]
    score: npt.NDArray[np.float64]


class Chain:
    """A set of tags, `O`, `B-…`, `I-…`, or plain tags that are no spans."""

    def __init__(self, tags: Sequence[str], *, free: bool = False) -> None:
        """`free`: any tag may follow any, as where a model was learnt without constraints."""
        if len(tags) > MOST_LABELS:
            raise LabelError(f"{len(tags)} tags; a model holds at most {MOST_LABELS}: map the labels to fewer first")
        self.tags, self.width = tuple(tags), padded(len(tags))
        number = {tag: at for at, tag in enumerate(tags)}
        self.outside = number.get(OUTSIDE, len(tags))
        self.names = list(dict.fromkeys(tag[2:] for tag in tags if tag[:2] in ("B-", "I-")))
        name_at = {name: at for at, name in enumerate(self.names)}
        self.name_of = np.array([name_at.get(tag[2:], -1) if tag[:2] in ("B-", "I-") else -1 for tag in tags], np.int64)
        self.begins = np.array([tag.startswith("B-") for tag in tags], np.bool_)
        before = [number.get(f"B-{tag[2:]}", -1) if tag.startswith("I-") else -1 for tag in tags]
        self.before = np.array(before, np.int16)
        self._last: tuple[Floats, Floats, Floats] | None = None
        self.allowed = np.zeros((len(tags) + 1, self.width), np.float32)
        self.allowed[:, : len(tags)] = 1.0
        if not free:
            for at, begin in enumerate(before):
                if begin >= 0:
                    self.allowed[:, at] = 0.0
                    self.allowed[[begin, at], at] = 1.0

    def posterior(
        self, scores: Floats, bounds: Ints, turns: Floats, dial: float, keep: bool = False
    ) -> tuple[Tags, Floats, Floats]:
        """The tags that are right most often, as the posteriors have it; the shares that make the scores of spans; the
        posteriors if kept."""
        count = len(self.tags)
        step, back = self._steps(turns)
        tags, share = np.zeros(len(scores), np.uint8), np.ones(len(scores), np.float32)
        kept = np.zeros((len(scores), self.width) if keep else (0, self.width), np.float32)
        kernels.decode(
            scores, bounds, step, back, self.before, tags, share, kept, count, self.width,
            self.outside, dial,
        )  # fmt: skip
        return tags, share, kept

    def _steps(self, turns: Floats) -> tuple[Floats, Floats]:
        """The weights of turns, from a tag to a tag and back; kept, as a model's turns stay what they are."""
        last = self._last  # looked at once: other threads may set it
        if last is None or last[0] is not turns:
            count = len(self.tags)
            step = (np.exp(np.clip(turns, -STEEPEST, STEEPEST)) * self.allowed).astype(np.float32)
            back = np.zeros((count, self.width), np.float32)
            back[:, :count] = step[:count, :count].T
            self._last = last = turns, step, back
        return last[1:]

    def viterbi(self, scores: Floats, bounds: Ints, turns: Floats) -> Tags:
        """The best path."""
        add = np.where(self.allowed > 0, turns, np.float32(-1e30)).astype(np.float32)
        tags = np.zeros(len(scores), np.uint8)
        kernels.viterbi(scores, bounds, add, tags, len(self.tags), self.width)
        return tags

    def each(self, scores: Floats) -> Tags:
        """The best tag of each token by itself."""
        best: Tags = scores[:, : len(self.tags)].argmax(axis=1).astype(np.uint8)
        return best

    def spans(self, tags: Tags, share: Floats, notes: Ints) -> TokenSpans:
        """Spans from tags; an I that follows no tag of its label begins one. None reaches over two notes."""
        name = self.name_of[tags]
        inside = name >= 0
        fresh = np.zeros(len(tags) + 1, np.bool_)
        fresh[notes] = True
        fresh[1:-1] |= name[1:] != name[:-1]
        fresh[:-1] |= self.begins[tags]
        first = np.flatnonzero(inside & fresh[:-1])
        after = np.flatnonzero(inside & (fresh[1:] | ~np.append(inside[1:], False))) + 1
        # Summed span by span: in sums over the whole batch, a span's last digits would depend on what stands before it.
        logs = np.append(np.log(np.maximum(share, 1e-12), dtype=np.float64), 0.0)
        sums = np.add.reduceat(logs, np.stack((first, after), axis=1).ravel())[::2]
        return TokenSpans(first, after, name[first], np.exp(sums))
