"""The check that runs after every rewrite. It trusts nothing: it looks at what went in and at what came out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from elision.document import Document
from elision.labels import parent
from elision.replace.originals import Originals, plain, squeezed

MADE = frozenset(("surrogate", "shift", "hash", "seal"))  # what these make must not be the original
_TOKENS = frozenset(("tag", "mask", "hash", "seal"))  # what these write says nothing of the original


class Done(NamedTuple):
    """What was done with the span of the same number."""

    do: str
    text: str


def problems(
    before: Document, after: Document, done: Sequence[Done], originals: Originals, is_known: Callable[[str], bool]
) -> list[str]:
    """What is wrong with a rewritten note, each in a word; nothing, if it may come out."""
    if len(before.spans) != len(after.spans) or len(done) != len(before.spans):
        return ["spans-lost"]
    found: list[str] = []
    first, second = before.text, after.text
    a = b = 0
    safe: list[tuple[int, int]] = []
    for start, end, i in sorted([(span.start, span.end, i) for i, span in enumerate(before.spans)]):
        label, new, (do, text) = before.spans[i].label, after.spans[i], done[i]
        original = first[start:end]
        if first[a:start] != second[b : new.start] or start - a != new.start - b:
            found.append("text-outside-changed")
        if second[new.start : new.end] != text or label != new.label:
            found.append("offsets-wrong")
        if do in MADE:
            dated = parent(label) == "DATE"
            if _alike(original, text) and not (dated and _may_stay(before, original)):
                found.append("stand-in-is-original")
            elif do == "surrogate" and is_known(text):
                found.append("stand-in-is-known-value")
        if do in _TOKENS or text == original or parent(label) == "DATE":
            safe.append((new.start, new.end))
        a, b = end, new.end
    if first[a:] != second[b:]:
        found.append("text-outside-changed")
    starts = [start for start, _ in safe]
    for start, end, _ in originals.remaining(after.text):
        at = bisect_right(starts, start) - 1
        if at < 0 or end > safe[at][1]:
            found.append("original-remains")
    return found


def _may_stay(document: Document, original: str) -> bool:
    """A date that says too little to be moved: yesterday, a weekday moved by weeks, a year moved by days."""
    from elision.replace.dates import date_of

    return date_of(original, document.language or "en") is None


def _alike(original: str, text: str) -> bool:
    return original == text or squeezed(plain(original)) == squeezed(plain(text))
