"""The tokenisers that settings may name: ours, and those of plug-ins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from elision.errors import ModelError
from elision.languages.base import code_of
from elision.plugins import names, plugin
from elision.taggers.batch import Batch, Tokenize, gather
from elision.text.tokens import tokenize


class Cut(Protocol):
    """Settings that say how texts are cut."""

    @property
    def language(self) -> str: ...
    @property
    def cut(self) -> str: ...


WORDS = "-words"


def words_of(language: str) -> str:
    """The tokeniser that cuts a language without blanks into words: that of a plug-in, such as zh-words."""
    name, there = code_of(language) + WORDS, names("tokenizers")
    if name in there:
        return name
    codes = ", ".join(each.removesuffix(WORDS) for each in there if each.endswith(WORDS)) or "none"
    raise ModelError(
        f"words: {language[:40] or 'a language that is not said'} has no segmenter into words (there are: {codes}); "
        "say the language, or leave words out where blanks part them"
    )


def cutter(name: str) -> Tokenize:
    """The tokeniser of this name."""
    if name == "fine":
        return tokenize
    found: Tokenize = plugin("tokenizers", name, "the tokeniser")
    return found


def batch_of(settings: Cut, texts: Sequence[str]) -> Batch:
    """These texts, cut as the settings say."""
    return gather(texts, settings.language, cutter(settings.cut))
