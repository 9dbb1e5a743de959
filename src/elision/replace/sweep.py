"""What stands in a note besides what detectors found: what earlier runs have put there, and what was overlooked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from elision.document import Document, Span
from elision.labels import canonical
from elision.replace.originals import Originals

SWEPT = "sweep"  # the source of spans that no detector found
# As long as a seal is at least: with version, label, nonce and tag. Nothing shorter is taken for one.
SEALED = r"\[sealed:[A-Za-z0-9_-]{44,}\]"


@cache
def _tokens() -> re.Pattern[str]:
    """What earlier runs have put into a text, to the letter."""
    labels = canonical()
    names = sorted({*labels, *(label.parent for label in labels.values())}, key=len, reverse=True)
    return re.compile(rf"\[(?:{'|'.join(names)})(?:_[0-9]{{1,3}}|#[0-9a-f]{{12}})?\]|\[REDACTED\]|{SEALED}")


def outside_tokens(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans, or what of them lies outside the tokens of earlier runs: those say nothing of anybody."""
    tokens = [match.span() for match in _tokens().finditer(text)] if "[" in text else []
    for span in spans:
        at = span.start
        for start, end in tokens:
            if start < span.end and end > at:
                if start > at:
                    yield Span(at, start, span.label, span.score, span.source)
                at = max(at, end)
        if at == span.start:
            yield span
        elif at < span.end:
            yield Span(at, span.end, span.label, span.score, span.source)


def overlooked_in(document: Document, originals: Originals) -> Iterator[Span]:
    """What is replaced in one place of the note and stands in another, unseen."""
    text, at, pieces = document.text, 0, list[str]()
    tokens = [match.span() for match in _tokens().finditer(text)] if "[" in text else []
    for start, end in sorted([*[(span.start, span.end) for span in document.spans], *tokens]):
        pieces += (text[at:start], " " * (end - max(at, start)))
        at = max(at, end)
    for start, end, label in originals.remaining("".join((*pieces, text[at:]))):
        yield Span(start, end, label, 0.5, SWEPT)
