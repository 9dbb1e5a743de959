"""Pre-trained weights for tests: small, of any shape, learnt from nothing."""

from __future__ import annotations

import numpy as np

from elision.taggers.neural.pretrained import LanguageModel, Pretrained

CHARACTERS = "\n\0 abcdefghijklmnopqrstuvwxyzRé李😀.,:0123456789"


def random_model(characters: int, hidden: int, rng: np.random.Generator) -> LanguageModel:
    def array(*shape: int) -> np.typing.NDArray[np.float32]:
        return rng.normal(0, 0.6, shape).astype(np.float32)

    return LanguageModel(array(characters + 1, 4), array(4, 4 * hidden), array(4 * hidden), array(hidden, 4 * hidden))


def random_pretrained(hidden: int = 6, seed: int = 0) -> Pretrained:
    """Weights by chance, with a few words."""
    rng = np.random.default_rng(seed)
    words = ("ward", "00", "李")
    return Pretrained(
        words,
        rng.normal(size=(len(words), 5)).astype(np.float32),
        tuple(CHARACTERS),
        random_model(len(CHARACTERS), hidden, rng),
        random_model(len(CHARACTERS), hidden, rng),
        {"settings": {"hidden": hidden}, "licence": "none"},
    )
