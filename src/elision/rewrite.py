"""The only code that edits text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from elision.document import CONTAINER, Document, Span, first_overlap
from elision.errors import DocumentError, OverlapError


def rewrite(document: Document, replacements: Sequence[str]) -> Document:
    """Put `replacements[i]` in the place of `document.spans[i]`.

    The new document's spans lie on the replacements; all other characters stay as they are. A joint
    inside a replaced stretch moves to the replacement's end: the piece before it takes the whole. What may quote the
    original does not follow: known values and info go, but for the container that the text returns to, in which the
    original still stands; only the container's own format writes it, with the new text.
    """
    if len(replacements) != len(document.spans):
        raise DocumentError(
            f"{document.name}: {len(replacements)} replacements for {len(document.spans)} spans; give one for each"
        )
    order = _in_order(document)
    text = document.text
    pieces: list[str] = []
    moved: dict[int, Span] = {}
    joints: list[int] = []
    waiting = list(reversed(document.joints))
    at = shift = 0
    for i in order:
        span, new = document.spans[i], replacements[i]
        assert span.start >= at  # or text that a span hides would come back  # noqa: S101
        while waiting and waiting[-1] <= span.start:
            joints.append(waiting.pop() + shift)
        pieces += (text[at : span.start], new)
        start = span.start + shift
        moved[i] = Span(start, start + len(new), span.label, span.score, span.source)
        while waiting and waiting[-1] < span.end:
            waiting.pop()
            joints.append(start + len(new))
        shift += len(new) - (span.end - span.start)
        at = span.end
    pieces.append(text[at:])
    joints += [joint + shift for joint in reversed(waiting)]
    spans = tuple([moved[i] for i in range(len(document.spans))])
    around = {key: value for key, value in document.info.items() if key.startswith(CONTAINER)}
    return replace(document, text="".join(pieces), spans=spans, known={}, joints=tuple(joints), info=around)


def _in_order(document: Document) -> Sequence[int]:
    """The numbers of the spans as they follow each other in the text; if two overlap, an error."""
    spans = document.spans
    if all(a.start < b.start and a.end <= b.start for a, b in pairwise(spans)):  # as they come from `merge`
        return range(len(spans))
    clash = first_overlap(spans)
    if clash:
        a, b = clash
        raise OverlapError(
            f"{document.name}: spans {a.start}–{a.end} and {b.start}–{b.end} overlap; merge() them first"
        )
    return sorted(range(len(spans)), key=lambda i: (spans[i].start, spans[i].end))
