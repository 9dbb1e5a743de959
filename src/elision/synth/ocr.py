"""A scanner's errors, with one dial for how bad the copy is. Spans follow to the letter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random

from elision.document import Span
from elision.errors import SynthError
from elision.synth.edits import Edit, apply
from elision.synth.noise import LEAST_RATE

RATE = 0.15  # of the characters, at full strength
# What a scanner takes for what. Several characters may stand for one, and one for several.
CONFUSED: Mapping[str, tuple[str, ...]] = {
    "0": ("O", "o", "D"), "O": ("0", "Q"), "o": ("0", "c"), "1": ("l", "I", "i"), "l": ("1", "I", "i"), "I": ("l", "1"),
    "2": ("Z",), "Z": ("2",), "5": ("S", "s"), "S": ("5",), "s": ("5",), "8": ("B", "3"), "B": ("8",), "6": ("G",
    "b"), "G": ("6", "C"),
    "9": ("g", "q"), "g": ("9", "q"), "4": ("A",), "7": ("1", "?"), "3": ("8",), "m": ("rn", "in"), "w": ("vv",),
    "d": ("cl",),
    "n": ("ri", "u"), "u": ("ii", "n"), "e": ("c",), "c": ("e",), "h": ("b", "li"), "b": ("h",), "t": ("f",),
    "f": ("t",), "i": ("l", "!"),
    "a": ("o",), "H": ("II",), "M": ("IVI",), "D": ("O",), "C": ("G",), "/": ("l", "I", "1"), ",": (".",),
    ".": (",",), ":": (";",),
    "-": ("~", "_"), "(": ("C",), "é": ("e", "6"), "á": ("a",), "ñ": ("n", "fi"), "ó": ("o", "6"), "ë": ("e",),
    "ï": ("i",),
    "己": ("已",), "已": ("己",), "未": ("末",), "末": ("未",), "日": ("曰", "目"), "土": ("士",), "士": ("土",),
    "人": ("入",), "大": ("太", "犬"),
    "王": ("主", "玉"), "干": ("千", "于"), "千": ("干",), "天": ("夫",), "木": ("本",), "李": ("季",),
    "田": ("由", "甲"), "院": ("皖",), "年": ("午",),
    "月": ("目",), "。": ("o",), "，": (",",), "：": (":",),
}  # fmt: skip
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
    if drawn < 0.72 and character in CONFUSED:
        return Edit(at, at + 1, rng.choice(CONFUSED[character]))
    if text[at : at + 2] == "rn" and drawn < 0.9:
        return Edit(at, at + 2, "m")
    if drawn < 0.86:
        return Edit(at, at, " ") if at and text[at - 1].isalnum() else None  # a word falls apart
    if drawn < 0.93:
        return Edit(at, at, rng.choice(_SPECKS))
    return Edit(at, at + 1, "")
