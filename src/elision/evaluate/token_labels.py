"""Gold and system at the level of tokens: every token of the text counts, inside spans or not.

A token belongs to a span that covers any part of it, and of several spans to the strongest, as in training and tagging
(`bio.grow`); what a span leaves open inside a token is for `coverage` to say. The tokens that a span holds are a few
numbers, however long it is: spans may lie in spans by the thousand.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from elision.bio import grow
from elision.document import Span
from elision.evaluate.matching import Pair
from elision.evaluate.tally import Ints, LabelTally, Tally, in_order
from elision.text.tokens import Tokens, tokenize


@dataclass(frozen=True, slots=True, eq=False)
class TokenLabels:
    """All tokens of all notes as columns: the row of the note, the gold and the system label.

    A label is its place in `labels` plus 1, and 0 stands for a token outside of all spans.
    """

    labels: tuple[str, ...]
    notes: int
    note: Ints
    gold: Ints
    system: Ints

    def tally(self) -> LabelTally:
        """Tokens by label: right if gold and system give a token the same label."""
        both = self._by_label(np.where(self.gold == self.system, self.gold, 0))
        return LabelTally(self.labels, Tally(self._by_label(self.gold), both, self._by_label(self.system), both))

    def binary(self) -> Tally:
        """PHI tokens against all others, whatever the label."""
        gold, system = (self.gold > 0).astype(np.int64), (self.system > 0).astype(np.int64)
        both = self._by_note(gold * system)
        return Tally(self._by_note(gold), both, self._by_note(system), both)

    def _by_note(self, values: Ints) -> Ints:
        return np.bincount(self.note, weights=values, minlength=self.notes).astype(np.int64)

    def _by_label(self, labels: Ints) -> Ints:
        width = len(self.labels) + 1
        counts = np.bincount(self.note * width + labels, minlength=self.notes * width)
        return counts.reshape(self.notes, width)[:, 1:].astype(np.int64)


def token_labels(pairs: Sequence[Pair]) -> TokenLabels:
    """Tokenise every note once, in its language, and label its tokens from both sides."""
    labels = in_order(span.label for pair in pairs for document in pair for span in document.spans)
    place = {label: at for at, label in enumerate(labels, start=1)}
    notes, golds, systems = [], [], []
    for row, (gold, system) in enumerate(pairs):
        tokens = tokenize(gold.text, gold.language or system.language)
        notes.append(np.full(len(tokens), row, np.int64))
        golds.append(labels_of(tokens, gold.spans, place))
        systems.append(labels_of(tokens, system.spans, place))
    return TokenLabels(labels, len(pairs), _joined(notes), _joined(golds), _joined(systems))


def labels_of(tokens: Tokens, spans: Iterable[Span], place: Mapping[str, int]) -> Ints:
    """The label of each token as its number in `place`, 0 outside of all spans."""
    along, _ = grow(spans, tokens)
    labels = np.zeros(len(tokens), np.int64)
    if along:
        starts, ends, labels_along = np.array([(span.start, span.end, place[span.label]) for span in along]).T
        owner = np.searchsorted(ends, tokens.starts, side="right")  # the first span that ends after the token begins
        inside = np.flatnonzero(owner < len(along))
        inside = inside[starts[owner[inside]] <= tokens.starts[inside]]
        labels[inside] = labels_along[owner[inside]]
    return labels


def _joined(columns: list[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int64), *columns])


Edges = tuple[int, int]


def held(span: Span, starts: Sequence[int], ends: Sequence[int]) -> tuple[Edges, tuple[Edges, ...]]:
    """The tokens of a span: a range of whole ones, and the edges of what it cuts, in a few numbers however long it is.

    A token is cut inside the span, so that the first and the last one may be parts of those of the text.
    """
    first, last = bisect_right(ends, span.start), bisect_left(starts, span.end)
    if span.start == span.end or first >= last:
        return (0, 0), ((span.end, span.end),)
    whole = (first + (starts[first] < span.start), last - (ends[last - 1] > span.end))
    ragged = {at for at in (first, last - 1) if not whole[0] <= at < whole[1]}
    return whole, tuple((max(starts[at], span.start), min(ends[at], span.end)) for at in ragged)


def size(ranges: Iterable[Edges]) -> int:
    """How many numbers are in any of the ranges."""
    count = reach = 0
    for first, last in sorted(ranges):
        count += max(0, last - max(first, reach))
        reach = max(reach, last)
    return count
