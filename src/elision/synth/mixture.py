"""The made notes that the models of elision learn from."""

from __future__ import annotations

from dataclasses import replace

from elision.document import Document
from elision.errors import SynthError
from elision.synth.generate import Maker
from elision.synth.lists import TRAIN
from elision.synth.profiles import read_profile

# Profiles and their shares of a language's notes. The broad mixture of the language comes first.
MIXTURES = {
    "en": {"en": 0.6, "i2b2-2014-like": 0.15, "i2b2-2006-like": 0.1, "au-pathology": 0.15},
    "es": {"es": 0.7, "meddocan-like": 0.3},
    "nl": {"nl": 0.6, "nut-like": 0.4},
    "zh": {"zh": 0.7, "zh-maternity": 0.3},
}


def made(language: str, count: int, side: str = TRAIN, seed: int = 0, *, written: bool = True) -> list[Document]:
    """About so many made notes of a language; without `written`, none of the whole notes with slots."""
    if language not in MIXTURES:
        raise SynthError(f"{language[:20]!r}: there are made notes in {', '.join(MIXTURES)}")
    notes: list[Document] = []
    for name, share in MIXTURES[language].items():
        profile = read_profile(name)
        if not written:
            profile = replace(profile, grammars={**profile.grammars, "written_*": 0.0})
        notes += Maker(profile, seed, side).notes(range(round(count * share)))
    return notes
