"""Parts of speech: treebanks to learn them from, and the tagger."""

from __future__ import annotations

from elision.languages.base import languages

MODEL = "pos"  # the folder of a language's


def spoken() -> tuple[str, ...]:
    """The languages with a model of parts of speech."""
    return tuple(code for code, language in languages().items() if language.has(MODEL))
