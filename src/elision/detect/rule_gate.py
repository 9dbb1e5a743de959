"""Rules beside a tagger that has them as features: what they find counts as far as the tagger holds it possible.

A tagger that has learnt from what rules find in thousands of notes knows where a row errs: it gives "8-8-10", units of
insulin, next to no chance to be a date. It is not asked by its dial, for rules are there to find what it overlooks, but
by a fiftieth of that: what it holds all but impossible is wrong more often than not, and beside its own finds what it
holds unlikely is most often a word too many. It is not asked at all where zero-width characters or soft hyphens stand
in a find: they cut a word into letters that say nothing to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from elision.detect.base import Detector
from elision.document import Document, Span
from elision.errors import ModelError
from elision.labels import parent
from elision.languages import detection
from elision.rules import Sure
from elision.taggers.base import Flags, Floats, Tagger, TokenView
from elision.text.fold import hides
from elision.text.portions import portions, size_of
from elision.text.tokens import Tokens

# How likely a token must be part of an identifier for a row to count there, at a dial of CALM and above; at a lower one
# it is less, in proportion. Chosen on notes by hand that were left out, on made notes, and on MEDDOCAN's dev part.
ALONE = 0.002
BESIDE = 0.02  # where the row's find meets one of the tagger's
CALM = 0.1
_OF_ROLES = ("NAME", "DATE", "ID")  # whose labels say no more than whose it is
YIELDING = 0.5  # of the score of a row's find that meets one of the tagger's and has other ends or another label

Places = npt.NDArray[np.int64]


class _Finds(NamedTuple):
    """What the tagger finds in notes that it looks at together, in tokens: the first one of each find, the one after
    its last, and the number of its label."""

    first: Places
    after: Places
    label: Places

    def taken(self, tokens: int) -> Flags:
        """Which of so many tokens are in a find."""
        edges = np.zeros(tokens + 1, np.int64)
        edges[self.first] += 1
        edges[self.after] -= 1
        inside: Flags = np.cumsum(edges[:-1]) > 0
        return inside


class RuleGate:
    """Surer rules and a tagger as one detector. What rows of one's own find counts whatever the tagger says."""

    version = ""  # its parts have theirs

    def __init__(self, rules: Sure, tagger: Tagger) -> None:
        if not tagger.tells_chances:
            raise ModelError(f"{tagger.name} tells no chances to weigh rules by: give both as detectors")
        self.rules, self.tagger = rules, tagger
        self._numbers = {name: at for at, name in enumerate(tagger.labels)}
        kinds = [kind if (kind := parent(name)) in _OF_ROLES else name for name in tagger.labels]
        self._kinds = np.array([kinds.index(kind) for kind in kinds], np.int64)
        self.name = f"{rules.name}, weighed by {tagger.name}"
        self._last: dict[str, tuple[TokenView, int]] = {}

    @property
    def parts(self) -> tuple[Detector, ...]:
        return self.rules, self.tagger

    @property
    def dial(self) -> float:
        return self.tagger.dial

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        told: dict[str, tuple[TokenView, int]] = {}
        together = portions(documents, lambda document: size_of(document.text))
        found = [spans for portion in together for spans in self._spans(portion, told)]
        self._last = told
        return found

    def chances(self, text: str) -> tuple[Tokens, Floats]:
        """The tokens of a text, and how likely each is part of an identifier: certainly, if the tagger finds it. With a
        dial below CALM they are likelier, in proportion.

        What the tagger told last is kept: patient memory and the sweep ask for the same notes again."""
        view, at = self._last.get(text) or (self.tagger.view([text]), 0)
        within, edge = slice(view.notes[at], view.notes[at + 1]), view.edges[at]
        tokens = Tokens(view.tokens.starts[within] - edge, view.tokens.ends[within] - edge)
        return tokens, (view.chance[within] / np.float32(min(1.0, self.dial / CALM))).astype(np.float32)

    def _spans(
        self, documents: Sequence[Document], told: dict[str, tuple[TokenView, int]]
    ) -> Iterator[tuple[Span, ...]]:
        texts = [document.text for document in documents]
        view = self.tagger.view(texts)
        told |= {text: (view, at) for at, text in enumerate(texts)}
        by_rules = self.rules.detect(documents)
        left = self._left(documents, by_rules, view)
        bounds = pairwise(accumulate(map(len, by_rules), initial=0))
        looked = self.rules.rules.looked_at(texts)  # kept from just now
        of_tagger = zip(documents, view.spans, looked, strict=True)
        for (first, after), (document, theirs, (_, _, never)) in zip(bounds, of_tagger, strict=True):
            yield (*chain.from_iterable(left[first:after]), *self._sound(document.text, theirs, never))

    def _finds(self, view: TokenView) -> _Finds:
        """The tagger's finds, in tokens."""
        spans = list(chain.from_iterable(view.spans))
        first, after = _in_tokens(view, view.spans)
        return _Finds(first, after, np.array([self._numbers[span.label] for span in spans], np.int64))

    def _sound(self, text: str, spans: Sequence[Span], never: Sequence[tuple[int, int]]) -> Sequence[Span]:
        """The tagger's finds without those that a row is certain to be none, and without spoken fillers as initials."""
        fillers = _fillers(self.tagger.language)
        return [
            span
            for span in spans
            if not (span.label == "INITIALS" and text[span.start : span.end] in fillers)
            and not (never and any(start <= span.start and span.end <= end for start, end in never))
        ]

    def _of_kinds(self, found: _Finds, first: Places, after: Places) -> Flags:
        """Whether each stretch meets finds of the tagger of different kinds."""
        kinds = self._kinds[found.label]
        changes = np.cumsum(np.append(False, kinds[1:] != kinds[:-1])) if len(kinds) else kinds
        begin = np.searchsorted(found.after, first, "right")
        end = np.searchsorted(found.first, after)
        mixed = end - begin > 1
        mixed[mixed] = changes[end[mixed] - 1] > changes[begin[mixed]]
        return mixed

    def _left(
        self, documents: Sequence[Document], by_rules: Sequence[Sequence[Span]], view: TokenView
    ) -> list[Sequence[Span]]:
        """What is left of each find of the rules."""
        spans = list(chain.from_iterable(by_rules))
        notes = np.repeat(np.arange(len(by_rules)), list(map(len, by_rules)))
        first, after = _in_tokens(view, by_rules)
        found, tokens = self._finds(view), len(view.tokens)
        chance = np.where(view.wordy, view.chance, np.float32(1))
        taken = found.taken(tokens)
        reach = np.zeros(tokens + 1, np.int64)  # where the tagger's find ends that begins at a token
        reach[found.first] = found.after
        met = _any(taken, first, after)
        label = np.full(tokens + 1, -1, np.int64)  # and its label
        label[found.first] = found.label
        same = label[first] == np.array([self._numbers.get(span.label, -1) for span in spans], np.int64)
        yields = met & ((reach[first] != after) | ~same)
        several = self._of_kinds(found, first, after)
        least = np.where(met, BESIDE, ALONE) * min(1.0, self.dial / CALM)
        doubted = several | (_least(chance, first, after) < least)
        left: list[Sequence[Span]] = [(span,) for span in spans]
        for at in np.flatnonzero(yields | doubted).tolist():
            span = spans[at]
            if span.source not in self.rules.ours:
                continue
            if doubted[at] and hides(documents[notes[at]].text_of(span)):
                continue
            if yields[at]:
                span = replace(span, score=span.score * YIELDING)
            within, edge = slice(first[at], after[at]), int(view.edges[notes[at]])
            here = Tokens(view.tokens.starts[within] - edge, view.tokens.ends[within] - edge)
            likely = chance[within] >= least[at]
            if several[at]:
                likely &= ~taken[within]
            left[at] = tuple(_pieces(span, here, likely, view.wordy[within])) if doubted[at] else (span,)
        return left


def _in_tokens(view: TokenView, by_note: Sequence[Sequence[Span]]) -> tuple[Places, Places]:
    """The first token of each span of the notes, and the one after its last."""
    spans = list(chain.from_iterable(by_note))
    edges = view.edges[np.repeat(np.arange(len(by_note)), list(map(len, by_note)))]
    first = np.searchsorted(view.tokens.ends, np.array([span.start for span in spans], np.int64) + edges, "right")
    return first, np.searchsorted(view.tokens.starts, np.array([span.end for span in spans], np.int64) + edges)


def _least(values: Floats, first: Places, after: Places) -> Floats:
    """The least value of the tokens of each stretch; 1 where it has none."""
    padded = np.append(values, np.float32(1))
    least = np.minimum.reduceat(padded, np.stack((first, after), axis=1).ravel())[::2] if len(first) else values[:0]
    return np.where(first < after, least, np.float32(1))


def _any(flags: Flags, first: Places, after: Places) -> Flags:
    """Whether any token of each stretch has the flag."""
    before = np.append(0, np.cumsum(flags))
    found: Flags = before[after] > before[first]
    return found


def _pieces(span: Span, tokens: Tokens, likely: Flags, wordy: Flags) -> Iterator[Span]:
    """The runs of likely tokens in a span that have a word in them."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], likely, [False])).astype(np.int8)))
    for begin, end in edges.reshape(-1, 2).tolist():
        if wordy[begin:end].any():
            start, after = int(tokens.starts[begin]), int(tokens.ends[end - 1])
            yield replace(span, start=max(span.start, start), end=min(span.end, after))


@cache
def _fillers(language: str) -> frozenset[str]:
    """What is said in a language while one thinks."""
    return frozenset(detection.of(language).get("fillers", "").split())
