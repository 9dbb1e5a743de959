"""The rule engine: all rows of some packs over notes, in about one pass.

A note is folded, so that disguises are gone; lines that were broken to fit a width are joined; then a sieve tells for
every few lines which rows can match there, and only those look. Offsets lead back to the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import numpy as np

from elision.document import Document, Span
from elision.fold import Folded, fold
from elision.linear.batch import portions, size_of
from elision.merge import merge
from elision.rules.pack import Pack, pack_names, read_pack
from elision.rules.row import LOOK_BEHIND, NOT, Row
from elision.rules.sieve import Sieve

PIECE = 512  # characters that are looked at together
WRAPPED = 56  # a line at least so long may go on in the next
# "Emergency contact: ..." is a line of its own
_LABELLED = re.compile(r"[^\W\d_][\w./'-]{0,24}(?: [\w./'-]{1,16}){0,3} ?[:：](?=\s|$)")
_ENDED = frozenset(".:;!?|=_-。")  # a line that ends so does not go on


class Match(NamedTuple):
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
        self._sieve = Sieve(self.rows)
        self._last: tuple[list[str], list[tuple[Span, ...]]] = ([], [])
        self.name = " ".join(("rules", *(pack.name for pack in self.packs)))

    @cached_property
    def version(self) -> str:
        """The fingerprint of the rows, whatever file they come from."""
        told = "\n".join(
            f"{row.id} {row.label} {row.score} {row.check_name} {row.edges} {row.source}" for row in self.rows
        )
        return sha256(told.encode()).hexdigest()[:16]

    def __call__(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            spans
            for portion in portions(documents, lambda document: size_of(document.text))
            for spans in self.spans_of([document.text for document in portion])
        ]

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same documents with the spans that the rules find."""
        for portion in portions(documents, lambda document: size_of(document.text)):
            for document, spans in zip(portion, self.spans_of([each.text for each in portion]), strict=True):
                yield document.with_spans(spans)

    def spans(self, text: str) -> tuple[Span, ...]:
        """The identifiers of a text, disjoint. Many notes are quicker together: call the rules with documents."""
        return self.spans_of([text])[0]

    def judged(self, text: str) -> list[Match]:
        """All matches; those of NOT, and what they beat, do not count."""
        return _judged(self.matches(text))

    def matches(self, text: str) -> list[Match]:
        """All that rows match, also what no check let pass and what is no identifier."""
        return self._matches([text])[0]

    def spans_of(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        """The identifiers of each text, all looked at together.

        What was found last is kept: a tagger that has rules as a feature asks for the same texts again.
        """
        asked = list(texts)
        before, found = self._last
        if asked != before:
            found = self._spans_of(asked)
            self._last = asked, found
        return list(found)

    def _spans_of(self, texts: Sequence[str]) -> list[tuple[Span, ...]]:
        return [
            merge(
                Span(start, end, row.label, row.score, row.origin)
                for start, end, row, why_not in _judged(matches)
                if not why_not
            )
            for matches in self._matches(texts)
        ]

    def _matches(self, texts: Sequence[str]) -> list[list[Match]]:
        views = [fold(text) for text in texts]
        cut = [(at, first, piece) for at, view in enumerate(views) for first, piece in pieces(view.text)]
        raws = [piece.encode("utf-8", "surrogatepass") for _, _, piece in cut]
        characters = [_characters(raw, piece) for raw, (_, _, piece) in zip(raws, cut, strict=True)]
        found: list[list[Match]] = [[] for _ in texts]
        for row, numbers in zip(self.rows, self._sieve(raws), strict=True):
            for number in numbers:
                at, first, piece = cut[number]
                found[at] += _in_piece(row, raws[number], piece, first, characters[number])
        return [_in_original(view, matches) for view, matches in zip(views, found, strict=True)]


@cache
def shipped_rules(language: str) -> Rules:
    """The pack of a language, for all that need it."""
    return Rules(language)


_LITTLE = frozenset(("DEPARTMENT", "SEX", "FAMILY_RELATION"))


class Sure:
    """Rules without what rows of the packs that come with elision find with a score below `least`, or what says little
    of anybody (a department, a sex, a mother).

    Beside a tagger that has rules as features: it knows better when a word that looks like a name is one, and whether
    departments are of interest. A row of somebody's own counts whatever its score and label.
    """

    def __init__(self, rules: Rules, least: float) -> None:
        self.rules = rules
        self.name, self.version = f"{rules.name}, from {least:g} on", rules.version
        self._weak = {
            row.origin
            for pack in rules.packs
            if pack.name in pack_names()
            for row in pack.rows
            if row.score < least or row.label in _LITTLE
        }

    def __call__(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        weak = self._weak
        return [tuple(span for span in spans if span.source not in weak) for spans in self.rules(documents)]


def _in_original(view: Folded, matches: list[Match]) -> list[Match]:
    if view.starts is None:
        return matches
    return [Match(*view.original(match.start, match.end), match.row, match.why_not) for match in matches]


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """Runs of lines with something in them, of about PIECE characters, and where they begin."""
    begin, run, size = 0, list[str](), 0
    for first, line in lines(text):
        if run and size + len(line) > PIECE:
            yield begin, "\n".join(run)
            run, size = [], 0
        if line or run:
            if not run:
                begin = first
            run.append(line)
            size += len(line) + 1
    if run:
        yield begin, "\n".join(run)


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
    if len(line) < WRAPPED or not following[:1].isalnum() or _LABELLED.match(following):
        return False
    end = line.rstrip(" \t\r")[-1:]
    return end != "" and end not in _ENDED


def _in_piece(row: Row, raw: bytes, piece: str, first: int, character: Callable[[int], int]) -> list[Match]:
    """Where a row matches in a piece, which begins at `first`, and why a match does not count."""
    found: list[Match] = []
    at, size = 0, len(raw)
    while at < size:
        match = row.regex.search(raw, at)
        if match is None:
            break
        (begin_all, _), (begin, end) = match
        if begin < 0 or begin == end:  # an empty identifier is none
            at = _next(raw, max(at, begin_all))
            continue
        start, stop = character(begin), character(end)
        why_not = ""
        if row.edges and (_cuts(piece, start) or _cuts(piece, stop)):
            why_not = "begins or ends inside a word or number"
        elif row.not_before is not None and row.not_before.occurs(raw[max(0, begin - 4 * LOOK_BEHIND) : begin]):
            why_not = "of what stands before it"
        elif row.not_after is not None and row.not_after.begins(raw, end):
            why_not = "of what stands after it"
        elif row.check is not None and not row.check(piece[start:stop]):
            why_not = f"the check {row.check_name} fails"
        found.append(Match(first + start, first + stop, row, why_not))
        at = _next(raw, begin) if why_not else end
    return found


def _characters(raw: bytes, piece: str) -> Callable[[int], int]:
    """From offsets in bytes to offsets in characters."""
    if len(raw) == len(piece):
        return int
    if len(raw) <= 4 * PIECE:
        return lambda at: len(raw[:at].decode("utf-8", "surrogatepass"))
    begins = np.cumsum((np.frombuffer(raw, np.uint8) & 0xC0) != 0x80) - 1
    return lambda at: int(begins[at]) if at < len(raw) else len(piece)


def _next(raw: bytes, at: int) -> int:
    """The place of the next character."""
    at += 1
    while at < len(raw) and raw[at] & 0xC0 == 0x80:
        at += 1
    return at


def _cuts(text: str, at: int) -> bool:
    """Whether a word or a number runs over this place. Chinese characters are words of their own."""
    if not 0 < at < len(text):
        return False
    a, b = text[at - 1], text[at]
    if a.isalpha():
        return a < "\u2e80" and b.isalpha() and b < "\u2e80"
    return a.isdigit() and b.isdigit()


def _judged(found: list[Match]) -> list[Match]:
    """Matches of identifiers lose where a row of NOT matches that is as strong; what that row says is no identifier."""
    harmless = sorted((m for m in found if m.row.label == NOT and not m.why_not), key=lambda match: match.start)
    if not harmless:
        return found
    starts = [match.start for match in harmless]
    furthest = list(accumulate((match.end for match in harmless), max))
    judged = []
    for match in found:
        start, end, row, why_not = match
        if not why_not:
            if row.label == NOT:
                why_not = "it says that this is no identifier"
            at = bisect_left(starts, end) - 1
            while not why_not and at >= 0 and furthest[at] > start:
                other = harmless[at]
                if other.end > start and other.row.score >= row.score:
                    why_not = f"{other.row.id} says that this is no identifier"
                at -= 1
            if why_not:
                match = Match(start, end, row, why_not)
        judged.append(match)
    return judged
