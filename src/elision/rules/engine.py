"""The rule engine: all rows of some packs over notes, in about one pass.

A note is folded, so that disguises are gone; lines that were broken to fit a width are joined; then a set of all rows
tells for each line which of them can match there, and only those look. Offsets lead back to the original text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import re2

from elision.document import Document, Span
from elision.fold import fold
from elision.merge import merge
from elision.rules.pack import Pack, read_pack
from elision.rules.row import LOOK_BEHIND, MEMORY, NOT, Row, options

WRAPPED = 56  # a line at least so long may go on in the next
_ENDED = frozenset(".:;!?|=_-")  # a line that ends so does not go on


@dataclass(frozen=True, slots=True)
class Match:
    """What a row found: offsets in the original text. `why_not` says why it does not count, "" if it does."""

    start: int
    end: int
    row: Row
    why_not: str = ""


class Rules:
    """A detector of some packs: `Rules("es")`, `Rules("es", Path("ours.toml"))`."""

    def __init__(self, *packs: str | Path | Pack) -> None:
        self.packs = tuple(pack if isinstance(pack, Pack) else read_pack(pack) for pack in packs)
        self.rows = tuple(row for pack in self.packs for row in pack.rows)
        self._set = _set_of(self.rows)

    def __call__(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self.spans(document.text) for document in documents]

    def spans(self, text: str) -> tuple[Span, ...]:
        """The identifiers of a text, disjoint."""
        return merge(
            Span(match.start, match.end, match.row.label, match.row.score, f"rule:{match.row.id}")
            for match in self.judged(text)
            if not match.why_not
        )

    def judged(self, text: str) -> list[Match]:
        """All matches; those of NOT, and what they beat, do not count."""
        return _judged(list(self.matches(text)))

    def matches(self, text: str) -> Iterator[Match]:
        """All that rows match, also what no check let pass and what is no identifier."""
        view = fold(text)
        for first, line in lines(view.text):
            if line:
                raw = line.encode("utf-8", "surrogatepass")
                hits = self._set.Match(raw)
                if hits:
                    characters = None if len(raw) == len(line) else _characters(raw)
                    for number in hits:
                        row = self.rows[number]
                        for start, end, why_not in _in_line(row, raw, line, characters):
                            yield Match(*view.original(first + start, first + end), row, why_not)


def _set_of(rows: Sequence[Row]) -> Any:
    found = re2.Set.SearchSet(options_for(len(rows)))
    for row in rows:
        found.Add(row.source.encode())
    found.Compile()
    return found


def options_for(rows: int) -> Any:
    chosen = options()
    chosen.max_mem = MEMORY * max(2, rows // 16)
    return chosen


def lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text and where they begin; lines that were broken to fit a width are one, with a blank between."""
    first, parts, size = 0, list[str](), 0
    for line in text.split("\n"):
        if parts:
            if _goes_on(parts[-1], line):
                parts[-1] = parts[-1].replace("\r", " ")
            else:
                yield first, " ".join(parts)
                first, parts, size = first + size, [], 0
        parts.append(line)
        size += len(line) + 1
    yield first, " ".join(parts)


def _goes_on(line: str, following: str) -> bool:
    if len(line) < WRAPPED or not following[:1].isalnum():
        return False
    end = line.rstrip(" \t\r")[-1:]
    return end != "" and end not in _ENDED


def _characters(raw: bytes) -> Any:
    """For each byte the character that it belongs to, and one more for the end."""
    begins = (np.frombuffer(raw, np.uint8) & 0xC0) != 0x80
    return np.append(np.cumsum(begins) - 1, int(begins.sum()))


def _in_line(row: Row, raw: bytes, line: str, characters: Any) -> Iterator[tuple[int, int, str]]:
    """Where a row matches in a line, in characters, and why a match does not count."""
    at, size = 0, len(raw)
    while at < size:
        match = row.regex.search(raw, at)
        if match is None:
            return
        begin, end = match.span(1)
        if begin < 0 or begin == end:  # an empty identifier is none
            at = _next(raw, max(at, match.start()))
            continue
        start, stop = (begin, end) if characters is None else (int(characters[begin]), int(characters[end]))
        why_not = _why_not(row, raw, begin, end, line, start, stop)
        yield start, stop, why_not
        at = _next(raw, begin) if why_not else end


def _next(raw: bytes, at: int) -> int:
    """The place of the next character."""
    at += 1
    while at < len(raw) and raw[at] & 0xC0 == 0x80:
        at += 1
    return at


def _why_not(row: Row, raw: bytes, begin: int, end: int, line: str, start: int, stop: int) -> str:
    if row.edges and (_cuts(line, start) or _cuts(line, stop)):
        return "begins or ends inside a word or number"
    if row.not_before is not None and row.not_before.search(raw[max(0, begin - 4 * LOOK_BEHIND) : begin]):
        return "of what stands before it"
    if row.not_after is not None and row.not_after.match(raw, end):
        return "of what stands after it"
    if row.check is not None and not row.check(line[start:stop]):
        return f"the check {row.check_name} fails"
    return ""


def _cuts(line: str, at: int) -> bool:
    """Whether a word or a number runs over this place. Chinese characters are words of their own."""
    if not 0 < at < len(line):
        return False
    a, b = line[at - 1], line[at]
    if a.isdigit() and b.isdigit():
        return True
    return a.isalpha() and b.isalpha() and a < "\u2e80" and b < "\u2e80"


def _judged(found: list[Match]) -> list[Match]:
    """Matches of identifiers lose where a row of NOT matches that is as strong; what that row says is no identifier."""
    harmless = sorted((m for m in found if m.row.label == NOT and not m.why_not), key=lambda match: match.start)
    if not harmless:
        return found
    starts = np.array([match.start for match in harmless])
    furthest = np.maximum.accumulate(np.array([match.end for match in harmless]))
    judged = []
    for match in found:
        why_not = match.why_not or ("it says that this is no identifier" if match.row.label == NOT else "")
        at = int(np.searchsorted(starts, match.end)) - 1
        while not why_not and at >= 0 and furthest[at] > match.start:
            other = harmless[at]
            if other.end > match.start and other.row.score >= match.row.score:
                why_not = f"{other.row.id} says that this is no identifier"
            at -= 1
        judged.append(replace(match, why_not=why_not) if why_not != match.why_not else match)
    return judged
