"""Titles beside names: left in the note, as "Dr." names nobody, or hidden with the name, as a policy says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from elision.document import Span
from elision.labels import parent

# Words before a name, each with the dot that belongs to it, and what follows a Chinese one. Those of the first row are
# never names themselves; Don, Ing, Dame and D. are, and so stay hidden with a name that begins with them.
_NEVER_NAMES = (
    "mr|mrs|ms|miss|mx|dr|dra|drs|prof|professor|doctor|sra|srta|señor|señora|señorita|dhr|mevr|mw|mevrouw|meneer"
    "|de heer"
)
_WORDS = f"(?:{_NEVER_NAMES}|sir|dame|sister|rev|fr|sr|don|doña|d|dª|dña|ir|ing|mej|zr)"
_GAP = r"(?:\.[ \u00a0]{0,2}|[ \u00a0]{1,2})"
_BEFORE = re.compile(rf"(?i)(?:(?<![^\W_]){_WORDS}{_GAP})+\Z")
_AT_START = re.compile(rf"(?i)(?:(?:{_NEVER_NAMES}){_GAP})+(?=[^\W\d_])")
_BEHIND = re.compile(
    "(?:副?主任|主治|住院|实习)?(?:医师|医生|醫師|醫生|大夫|教授|护士长|护士|護士|护师|药师)|主任|先生|女士|小姐|太太|老师"
)
_FAR = 40
_NONE = frozenset(("INITIALS", "USERNAME"))


def without_titles(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, those of names without the titles that they begin with."""
    for span in spans:
        found = _AT_START.match(text, span.start, span.end) if _is_a_name(span) else None
        yield replace(span, start=found.end()) if found else span


def with_titles(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    """Disjoint spans in order, those of names with the titles beside them as far as these are in no other span."""
    reach = 0
    for at, span in enumerate(spans):
        if _is_a_name(span):
            before = _BEFORE.search(text[max(reach, span.start - _FAR) : span.start])
            behind = _BEHIND.match(text, span.end, spans[at + 1].start if at + 1 < len(spans) else len(text))
            if before or behind:
                start = span.start - len(before[0]) if before else span.start
                span = replace(span, start=start, end=behind.end() if behind else span.end)
        reach = span.end
        yield span


def _is_a_name(span: Span) -> bool:
    return parent(span.label) == "NAME" and span.label not in _NONE
