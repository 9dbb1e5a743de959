"""What stands in a note besides what detectors found: what they overlooked."""

from __future__ import annotations

from bisect import bisect_right

from elision.detect.doubt import Doubt
from elision.document import Document, Span
from elision.replace.earlier import tokens as _tokens
from elision.replace.originals import SURE, Originals

Stretch = tuple[int, int]

SWEPT = "sweep"  # the source of spans that no detector found


def overlooked_in(document: Document, originals: Originals, doubt: Doubt) -> tuple[list[Span], list[Stretch]]:
    """What is replaced in one place of the note and stands in another, unseen; and where the same letters stand, and
    are doubted so much that they are left."""
    text, at, pieces = document.text, 0, list[str]()
    tokens = [match.span() for match in _tokens().finditer(text)] if "[" in text else []
    for start, end in sorted([*[(span.start, span.end) for span in document.spans], *tokens]):
        pieces += (text[at:start], " " * (end - max(at, start)))
        at = max(at, end)
    found = originals.remaining("".join((*pieces, text[at:])))
    asked = [(start, end, least) for start, end, _, least in found if least > SURE]
    likely = dict(zip(asked, doubt.likely(text, asked), strict=True))
    overlooked, spared = [], []
    for start, end, label, least in found:
        if likely.get((start, end, least), True):
            overlooked.append(Span(start, end, label, 0.5, SWEPT))
        else:
            spared.append((start, end))
    return overlooked, spared


def cut_in(document: Document, originals: Originals) -> list[Span]:
    """What is replaced in one place of the note and stands in another where spans cover a part of it: each as one span
    with all that these cover, and sure enough to take their place."""
    spans = sorted(document.spans, key=lambda span: span.start)
    ends = [span.end for span in spans]
    cut = []
    for start, end, label, _ in originals.remaining(document.text):
        touched = []
        for span in spans[bisect_right(ends, start) :]:
            if span.start >= end:
                break
            touched.append(span)
        if touched and not (touched[0].start <= start and end <= touched[0].end):
            reach = min(start, touched[0].start), max(end, touched[-1].end)
            cut.append(Span(*reach, label, max(0.5, *(span.score for span in touched)), SWEPT))
    return cut
