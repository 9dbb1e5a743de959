"""Prodigy: tokens that cover the text, spans along them, and answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from elision.document import Document, Span
from elision.errors import DocumentError, FormatError
from elision.formats import FORMATS, Reading, guess, read, write
from elision.formats.catalogue import sample
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note
from tests.strategies import texts

TASK = {
    "text": "Ann Roe, Ward 4",
    "spans": [
        {"start": 0, "end": 7, "token_start": 0, "token_end": 1, "label": "NAME", "score": 0.5, "source": "crf"},
        {"start": 9, "end": 15, "token_start": 3, "token_end": 4, "label": "ROOM", "text": "Ward 4", "pattern": 12},
    ],
    "meta": {"score": 0.5, "pattern": "12"},
    "answer": "accept",
    "_view_id": "ner_manual",
    "_timestamp": 1700000000,
    "_input_hash": 5,
}


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def jsonl(tmp_path: Path, *lines: object) -> Path:
    file = tmp_path / "tasks.jsonl"
    file.write_text("".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines), "utf-8")
    return file


def test_the_golden_sample(tmp_path: Path) -> None:
    file = SAMPLES / "prodigy.jsonl"
    assert guess(file)[0].name == "prodigy"
    assert list(read(file)) == [canonical()]
    write([canonical()], tmp_path / "out.jsonl", "prodigy")
    assert guess(tmp_path / "out.jsonl")[0].name == "prodigy"
    (row,) = rows(tmp_path / "out.jsonl")
    tokens = row["tokens"]
    for span in row["spans"]:
        assert tokens[span["token_start"]]["start"] == span["start"]
        assert tokens[span["token_end"]]["end"] == span["end"]  # the last token, not the one behind it


def test_no_other_golden_sample_is_taken_for_prodigy() -> None:
    claimed = {file.name for file in SAMPLES.iterdir() if FORMATS["prodigy"].sniff(sample(file))}
    assert claimed == {"prodigy.jsonl"}


@pytest.mark.parametrize(
    "task",
    [
        {"text": "a", "spans": [], "answer": "accept"},
        {"text": "a", "_task_hash": 1},
        {"text": "a", "tokens": [{"text": "a", "start": 0, "end": 1, "id": 0, "ws": False}]},
        {"text": "a", "spans": [{"start": 0, "end": 1, "label": "A", "token_start": 0, "token_end": 0}]},
    ],
)
def test_a_single_line_is_told(task: object, tmp_path: Path) -> None:
    assert guess(jsonl(tmp_path, task))[0].name == "prodigy"


@given(text=texts)
def test_tokens_and_their_blanks_are_the_text(text: str, tmp_path: Path) -> None:
    write([Document(text, "1")], tmp_path / "out.jsonl", "prodigy")
    (row,) = rows(tmp_path / "out.jsonl")
    tokens = row["tokens"]
    assert "".join(token["text"] + " " * token["ws"] for token in tokens) == text
    assert [token["id"] for token in tokens] == list(range(len(tokens)))
    assert all(text[token["start"] : token["end"]] == token["text"] != "" for token in tokens)


def test_all_that_a_task_says_is_kept(tmp_path: Path) -> None:
    (document,) = read(jsonl(tmp_path, TASK))
    assert document.spans[0] == Span(0, 7, "NAME", 0.5, "crf")
    assert document.spans[1] == Span(9, 15, "ROOM", info={"prodigy:pattern": "12"})
    assert write([document], tmp_path / "out.jsonl", "prodigy").lines() == []
    (row,) = rows(tmp_path / "out.jsonl")
    assert row.pop("id") == 1
    assert len(row.pop("tokens")) == 5
    expected = json.loads(json.dumps(TASK))
    del expected["_input_hash"], expected["spans"][1]["text"]
    assert row == expected


def test_only_accepted_tasks_and_spans_are_read(tmp_path: Path) -> None:
    span = {"start": 0, "end": 1, "label": "A"}
    tasks = [
        {"text": "a", "spans": [span]},
        {"text": "b", "spans": [span], "answer": "reject"},
        {"text": "c", "spans": [span], "answer": "ignore"},
        {"text": "d", "spans": [{**span, "answer": "reject"}, {**span, "answer": "accept"}], "answer": "accept"},
    ]
    how = Reading()
    found = list(read(jsonl(tmp_path, *tasks), "prodigy", how))
    assert [(document.id, len(document.spans)) for document in found] == [("1", 1), ("4", 1)]
    assert how.remarks.counts == {
        "prodigy tasks with the answer 'reject', passed over": 1,
        "prodigy tasks with the answer 'ignore', passed over": 1,
        "prodigy spans that were rejected or ignored, passed over": 1,
    }


def test_what_two_annotators_said_and_relations_are_remarked(tmp_path: Path) -> None:
    how = Reading()
    file = jsonl(tmp_path, TASK, {**TASK, "relations": [{"head": 1, "child": 4, "label": "in"}]})
    assert len(list(read(file, "prodigy", how))) == 2
    assert [what.split(",")[0] for what in how.remarks.counts] == [
        "prodigy relations",
        "prodigy tasks on a text that came before (two annotators?)",
    ]


def test_spans_that_cut_tokens_are_held_and_remarked(tmp_path: Path) -> None:
    document = note("see [NAME Ro]e", "1")
    document = document.with_spans([*document.spans, Span(4, 4, "DATE"), Span(0, 4, "ID")])
    remarks = write([document], tmp_path / "out.jsonl", "prodigy")
    assert list(remarks.counts.values()) == [3]
    assert not any("token_start" in span for span in rows(tmp_path / "out.jsonl")[0]["spans"])
    assert list(read(tmp_path / "out.jsonl")) == [document]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"text": "a", "spans": [', ":2: not valid JSON at line 1, column"),
        ('{"text": "a", "answer": "maybe"}', ":2: field 'answer' must be accept, reject or ignore"),
        ('{"text": null}', ":2: field 'text' is missing"),
        ('{"text": "a", "spans": [{"end": 1, "label": "A"}]}', ":2: span 1: field 'start' is missing"),
        ('{"text": "a", "spans": [{"start": 0, "end": "1", "label": "A"}]}', "span 1: field 'end' must be a whole"),
        ('{"text": "a", "spans": [{"start": 0, "end": 1}]}', ":2: span 1: field 'label' is missing"),
        (
            '{"text": "a b", "spans": [{"start": 0, "end": 1, "label": "A", "text": "b"}]}',
            ":2: span 1: its 'text' is not",
        ),
        ('{"text": "a", "spans": [{"start": 0, "end": 1, "label": "A", "score": "1"}]}', "'score' must be a number"),
    ],
)
def test_bad_lines(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read(jsonl(tmp_path, '{"text": "fine"}', line), "prodigy"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 7, "text": "Roe \\ud83d"}', "tasks.jsonl:1: note 7: half a character"),
        ('{"text": "Roe", "spans": [{"start": 0, "end": 4, "label": "A"}]}', ":1: note 1: span 0–4 reaches beyond"),
    ],
)
def test_documents_that_cannot_be(line: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        list(read(jsonl(tmp_path, line), "prodigy"))
    assert message in str(caught.value)
    assert "Roe" not in str(caught.value)


def test_the_same_id_twice_and_a_wrong_encoding(tmp_path: Path) -> None:
    file = jsonl(tmp_path, {"id": 2, "text": "a"}, {"text": "b"})  # the second is called by its place, 2
    with pytest.raises(FormatError, match="the id 2 comes twice"):
        list(read(file, "prodigy"))
    file.write_bytes('{"text": "Núñez"}'.encode("cp1252"))
    with pytest.raises(FormatError, match=r"tasks.jsonl:1: byte 11 of the line is not utf-8"):
        list(read(file, "prodigy"))
