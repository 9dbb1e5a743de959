"""The made notes that the models of elision learn from."""

from __future__ import annotations

from dataclasses import replace

from elision.document import Document
from elision.languages.synth_lists import TRAIN
from elision.synth.generate import Maker
from elision.synth.language import language_named
from elision.synth.profiles import read_profile


def made(language: str, count: int, side: str = TRAIN, seed: int = 0, *, written: bool = True) -> list[Document]:
    """About so many made notes of a language; without `written`, none of the whole notes with slots."""
    notes: list[Document] = []
    for name, share in language_named(language).mixture.items():
        profile = read_profile(name)
        if not written:
            profile = replace(profile, grammars={**profile.grammars, "written_*": 0.0})
        notes += Maker(profile, seed, side).notes(range(round(count * share)))
    return notes
