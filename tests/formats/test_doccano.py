"""doccano: triples and entities, what it says beyond spans, and errors that show where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document, Span
from elision.errors import DocumentError, FormatError
from elision.formats import FORMATS, Reading, Remarks, guess, read, write
from elision.formats.catalogue import sample
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note

ENTITIES = {
    "id": 31,
    "text": "Roe, Ward 4",
    "entities": [
        {"id": 131, "label": "NAME", "start_offset": 0, "end_offset": 3},
        {"id": 2, "label": "ROOM", "start_offset": 5, "end_offset": 11, "user": 4},
        {"id": "x", "label": "DATE", "start_offset": 3, "end_offset": 3},
    ],
    "relations": [{"id": 9, "from_id": 131, "to_id": 2, "type": "stays in"}],
    "Comments": ["ask again"],
    "meta": {"ward": [4, None]},
}


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def jsonl(tmp_path: Path, *lines: object) -> Path:
    file = tmp_path / "all.jsonl"
    file.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines), "utf-8")
    return file


@pytest.mark.parametrize(("name", "sampled"), [("doccano", "doccano"), ("doccano-entities", "doccano_entities")])
def test_the_golden_sample(name: str, sampled: str, tmp_path: Path) -> None:
    file = SAMPLES / f"{sampled}.jsonl"
    assert guess(file)[0].name == name
    assert list(read(file)) == [canonical()]
    write([canonical()], tmp_path / "out.jsonl", name)
    assert rows(tmp_path / "out.jsonl") == [{k: v for k, v in row.items() if k != "Comments"} for row in rows(file)]


@pytest.mark.parametrize("name", ["doccano", "doccano-entities"])
def test_no_other_golden_sample_is_taken_for_doccano(name: str) -> None:
    claimed = {file.name for file in SAMPLES.iterdir() if FORMATS[name].sniff(sample(file))}
    assert claimed == {name.replace("-", "_") + ".jsonl"}


def test_both_words_for_the_spans_are_read(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {"id": 1, "text": "a b", "labels": [[0, 1, "A"]]}, {"id": 2, "text": "a b", "label": []})
    assert list(read(file)) == [Document("a b", "1", spans=(Span(0, 1, "A"),)), Document("a b", "2")]


@pytest.mark.parametrize(
    ("id", "written"),
    [("17", 17), ("0", 0), ("017", "017"), ("-1", "-1"), ("n-1", "n-1"), ("", ""), ("٣", "٣"), ("9" * 40, "9" * 40)],
)
def test_ids_are_numbers_where_they_come_back_alike(id: str, written: object, tmp_path: Path) -> None:
    write([Document("a", id)], tmp_path / "out.jsonl", "doccano")
    assert rows(tmp_path / "out.jsonl")[0]["id"] == written
    assert next(read(tmp_path / "out.jsonl", "doccano")).id == id


def test_rows_without_ids_and_json_lists(tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    file.write_text('[{"text": "a", "label": []},\n {"text": "b", "label": [[0, 1, "B"]]}]')
    assert [(document.id, len(document.spans)) for document in read(file, "doccano")] == [("1", 0), ("2", 1)]


def test_all_that_entities_say_is_kept(tmp_path: Path) -> None:
    (document,) = read(jsonl(tmp_path, ENTITIES))
    assert [(span.start, span.end, span.label) for span in document.spans] == [
        (0, 3, "NAME"),
        (5, 11, "ROOM"),
        (3, 3, "DATE"),
    ]
    assert [dict(span.info) for span in document.spans] == [
        {"doccano:id": "131"},
        {"doccano:user": "4"},
        {"doccano:id": '"x"'},
    ]
    remarks = write([document], tmp_path / "out.jsonl", "doccano-entities")
    assert rows(tmp_path / "out.jsonl") == [ENTITIES]
    assert remarks.lines() == []


def test_relations_without_their_spans_are_left_out_aloud(tmp_path: Path) -> None:
    (document,) = read(jsonl(tmp_path, ENTITIES))
    remarks = write([document.with_spans(document.spans[1:])], tmp_path / "out.jsonl", "doccano-entities")
    assert rows(tmp_path / "out.jsonl")[0]["relations"] == []
    assert remarks.counts == {"doccano relations whose spans are gone, left out": 1}


def test_triples_keep_what_stands_beside_them_and_report_the_rest(tmp_path: Path) -> None:
    (document,) = read(jsonl(tmp_path, ENTITIES))
    remarks = write([document], tmp_path / "out.jsonl", "doccano")
    assert rows(tmp_path / "out.jsonl") == [
        {
            "id": 31,
            "text": "Roe, Ward 4",
            "label": [[0, 3, "NAME"], [5, 11, "ROOM"], [3, 3, "DATE"]],
            "Comments": ["ask again"],
            "meta": {"ward": [4, None]},
        }
    ]
    assert remarks.counts == {
        "doccano does not hold note info 'doccano-relations'": 1,
        "doccano does not hold span info 'doccano'": 3,
    }


def test_info_cannot_take_the_place_of_the_note(tmp_path: Path) -> None:
    document = Document("a b", "1", info={"doccano:text": '"other"', "doccano:label": "[]"}, spans=(Span(0, 1, "A"),))
    write([document], tmp_path / "out.jsonl", "doccano")
    assert list(read(tmp_path / "out.jsonl")) == [Document("a b", "1", spans=(Span(0, 1, "A"),))]


@pytest.mark.parametrize(
    ("name", "line", "message"),
    [
        ("doccano", '{"text": "a", "label": [', ":2: not valid JSON at line 1, column"),
        ("doccano", '{"label": []}', ":2: field 'text' is missing"),
        ("doccano", '{"text": "a"}', ":2: field 'label' is missing"),
        ("doccano", '{"text": "a", "entities": []}', "it has 'entities': read it as doccano-entities"),
        ("doccano", '{"text": "a", "label": [], "labels": []}', ":2: both 'label' and 'labels'"),
        ("doccano", '{"text": "a", "label": "A"}', ":2: field 'label' must be a list"),
        ("doccano", '{"text": "a", "label": ["A"]}', ":2: span 1: expected [start, end, label]; is this"),
        ("doccano", '{"text": "a", "label": [[0, 1, "A"], [0, 1.5, "A"]]}', ":2: span 2: field 'end' must be a whole"),
        ("doccano", '{"text": "a", "label": [[0, 1, 3]]}', ":2: span 1: field 'label' must be a string"),
        ("doccano", '{"text": "a", "label": [], "id": [1]}', ":2: field 'id' must be a string or a whole number"),
        ("doccano", '{"text": "a", "label": [], "meta": {"n": "\\udc00"}}', ":2: field 'meta' has half a character"),
        ("doccano-entities", '{"text": "a", "label": []}', ":2: field 'entities' is missing"),
        ("doccano-entities", '{"text": "a", "entities": [[0, 1, "A"]]}', "field 'entities' must be a list of objects"),
        ("doccano-entities", '{"text": "a", "entities": [{"label": "A"}]}', ":2: span 1: field 'start_offset' is miss"),
        (
            "doccano-entities",
            '{"text": "a", "entities": [{"id": [1], "label": "A", "start_offset": 0, "end_offset": 1}]}',
            ":2: span 1: field 'id' must be a whole number or a string",
        ),
        ("doccano-entities", '{"text": "a", "entities": [], "relations": [1]}', "field 'relations' must be a list of"),
    ],
)
def test_bad_lines(name: str, line: str, message: str, tmp_path: Path) -> None:
    fine = '{"text": "fine", "label": []}' if name == "doccano" else '{"text": "fine", "entities": []}'
    with pytest.raises(FormatError) as caught:
        list(read(jsonl(tmp_path, fine, line), name))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 7, "text": "Roe \\ud83d", "label": []}', "all.jsonl:1: note 7: half a character"),
        ('{"id": 7, "text": "Roe", "label": [[1, 4, "A"]]}', "all.jsonl:1: note 7: span 1–4 reaches beyond the text"),
        ('{"id": 7, "text": "Roe", "label": [[-1, 2, "A"]]}', "all.jsonl:1: span -1–2: the start must not be negative"),
    ],
)
def test_documents_that_cannot_be(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        list(read(jsonl(tmp_path, line), "doccano"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_the_same_id_twice_and_a_wrong_encoding(tmp_path: Path) -> None:
    twice = jsonl(tmp_path, {"id": 7, "text": "a", "label": []}, {"id": "7", "text": "b", "label": []})
    with pytest.raises(FormatError, match="the id 7 comes twice"):
        list(read(twice))
    twice.write_bytes('{"text": "Núñez", "label": []}'.encode("cp1252"))
    with pytest.raises(FormatError, match=r"all.jsonl:1: byte 11 of the line is not utf-8"):
        list(read(twice, "doccano"))
    assert next(read(twice, "doccano", Reading(encoding="cp1252"))).text == "Núñez"


def test_overlapping_spans_are_fine_here(tmp_path: Path) -> None:
    document = note("[NAME Ann Roe]", "1")
    document = document.with_spans([*document.spans, Span(0, 3, "NAME"), *document.spans])
    assert write([document], tmp_path / "out.jsonl", "doccano", Remarks()).lines() == []
    assert list(read(tmp_path / "out.jsonl")) == [document]
