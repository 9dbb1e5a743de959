"""The check that runs after every rewrite. It trusts nothing: it looks at what went in and at what came out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

from elision.document import Document
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.replace.listed import NOTHING, Listed
from elision.replace.originals import SURE, Originals, plain, squeezed

MADE = frozenset(("surrogate", "shift", "shuffle", "hash", "seal"))  # what these make must not be the original
_NAMED = frozenset(("NAME", "ID"))  # stand-ins in which no original may stand, not even as a part of a word
REMAINS = "original-remains"
DENIED = "denied-word-remains"
_FIELD = re.compile(r"\d+|[^\W\d_]+")
_TOKENS = frozenset(("tag", "mask", "hash", "seal"))  # what these write says nothing of the original


class Problem(NamedTuple):
    """What is wrong, in a word; of which label, and where in the note that went in, as far as that can be said."""

    what: str
    label: str = ""
    start: int = 0
    end: int = 0


class Done(NamedTuple):
    """What was done with the span of the same number."""

    do: str
    text: str


def problems(
    before: Document,
    after: Document,
    done: Sequence[Done],
    originals: Originals,
    is_known: Callable[[str], bool],
    spared: Sequence[tuple[int, int]] = (),
    listed: Listed = NOTHING,
) -> list[Problem]:
    """What is wrong with a rewritten note; nothing, if it may come out. `spared` are the stretches of
    the note in which the sweep saw an original's letters and doubted that they are one: they may stand there, in that
    place and nowhere else, unless there is no doubt about them. Of words that are `listed`, those that are allowed may
    stand where they stood, and those that are denied nowhere."""
    if len(before.spans) != len(after.spans) or len(done) != len(before.spans):
        return [Problem("spans-lost")]
    found: list[Problem] = []
    first, second = before.text, after.text
    a = b = 0
    safe: list[tuple[int, int]] = []
    made: list[tuple[int, int]] = []  # where labels and the like stand, that are no words of the note
    left: set[tuple[int, int]] = set()  # where the spared stretches are now
    waiting = deque(sorted(spared))
    for start, end, i in sorted([(span.start, span.end, i) for i, span in enumerate(before.spans)]):
        label, new, (do, text) = before.spans[i].label, after.spans[i], done[i]
        original, here = first[start:end], (label, start, end)
        if first[a:start] != second[b : new.start] or start - a != new.start - b:
            found.append(Problem("text-outside-changed", "", a, start))
        left |= _moved(waiting, start, b - a)
        if second[new.start : new.end] != text or label != new.label:
            found.append(Problem("offsets-wrong", *here))
        if do in MADE:
            dated = parent(label) == "DATE"
            if _alike(original, text, dated) and not (dated and _may_stay(before, original)):
                found.append(Problem("stand-in-is-original", *here))
            elif do in ("surrogate", "shuffle") and is_known(text):
                found.append(Problem("stand-in-is-known-value", *here))
            elif do == "surrogate" and parent(label) in _NAMED and originals.within(text):
                found.append(Problem(REMAINS, *here))
        if do in _TOKENS:
            made.append((new.start, new.end))
        if do in _TOKENS or text == original or parent(label) == "DATE":
            safe.append((new.start, new.end))
        a, b = end, new.end
    if first[a:] != second[b:]:
        found.append(Problem("text-outside-changed", "", a, len(first)))
    left |= _moved(waiting, len(first), b - a)
    may_stay = listed.staying(before, after)
    for start, end, label, least in originals.remaining(after.text):
        if _lies_in(safe, start, end) or (least != SURE and (start, end) in left) or may_stay(start, end, label):
            continue
        found.append(Problem(REMAINS, label, *_before(before, after, start, end)))
    for start, end in listed.denied_in(after.text):
        if not _lies_in(made, start, end):
            found.append(Problem(DENIED, "", *_before(before, after, start, end)))
    return found


def _lies_in(stretches: Sequence[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a stretch lies in one of these, which are disjoint and in order."""
    at = bisect_right(stretches, (start, len(stretches) and stretches[-1][1])) - 1
    return at >= 0 and end <= stretches[at][1]


def _before(before: Document, after: Document, start: int, end: int) -> tuple[int, int]:
    """Where what stands in a stretch of the new note stood in the old one; of a stand-in, the whole original."""
    first, last, by_first, by_last = start, end, 0, 0
    for new, old in sorted(zip(after.spans, before.spans, strict=True), key=lambda pair: pair[0].start):
        if new.start <= start:
            first, by_first = (old.start, 0) if start < new.end else (start, old.end - new.end)
        if new.start < end:
            last, by_last = (old.end, 0) if end <= new.end else (end, old.end - new.end)
    return first + by_first, last + by_last


def _moved(waiting: deque[tuple[int, int]], upto: int, by: int) -> set[tuple[int, int]]:
    """The first of these stretches, as far as they begin before a place, moved."""
    moved = set()
    while waiting and waiting[0][0] < upto:
        start, end = waiting.popleft()
        moved.add((start + by, end + by))
    return moved


def _may_stay(document: Document, original: str) -> bool:
    """A date that says too little to be moved: yesterday, a weekday moved by weeks, a year moved by days."""
    from elision.replace.dates import date_of

    return date_of(original, document.language or DEFAULT) is None


def _alike(original: str, text: str, dated: bool) -> bool:
    """Whether two texts have the same letters and digits. Of dates, in the same fields: 12/4/2021 is not 1/24/2021."""
    one, other = plain(original), plain(text)
    if squeezed(one) != squeezed(other):
        return False
    fields, others = _FIELD.findall(one), _FIELD.findall(other)
    return not dated or fields == others or len(fields) != len(others)
