"""doccano's JSON Lines: spans as [start, end, label], or as entities with ids and the relations between them.

Offsets are code points. doccano numbers its rows, so an id that is a plain number is written as one. doccano keeps an
id that comes in with a row, and gives it back. elision keeps other fields (`meta`, `Comments` and what else was
imported) in `info`, and writes them back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from elision.document import Document, Span
from elision.errors import FormatError
from elision.formats.atomic import write_jsonl
from elision.formats.files import parse_json
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.json_files import keys_of_lines, shape
from elision.formats.rows import (
    JsonObject,
    as_json,
    as_number,
    identifier,
    kept,
    need,
    notes_below,
    placed,
    restored,
    rows_in,
    string,
    text_in,
    things,
    whole,
)

SUFFIXES = (".jsonl", ".json")
RELATIONS = "doccano-relations"


# --- spans as triples ----------------------------------------------------------------------------------------------


def read_triples(path: Path, how: Reading) -> Iterator[Document]:
    for where, place, row in notes_below(path, how, *SUFFIXES):
        with placed(where):
            document = Document(
                text_in(row, where),
                identifier(row, "id", where, place),
                spans=tuple(_triple(item, f"{where}: span {n}") for n, item in enumerate(_triples(row, where), 1)),
                info=kept(row, ("id", "text", "label", "labels"), "doccano", where),
            )
        yield document


def _triples(row: JsonObject, where: str) -> list[Any]:
    """The spans of a row. doccano has called the field `labels` in some versions and `label` in others."""
    named = [key for key in ("label", "labels") if key in row]
    if len(named) == 2:
        raise FormatError(f"{where}: both 'label' and 'labels'; leave in the one that has the spans")
    if not named:
        hint = "; it has 'entities': read it as doccano-entities" if "entities" in row else ""
        raise FormatError(f"{where}: field 'label' is missing{hint}")
    return things(row, named[0], where)


def _triple(item: Any, where: str) -> Span:
    if not isinstance(item, list) or len(item) != 3:
        raise FormatError(f"{where}: expected [start, end, label]; is this from a project for text classification?")
    row = dict(zip(("start", "end", "label"), item, strict=True))
    return Span(whole(row, "start", where), whole(row, "end", where), string(row, "label", where))


def write_triples(documents: Iterable[Document], path: Path, _: Remarks) -> None:
    write_jsonl(path, map(_row_of_triples, documents))


def _row_of_triples(document: Document) -> JsonObject:
    row: JsonObject = {"id": as_number(document.id), "text": document.text}
    row["label"] = [[span.start, span.end, span.label] for span in document.spans]
    return row | {k: v for k, v in restored(document.info, "doccano", document.name).items() if k not in row}


def sniff_triples(sample: Sample) -> str:
    keys, paths = keys_of_lines(sample.head), shape(sample.head)
    if "text" in keys and not keys & {"tokens", "spans", "entities"}:
        for key in ("label", "labels"):
            if f"{key}[]" in paths:
                return f"lines with text and a list {key!r}"
    return ""


# --- spans as entities ---------------------------------------------------------------------------------------------


def read_entities(path: Path, how: Reading) -> Iterator[Document]:
    for where, place, row in notes_below(path, how, *SUFFIXES):
        with placed(where):
            info = kept(row, ("id", "text", "entities", "relations"), "doccano", where)
            if relations := rows_in(row, "relations", where):
                info[RELATIONS] = as_json(relations, f"{where}: field 'relations'")
            need(row, "entities", where)
            document = Document(
                text_in(row, where),
                identifier(row, "id", where, place),
                spans=tuple(_entity(item, n, where) for n, item in enumerate(rows_in(row, "entities", where), 1)),
                info=info,
            )
        yield document


def _entity(row: JsonObject, place: int, where: str) -> Span:
    """A span; its id is kept where it is not the running number."""
    where = f"{where}: span {place}"
    info = kept(row, ("id", "label", "start_offset", "end_offset"), "doccano", where)
    id = row.get("id", place)
    if not isinstance(id, (int, str)):
        raise FormatError(f"{where}: field 'id' must be a whole number or a string")
    if id != place:
        info["doccano:id"] = as_json(id, f"{where}: field 'id'")
    return Span(
        whole(row, "start_offset", where), whole(row, "end_offset", where), string(row, "label", where), info=info
    )


def write_entities(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    write_jsonl(path, (_row_of_entities(document, remarks) for document in documents))


def _row_of_entities(document: Document, remarks: Remarks) -> JsonObject:
    entities: list[JsonObject] = []
    for place, span in enumerate(document.spans, 1):
        entity: JsonObject = {"id": place, "label": span.label, "start_offset": span.start, "end_offset": span.end}
        said = restored(span.info, "doccano", document.name)
        entity["id"] = said.pop("id", place)
        entities.append(entity | {k: v for k, v in said.items() if k not in entity})
    row: JsonObject = {"id": as_number(document.id), "text": document.text, "entities": entities}
    row["relations"] = _relations(document, [entity["id"] for entity in entities], remarks)
    return row | {k: v for k, v in restored(document.info, "doccano", document.name).items() if k not in row}


def _relations(document: Document, ids: Iterable[Any], remarks: Remarks) -> list[JsonObject]:
    """The relations whose ends are still there, each once: spans may have been merged or taken away since reading."""
    if RELATIONS not in document.info:
        return []
    where = f"{document.name}: info {RELATIONS!r}"
    relations = rows_in({RELATIONS: parse_json(document.info[RELATIONS], where)}, RELATIONS, where)
    times = Counter(map(str, ids))
    firm = [one for one in relations if times[str(one.get("from_id"))] == times[str(one.get("to_id"))] == 1]
    if len(firm) < len(relations):
        remarks.add("doccano relations whose spans are gone, left out", document.name, len(relations) - len(firm))
    return firm


def sniff_entities(sample: Sample) -> str:
    keys, paths = keys_of_lines(sample.head), shape(sample.head)
    if "text" not in keys or "entities[]" not in paths:
        return ""
    if "entities[].start_offset" in paths:
        return "lines with text and entities with a start_offset"
    if "relations" in keys and "entities[][]" not in paths:
        return "lines with text, entities and relations"
    return ""


FORMATS = (
    Format(
        name="doccano",
        title="doccano JSONL",
        suffix=".jsonl",
        folder=False,
        holds=Holds(info=frozenset({"doccano:*"})),
        read=read_triples,
        write=write_triples,
        sniff=sniff_triples,
        reads=SUFFIXES,
        table=True,
    ),
    Format(
        name="doccano-entities",
        title="doccano JSONL with entities and relations",
        suffix=".jsonl",
        folder=False,
        holds=Holds(info=frozenset({"doccano:*", RELATIONS}), span_info=frozenset({"doccano:*"})),
        read=read_entities,
        write=write_entities,
        sniff=sniff_entities,
        reads=SUFFIXES,
        table=True,
    ),
)
