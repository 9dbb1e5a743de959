"""Presidio: results beside their texts or with them, and what cannot be read as results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import DocumentError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from tests.formats.canonical import SAMPLES, canonical

GOLDEN_RESULTS = SAMPLES / "presidio_results.json"
NAME = {"entity_type": "PERSON", "start": 4, "end": 7, "score": 0.85}


def folder(tmp_path: Path, **files: object) -> Path:
    """Files by name, with _ for the dot; what is no string becomes JSON."""
    for name, content in files.items():
        (tmp_path / name.replace("_", ".")).write_text(
            content if isinstance(content, str) else json.dumps(content), "utf-8", newline=""
        )
    return tmp_path


def test_the_golden_sample(tmp_path: Path) -> None:
    folder(tmp_path, note_json=GOLDEN_RESULTS.read_text("utf-8"), note_txt=canonical().text)
    assert guess(tmp_path)[0].name == "presidio"
    (document,) = read(tmp_path)
    assert (document.id, document.text) == ("note", canonical().text)
    assert [(span.start, span.end) for span in document.spans] == [(span.start, span.end) for span in canonical().spans]
    assert {(span.score, span.source, len(span.info)) for span in document.spans} == {(0.85, "", 0)}
    write([document], tmp_path / "out", "presidio")
    assert json.loads((tmp_path / "out/note.json").read_text("utf-8")) == json.loads(GOLDEN_RESULTS.read_text("utf-8"))
    assert (tmp_path / "out/note.txt").read_bytes() == canonical().text.encode()


def test_no_other_golden_sample_is_taken_for_presidio() -> None:
    assert [file for file in SAMPLES.iterdir() if FORMATS["presidio"].sniff(sample(file))] == [GOLDEN_RESULTS]


def test_a_text_given_by_id_goes_before_the_one_beside(tmp_path: Path) -> None:
    folder(tmp_path, a_json=[NAME], a_txt="Dr. Ann", b_json=[])
    found = list(read(tmp_path, "presidio", Reading(texts={"a": "Dr. Roe", "b": "b"})))
    assert found == [Document("Dr. Roe", "a", spans=(Span(4, 7, "PERSON", 0.85),)), Document("b", "b")]


@pytest.mark.parametrize(
    ("name", "content", "ids"),
    [
        ("x.json", '{"text": "Dr. Roe", "results": []}', ["x"]),
        ("x.json", '{\n "id": 7,\n "text": "Dr. Roe",\n "results": []\n}', ["7"]),
        ("x.json", '[{"text": "Dr. Roe", "results": []}, {"id": "n", "text": "b", "results": null}]', ["1", "n"]),
        ("x.jsonl", '{"text": "Dr. Roe", "results": []}\n\n{"text": "b", "results": []}\n', ["1", "3"]),
    ],
)
def test_rows_with_text_and_results(name: str, content: str, ids: list[str], tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(content.replace("[]", json.dumps([NAME]), 1))
    assert guess(file)[0].name == "presidio"
    found = list(read(file))
    assert [document.id for document in found] == ids
    assert [len(document.spans) for document in found] == [1, 0][: len(ids)]


def test_all_that_results_say_is_kept(tmp_path: Path) -> None:
    results = [
        NAME
        | {
            "analysis_explanation": {"recognizer": "Crf", "textual_explanation": None},
            "recognition_metadata": {"recognizer_name": "Crf", "recognizer_identifier": "Crf_1"},
            "country": "nl",
        },
        NAME | {"analysis_explanation": None, "recognition_metadata": {"recognizer_name": "Crf"}},
    ]
    folder(tmp_path, n_json=results, n_txt="Dr. Roe")
    (document,) = read(tmp_path)
    assert [span.source for span in document.spans] == ["Crf", "Crf"]
    assert not document.spans[1].info
    assert write([document], tmp_path / "out", "presidio").lines() == []
    assert json.loads((tmp_path / "out" / "n.json").read_text()) == results


def test_what_is_passed_over_is_remarked(tmp_path: Path) -> None:
    folder(tmp_path, n_json={"text": "a", "results": [], "language": "en"}, lone_txt="b")
    how = Reading()
    assert list(read(tmp_path, "presidio", how)) == [Document("a", "n")]
    assert list(how.remarks.counts) == [
        "presidio fields beside text and results, not kept: language",
        "texts without results beside them, passed over",
    ]


def test_ids_with_folders_and_dots(tmp_path: Path) -> None:
    documents = [Document("a\r\nb\r", "ward/4.1/n.2"), Document("c", "n.3")]
    write(documents, tmp_path / "out", "presidio")
    assert sorted(read(tmp_path / "out"), key=lambda document: document.text) == documents
    for id in ("", "../n", "C:n"):
        with pytest.raises(FormatError, match="cannot be a file name"):
            write([Document("a", id)], tmp_path / "out", "presidio")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[", "n.json: item 1: not valid JSON"),
        ('{"text": "a"', "n.json: not valid JSON at line 1, column 13"),
        ("5", "n.json: expected a list of results, or an object with text and results"),
        ('{"text": "a"}', "n.json: field 'results' is missing"),
        ('{"text": "a", "items": []}', "an anonymizer's 'items' count in the new text"),
        ([NAME | {"operator": "replace"}], "n.json: result 1: an anonymizer's item, which counts in the new text"),
        ({"text": 5, "results": []}, "n.json: field 'text' must be a string"),
        ({"text": "a", "results": {}}, "n.json: field 'results' must be a list"),
        ([NAME, 5], "n.json: field 'results' must be a list of objects"),
        ([NAME, NAME | {"start": 4.5}], "n.json: result 2: field 'start' must be a whole number"),
        ([NAME | {"score": "high"}], "n.json: result 1: field 'score' must be a number"),
        ([NAME | {"entity_type": None}], "n.json: result 1: field 'entity_type' is missing"),
        ([NAME | {"recognition_metadata": "Crf"}], "field 'recognition_metadata' must be an object"),
        ([5], "n.json: item 1: expected a JSON object for every note"),
    ],
)
def test_bad_input(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(folder(tmp_path, n_json=content, n_txt="Dr. Roe"), "presidio"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "n.json",
            "[]",
            "n.json: no text for note n, and results come without theirs; put it beside as n.txt, or give",
        ),
        (
            "n.jsonl",
            '{"id": "m", "results": []}',
            "n.jsonl:1: no text for note m, and results come without theirs; give",
        ),
    ],
)
def test_without_a_text(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(FormatError) as caught:
        list(read(tmp_path / name, "presidio"))
    assert message in str(caught.value)
    assert "--texts" in str(caught.value)
    (document,) = read(tmp_path / name, "presidio", Reading(texts={"n": "a", "m": "a"}))
    assert document.text == "a"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"text": "Roe \ud83d", "results": []}, "n.json: note n: half a character"),
        ({"text": "Roe", "results": [NAME]}, "n.json: note n: span 4–7 reaches beyond the text"),
        ({"text": "Roe", "results": [NAME | {"start": 9}]}, "n.json: span 9–7: the start must not be"),
    ],
)
def test_documents_that_cannot_be(content: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        list(read(folder(tmp_path, n_json=content), "presidio"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_the_same_id_twice_and_a_wrong_encoding(tmp_path: Path) -> None:
    row = {"id": "n", "text": "a", "results": []}
    with pytest.raises(FormatError, match="the id n comes twice"):
        list(read(folder(tmp_path, n_json=[row, row]), "presidio"))
    folder(tmp_path, n_json=[])
    (tmp_path / "n.txt").write_bytes("Núñez".encode("cp1252"))
    with pytest.raises(FormatError, match=r"n.txt: byte 1 is not utf-8"):
        list(read(tmp_path, "presidio"))
    (document,) = read(tmp_path, "presidio", Reading(encoding="cp1252"))
    assert document.text == "Núñez"
