"""The languages in which notes can be made."""

from __future__ import annotations

from elision.errors import SynthError
from elision.languages.base import languages
from elision.languages.synth import Synth


def is_made(code: str) -> bool:
    """Whether notes can be made in a language."""
    return code in languages() and languages()[code].synth is not None


def languages_made() -> tuple[str, ...]:
    return tuple(code for code in languages() if is_made(code))


def language_named(code: str) -> Synth:
    """What notes in a language are made of, by its code."""
    found = languages().get(code)
    if found is None or found.synth is None:
        raise SynthError(f"{code[:20]}: no notes can be made in this language; there are {', '.join(languages_made())}")
    return found.synth
