"""Presidio's analyzer results, with the texts they belong to.

The results of a note are a JSON list without its text. So the text stands beside `X.json` in `X.txt`, or is given by
id. elision writes it so, too. Rows with both, `{"text": …, "results": […]}`, are read as one object, a list or JSON
Lines. The recognizer's name is the span's source.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of, read_note
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import begins_with, list_items, shape
from elision.formats.rows import (
    JsonObject,
    as_json,
    finite,
    identifier,
    kept,
    mapping,
    notes_in,
    number,
    placed,
    restored,
    rows_in,
    string,
    text_in,
    whole,
    whole_file,
    without_empty,
)

METADATA = "recognition_metadata"
OURS = frozenset({"entity_type", "start", "end", "score", METADATA})
SUFFIXES = (".json", ".jsonl")


def read(path: Path, how: Reading) -> Iterator[Document]:
    for file in files_below(path, *SUFFIXES):
        for where, id, row, beside in _rows(file, path, how):
            with placed(where):
                document = _document(row, where, id, beside, how)
            yield document
    if path.is_dir():
        for text in sorted(path.rglob("*.txt")):
            if not any(text.with_suffix(suffix).exists() for suffix in SUFFIXES):
                how.remarks.add("texts without results beside them, passed over", str(text))


def _rows(file: Path, root: Path, how: Reading) -> Iterator[tuple[str, str, JsonObject, Path | None]]:
    """(where, id by place, row with `results`, where its text may be): a file of one note is named as the note is."""
    name, beside = id_of(file, root), file.with_suffix(".txt")
    if begins_with(file, b"["):
        _, _, first = next(list_items(file, how), (0, "", {"entity_type": ""}))
        if isinstance(first, dict) and "entity_type" in first:  # the bare results of one note
            yield str(file), name, {"results": whole_file(file, how)}, beside
            return
    elif file.suffix == ".json":
        row = whole_file(file, how)
        if not isinstance(row, dict):
            raise FormatError(f"{file}: expected a list of results, or an object with text and results")
        yield str(file), name, row, beside
        return
    for where, place, row in notes_in(file, root, how):
        yield where, place, row, None


def _document(row: JsonObject, where: str, place: str, beside: Path | None, how: Reading) -> Document:
    if "results" not in row:
        hint = "; an anonymizer's 'items' count in the new text and cannot be read" if "items" in row else ""
        raise FormatError(f"{where}: field 'results' is missing{hint}")
    for key in sorted(row.keys() - {"id", "text", "results"}):
        how.remarks.add(f"presidio fields beside text and results, not kept: {key}", where)
    id = identifier(row, "id", where, place)
    results = enumerate(rows_in(row, "results", where), 1)
    return Document(
        text_in(row, where) if "text" in row else _text_for(id, beside, where, how),
        id,
        spans=tuple(_span(result, f"{where}: result {n}") for n, result in results),
    )


def _text_for(id: str, beside: Path | None, where: str, how: Reading) -> str:
    if id in how.texts:
        return how.texts[id]
    if beside and beside.is_file():
        return read_note(beside, how)
    hint = f"put it beside as {beside.name}, or " if beside else ""
    raise FormatError(
        f"{where}: no text for note {id}, and results come without theirs; {hint}give the texts by id (--texts), or "
        "write rows with 'text' and 'results'"
    )


def _span(result: JsonObject, where: str) -> Span:
    if "operator" in result:
        raise FormatError(f"{where}: an anonymizer's item, which counts in the new text; read the analyzer's results")
    said = mapping(result, METADATA, where)
    info = kept(result, OURS, "presidio", where)
    if rest := without_empty({key: value for key, value in said.items() if key != "recognizer_name"}):
        info[f"presidio:{METADATA}"] = as_json(rest, f"{where}: field {METADATA!r}")
    return Span(
        whole(result, "start", where),
        whole(result, "end", where),
        string(result, "entity_type", where),
        score=number(result, "score", where, 1.0),
        source=string(said, "recognizer_name", where, ""),
        info=info,
    )


def write(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    for document in documents:
        results = [_result(span, document.name) for span in document.spans]
        write_text(file_for(path, document.id, ".txt"), document.text)
        write_text(file_for(path, document.id, ".json"), json.dumps(results, ensure_ascii=False, indent=1) + "\n")


def _result(span: Span, where: str) -> JsonObject:
    said = restored(span.info, "presidio", where)
    metadata = {"recognizer_name": span.source} if span.source else {}
    metadata |= mapping(said, METADATA, where)
    return {
        "entity_type": span.label,
        "start": span.start,
        "end": span.end,
        "score": finite(span, where),
        "analysis_explanation": None,
        **said,
        METADATA: metadata or None,
    }


def sniff(sample: Sample) -> str:
    paths = shape(sample.head)
    for start in ("[].", "results[].", "[].results[]."):
        if {f"{start}entity_type", f"{start}start"} <= paths and f"{start}operator" not in paths:
            return "results with entity_type and start"
    # A folder may begin with a note in which nothing was found: an empty list, beside a text.
    first = next((name for name in sample.names if name.endswith(".json")), "")
    if paths == {"[]"} and first.removesuffix("json") + "txt" in sample.names:
        return "a list of results beside a text"
    return ""


FORMATS = (
    Format(
        name="presidio",
        title="Presidio analyzer results beside their texts",
        suffix=".json",
        folder=True,
        holds=Holds(score=True, source=True, span_info=frozenset({"presidio:*"})),
        read=read,
        write=write,
        sniff=sniff,
        tag_set="presidio",
        reads=(*SUFFIXES, ".txt"),
    ),
)
