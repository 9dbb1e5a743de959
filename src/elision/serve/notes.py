"""Our own contract: what a note is in a request, and how it is answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from elision.document import Document, Span
from elision.formats.kinds import reason as not_text
from elision.formats.offsets import Offsets
from elision.languages.telling.deciding import advice, decide
from elision.pipeline import Cleaned
from elision.run.cells import Cell
from elision.run.how import How
from elision.serve.settings import TEXT
from elision.serve.work import Found

DONE, HELD, FOUND, ERROR = "done", "held", "found", "error"
TIMEOUT = "timeout"


class Note(BaseModel):
    """A note of a request."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str
    id: str = Field(default="", max_length=200)
    patient: str = Field(default="", max_length=200, description="whose note it is, so that stand-ins agree")
    language: str = Field(default="", max_length=40, description="as the record says it; else the note tells")
    known: dict[str, list[str]] = Field(default_factory=dict, description='such as {"name": ["Jane Roe"]}')
    offsets: Literal["code-points", "utf-16", "utf-8"] = Field(
        default="code-points", description="what the offsets of spans count"
    )


def cell_of(
    how: How,
    text: str,
    *,
    id: str = "",
    patient: str = "",
    stated: str = "",
    around: str = "",
    known: Mapping[str, Sequence[str]] | None = None,
) -> Cell:
    """A text as a note, with its language, or why it is held."""
    spoken = decide(
        text,
        stated=stated,
        language=how.language,
        default=how.default_language,
        around=around,
        encoded=how.effort in ("balanced", "most"),
    )
    values = {kind: tuple(value for value in each if value.strip()) for kind, each in (known or {}).items()}
    document = Document(text, id, patient, spoken.language, known=values, sure=spoken.sure, also=spoken.also)
    return Cell(0, TEXT, document, (not_text(text) or spoken.why) if spoken.why else "")


def as_cell(how: How, note: Note) -> Cell:
    return cell_of(how, note.text, id=note.id, patient=note.patient, stated=note.language, known=note.known)


def cleaned_row(note: Note, cleaned: Cleaned) -> dict[str, Any]:
    """The answer about a note that is de-identified, or held."""
    after, before = cleaned.document, cleaned.before
    if after is None or before is None:
        return {**held_row(note, cleaned.receipt.why), "receipt": cleaned.receipt.row()}
    old, new = Offsets(before.text, note.offsets), Offsets(after.text, note.offsets)
    spans = [
        {**_span(a, old), "new_start": new.to(b.start), "new_end": new.to(b.end)}
        for a, b in zip(before.spans, after.spans, strict=True)
    ]
    row = {"id": note.id, "status": DONE, "text": after.text, "language": _languages(before), "spans": spans}
    return {**row, "receipt": cleaned.receipt.row()}


def found_row(note: Note, found: Found) -> dict[str, Any]:
    """The answer about a note that is looked at."""
    if found.why:
        return held_row(note, found.why)
    offsets = Offsets(note.text, note.offsets)
    spans = [{**_span(span, offsets), "source": span.source} for span in found.spans]
    return {"id": note.id, "status": FOUND, "language": _languages(found.document), "spans": spans}


def held_row(note: Note, why: str) -> dict[str, Any]:
    """The answer about a note that does not come out: why, and never its text."""
    return {"id": note.id, "status": HELD, "why": why, "todo": advice_for(why)}


def advice_for(why: str) -> str:
    """What to do about a note that is held; "" if that depends on the note."""
    if why == TIMEOUT:
        return "cut the note into smaller ones, or start the service with a longer --seconds"
    return advice(why)


def _span(span: Span, offsets: Offsets) -> dict[str, Any]:
    start, end = offsets.to(span.start), offsets.to(span.end)
    return {"start": start, "end": end, "label": span.label, "score": round(span.score, 4)}


def _languages(document: Document) -> str:
    return "+".join((document.language, *document.also))
