"""Titles beside names: left in the note, as "Dr." names nobody, or hidden with the name, as a policy says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from elision.document import Span
from elision.labels import parent

# Words before a name, each with the dot that belongs to it, and what follows a Chinese one.
_WORDS = (
    r"(?:mr|mrs|ms|miss|mx|dr|dra|drs|prof|professor|doctor|sir|dame|sister|rev|fr|sr|sra|srta|don|doña|señor|señora|"
    r"señorita|d|dª|dña|dhr|mevr|mw|mevrouw|meneer|de heer|ir|ing|mej|zr)"
)
_BEFORE = re.compile(rf"(?i)(?:(?<![^\W_]){_WORDS}(?:\.[ \u00a0]{{0,2}}|[ \u00a0]{{1,2}}))+$")
_AT_START = re.compile(rf"(?i)(?:{_WORDS}(?:\.[ \u00a0]{{0,2}}|[ \u00a0]{{1,2}}))+(?=[^\W\d_])")
_BEHIND = re.compile(
    "(?:副?主任|主治|住院|实习)?(?:医师|医生|醫師|醫生|大夫|教授|护士长|护士|護士|护师|药师)|主任|先生|女士|小姐|太太|老师"
)
_FAR = 40
_NONE = frozenset(("INITIALS", "USERNAME"))


def with_titles(text: str, spans: Iterable[Span], titles: str) -> Iterator[Span]:
    """Disjoint spans in order, those of names with the titles beside them (`hide`) or without any (`keep`)."""
    reach = 0
    for span in spans:
        if parent(span.label) == "NAME" and span.label not in _NONE:
            span = _grown(text, span, reach) if titles == "hide" else _without(text, span)
        reach = span.end
        yield span


def _without(text: str, span: Span) -> Span:
    found = _AT_START.match(text, span.start, span.end)
    return replace(span, start=found.end()) if found and found.end() < span.end else span


def _grown(text: str, span: Span, reach: int) -> Span:
    before = _BEFORE.search(text[max(reach, span.start - _FAR) : span.start])
    behind = _BEHIND.match(text, span.end)
    start = span.start - len(before[0]) if before else span.start
    end = behind.end() if behind else span.end
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)
