"""A linear tagger: training, tagging, saving. A CRF, a window classifier and a POS tagger are settings of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.document import Document, Span
from elision.errors import ModelError
from elision.taggers.calibration import Calibration
from elision.taggers.linear.batch import Batch, Tokenize, gather
from elision.taggers.linear.chain import Chain, Found
from elision.taggers.linear.model import Floats, Ints, Linear
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.word_groups import WordGroups
from elision.text.portions import portions, size_of

BLOCK_TOKENS = 1 << 11  # of a batch whose scores are held at once
SCORE_DIGITS = 6  # numpy's last bits depend on how many numbers it works out together; a note's score must not
LONGEST = 1 << 12  # tokens of one sequence; longer ones are cut


class LinearTagger:
    """A model that finds spans in notes.

        tagger = LinearTagger(settings).fit(documents)
        for document in tagger.tag(documents): ...
        tagger.save(folder); LinearTagger.load(folder)

    As a detector it is called with documents and gives the spans of each.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    # -- what `fit` or `load` sets
    linear_: Linear
    chain_: Chain
    unit_: str
    calibration_: Calibration
    card_: dict[str, Any]
    word_groups_: WordGroups | None = None
    version_: str = ""

    @property
    def labels_(self) -> tuple[str, ...]:
        """The labels that the model knows."""
        return tuple(self.chain_.names)

    def fit(
        self,
        documents: Iterable[Document],
        dev: Iterable[Document] = (),
        watch: Callable[[int, int, float, float | None], None] | None = None,
        start: LinearTagger | None = None,
        again: Sequence[Document] = (),
    ) -> LinearTagger:
        """Learn from these notes. On `dev`, notes not learnt from, the spans' scores are calibrated; `watch` is told
        seed, epoch, loss and F1 on dev as learning goes. If learning fails, the tagger stays what it was.

        Learning goes on where `start` stands, a tagger with the same features. Notes like those that it learnt from,
        to learn `again`, keep it from forgetting; no feature comes from them."""
        from elision.taggers.linear.training import fit

        learnt = LinearTagger(self.settings)
        fit(learnt, documents, tuple(dev), watch, start, again)
        self.__dict__.update(learnt.__dict__)
        return self

    def __call__(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.spans([document.text for document in documents])

    @property
    def name(self) -> str:
        """What receipts call it."""
        return f"{self._source} {self.settings.language}".strip()

    @property
    def dial(self) -> float:
        """How readily it finds; see `elision.taggers.threshold`."""
        return self.settings.dial

    def dialled(self, dial: float) -> LinearTagger:
        """This tagger with another dial."""
        self.settings = replace(self.settings, dial=dial)
        return self

    @property
    def version(self) -> str:
        """Which model it is, if it was loaded: the fingerprint of its folder."""
        return self.version_

    def goes_on_from(self, version: str) -> bool:
        """Whether its learning began where the model of this fingerprint stands, at once or over others between."""
        start = self.card_.get("start")
        while isinstance(start, dict):
            if start.get("fingerprint") == version:
                return True
            start = start.get("start")
        return False

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same documents with the spans that the model finds."""
        for portion in portions(documents, lambda document: size_of(document.text)):
            for document, spans in zip(portion, self._spans([each.text for each in portion]), strict=True):
                yield document.with_spans(spans)

    def spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The spans of each text."""
        if isinstance(texts, str):
            raise ModelError("one text where a list of texts is needed; write [text]")
        return [spans for portion in portions(texts, size_of) for spans in self._spans(portion)]

    def posteriors(self, text: str) -> tuple[Batch, Floats]:
        """A row for each token: how likely the model holds each tag (`chain_.tags`)."""
        batch = self.batch([text])
        rows = [kept[:, : len(self.chain_.tags)] for _, _, kept in self._decoded(batch, 1.0, keep=True)]
        return batch, np.concatenate(rows) if rows else np.zeros((0, len(self.chain_.tags)), np.float32)

    def batch(self, texts: Sequence[str]) -> Batch:
        return gather(texts, self.settings.language, cutter(self.settings.cut))

    def tags(self, batch: Batch, dial: float | None = None) -> tuple[npt.NDArray[np.uint8], Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        parts = list(self._decoded(batch, self.settings.dial if dial is None else dial))
        if not parts:
            return np.zeros(0, np.uint8), np.zeros(0, np.float32)
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def found(self, batch: Batch, dial: float | None = None) -> Found:
        """The spans of a batch, in tokens, with scores as the model has them."""
        tags, share = self.tags(batch, dial)
        return self.chain_.spans(tags, share, batch.notes)

    def _spans(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        batch = self.batch(texts)
        return self.spans_of(batch, self.found(batch))

    def spans_of(self, batch: Batch, found: Found) -> list[tuple[Span, ...]]:
        """What was found in a batch, note by note, with scores that tell how often such spans are right."""
        note = batch.note_of[found.first]
        starts = (batch.tokens.starts[found.first] - batch.edges[note]).tolist()
        ends = (batch.tokens.ends[found.after - 1] - batch.edges[note]).tolist()
        scores = self.calibration_(found.score).round(SCORE_DIGITS).tolist()
        names, source = self.chain_.names, self._source
        spans = [
            Span(start, end, names[label], score, source)
            for start, end, label, score in zip(starts, ends, found.label.tolist(), scores, strict=True)
        ]
        upto = np.searchsorted(note, np.arange(len(batch.notes))).tolist()
        return [tuple(spans[first:after]) for first, after in pairwise(upto)]

    @property
    def _source(self) -> str:
        return {"chain": "crf", "hinge": "window", "softmax": "window"}[self.settings.loss]

    def _decoded(
        self, batch: Batch, dial: float, keep: bool = False
    ) -> Iterator[tuple[npt.NDArray[np.uint8], Floats, Floats]]:
        """Tags, shares and posteriors, block by block: scores of a whole batch could be large."""
        self._refuse_unfitted()
        if not len(batch):
            return
        columns = self.linear_.columns(batch)
        bounds = cut_long(batch, self.unit_)
        turns, chain, spread = self.linear_.weights.turns, self.chain_, batch.spread
        for first, after in _blocks(bounds):
            begin, end = int(bounds[first, 0]), int(bounds[after - 1, 1])
            origin = int(spread[begin])
            scores = self.linear_.scores(origin, int(spread[end - 1]) + 1, columns)
            part = np.ascontiguousarray(
                bounds[first:after] + (spread[bounds[first:after, 0]] - bounds[first:after, 0] - origin)[:, None]
            )
            at = spread[begin:end] - origin
            if self.settings.decoding == "posterior":
                tags, share, kept = chain.posterior(scores, part, turns, dial, keep)
                yield tags[at], share[at], kept[at] if keep else kept
            elif self.settings.decoding == "viterbi":
                yield chain.viterbi(scores, part, turns)[at], np.ones(len(at), np.float32), scores[at]
            else:
                if dial != 1.0 and chain.outside < len(chain.tags):
                    scores[:, chain.outside] += np.float32(np.log(dial))
                yield chain.each(scores)[at], np.ones(len(at), np.float32), scores[at]

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        from elision.taggers.linear.saving import save

        self._refuse_unfitted()
        return save(self, folder, overwrite=overwrite)

    def _refuse_unfitted(self) -> None:
        if "linear_" not in self.__dict__:
            raise ModelError("this tagger has not learnt anything yet; fit() first, or load() a model")

    @staticmethod
    def load(folder: Path) -> LinearTagger:
        """A model from its folder."""
        from elision.taggers.linear.saving import load

        return load(folder)


def cutter(name: str) -> Tokenize:
    """The tokeniser of this name."""
    from elision.text.tokens import tokenize

    if name == "fine":
        return tokenize
    from elision.papers.he2015_tokens import tokenize_he2015

    return lambda text, _: tokenize_he2015(text, preprocessing=name == "he2015")


def cut_long(batch: Batch, unit: str) -> Ints:
    """Where sequences begin and end; a long one is cut where a line begins or, failing that, anywhere."""
    edges = batch.line_starts if unit == "line" else batch.notes
    sizes = np.diff(edges)
    if len(sizes) and sizes.max() > LONGEST:
        more = []
        for at in np.flatnonzero(sizes > LONGEST).tolist():
            first, after = int(edges[at]), int(edges[at + 1])
            while after - first > LONGEST:
                lines = batch.line_starts[np.searchsorted(batch.line_starts, first + LONGEST, side="right") - 1]
                first = int(lines) if lines > first else first + LONGEST
                more.append(first)
        edges = np.sort(np.concatenate((edges, np.array(more, np.int32))))
        sizes = np.diff(edges)
    bounds = np.empty((len(sizes), 2), np.int32)
    bounds[:, 0], bounds[:, 1] = edges[:-1], edges[1:]
    return bounds if sizes.all() else bounds[sizes > 0]


def _blocks(bounds: Ints) -> Iterator[tuple[int, int]]:
    """Runs of sequences of about BLOCK_TOKENS together."""
    ends = bounds[:, 1]
    first = 0
    while first < len(bounds):
        after = int(np.searchsorted(ends, bounds[first, 0] + BLOCK_TOKENS, side="right"))
        after = max(after, first + 1)
        yield first, after
        first = after
