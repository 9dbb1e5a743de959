"""elision's own format: JSON Lines, one note a line, with all that a Document and its spans hold.

    {"id": "7", "text": "Seen by Dr. Roe.", "spans": [{"start": 8, "end": 15, "label": "NAME_CLINICIAN"}]}

Only `text` must be there. What has its default value is left out. A key that elision does not know is an error, so that
a typo cannot lose data. The file has no version: a line stays a line, and files can be concatenated. A line without an
`id` gets its number as its id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from elision.document import Document, Span
from elision.errors import FormatError, shown
from elision.formats.atomic import write_jsonl
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import keys_of_lines, shape
from elision.formats.rows import (
    JsonObject,
    finite,
    identifier,
    mapping,
    notes_below,
    number,
    placed,
    rows_in,
    string,
    text_in,
    things,
    whole,
    whole_string,
)

KEYS = frozenset({"id", "text", "patient", "language", "spans", "known", "joints", "info"})
SPAN_KEYS = frozenset({"start", "end", "label", "score", "source", "info"})


def read(path: Path, how: Reading) -> Iterator[Document]:
    for where, place, row in notes_below(path, how, ".jsonl", ".ndjson"):
        with placed(where):
            document = document_of(row, where, place)
        yield document


def document_of(row: JsonObject, where: str, place: str = "") -> Document:
    """The document that a row stands for; `place` is its id if it brings none."""
    _refuse_unknown(row, KEYS, where)
    return Document(
        text_in(row, where),
        id=identifier(row, "id", where, place),
        patient=identifier(row, "patient", where, ""),
        language=string(row, "language", where, ""),
        spans=tuple(_span(item, f"{where}: span {n}") for n, item in enumerate(rows_in(row, "spans", where), 1)),
        known={
            whole_string(kind, f"{where}: field 'known'"): tuple(_strings(values, f"{where}: known{shown(kind)}"))
            for kind, values in mapping(row, "known", where).items()
        },
        joints=tuple(_joints(row, where)),
        info=_info(row, where),
    )


def _span(row: JsonObject, where: str) -> Span:
    _refuse_unknown(row, SPAN_KEYS, where)
    return Span(
        whole(row, "start", where),
        whole(row, "end", where),
        string(row, "label", where),
        score=number(row, "score", where, 1.0),
        source=string(row, "source", where, ""),
        info=_info(row, where),
    )


def _info(row: JsonObject, where: str) -> dict[str, str]:
    return {
        whole_string(key, f"{where}: field 'info'"): whole_string(value, f"{where}: info{shown(key)}")
        for key, value in mapping(row, "info", where).items()
    }


def _strings(values: Any, what: str) -> list[str]:
    if not isinstance(values, list):
        raise FormatError(f"{what} must be a list of strings")
    return [whole_string(value, what) for value in values]


def _joints(row: JsonObject, where: str) -> list[int]:
    joints = things(row, "joints", where)
    if not all(isinstance(joint, int) and not isinstance(joint, bool) for joint in joints):
        raise FormatError(f"{where}: field 'joints' must be a list of whole numbers")
    return joints


def _refuse_unknown(row: JsonObject, known: frozenset[str], where: str) -> None:
    if unknown := row.keys() - known:
        key = min(unknown)
        near = get_close_matches(key, known, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise FormatError(
            f"{where}: unknown field{shown(key)}{hint}; the fields are {', '.join(sorted(known))}; "
            "what else there is to keep goes into 'info', as strings"
        )


def write(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    write_jsonl(path, map(row_of, documents))


def row_of(document: Document) -> JsonObject:
    """The row for a document, without what has its default value. The id always stands: its default is the place."""
    row: JsonObject = {"id": document.id, "text": document.text}
    if document.patient:
        row["patient"] = document.patient
    if document.language:
        row["language"] = document.language
    if document.spans:
        row["spans"] = [_row_of_span(span, document.name) for span in document.spans]
    if document.known:
        row["known"] = {kind: list(values) for kind, values in document.known.items()}
    if document.joints:
        row["joints"] = list(document.joints)
    if document.info:
        row["info"] = dict(document.info)
    return row


def _row_of_span(span: Span, where: str) -> JsonObject:
    row: JsonObject = {"start": span.start, "end": span.end, "label": span.label}
    if span.score != 1.0:
        row["score"] = finite(span, where)
    if span.source:
        row["source"] = span.source
    if span.info:
        row["info"] = dict(span.info)
    return row


def sniff(sample: Sample) -> str:
    """Only where every key is ours: Prodigy's rows have text and spans, too, but tokens and hashes beside them."""
    keys = keys_of_lines(sample.head)
    if "text" not in keys or not keys <= KEYS:
        return ""
    inner = {path.removeprefix("spans[].") for path in shape(sample.head) if path.startswith("spans[].")}
    if not {key for key in inner if "." not in key and "[" not in key} <= SPAN_KEYS:
        return ""
    return f"lines with the keys {', '.join(sorted(keys))}"


FORMATS = (
    Format(
        name="jsonl",
        title="elision JSON Lines",
        suffix=".jsonl",
        folder=False,
        holds=Holds(
            patient=True,
            language=True,
            known=True,
            joints=True,
            info=frozenset({"*"}),
            score=True,
            source=True,
            span_info=frozenset({"*"}),
        ),
        read=read,
        write=write,
        sniff=sniff,
        reads=(".ndjson",),
        table=True,
    ),
)
