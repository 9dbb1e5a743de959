"""What stands in a note besides what detectors found: what they overlooked."""

from __future__ import annotations

from collections.abc import Iterator

from elision.document import Document, Span
from elision.replace.earlier import tokens as _tokens
from elision.replace.originals import Originals

SWEPT = "sweep"  # the source of spans that no detector found


def overlooked_in(document: Document, originals: Originals) -> Iterator[Span]:
    """What is replaced in one place of the note and stands in another, unseen."""
    text, at, pieces = document.text, 0, list[str]()
    tokens = [match.span() for match in _tokens().finditer(text)] if "[" in text else []
    for start, end in sorted([*[(span.start, span.end) for span in document.spans], *tokens]):
        pieces += (text[at:start], " " * (end - max(at, start)))
        at = max(at, end)
    for start, end, label in originals.remaining("".join((*pieces, text[at:]))):
        yield Span(start, end, label, 0.5, SWEPT)
