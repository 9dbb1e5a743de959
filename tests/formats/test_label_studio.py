"""Label Studio: exports and predictions, both offset units, several annotators, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document, Span
from elision.errors import DocumentError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from elision.formats.offsets import Offsets
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note

EXPORT, RESPONSE = SAMPLES / "label_studio_export.json", SAMPLES / "label_studio_ml_backend_response.json"
BOTH = ["label-studio", "label-studio-predictions"]


def region(start: int, end: int, text: str | None, *labels: str, **more: object) -> dict[str, Any]:
    value = {"start": start, "end": end, "text": text, "labels": list(labels)}
    return {"id": "r0", "from_name": "label", "to_name": "text", "type": "labels", "value": value, **more}


def task(text: str, *result: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"id": 7, "data": {"text": text}, "annotations": [{"result": list(result)}], **more}


def tasks(tmp_path: Path, *content: object) -> Path:
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps(list(content)), "utf-8")
    return file


def spans_of(document: Document) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.label) for span in document.spans]


# --- the golden samples --------------------------------------------------------------------------------------------


def test_the_golden_export() -> None:
    assert guess(EXPORT)[0].name == "label-studio"
    (document,) = read(EXPORT)
    assert (document.id, document.text, document.spans) == ("1", canonical().text, canonical().spans)
    assert dict(document.info) == {"label_studio:annotation": '{"id": 11, "completed_by": 1, "lead_time": 12.3}'}


def test_the_golden_export_in_utf_16_units(tmp_path: Path) -> None:
    (row,) = json.loads(EXPORT.read_text("utf-8"))
    units = Offsets(row["data"]["text"], "utf-16")
    for item in row["annotations"][0]["result"]:
        for edge in ("start", "end"):
            item["value"][edge] = units.to(item["value"][edge])
    assert row["annotations"][0]["result"][1]["value"]["start"] == 31
    (document,) = read(tasks(tmp_path, row))
    assert document.spans == canonical().spans


def test_the_golden_response_of_an_ml_backend() -> None:
    assert guess(RESPONSE)[0].name == "label-studio-predictions"
    (document,) = read(RESPONSE, how=Reading(texts={"n-1": canonical().text}))
    assert (document.id, document.text) == ("n-1", canonical().text)
    assert spans_of(document) == spans_of(canonical())
    assert {span.score for span in document.spans} == {0.97}
    assert dict(document.info) == {"label_studio:prediction": '{"model_version": "deid-0.1", "score": 0.97}'}


@pytest.mark.parametrize(("name", "file"), [(BOTH[0], EXPORT), (BOTH[1], RESPONSE)])
def test_no_other_golden_sample_is_taken_for_label_studio(name: str, file: Path) -> None:
    assert [other for other in SAMPLES.iterdir() if FORMATS[name].sniff(sample(other))] == [file]


def test_writing_the_export_gives_the_golden_one(tmp_path: Path) -> None:
    (document,) = read(EXPORT)
    write([document], tmp_path / "out.json", "label-studio")
    (row,) = json.loads((tmp_path / "out.json").read_text("utf-8"))
    (golden,) = json.loads(EXPORT.read_text("utf-8"))
    assert row["data"].pop("elision_id") == "1"
    assert row == {key: value for key, value in golden.items() if key != "predictions"}


def test_writing_predictions_gives_tasks_to_import(tmp_path: Path) -> None:
    document = Document("Dr. Roe", "n-1", spans=(Span(4, 7, "NAME", 0.5),))
    write([document, Document("", "8")], tmp_path / "out.json", "label-studio-predictions")
    value = {"start": 4, "end": 7, "text": "Roe", "labels": ["NAME"]}
    item = {"id": "r0", "from_name": "label", "to_name": "text", "type": "labels", "value": value, "score": 0.5}
    assert json.loads((tmp_path / "out.json").read_text("utf-8")) == [
        {
            "data": {"text": "Dr. Roe", "elision_id": "n-1"},
            "predictions": [{"model_version": "elision", "result": [item]}],
        },
        {
            "id": 8,
            "data": {"text": "", "elision_id": "8"},
            "predictions": [{"model_version": "elision", "result": []}],
        },
    ]
    assert guess(tmp_path / "out.json")[0].name == "label-studio-predictions"


# --- ids and texts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOTH)
def test_our_ids_survive_label_studios_own(name: str, tmp_path: Path) -> None:
    documents = [note("[NAME Roe]", "ward/n-1"), note("b", "17"), note("c", "")]
    write(documents, tmp_path / "out.json", name)
    rows = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert [row.get("id") for row in rows] == [None, 17, None]
    for number, row in enumerate(rows, 501):
        row["id"] = number  # as Label Studio does on import
    again = list(read(tasks(tmp_path, *rows), name))
    assert [document.id for document in again] == ["ward/n-1", "17", ""]
    write(again, tmp_path / "out.json", name)
    assert [row["id"] for row in json.loads((tmp_path / "out.json").read_text("utf-8"))] == [501, 502, 503]


@pytest.mark.parametrize(
    ("data", "to_name", "key"),
    [
        ({"text": "a", "title": "b"}, "text", "text"),
        ({"note": "a", "n": 5}, "text", "note"),  # the only string
        ({"note": "a", "text": "b"}, "note", "note"),  # the one that the region points to
        ({"text": "a", "title": "b"}, "txt", "text"),
    ],
)
def test_which_field_is_the_note(data: dict[str, object], to_name: str, key: str, tmp_path: Path) -> None:
    annotation = {"result": [region(0, 1, "a", "A", to_name=to_name)]}
    row = {"id": 7, "data": data, "annotations": [annotation]}
    (document,) = read(tasks(tmp_path, row))
    assert (document.text, spans_of(document)) == ("a", [(0, 1, "A")])
    assert document.info.get("label_studio:text", "text") == key
    write([document], tmp_path / "out.json", "label-studio")
    (again,) = json.loads((tmp_path / "out.json").read_text())
    assert again["data"] == data | {"elision_id": "7"}
    assert again["annotations"][0]["result"] == annotation["result"]


def test_one_task_a_file_and_folders(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(task("a") | {"id": None}))
    (tmp_path / "b.json").write_text(json.dumps([task("b") | {"id": None}, task("c") | {"id": None}]))
    assert [(document.id, document.text) for document in read(tmp_path)] == [("a", "a"), ("b-1", "b"), ("b-2", "c")]


def test_texts_for_an_ml_backends_response(tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    results: list[dict[str, object]] = [{"result": [region(0, 1, "a", "A")]}, {"result": []}]

    def response(*results: object, texts: dict[str, str]) -> list[tuple[str, str]]:
        file.write_text(json.dumps({"results": results, "model_version": "m"}))
        found = list(read(file, "label-studio-predictions", Reading(texts=texts)))
        assert {document.info["label_studio:prediction"] for document in found} == {'{"model_version": "m"}'}
        return [(document.id, document.text) for document in found]

    assert response(*results, texts={"x": "a", "y": "b"}) == [("x", "a"), ("y", "b")]  # by place
    by_id = [one | {"task": number} for one, number in zip(results, (9, 8), strict=True)]
    assert response(*by_id, texts={"7": "c", "8": "b", "9": "a"}) == [("9", "a"), ("8", "b")]
    assert response(results[0], texts={"y": "b", "out": "a"}) == [("out", "a")]  # by the file's name
    with pytest.raises(
        FormatError, match=r"prediction 1: an ML backend's response has no texts, and 1 texts are given"
    ):
        response(*results, texts={"x": "a"})
    with pytest.raises(FormatError, match="the text there is not the region's own text"):
        response(*results, texts={"x": "b", "y": "a"})
    with pytest.raises(FormatError, match="read it as label-studio-predictions"):
        list(read(file, "label-studio"))


# --- several annotations -------------------------------------------------------------------------------------------


def said(label: str, **more: object) -> dict[str, Any]:
    return {"result": [region(0, 1, "a", label)], **more}


@pytest.mark.parametrize(
    ("annotations", "label", "remarks"),
    [
        ([said("A")], "A", {}),
        ([said("A", was_cancelled=True), said("B")], "B", {"annotations that were cancelled, passed over": 1}),
        (
            [said("A", ground_truth=True), said("B"), said("C")],
            "A",
            {"annotations beside the one marked as ground truth, not read": 2},
        ),
        ([said("A", was_cancelled=True)], None, {"annotations that were cancelled": 1, "tasks without an annot": 1}),
        ([], None, {"tasks without an annotation, passed over": 1}),
    ],
)
def test_which_annotation_is_read(
    annotations: list[object], label: str | None, remarks: dict[str, int], tmp_path: Path
) -> None:
    how = Reading()
    file = tasks(tmp_path, {"id": 1, "data": {"text": "a"}, "annotations": annotations}, task("b"))
    found = {document.id: spans_of(document) for document in read(file, "label-studio", how)}
    assert found == ({"7": []} if label is None else {"1": [(0, 1, label)], "7": []})
    assert list(how.remarks.counts.values()) == list(remarks.values())
    for what, start in zip(how.remarks.counts, remarks, strict=True):
        assert what.startswith(f"Label Studio {start}")


@pytest.mark.parametrize("truths", [0, 2])
def test_several_annotators_are_never_mixed(truths: int, tmp_path: Path) -> None:
    annotations = [said(label, ground_truth=n < truths) for n, label in enumerate("ABC")]
    file = tasks(tmp_path, {"id": 1, "data": {"text": "a"}, "annotations": annotations})
    with pytest.raises(
        FormatError, match=r"item 1: 3 annotations for one note, and not exactly one is marked.*--lenient"
    ):
        list(read(file))
    how = Reading(lenient=True)
    (document,) = read(file, how=how)
    assert spans_of(document) == [(0, 1, "C")]
    assert how.remarks.counts == {"Label Studio annotations before the last one of their task, not read": 2}


def test_each_side_reads_its_own_and_reports_the_other(tmp_path: Path) -> None:
    file = tasks(tmp_path, task("a", region(0, 1, "a", "A"), predictions=[said("B"), said("C")], drafts=[said("D")]))
    how = Reading(lenient=True)
    (document,) = read(file, how=how)
    assert spans_of(document) == [(0, 1, "A")]
    assert how.remarks.counts == {"Label Studio predictions, not read": 2, "Label Studio drafts, not read": 1}
    (document,) = read(file, "label-studio-predictions", how := Reading(lenient=True))
    assert spans_of(document) == [(0, 1, "C")]
    assert list(how.remarks.counts.values()) == [1, 1, 1]
    assert "a" not in "".join(v for v in document.info.values())  # no second copy of the text


def test_exports_from_before_1_0(tmp_path: Path) -> None:
    old = {
        "id": 1,
        "data": {"text": "😀a"},
        "completions": [{"result": [region(2, 3, "a", "A")]}, said("B", skipped=1)],
    }
    file = tasks(tmp_path, old)
    assert guess(file)[0].name == "label-studio"
    (document,) = read(file)
    assert spans_of(document) == [(1, 2, "A")]


# --- regions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "start", "end", "own", "found"),
    [
        ("Dr. Roe", 4, 7, "Roe", (4, 7)),
        ("😀 Roe", 2, 5, "Roe", (2, 5)),
        ("😀 Roe", 3, 6, "Roe", (2, 5)),
        ("😀  Roe ", 3, 7, " Roe", (2, 6)),  # exact in UTF-16, though loosely right in code points, too
        ("Roe\r\nAnn", 0, 8, "Roe\r\nAnn", (0, 8)),
        ("Roe\nAnn", 0, 7, "Roe\\nAnn", (0, 7)),  # a line end as backslash and n
        ("Roe\nAnn", 0, 7, "Roe Ann", (0, 7)),
        (" Roe", 0, 4, "Roe", (0, 4)),
        ("Roe", 0, 3, None, (0, 3)),
    ],
)
def test_units(text: str, start: int, end: int, own: str | None, found: tuple[int, int], tmp_path: Path) -> None:
    how = Reading()
    (document,) = read(tasks(tmp_path, task(text, region(start, end, own, "A"))), how=how)
    assert [(span.start, span.end) for span in document.spans] == [found]
    assert how.remarks.counts == {}


@pytest.mark.parametrize("own", ["a", None])
def test_where_both_units_fit_it_is_remarked(own: str | None, tmp_path: Path) -> None:
    how = Reading()
    (document,) = read(tasks(tmp_path, task("😀aaa", region(2, 3, own, "A"))), how=how)
    assert spans_of(document) == [(2, 3, "A")]
    assert how.remarks.counts == {"Label Studio tasks that fit code points and UTF-16 units, read as code points": 1}


def test_all_regions_of_a_task_are_in_one_unit(tmp_path: Path) -> None:
    text = "😀aa Roe"
    result = [region(2, 3, "a", "A"), region(5, 8, "Roe", "NAME")]  # the second tells: UTF-16
    (document,) = read(tasks(tmp_path, task(text, *result)))
    assert spans_of(document) == [(1, 2, "A"), (4, 7, "NAME")]


@pytest.mark.parametrize(
    ("text", "start", "end", "own", "message"),
    [
        (
            "Dr. Roe, Ann",
            5,
            8,
            "Roe",
            "result 1: region 5–8: the text there is not the region's own text, neither in code",
        ),
        ("Dr. Roe", 40, 43, "Roe", "neither in code points nor in UTF-16 units"),
        ("Dr. Roe", -3, 7, "Roe", "neither in code points nor in UTF-16 units"),
        ("😀Roe", 1, 3, "Roe", "neither in code points nor in UTF-16 units"),
        ("Dr.\r\nRoe", 4, 7, "Roe", "the offsets count each CRLF of the note as one character"),
        ("😀\r\n\r\nRoe", 4, 7, "Roe", "the offsets count each CRLF of the note as one character"),
    ],
)
def test_offsets_that_fit_nothing(text: str, start: int, end: int, own: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(tasks(tmp_path, task(text, region(start, end, own, "A")))))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_all_that_regions_say_is_kept(tmp_path: Path) -> None:
    result = [
        region(0, 3, "Roe", "NAME", "DOCTOR", id="kX1", from_name="phi", meta={"text": ["sure?"]}, origin="prediction"),
        region(5, 9, "Ward", "ROOM", id="r2"),
        {"id": "c1", "from_name": "kind", "to_name": "text", "type": "choices", "value": {"choices": ["letter"]}},
        {"type": "relation", "from_id": "kX1", "to_id": "r2", "direction": "right"},
    ]
    row = task("Roe, Ward", *result, project=83, meta={"n": 1})
    row["data"]["ward"] = {"n": 4}
    (document,) = read(tasks(tmp_path, row))
    assert spans_of(document) == [(0, 3, "NAME"), (0, 3, "DOCTOR"), (5, 9, "ROOM")]
    remarks = write([document], tmp_path / "out.json", "label-studio")
    assert remarks.lines() == []
    (again,) = json.loads((tmp_path / "out.json").read_text())
    assert again["data"].pop("elision_id") == "7"
    assert again.pop("annotations") == [{"was_cancelled": False, "ground_truth": False, "result": result}]
    assert again == {key: value for key, value in row.items() if key != "annotations"}
    remarks = write([document.with_spans(document.spans[:2])], tmp_path / "out.json", "label-studio")
    assert remarks.counts == {"Label Studio relations whose spans are gone, left out": 1}


def test_what_is_said_of_a_region_and_empty_regions_are_remarked(tmp_path: Path) -> None:
    choice = {"id": "r0", "type": "choices", "value": {"start": 0, "end": 1, "text": "a", "choices": ["sure"]}}
    how = Reading()
    (document,) = read(tasks(tmp_path, task("a", region(0, 1, "a"), choice)), how=how)
    assert document == Document("a", "7")
    assert how.remarks.counts == {
        "Label Studio regions without a label, passed over": 1,
        "Label Studio results of type 'choices' about a region, not kept": 1,
    }


def test_regions_in_html_are_read_where_their_offsets_fit(tmp_path: Path) -> None:
    value = {
        "start": "/text()[1]", "end": "/text()[1]", "startOffset": 0, "endOffset": 3,
        "globalOffsets": {"start": 4, "end": 7}, "text": "Roe", "hypertextlabels": ["NAME"],
    }  # fmt: skip
    item = {"id": "r0", "from_name": "label", "to_name": "text", "type": "hypertextlabels", "value": value}
    how = Reading()
    (document,) = read(tasks(tmp_path, task("Dr. Roe", item)), how=how)
    assert spans_of(document) == [(4, 7, "NAME")]
    assert len(how.remarks.counts) == 1
    with pytest.raises(FormatError, match="the text there is not the region's own text"):
        list(read(tasks(tmp_path, task("<p>Dr. Roe</p>", item))))


def test_a_note_that_is_only_an_address_is_remarked(tmp_path: Path) -> None:
    how = Reading()
    (document,) = read(tasks(tmp_path, task("s3://ward/note-1.txt")), how=how)
    assert document.text == "s3://ward/note-1.txt"
    assert len(how.remarks.counts) == 1


# --- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("text", "item 2: expected a JSON object for every note"),
        (
            {"id": 1, "text": "a", "label": []},
            "item 2: a task needs an object 'data'; if this is an export of type JSON-MIN",
        ),
        ({"data": {}, "annotations": [{"result": []}]}, "item 2: which field of 'data' is the note? None is called"),
        ({"data": {"a": "x", "b": "y"}, "annotations": [{"result": []}]}, "and not one but 2 are strings"),
        ({"data": {"text": "a"}, "annotations": [5]}, "item 2: field 'annotations' must be a list of objects"),
        (task("a", {"type": "labels"}), "item 2: result 1: field 'start' is missing"),
        (task("a", {"type": 5}), "item 2: result 1: field 'type' must be a string"),
        (
            task("a", region(0, 1, "a", "A", type="paragraphlabels")),
            "result 1: regions of type 'paragraphlabels' are not",
        ),
        (
            task("a", region(0, 1, "a", "A") | {"value": {"start": 0, "end": 1, "labels": [5]}}),
            "a label must be a string",
        ),
        (
            task("a", region(0, 1, "a", "A"), region(0, 1, "a", "A", to_name="b")),
            "regions in several texts of one task (b,",
        ),
        (
            task("a", region(0, 1, "a", "A"), data={"text": "a", "elision_id": []}),
            "field 'elision_id' must be a string",
        ),
        (task("a", project="\ud83d"), "half a character"),
    ],
)
def test_bad_tasks(row: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(tasks(tmp_path, task("fine", id=1), row), "label-studio"))
    assert message in str(caught.value)


def test_documents_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"tasks.json: item 1: note 7: half a character"):
        list(read(tasks(tmp_path, task("Roe \ud83d"))))


def test_broken_files(tmp_path: Path) -> None:
    file = tasks(tmp_path, task("a"), task("b"))
    with pytest.raises(FormatError, match="the id 7 comes twice"):
        list(read(file))
    file.write_bytes(file.read_bytes()[:-20])
    documents = read(file, "label-studio")
    assert next(documents).text == "a"  # items are read one at a time
    with pytest.raises(FormatError, match=r"tasks.json: item 2: not valid JSON"):
        next(documents)
    file.write_bytes('[{"data": {"text": "Núñez"}, "annotations": [{"result": []}]}]'.encode("cp1252"))
    with pytest.raises(FormatError, match=r"tasks.json: is not utf-8"):
        list(read(file, "label-studio"))
    assert next(read(file, "label-studio", Reading(encoding="cp1252"))).text == "Núñez"
    file.write_text('{"id": 1}')
    with pytest.raises(FormatError, match=r"tasks.json: a task needs an object 'data'"):
        list(read(file, "label-studio"))


def test_scores_are_held_in_predictions_only(tmp_path: Path) -> None:
    document = Document("a", "1", spans=(Span(0, 1, "A", 0.25), Span(0, 1, "A", 0.5), Span(0, 0, "B")))
    assert write([document], tmp_path / "p.json", "label-studio-predictions").lines() == []
    assert list(read(tmp_path / "p.json")) == [document]
    assert list(write([document], tmp_path / "a.json", "label-studio").counts) == [
        "label-studio does not hold span scores"
    ]
