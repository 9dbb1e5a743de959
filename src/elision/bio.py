"""Spans to tags and back.

`encode` and `decode` are inverses on spans that start and end where tokens do. A span that cuts a token
grows to it; `grow` says by how much, and what had no token of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from elision.document import Span
from elision.errors import LabelError
from elision.merge import merge

if TYPE_CHECKING:
    from elision.text.tokens import Tokens

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
    firsts = ends.searchsorted([span.start for span in given], side="right").tolist()
    lasts = starts.searchsorted([span.end for span in given], side="left").tolist()
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
    if any(not span.label for span in along):
        raise LabelError("a span without a label has no tag; give it one")
    tags = [OUTSIDE] * len(tokens)
    firsts = tokens.starts.searchsorted([span.start for span in along]).tolist()
    lasts = tokens.starts.searchsorted([span.end for span in along]).tolist()
    for span, first, last in zip(along, firsts, lasts, strict=True):
        tags[first] = f"B-{span.label}"
        tags[first + 1 : last] = [f"I-{span.label}"] * (last - first - 1)
    return tags


def decode(tags: Sequence[str], tokens: Tokens) -> tuple[Span, ...]:
    """Spans from tags; an I that follows no span of its label begins one."""
    if len(tags) != len(tokens):
        raise LabelError(f"{len(tags)} tags for {len(tokens)} tokens; there must be one for each")
    spans: list[Span] = []
    label, start, end = "", 0, 0
    for tag, here, there in zip(tags, tokens.starts.tolist(), tokens.ends.tolist(), strict=True):
        kind, _, name = tag.partition("-")
        if tag != OUTSIDE and (kind not in ("B", "I") or not name):
            raise LabelError(f"the token at {here}–{there} has no BIO tag: write O, B-LABEL or I-LABEL")
        if kind == "I" and name == label:
            end = there
            continue
        if label:
            spans.append(Span(start, end, label))
        label, start, end = (name, here, there) if name else ("", 0, 0)
    if label:
        spans.append(Span(start, end, label))
    return tuple(spans)
