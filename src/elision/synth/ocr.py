"""A scanner's errors, with one dial for how bad the copy is. Spans follow to the letter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random

from elision.document import Span
from elision.errors import SynthError
from elision.languages.synth_lists import common
from elision.synth.edits import Edit, apply
from elision.synth.noise import LEAST_RATE

RATE = 0.15  # of the characters, at full strength
_SPECKS = (".", ",", "'", "`", "~", "-", "|", "·", "*")


def scan(text: str, spans: Sequence[Span], strength: float, rng: Random) -> tuple[str, list[Span]]:
    """The text as a scanner would have it; `strength` 0 changes nothing, 1 is a bad fax of a bad copy."""
    if not 0 <= strength <= 1:
        raise SynthError(f"ocr {strength:g}: the strength lies between 0 (nothing) and 1 (hardly readable)")
    if strength == 0 or not text:
        return text, list(spans)
    local = min(1.0, strength * rng.choice((0.3, 0.7, 1.0, 1.0, 1.6)))  # copies differ
    return apply(text, spans, _errors(text, RATE * local, rng))


def _errors(text: str, rate: float, rng: Random) -> list[Edit]:
    edits: list[Edit] = []
    if rate < LEAST_RATE:
        return edits
    scale = math.log1p(-rate)
    at = int(math.log(1 - rng.random()) / scale)
    while at < len(text):
        edit = _error(text, at, rng)
        if edit:
            edits.append(edit)
        at += 1 + int(math.log(1 - rng.random()) / scale)
    return edits


def _error(text: str, at: int, rng: Random) -> Edit | None:
    character, drawn = text[at], rng.random()
    if character == " ":
        if drawn < 0.5:
            return Edit(at, at + 1, "")
        return Edit(at, at + 1, "  " if drawn < 0.8 else "\n" if drawn < 0.88 else " " + rng.choice(_SPECKS) + " ")
    if character == "\n":
        return (
            Edit(at, at + 1, " ") if drawn < 0.3 else Edit(at, at, " " + rng.choice(_SPECKS)) if drawn < 0.5 else None
        )
    confused = common("tables")["confused"]
    if drawn < 0.72 and character in confused:
        return Edit(at, at + 1, rng.choice(confused[character]))
    if text[at : at + 2] == "rn" and drawn < 0.9:
        return Edit(at, at + 2, "m")
    if drawn < 0.86:
        return Edit(at, at, " ") if at and text[at - 1].isalnum() else None  # a word falls apart
    if drawn < 0.93:
        return Edit(at, at, rng.choice(_SPECKS))
    return Edit(at, at + 1, "")
