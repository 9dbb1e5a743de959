"""What lists of words say of a note: what in it is never removed, and what always is.

Of an identifier that was found, only all of it is let go: every letter and digit of it belongs to words that are
allowed, and no other name touches it. Two things are stronger than a word that is allowed: a value that the record
states of the patient, in whatever spelling it is found, and a word that is denied. What is let go may stand in the new
note, wherever it stands; a word that is denied may not stand there at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from elision.detect.known import Finder
from elision.detect.markup import unmarked
from elision.detect.memory import stated
from elision.detect.safely import Detected, Values
from elision.document import Document, Span, covered
from elision.errors import HeldError
from elision.keys import Key
from elision.labels import canonical, parent
from elision.languages.base import code_of
from elision.merge import merge
from elision.replace.beside import without_titles
from elision.replace.earlier import tokens
from elision.replace.originals import cuts, plain
from elision.replace.word_lists import ALLOW, ANY, DENY, WordList
from elision.text.fold import fold, viewed
from elision.text.many import places_of

Stretches = list[tuple[int, int]]
MayStay = Callable[[int, int, str], bool]  # a stretch, and the label of what stands there
RECORD, MEMORY = "known", "memory"  # how the sources of spans begin that the record, and other notes, tell
_BLANKS = re.compile(r"\s+")
_JOINT = re.compile(r"[^\w\n]{0,3}")  # between two parts of a name


class Place(NamedTuple):
    """Where a word of a list stands, and the label that it has there."""

    start: int
    end: int
    label: str


class Index:
    """The words of a list, ready to be found in texts: as whole words, in any case, accent, width and blanks."""

    def __init__(self, words: WordList) -> None:
        self._labels: dict[str, dict[str, list[str]]] = {}  # by language and word
        for one in words.entries:
            self._labels.setdefault(one.language, {}).setdefault(one.words, []).append(one.label)

    def places(self, text: str, languages: Iterable[str]) -> list[Place]:
        """Where they stand in a text in these languages, in order."""
        if not self._labels:
            return []
        found: set[Place] = set()
        whole = fold(text)
        views = [whole, marked.then(fold(marked.text))] if (marked := unmarked(text)) else [whole]
        for view in views:
            low = plain(view.text)
            if moves := [(*gap.span(), " ") for gap in _BLANKS.finditer(low) if gap[0] != " "]:
                view = view.then(viewed(low, moves))
                low = view.text
            for code in (ANY, *dict.fromkeys(map(code_of, languages))):
                words = self._labels.get(code, {})
                for word, start in places_of(words, low):
                    end = start + len(word)
                    if not cuts(low, start) and not cuts(low, end):
                        found.update(Place(*view.original(start, end), label) for label in words[word])
        return sorted(found)


class Lists:
    """What is never removed and what always is, for all notes."""

    def __init__(self, allow: WordList | None = None, deny: WordList | None = None) -> None:
        self._lists = [one for one in (allow, deny) if one]
        self.allow, self.deny = Index(allow or WordList(ALLOW)), Index(deny or WordList(DENY))
        self.allows, self.denies = bool(allow), bool(deny)

    def told(self, key: Key | None) -> dict[str, str]:
        """What receipts say of the lists."""
        return {one.kind: one.told(key) for one in self._lists}

    def of(self, document: Document, found: Sequence[Span] = ()) -> Listed:
        """What they say of a note in which this was found."""
        return Listed(self, document, found) if self._lists else NOTHING

    def with_stated(
        self, documents: Sequence[Document], found: Sequence[Detected], memories: Callable[[str], Values] | None
    ) -> list[Detected]:
        """What was found in notes, and with it where values stand that records state of their patients, covered or not:
        a word that is allowed could let go what covers them."""
        if not self.allows:
            return list(found)
        known: dict[str, dict[str, set[str]]] = {}
        for document in documents:
            if document.patient and document.patient not in known:
                told = memories(document.patient) if memories else {}
                known[document.patient] = {kind: {*each} for kind, each in told.items() if kind not in canonical()}
            if document.patient:
                for kind, each in document.known.items():
                    known[document.patient].setdefault(kind, set()).update(each)
        finders = {patient: Finder(values) for patient, values in known.items() if values}
        return [
            (*spans, *finders[one.patient].spans(one.text))
            if one.patient in finders and not isinstance(spans, HeldError)
            else spans
            for one, spans in zip(documents, found, strict=True)
        ]


class Listed:
    """What lists say of one note."""

    def __init__(self, lists: Lists, document: Document, found: Sequence[Span] = ()) -> None:
        self._lists = lists
        self._text = document.text
        self._languages = (document.language, *document.also)
        self.denied = list(merge(self._denied_in(document.text)))
        self._ends = [one.end for one in self.denied]
        self._found = found
        self._as: dict[str, Stretches] = {}  # where words stand that are allowed, by label

    @cached_property
    def _allowed(self) -> list[Place]:
        """Where words stand that are allowed, but for those in what the record states or what is denied."""
        known = [one for one in self._found if one.source.startswith(f"{RECORD}:") or _recalled(one)]
        barred = covered([*known, *self.denied])
        ends = [end for _, end in barred]
        return [
            one
            for one in self._lists.allow.places(self._text, self._languages)
            if (at := bisect_right(ends, one.start)) == len(barred) or barred[at][0] >= one.end
        ]

    def touches(self, span: Span) -> bool:
        """Whether some of it is denied: then it does not stay, whatever the policy keeps."""
        at = bisect_right(self._ends, span.start)
        return at < len(self.denied) and self.denied[at].start < span.end

    def denied_in(self, text: str) -> list[tuple[int, int]]:
        """Where words that are denied stand in a text."""
        return covered(self._denied_in(text)) if self._lists.denies else []

    def _denied_in(self, text: str) -> Iterator[Span]:
        places = self._lists.deny.places(text, self._languages)
        ours = [one.span() for one in tokens().finditer(text)] if places and "[" in text else []
        for start, end, label in places:
            at = bisect_right(ours, (start, len(text))) - 1
            if at < 0 or ours[at][1] < end:
                yield Span(start, end, label, 1.0, DENY)

    def with_denied(self, found: Sequence[Span]) -> Sequence[Span]:
        """What was found, and what is denied: instead of finds that are no longer, and but for those that are in longer
        ones. So a name is not split, and a word that is denied by itself has the label of the list."""
        if not self.denied:
            return found
        starts = [one.start for one in self.denied]
        left = []
        for span in found:
            at = bisect_right(starts, span.start) - 1
            if at < 0 or self.denied[at].end < span.end:
                left.append(span)
        order = sorted((span.start, span.end) for span in left)
        reach = list(accumulate((end for _, end in order), max))
        return [*left, *(one for one in self.denied if not _is_within(one, order, reach))]

    def without_allowed(self, spans: Sequence[Span]) -> tuple[Span, ...]:
        """Disjoint spans in order, without those that are let go."""
        if not self._lists.allows or not spans or not self._allowed:
            return tuple(spans)
        free = [self._is_allowed(span) for span in without_titles(self._text, spans)]
        kept: list[Span] = []
        for first, after in _names(self._text, spans):
            if not all(free[first:after]):
                kept += spans[first:after]
        return tuple(kept)

    def _is_allowed(self, span: Span) -> bool:
        """Whether each letter and digit of it is in a word that is allowed for its label."""
        return _covers(self._allowed_as(span.label), self._text, span.start, span.end)

    def _allowed_as(self, label: str) -> Stretches:
        """Where words stand that are allowed for a label."""
        if label not in self._as:
            self._as[label] = covered(Span(*one) for one in self._allowed if one.label in _names_of(label))
        return self._as[label]

    def staying(self, before: Document, after: Document) -> MayStay:
        """Tells whether a stretch of the new note may stand there since it is allowed for a label: as words that stood
        there before, and are not replaced."""
        if not self._lists.allows or not self._allowed:
            return _never
        spans = sorted(zip(before.spans, after.spans, strict=True), key=lambda pair: pair[0].start)
        ends = [old.end for old, _ in spans]
        moved: dict[str, Stretches] = {}

        def may_stay(start: int, end: int, label: str) -> bool:
            if label not in moved:
                moved[label] = list(_moved(self._allowed_as(label), spans, ends))
            return _covers(moved[label], after.text, start, end)

        return may_stay


NOTHING = Listed(Lists(), Document(""))


def _moved(stretches: Stretches, spans: Sequence[tuple[Span, Span]], ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """What of these stretches of the old note is not replaced, as stretches of the new one."""
    for start, end in stretches:
        at, by = start, bisect_right(ends, start)
        while at < end:
            shift = spans[by - 1][1].end - spans[by - 1][0].end if by else 0
            stop = min(end, spans[by][0].start) if by < len(spans) else end
            if stop > at:
                yield at + shift, stop + shift
            if stop == end:
                break
            at, by = spans[by][0].end, by + 1


def _covers(stretches: Stretches, text: str, at: int, stop: int) -> bool:
    """Whether each letter and digit of this part of a text is in one of the stretches."""
    for start, end in stretches[bisect_right(stretches, at, key=_end) :]:
        if start >= stop or any(map(str.isalnum, text[at:start])):
            break
        at = end
    return not any(map(str.isalnum, text[at:stop]))


def _never(_start: int, _end: int, _label: str) -> bool:
    return False


def _end(stretch: tuple[int, int]) -> int:
    return stretch[1]


def _names_of(label: str) -> tuple[str, str, str]:
    return ANY, label, parent(label)


def _recalled(span: Span) -> bool:
    """Whether it was found since a record of the patient states it."""
    return span.source.startswith(f"{MEMORY}:") and stated(span)


def _is_within(span: Span, order: Sequence[tuple[int, int]], reach: Sequence[int]) -> bool:
    """Whether one of these stretches, which are in order and reach so far, holds the span and more."""
    before = bisect_left(order, (span.start,))
    after = bisect_left(order, (span.start + 1,))
    return bool((before and reach[before - 1] >= span.end) or (after and reach[after - 1] > span.end))


def _names(text: str, spans: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """The spans in runs, from one number to another: names that touch are one, any other is by itself."""
    first = 0
    for at in range(1, len(spans) + 1):
        if at < len(spans):
            one, two = spans[at - 1], spans[at]
            are_names = parent(one.label) == "NAME" == parent(two.label)
            if are_names and _JOINT.fullmatch(text, one.end, two.start):
                continue
        yield first, at
        first = at
