"""elision's own JSON Lines: all of a document, and errors that show where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import CannotHoldError, DocumentError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from tests.notes import GOLDEN, note

FULL = Document(
    "Seen by Dr. Roe\r\non 3 May 😀",
    id="a/7",
    patient="p1",
    language="en",
    spans=(
        Span(12, 15, "NAME_CLINICIAN", 0.5, "crf", {"brat:id": "T7"}),
        Span(20, 25, "DATE"),
        Span(12, 15, "NAME"),
        Span(3, 3, ""),
    ),
    known={"name": ("Jane Roe", "Roe, J."), "mrn": ()},
    joints=(0, 17),
    info={"source": "ward 4", "": "x"},
)


def jsonl(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "notes.jsonl"
    file.write_text("\n".join(lines), "utf-8")
    return file


def test_a_file_is_written_without_a_look_at_those_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def walk(folder: Path) -> list[Path]:
        raise FormatError(f"{folder}: the folder cannot be read")

    monkeypatch.setattr("elision.formats.convert.walk", walk)
    write([FULL], tmp_path / "out.jsonl", "jsonl")
    assert (tmp_path / "out.jsonl").exists()


def test_everything_is_held(tmp_path: Path) -> None:
    remarks = write([FULL, Document("")], tmp_path / "out.jsonl", "jsonl")
    assert remarks.lines() == []
    assert list(read(tmp_path / "out.jsonl", "jsonl")) == [FULL, Document("")]


def test_what_has_its_default_is_left_out(tmp_path: Path) -> None:
    write([note("Seen by [NAME Dr. Roe].", "7")], tmp_path / "out.jsonl", "jsonl")
    assert (tmp_path / "out.jsonl").read_text() == (
        '{"id": "7", "text": "Seen by Dr. Roe.", "spans": [{"start": 8, "end": 15, "label": "NAME"}]}\n'
    )


def test_a_line_without_an_id_is_called_by_its_number(tmp_path: Path) -> None:
    file = jsonl(tmp_path, '{"text": "a"}', "", '{"text": "b", "id": 17}', '{"text": "c", "id": null, "spans": null}')
    assert list(read(file)) == [Document("a", "1"), Document("b", "17"), Document("c", "4")]


def test_lines_are_read_one_at_a_time(tmp_path: Path) -> None:
    documents = read(jsonl(tmp_path, '{"text": "a"}', '{"text": '), "jsonl")
    assert next(documents).text == "a"  # before the broken line is looked at
    with pytest.raises(FormatError, match=r"notes.jsonl:2: not valid JSON"):
        next(documents)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a"', ":2: not valid JSON at line 1, column 13: Expecting"),
        ('["a"]', ":2: expected a JSON object"),
        ("{}", ":2: field 'text' is missing"),
        ('{"text": 5}', ":2: field 'text' must be a string"),
        ('{"text": "a", "id": 1.5}', ":2: field 'id' must be a string or a whole number"),
        ('{"text": "a", "spams": []}', ":2: unknown field 'spams' (did you mean 'spans'?)"),
        ('{"text": "a", "text": "b"}', ":2: not valid JSON: a key comes twice"),
        ('{"text": "a", "spans": {}}', ":2: field 'spans' must be a list"),
        ('{"text": "a", "spans": [[0, 1, "A"]]}', ":2: field 'spans' must be a list of objects"),
        ('{"text": "a", "spans": [{"start": 0, "end": 1}]}', ":2: span 1: field 'label' is missing"),
        (
            '{"text": "a", "spans": [{"start": "0", "end": 1, "label": "A"}]}',
            ":2: span 1: field 'start' must be a whole",
        ),
        ('{"text": "a", "spans": [{"start": true, "end": 1, "label": "A"}]}', "field 'start' must be a whole number"),
        (
            '{"text": "a", "spans": [{"start": 0, "end": 1, "label": "A", "scor": 1}]}',
            "span 1: unknown field 'scor' (did",
        ),
        ('{"text": "a", "spans": [{"start": 0, "end": 1, "label": "A", "score": NaN}]}', "'score' must be a number"),
        ('{"text": "a", "spans": [{"start": 0, "end": 1, "label": "\\ud83d"}]}', "field 'label' has half a character"),
        ('{"text": "a", "known": {"name": "Roe"}}', ":2: known 'name' must be a list of strings"),
        ('{"text": "a", "joints": [0.5]}', ":2: field 'joints' must be a list of whole numbers"),
        ('{"text": "a", "info": {"n": 1}}', ":2: info 'n' must be a string"),
    ],
)
def test_bad_lines(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(jsonl(tmp_path, '{"text": "fine"}', line), "jsonl"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "7", "text": "Roe \\ud83d"}', ":2: note 7: half a character (a lone surrogate) at offset 4"),
        ('{"id": "7", "text": "Roe", "spans": [{"start": 0, "end": 4, "label": "A"}]}', ":2: note 7: span 0–4 reaches"),
        ('{"id": "7", "text": "Roe", "spans": [{"start": 2, "end": 1, "label": "A"}]}', ":2: span 2–1: the start must"),
        ('{"id": "7", "text": "Roe", "joints": [2, 1]}', ":2: note 7: joints must ascend"),
    ],
)
def test_documents_that_cannot_be(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        list(read(jsonl(tmp_path, '{"text": "fine"}', line), "jsonl"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_the_same_id_twice(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="the id 7 comes twice"):
        list(read(jsonl(tmp_path, '{"id": "7", "text": "a"}', '{"id": 7, "text": "b"}')))


def test_a_wrong_encoding(tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    file.write_bytes('{"text": "Núñez"}\n'.encode("cp1252"))
    with pytest.raises(FormatError, match=r"notes.jsonl:1: byte 11 of the line is not utf-8"):
        list(read(file, "jsonl"))
    assert next(read(file, "jsonl", Reading(encoding="cp1252"))).text == "Núñez"


def test_a_score_that_json_cannot_hold(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="note 7: span 0–1: the score"):
        write([Document("a", "7", spans=(Span(0, 1, "A", float("nan")),))], tmp_path / "out.jsonl", "jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "1", "text": "a", "spans": []}',
        '{"text": "a", "spans": [{"start": 0, "end": 1, "label": "A", "info": {"token_start": "2"}}]}',
        '{"text": "a", "info": {"answer": "accept", "_task_hash": "1"}}',
        '{"text": "a"}',
        '{"text": "' + "long " * 20_000 + '"}',
    ],
)
def test_a_single_line_is_told(line: str, tmp_path: Path) -> None:
    assert guess(jsonl(tmp_path, line))[0].name == "jsonl"


@pytest.mark.parametrize("file", sorted((GOLDEN / "formats").iterdir()), ids=lambda file: file.name)
def test_no_golden_sample_is_taken_for_ours(file: Path) -> None:
    assert FORMATS["jsonl"].sniff(sample(file)) == ""


def test_a_folder_of_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("a.jsonl", "b/c.jsonl"):
        (tmp_path / name).write_text(json.dumps({"text": name}) + "\n")
    assert [document.id for document in read(tmp_path)] == ["a-1", "b/c-1"]
