"""Notes for tests, as they read: `"Seen by [NAME_CLINICIAN Dr. Roe] on [DATE 3 May]"`. Every person is invented."""

from __future__ import annotations

import re
from pathlib import Path

from elision.document import Document, Span

MARK = re.compile(r"\[([A-Z][A-Z0-9_-]*) ([^\[\]]*)\]")
GOLDEN = Path(__file__).parent / "golden"
CORPORA = Path(__file__).parents[2] / "shared" / "corpora"


def note(marked: str, id: str = "note-1") -> Document:
    """A document from marked text: `[LABEL stretch]` marks a span."""
    text, spans, at = "", [], 0
    for match in MARK.finditer(marked):
        text += marked[at : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        at = match.end()
    return Document(text + marked[at:], id, spans=tuple(spans))
