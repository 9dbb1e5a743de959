"""Feasts and other days with a name. Beside a date that moved, one of them tells by how many days it moved.

Christmas Day is a day and a month as well, of which Safe Harbor leaves the year. So where a policy moves dates or makes
them coarser, all of them become labels, also those that no detector has found. Left out are names of
feasts that stand for something else in a note as well (San Juan, 大雪).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import re2

from elision.document import Document, Span
from elision.languages.base import DEFAULT, code_of, languages
from elision.replace.originals import plain
from elision.text.fold import fold

SOURCE = "feasts"
_SCORE = 0.5
# Behind these words of a feast something else follows that has its name.
_ELSE = r"(?:[ \-](?:disease|factor|tree|island|eye|cactus|egg|lily|bunny|seals?|baskets?|rose)\b)"


@cache
def _patterns(code: str) -> tuple[re2._Regexp, re2._Regexp] | None:
    names = sorted(languages()[code].words("feasts"), key=len, reverse=True)
    told = "|".join(map(_written, names))
    return (re2.compile(f"(?i)(?:{told})"), re2.compile(f"(?i)^{_ELSE}")) if names else None


def _written(name: str) -> str:
    """A pattern for a name, without accents: its blanks may be dashes or a line's end, its dashes blanks or nothing."""
    marks = {" ": r"[ \-\n]{1,2}", "-": r"[ \-]?", "'": "['’´]", ".": r"\.", "/": "/"}
    edge = r"\b" if plain(name).isascii() else ""  # characters have none
    return edge + "".join(marks.get(letter, letter) for letter in plain(name)) + edge


def feasts_in(document: Document) -> Iterator[Span]:
    """Where named days stand in a note."""
    code = code_of(document.language or DEFAULT)
    patterns = _patterns(code) if code in languages() else None
    if not patterns:
        return
    view = fold(document.text)
    feast, other = patterns
    low = plain(view.text)
    for found in feast.finditer(low):
        start, end = found.span()
        if not other.match(low[end : end + 12]):
            yield Span(*view.original(start, end), "DATE", _SCORE, SOURCE)
