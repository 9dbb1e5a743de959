"""A note as a page shows it: cut into pieces by us, so that no page ever counts characters.

Each piece says where it lies in code points of the original text, and what is shown for it. Control characters and
marks that turn the direction of writing are shown by their names: a note must not look different from what it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from elision.review.marks import Mark
from elision.text.tokens import tokenize

_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_JOINS = ("\u200d", "\ufe0f", "\ufe0e")
_TONES = range(0x1F3FB, 0x1F400)
_FLAGS = range(0x1F1E6, 0x1F200)


def words_of(text: str) -> list[tuple[int, int]]:
    """Where the words of a text lie."""
    tokens = tokenize(text)
    return list(zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True))


def pieces(text: str, words: Sequence[tuple[int, int]], marks: Sequence[Mark]) -> list[dict[str, Any]]:
    """The whole text in pieces that neither a word's edge nor a mark's edge cuts; each knows its marks by number."""
    inside = {start for start, _ in words}
    edges = {0, len(text), *(edge for word in words for edge in word)}
    edges |= {edge for mark in marks for edge in (mark.start, mark.end)}
    cut: list[dict[str, Any]] = []
    within = dict[int, list[int]]()
    for number, mark in enumerate(marks):
        within.setdefault(mark.start, []).append(number)
    open_marks: list[int] = []
    word_end = 0
    ends = dict(words)
    for start, end in pairwise(sorted(edges)):
        open_marks = [number for number in open_marks if marks[number].end > start] + within.get(start, [])
        word_end = ends[start] if start in inside else word_end
        piece: dict[str, Any] = {"start": start, "end": end, "text": shown(text[start:end])}
        if start < word_end:
            piece["word"] = 1
        if open_marks:
            piece["marks"] = sorted(open_marks)
        cut.append(piece)
    return cut


def shown(text: str) -> str:
    """What a page shows for a text."""
    return _HIDDEN.sub(lambda found: _name(found[0]), text.replace("\r\n", "\n").replace("\r", "\n"))


def _name(character: str) -> str:
    code = ord(character)
    return chr(0x2400 + code) if code < 0x20 else f"⟦U+{code:04X}⟧"


def step(text: str, at: int, by: int) -> int:
    """The next place, before or after, at which a reader sees a character end."""
    at += by
    while 0 < at < len(text) and _is_inside(text, at):
        at += by
    return min(max(at, 0), len(text))


def _is_inside(text: str, at: int) -> bool:
    """Whether a place lies within what is seen as one character."""
    before, after = text[at - 1], text[at]
    return (
        after in _JOINS
        or before == "\u200d"
        or unicodedata.combining(after) > 0
        or ord(after) in _TONES
        or (ord(before) in _FLAGS and ord(after) in _FLAGS)
        or (before == "\r" and after == "\n")
    )


def next_edge(places: Iterable[int], at: int, by: int) -> int:
    """The nearest of some places after or before one; the place itself if there is none."""
    further = [place for place in places if (place > at if by > 0 else place < at)]
    return (min(further) if by > 0 else max(further)) if further else at
