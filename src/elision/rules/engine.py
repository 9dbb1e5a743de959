"""The rule engine: all rows of some packs over notes, in about one pass.

A note is folded, so that disguises are gone; lines that were broken to fit a width are joined; then rows are found in
every few lines. Offsets lead back to the original text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from elision.document import Document, Span, documents_of, each_document
from elision.languages.base import shipped
from elision.merge import merge
from elision.rules.by_re2 import WHY, Hit, Piece
from elision.rules.compiled import finder
from elision.rules.pack import Pack, read_pack
from elision.rules.row import NOT, Row
from elision.text.fold import Folded, fold
from elision.text.portions import portions, size_of

PIECE = 512  # characters that are looked at together
CERTAIN = 1.0  # the score of a row of NOT that takes away what a tagger finds, too
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


class Looked(NamedTuple):
    """What rules say of a text: identifiers, disjoint, stretches that rows of NOT hold for none, and those of which
    such a row is CERTAIN: there, a tagger's find counts as little as a rule's."""

    spans: tuple[Span, ...]
    harmless: tuple[tuple[int, int], ...]
    never: tuple[tuple[int, int], ...] = ()


class Rules:
    """A detector of some packs: `Rules("es")`, `Rules("es", Path("ours.toml"))`."""

    def __init__(self, *packs: str | Path | Pack) -> None:
        self.packs = tuple(pack if isinstance(pack, Pack) else read_pack(pack) for pack in packs)
        self.rows = tuple(row for pack in self.packs for row in pack.rows)
        self._finder = finder(self.rows)
        self._not_ours = {number for number, row in enumerate(self.rows) if row.label == NOT}
        self._last: tuple[list[str], list[Looked]] = ([], [])
        self.name = " ".join(("rules", *(pack.name for pack in self.packs)))

    @cached_property
    def version(self) -> str:
        """The fingerprint of the rows, whatever file they come from."""
        told = "\n".join(
            f"{row.id} {row.label} {row.score} {row.check_name} {row.edges} {row.source}" for row in self.rows
        )
        return sha256(told.encode()).hexdigest()[:16]

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [
            spans
            for portion in portions(documents_of(documents), lambda document: size_of(document.text))
            for spans in self.spans_of([document.text for document in portion])
        ]

    def tag(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same documents with the spans that the rules find."""
        for portion in portions(each_document(documents), lambda document: size_of(document.text)):
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
        """The identifiers of each text, all looked at together."""
        return [looked.spans for looked in self.looked_at(texts)]

    def looked_at(self, texts: Sequence[str]) -> list[Looked]:
        """What all rows say of each text.

        What was found last is kept: a tagger that has rules as a feature asks for the same texts again.
        """
        asked = list(texts)
        before, found = self._last
        if asked != before:
            found = [self._looked(hits) for hits in self._hits(asked, counting=True)]
            self._last = asked, found
        return found

    def _looked(self, hits: Sequence[Hit]) -> Looked:
        rows, not_ours = self.rows, self._not_ours
        harmless = _Harmless((start, end, rows[number]) for number, start, end, _ in hits if number in not_ours)
        spans = []
        for number, start, end, _ in hits:
            row = rows[number]
            if number not in not_ours and not harmless.beats(start, end, row):
                spans.append(Span(start, end, row.label, row.score, row.origin))
        return Looked(merge(spans), harmless.stretches, harmless.certain)

    def _matches(self, texts: Sequence[str]) -> list[list[Match]]:
        def match(hit: Hit) -> Match:
            number, start, end, why = hit
            row = self.rows[number]
            return Match(start, end, row, WHY[why].format(check=row.check_name))

        return [list(map(match, hits)) for hits in self._hits(texts)]

    def _hits(self, texts: Sequence[str], counting: bool = False) -> list[list[Hit]]:
        """What rows match in each text, row by row."""
        views = [fold(text) for text in texts]
        cut = [(at, piece) for at, view in enumerate(views) for piece in pieces(view.text)]
        found: list[list[Hit]] = [[] for _ in texts]
        for (at, _), hits in zip(cut, self._finder.find([piece for _, piece in cut], counting), strict=True):
            found[at] += hits
        return [_in_original(view, sorted(hits)) for view, hits in zip(views, found, strict=True)]


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
        ours = [row for pack in rules.packs if pack.name in shipped() for row in pack.rows]
        self.ours = frozenset(row.origin for row in ours)  # sources of spans of the packs that come with elision
        self._weak = {row.origin for row in ours if row.score < least or row.label in _LITTLE}

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        weak = self._weak
        return [tuple(span for span in spans if span.source not in weak) for spans in self.rules.detect(documents)]


def _in_original(view: Folded, hits: list[Hit]) -> list[Hit]:
    if view.starts is None:
        return hits
    return [(number, *view.original(start, end), why) for number, start, end, why in hits]


def pieces(text: str) -> Iterator[Piece]:
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
    every = text.split("\n")
    room = _Room(every)
    for at, line in enumerate(every):
        if parts:
            if _may_go_on(parts[-1], line) and not room.in_line(at - 1):
                parts[-1] = parts[-1].replace("\r", " ")
            else:
                yield first, " ".join(parts)
                first, parts, size = first + size, [], 0
        parts.append(line)
        size += len(line) + 1
    yield first, " ".join(parts)


def _may_go_on(line: str, following: str) -> bool:
    if len(line) < WRAPPED or not following[:1].isalnum() or _LABELLED.match(following):
        return False
    if any(edge in line and edge in following for edge in "|\t"):  # rows of a table
        return False
    end = line.rstrip(" \t\r")[-1:]
    return end != "" and end not in _ENDED


class _Room:
    """Whether a line had room for the next one's first word: it was not broken to fit a width then. The longest of the
    lines between two empty ones tells the width; it is looked for once."""

    def __init__(self, every: Sequence[str]) -> None:
        self._every = every
        self._upto, self._width = 0, 0  # of the lines between empty ones that were looked at last

    def in_line(self, at: int) -> bool:
        if at >= self._upto:
            first = after = at
            while first and self._every[first - 1].strip():
                first -= 1
            while after < len(self._every) and self._every[after].strip():
                after += 1
            self._upto, self._width = after, max(map(len, self._every[first:after]))
        word = self._every[at + 1].split(maxsplit=1)[0]
        return len(self._every[at].rstrip()) + 1 + len(word) <= self._width


class _Harmless:
    """Stretches that rows of NOT found: what they say is no identifier."""

    def __init__(self, found: Iterable[tuple[int, int, Row]]) -> None:
        self._found = sorted(found, key=lambda stretch: stretch[0])
        self._starts = [start for start, _, _ in self._found]
        self._furthest = list(accumulate((end for _, end, _ in self._found), max))

    @property
    def stretches(self) -> tuple[tuple[int, int], ...]:
        return tuple((start, end) for start, end, _ in self._found)

    @property
    def certain(self) -> tuple[tuple[int, int], ...]:
        return tuple((start, end) for start, end, row in self._found if row.score >= CERTAIN)

    def beats(self, start: int, end: int, row: Row) -> Row | None:
        """The row of NOT that overlaps with what this row found and is as strong."""
        at = bisect_left(self._starts, end) - 1
        while at >= 0 and self._furthest[at] > start:
            _, until, other = self._found[at]
            if until > start and other.score >= row.score:
                return other
            at -= 1
        return None


def _judged(found: list[Match]) -> list[Match]:
    """Matches of identifiers lose where a row of NOT matches that is as strong; what that row says is no identifier."""
    harmless = _Harmless((m.start, m.end, m.row) for m in found if m.row.label == NOT and not m.why_not)
    judged = []
    for match in found:
        if not match.why_not:
            if match.row.label == NOT:
                match = match._replace(why_not="it says that this is no identifier")
            elif other := harmless.beats(match.start, match.end, match.row):
                match = match._replace(why_not=f"{other.id} says that this is no identifier")
        judged.append(match)
    return judged
