"""The tokenisers that settings may name: ours, and those of plug-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elision.plugins import plugin
from elision.taggers.batch import Batch, Tokenize, gather
from elision.text.tokens import tokenize


class Cut(Protocol):
    """Settings that say how texts are cut."""

    @property
    def language(self) -> str: ...
    @property
    def cut(self) -> str: ...


def cutter(name: str) -> Tokenize:
    """The tokeniser of this name."""
    if name == "fine":
        return tokenize
    found: Tokenize = plugin("tokenizers", name, "the tokeniser")
    return found


def batch_of(settings: Cut, texts: Sequence[str]) -> Batch:
    """These texts, cut as the settings say."""
    return gather(texts, settings.language, cutter(settings.cut))
