"""The one document of which the golden samples of all formats are versions."""

from __future__ import annotations

import json

from elision.document import Document, Span
from tests.notes import GOLDEN

SAMPLES = GOLDEN / "formats"


def canonical(id: str = "1") -> Document:
    row = json.loads((SAMPLES / "canonical.json").read_text("utf-8"))
    spans = [Span(span["start"], span["end"], span["label"]) for span in row["spans"]]
    return Document(row["text"], id, spans=tuple(spans))
