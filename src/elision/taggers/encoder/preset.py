"""The encoder as a preset."""

from __future__ import annotations

from typing import Any

from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.settings import settings_with


def encoder(language: str = "", **more: Any) -> EncoderSettings:
    """A transformer that was pre-trained on many languages, tuned to find spans.

    `base` names the folder of pre-trained weights with which learning begins; `experiments/encoder.py base` writes one.
    The lower half of the layers stays as it is, and is kept in 4 bits, as the table of pieces is. AdamW learns the
    others at a rate that rises, then falls to nothing, and that is lower from layer to layer downwards.
    `arithmetic=bfloat16` is quicker where the processor has it.
    """
    return settings_with(EncoderSettings(language=language), {}, more)
