"""The tokenisers that settings may name: ours, and those of plug-ins."""

from __future__ import annotations

from collections.abc import Sequence

from elision.plugins import plugin
from elision.taggers.linear.batch import Batch, Tokenize, gather
from elision.taggers.linear.settings import Settings
from elision.text.tokens import tokenize


def cutter(name: str) -> Tokenize:
    """The tokeniser of this name."""
    if name == "fine":
        return tokenize
    found: Tokenize = plugin("tokenizers", name, "the tokeniser")
    return found


def batch_of(settings: Settings, texts: Sequence[str]) -> Batch:
    """These texts, cut as the settings say."""
    return gather(texts, settings.language, cutter(settings.cut))
