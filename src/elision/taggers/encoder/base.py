"""Pre-trained weights with which learning begins: a folder with pieces and layers, and no tags."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from elision.models import store
from elision.taggers.encoder.pieces import Pieces
from elision.taggers.encoder.tagger import PIECES, SCORES, pieces_of
from elision.taggers.encoder.weights import Weights, from_arrays

KIND = "encoder-base"


class Base(NamedTuple):
    pieces: Pieces
    weights: Weights
    licence: str  # whose they are


def load_base(folder: Path) -> Base:
    """Pre-trained weights from their folder."""
    return store.built(folder, KIND, _base, "a folder of pre-trained weights ({}); make it again")


def _base(model: store.Stored) -> Base:
    pieces = pieces_of(model)
    weights = from_arrays(model.arrays, len(pieces), int(model.card["layers"]))
    return Base(pieces, weights, str(model.card["licence"]))


def save_base(folder: Path, base: Base) -> int:
    """Write pre-trained weights as a folder; returns its size in bytes."""
    card = {"layers": base.weights.layers, "licence": base.licence}
    arrays = {**base.weights.arrays(), SCORES: base.pieces.scores}
    return store.save(folder, store.Stored(KIND, card, {PIECES: list(base.pieces.pieces)}, arrays))
