"""What stands beside an identifier: titles beside names, and days with a name, which tell how far a date has moved.

Titles are left in the note, as "Dr." names nobody, or hidden with the name, as a policy says. Christmas Day is a day
and a month as well, of which Safe Harbor leaves the year. So where a policy moves dates or makes them coarser, all
feasts become labels, also those that no detector has found. Left out are names of feasts that stand for something else
in a note as well (San Juan, 大雪).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache

import re2

from elision.document import Document, Span
from elision.labels import parent
from elision.languages import detection
from elision.languages.base import DEFAULT, code_of, languages
from elision.replace.originals import plain
from elision.text.fold import fold

# Behind a word that stands before a name, with the dot that belongs to it; and what follows a Chinese name. Mr is never
# a name itself; Don, Ing, Dame and D. are, and so stay hidden with a name that begins with them.
_GAP = r"(?:\.[ \u00a0]{0,2}|[ \u00a0]{1,2})"
_BEHIND = re.compile(
    "(?:副?主任|主治|住院|实习)?(?:医师|医生|醫師|醫生|大夫|教授|护士长|护士|護士|护师|药师)|主任|先生|女士|小姐|太太|老师"
)
_FAR = 40
_NONE = frozenset(("INITIALS", "USERNAME"))


def without_titles(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, those of names without the titles that they begin with."""
    for span in spans:
        found = _at_start().match(text, span.start, span.end) if _is_a_name(span) else None
        yield replace(span, start=found.end()) if found else span


def with_titles(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Disjoint spans in order, those of names with the titles beside them as far as these are in no other span."""
    reach = 0
    for at, span in enumerate(spans):
        if _is_a_name(span):
            before = _before().search(text[max(reach, span.start - _FAR) : span.start])
            behind = _BEHIND.match(text, span.end, spans[at + 1].start if at + 1 < len(spans) else len(text))
            if before or behind:
                start = span.start - len(before[0]) if before else span.start
                span = replace(span, start=start, end=behind.end() if behind else span.end)
        reach = span.end
        yield span


def _is_a_name(span: Span) -> bool:
    return parent(span.label) == "NAME" and span.label not in _NONE


SOURCE = "feasts"
_SCORE = 0.5
# Behind these words of a feast something else follows that has its name.
_ELSE = r"(?:[ \-](?:disease|factor|tree|island|eye|cactus|egg|lily|bunny|seals?|baskets?|rose)\b)"


@cache
def _before() -> re.Pattern[str]:
    words = f"(?:{detection.any_of('courtesies')}|{detection.any_of('courtesies_or_names')})"
    return re.compile(rf"(?i)(?:(?<![^\W_]){words}{_GAP})+\Z")


@cache
def _at_start() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?:(?:{detection.any_of('courtesies')}){_GAP})+(?=[^\W\d_])")


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
