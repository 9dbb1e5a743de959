"""Pre-trained weights that are none: small random ones, with pieces for the words of made notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from elision.document import Document
from elision.taggers import store
from elision.taggers.base import Tagger
from elision.taggers.encoder.base import Base, save_base
from elision.taggers.encoder.packing import Packed, packed
from elision.taggers.encoder.pieces import BLANK, Pieces
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.weights import MATRICES, WORDS, Weights, shapes
from tests.taggers.made_notes import made_notes

LAYERS, WIDTH, INNER, PLACES = 2, 384, 64, 64
SMALL: dict[str, Any] = {"layers": LAYERS, "frozen": 1, "window": 48, "batch": 256, "rate": 1e-3, "head_rate": 0.005}


def made_pieces() -> Pieces:
    """The words of made notes, with a blank before them and without; and all their characters."""
    words = {word for note in made_notes(30) for word in re.findall(r"\w+|\S", note.text)}
    found = sorted({*words, *(BLANK + word for word in words), *(each for word in words for each in word), BLANK})
    return Pieces(tuple(found), np.linspace(-9, -1, len(found)).astype(np.float32))


def made_base(seed: int = 0) -> Base:
    rng, pieces = np.random.default_rng(seed), made_pieces()
    matrices: dict[str, Packed] = {}
    plain = {}
    for name, shape in shapes(len(pieces), WIDTH, INNER, PLACES, LAYERS).items():
        array = rng.normal(0, 0.05, shape).astype(np.float32)
        if name == WORDS or name.rpartition(".")[2] in MATRICES:
            matrices[name] = packed(array)
        else:
            plain[name] = array + np.float32(name.endswith("scale"))
    return Base(pieces, Weights(matrices, plain, LAYERS), "made for tests")


def saved_base(folder: Path) -> Path:
    save_base(folder, made_base())
    return folder


def learnt_encoder(notes: Sequence[Document], dev: Sequence[Document] = ()) -> Tagger:
    """A small encoder that knows these notes; its base is gone."""
    with TemporaryDirectory() as folder:
        base = saved_base(Path(folder) / "base")
        return store.fit(EncoderSettings(base=str(base), epochs=12, language="en", **SMALL), notes, dev)
