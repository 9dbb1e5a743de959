"""Spans to tags and back.

`encode` and `decode` are inverses on spans that start and end where tokens do. A span that cuts a token
grows to it and is never lost; `grow` says how much that was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from elision.document import Span
from elision.merge import merge
from elision.tokens import Tokens

OUTSIDE = "O"


@dataclass(frozen=True, slots=True)
class Growth:
    """What it took to bring spans along tokens."""

    spans: int = 0  # how many cut a token and grew
    characters: int = 0  # by how many characters in all
    trimmed: int = 0  # how many lost white space at their edges
    lost: int = 0  # how many hold no token at all, or stand wholly on the tokens of a stronger span


def grow(spans: Iterable[Span], tokens: Tokens) -> tuple[tuple[Span, ...], Growth]:
    """Spans along whole tokens, disjoint and in order, and what that changed.

    White space at a span's edges goes, since tokens have none. Where two spans come to lie on one token, it goes to the
    stronger, as in `merge`.
    """
    starts, ends = tokens.starts, tokens.ends
    given = list(spans)
    firsts = np.searchsorted(ends, np.array([span.start for span in given], np.int64), side="right").tolist()
    lasts = np.searchsorted(starts, np.array([span.end for span in given], np.int64), side="left").tolist()
    ranges: list[Span] = []
    grown = characters = trimmed = lost = 0
    for number, (span, first, last) in enumerate(zip(given, firsts, lasts, strict=True)):
        if first >= last or span.start == span.end:
            lost += 1
            continue
        start, end = int(starts[first]), int(ends[last - 1])
        added = max(span.start - start, 0) + max(end - span.end, 0)
        grown += added > 0
        characters += added
        trimmed += start > span.start or end < span.end
        ranges.append(replace(span, start=first, end=last, source=str(number)))
    placed = merge(ranges)
    lost += len(ranges) - len({span.source for span in placed})
    along = (
        replace(given[int(span.source)], start=int(starts[span.start]), end=int(ends[span.end - 1])) for span in placed
    )
    return tuple(along), Growth(grown, characters, trimmed, lost)


def encode(spans: Iterable[Span], tokens: Tokens) -> list[str]:
    """Tags (`B-DATE`, `I-DATE`, `O`), one a token; spans that cut a token grow to it."""
    along, _ = grow(spans, tokens)
    tags = [OUTSIDE] * len(tokens)
    firsts = np.searchsorted(tokens.starts, np.array([span.start for span in along], np.int64)).tolist()
    lasts = np.searchsorted(tokens.starts, np.array([span.end for span in along], np.int64)).tolist()
    for span, first, last in zip(along, firsts, lasts, strict=True):
        tags[first] = f"B-{span.label}"
        tags[first + 1 : last] = [f"I-{span.label}"] * (last - first - 1)
    return tags


def decode(tags: Sequence[str], tokens: Tokens) -> tuple[Span, ...]:
    """Spans from tags; an I that follows no span of its label begins one."""
    if len(tags) != len(tokens):
        raise ValueError(f"{len(tags)} tags for {len(tokens)} tokens")
    spans: list[Span] = []
    label, start, end = "", 0, 0
    for tag, here, there in zip(tags, tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        kind, _, name = tag.partition("-")
        if kind == "I" and name == label:
            end = there
            continue
        if label:
            spans.append(Span(start, end, label))
        label, start, end = (name, here, there) if kind in ("B", "I") else ("", 0, 0)
    if label:
        spans.append(Span(start, end, label))
    return tuple(spans)
