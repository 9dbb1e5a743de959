"""An encoder as a tagger: a transformer reads windows of notes, and says of each token how likely each tag is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from elision.models import store
from elision.taggers.batch import Batch, cut_long
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Tags
from elision.taggers.chained import ChainTagger
from elision.taggers.encoder.layers import LENGTHS, ROWS, Layers
from elision.taggers.encoder.packing import Floats
from elision.taggers.encoder.pieces import Pieces
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.weights import Weights, from_arrays, plain_of
from elision.taggers.encoder.windows import (
    AROUND,
    EDGES,
    Line,
    Longs,
    Windows,
    gathered,
    line_of,
    tokens_of,
    windows_around,
    windows_over,
)
from elision.taggers.rows import by_window

PIECES, SCORES = "pieces", "pieces.scores"
HEAD, BIAS = "head", "head.bias"


@dataclass(frozen=True, eq=False)
class EncoderTagger(ChainTagger):
    """A model that finds spans in notes; `kind.fit` learns one, `load` reads one."""

    settings: EncoderSettings
    pieces: Pieces = field(repr=False)
    weights: Weights = field(repr=False)
    head: tuple[Floats, Floats] = field(repr=False)  # what a row says of each tag: weights and bias
    chain: Chain = field(repr=False)
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    version: str = ""
    together: ClassVar[int] = 1 << 17

    @property
    def source(self) -> str:
        return "encoder"

    def tags(self, batch: Batch) -> tuple[Tags, Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        if not len(batch):
            return np.zeros(0, np.uint8), np.zeros(0, np.float32)
        turns = np.zeros((len(self.chain.tags) + 1, self.chain.width), np.float32)
        tags, share, _ = self.chain.posterior(self.scores(batch), cut_long(batch, "note"), turns, self.settings.dial)
        return tags, share

    def scores(self, batch: Batch) -> Floats:
        """What it says of each tag of each token."""
        line = line_of(batch, self.pieces)
        scores = np.zeros((len(batch), self.chain.width), np.float32)
        for tokens, found in self._read(line, windows_over(line.notes, self._size)):
            scores[tokens] = found
        return scores

    def chances_around(self, batch: Batch, asked: Longs, around: int = AROUND) -> Floats:
        """How likely each tag is of some tokens, which are sorted, when it reads no more than what stands around."""
        line = line_of(batch, self.pieces)
        scores = np.zeros((len(batch), self.chain.width), np.float32)
        for tokens, found in self._read(line, windows_around(line, line.first[asked], self._size, around)):
            scores[tokens] = found
        said = scores[asked, : len(self.chain.tags)]
        said = np.exp(said - said.max(axis=1, keepdims=True))
        chances: Floats = said / said.sum(axis=1, keepdims=True)
        return chances

    def known_share(self, texts: Sequence[str]) -> list[float]:
        """How much of the letters of each text stands in pieces that it knows as more than single letters; 1 without
        letters."""
        batch = self.batch(texts)
        types, forms = batch.kinds
        letters, known = np.array([self.pieces.letters(form) for form in forms], np.int64).reshape(-1, 2)[types].T
        edges = batch.notes
        sums = [np.append(0, np.cumsum(column))[edges] for column in (letters, known)]
        there, theirs = (np.diff(each) for each in sums)
        return [float(share) for share in np.where(there > 0, theirs / np.maximum(there, 1), 1.0)]

    @property
    def _size(self) -> int:
        return self.settings.window - EDGES

    def _read(self, line: Line, windows: Windows) -> Iterator[tuple[slice, Floats]]:
        """What it says of the tokens of each window that no other window reads better."""
        weights, bias = self.head
        first, after = tokens_of(line, windows)
        sizes = windows.end - windows.begin + EDGES
        rows = np.zeros((ROWS, len(weights)), np.float32)
        lengths = np.array(LENGTHS)[np.searchsorted(LENGTHS, sizes)]
        for places in LENGTHS:
            alike = np.flatnonzero(lengths == places)
            for at in range(0, len(alike), ROWS // places):
                chosen = alike[at : at + ROWS // places]
                size = next(one for one in self._layers.sizes if one >= places * len(chosen) and one % places == 0)
                filled = np.append(chosen, np.full(size // places - len(chosen), chosen[0]))
                rows[:size] = self._layers.read(*gathered(line, windows, filled, places)).reshape(size, -1)
                said = by_window(rows, weights, ROWS // places) + bias
                for number, window in enumerate(chosen.tolist()):
                    within = slice(int(first[window]), int(after[window]))
                    place = number * places + 1 + line.first[within] - windows.begin[window]
                    yield within, said[place]

    def save(self, folder: Path, *, overwrite: bool = False) -> int:
        """Write the model as a folder; returns its size in bytes."""
        card = {
            **self.card,
            "settings": self.settings.as_json(),
            "tags": list(self.chain.tags),
            "calibration": [self.calibration.slope, self.calibration.shift],
        }
        tags = len(self.chain.tags)
        head = {HEAD: np.ascontiguousarray(self.head[0][:, :tags]), BIAS: self.head[1][:tags].copy()}
        arrays = {**self.weights.arrays(), **head, SCORES: self.pieces.scores}
        words = {PIECES: list(self.pieces.pieces)}
        return store.save(folder, store.Stored(EncoderSettings.kind, card, words, arrays), overwrite=overwrite)

    @cached_property
    def _layers(self) -> Layers:
        return Layers.of(self.weights)


def load(folder: Path) -> EncoderTagger:
    """A model from its folder."""
    return store.built(folder, EncoderSettings.kind, lambda model: _tagger(model, store.fingerprint(folder)))


def _tagger(model: store.Stored, version: str) -> EncoderTagger:
    card = dict(model.card)
    settings = EncoderSettings.from_json(card["settings"])
    chain = Chain([str(tag) for tag in card["tags"]])
    pieces = pieces_of(model)
    weights = from_arrays(model.arrays, len(pieces), settings.layers)
    head = (
        plain_of(model.arrays, HEAD, (weights.width, len(chain.tags))),
        plain_of(model.arrays, BIAS, (len(chain.tags),)),
    )
    calibration = Calibration(*map(float, card["calibration"]))
    return EncoderTagger(settings, pieces, weights, widened(head, chain), chain, calibration, card, version)


def pieces_of(model: store.Stored) -> Pieces:
    """The pieces that a model knows."""
    words = model.vocabulary[PIECES]
    return Pieces(tuple(words), plain_of(model.arrays, SCORES, (len(words),)))


def widened(head: tuple[Floats, Floats], chain: Chain) -> tuple[Floats, Floats]:
    """A head whose rows are as wide as those of a chain."""
    wide = np.zeros((len(head[0]), chain.width), np.float32)
    wide[:, : head[0].shape[1]] = head[0]
    bias = np.zeros(chain.width, np.float32)
    bias[: len(head[1])] = head[1]
    return wide, bias
