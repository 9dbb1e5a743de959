"""Hugging Face token classification: rows, a file of features, and columns that make reading exact."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.errors import CannotHoldError, DocumentError, FormatError
from elision.formats import FORMATS, Reading, Remarks, guess, read, write
from elision.formats.catalogue import sample
from elision.formats.format import fit
from tests.formats.canonical import SAMPLES, canonical
from tests.notes import note
from tests.strategies import documents

ROWS, FEATURES = SAMPLES / "hf_token_classification.jsonl", SAMPLES / "hf_features.json"
NAMES = ["O", "B-NAME", "I-NAME"]


def put(folder: Path, *rows: dict[str, Any], features: object = None, name: str = "features.json") -> Path:
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    if features is not None:
        (folder / name).write_text(json.dumps(features), "utf-8")
    return folder / "rows.jsonl"


def labelled(document: Document) -> list[tuple[str, str]]:
    return [(document.text_of(span), span.label) for span in document.spans]


def test_the_golden_sample_alone_has_the_tokens_and_labels() -> None:
    assert guess(ROWS)[0].name == "hf"
    how = Reading()
    (document,) = read(ROWS, how=how)
    assert labelled(document) == [
        ("2069 - 04 - 07", "DATE"),
        *((text.replace("\n", " "), label) for text, label in labelled(canonical())[1:]),
    ]
    assert list(how.remarks.counts) == ["text rebuilt from tokens; the white space between them is a guess"]


def test_the_golden_sample_with_its_text_is_exact() -> None:
    truth = canonical("0")
    assert list(read(ROWS, "hf", Reading(texts={"0": truth.text}))) == [truth]


def test_no_other_golden_sample_is_taken_for_hugging_face() -> None:
    claimed = {file.name for file in SAMPLES.iterdir() if FORMATS["hf"].sniff(sample(file))}
    assert claimed == {ROWS.name}


def test_what_is_written(tmp_path: Path) -> None:
    document = note("Seen by [NAME Jane Roe] on [DATE 3 May].", "7")
    write([document], tmp_path / "train.jsonl", "hf")
    assert json.loads((tmp_path / "train.jsonl").read_text("utf-8")) == {
        "id": "7",
        "tokens": ["Seen", "by", "Jane", "Roe", "on", "3", "May", "."],
        "ner_tags": [0, 0, 1, 2, 0, 3, 4, 0],
        "text": "Seen by Jane Roe on 3 May.",
        "starts": [0, 5, 8, 13, 17, 20, 22, 25],
        "ends": [4, 7, 12, 16, 19, 21, 25, 26],
        "patient": "",
        "language": "",
    }
    features = json.loads((tmp_path / "train.features.json").read_text("utf-8"))
    assert features["ner_tags"] == {
        "feature": {"names": ["O", "B-NAME", "I-NAME", "B-DATE", "I-DATE"], "_type": "ClassLabel"},
        "_type": "Sequence",
    }
    assert features.keys() == json.loads((tmp_path / "train.jsonl").read_text("utf-8")).keys()
    for path in (tmp_path, tmp_path / "train.jsonl"):
        assert guess(path)[0].name == "hf"
        assert list(read(path)) == [document]


def test_several_notes_with_labels_that_have_blanks(tmp_path: Path) -> None:
    notes = [
        Document("", "1"),
        Document("a\0\r\n b", "2", patient="p", language="zh", spans=(Span(0, 1, "HOME ADDRESS"), Span(5, 6, "x-y"))),
        Document("a b", "3", spans=(Span(0, 1, "x-y"), Span(2, 3, "x-y"))),
    ]
    write(notes, tmp_path / "out.jsonl", "hf")
    assert list(read(tmp_path / "out.jsonl", "hf")) == notes


@given(data=st.data())
def test_tokens_and_tags_alone_are_exact_with_the_text(data: st.DataObject) -> None:
    document = fit(data.draw(documents(FORMATS["hf"], "1")), FORMATS["hf"], Remarks())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.jsonl"
        write([document], file, "hf")
        row = json.loads(file.read_text("utf-8"))
        file.write_text(json.dumps({key: row[key] for key in ("id", "tokens", "ner_tags")}), "utf-8")
        (again,) = read(file, "hf", Reading(texts={"1": document.text}))
    assert (again.text, again.spans) == (document.text, document.spans)


WRAPPED: list[tuple[str, object]] = [
    ("features.json", {"ner_tags": {"feature": {"names": NAMES, "_type": "ClassLabel"}, "_type": "List"}}),
    ("rows.features.json", {"ner_tags": {"names": NAMES}}),
    ("dataset_info.json", {"features": {"ner_tags": {"feature": {"names": NAMES}}}, "splits": {}}),
    ("my_features.json", {"ner_tags": NAMES}),
    ("features.json", NAMES),
    ("features.json", {"ner_tags": {"names": ["O", "I-NAME", "E-NAME"]}}),
]


@pytest.mark.parametrize(("name", "features"), WRAPPED)
def test_where_the_names_of_the_numbers_may_stand(name: str, features: object, tmp_path: Path) -> None:
    file = put(tmp_path, {"tokens": ["Jane", "Roe", "left"], "ner_tags": [1, 2, 0]}, features=features, name=name)
    (document,) = read(file, "hf")
    assert (document.id, labelled(document)) == ("1", [("Jane Roe", "NAME")])


@pytest.mark.parametrize("column", ["ner_tags", "tags", "labels"])
def test_tags_as_strings_need_no_features(column: str, tmp_path: Path) -> None:
    row = {"id": 5, "tokens": ["Jane", "Roe", "left"], column: ["B-NAME", "L-NAME", "O"], "text": "Jane  Roe\nleft"}
    assert list(read(put(tmp_path, row))) == [Document("Jane  Roe\nleft", "5", spans=(Span(0, 9, "NAME"),))]


def test_a_list_in_one_file_and_rows_without_ids_in_a_folder(tmp_path: Path) -> None:
    row = {"tokens": ["a"], "ner_tags": ["O"]}
    (tmp_path / "x.jsonl").write_text(json.dumps([row, row]), "utf-8")
    (tmp_path / "y.jsonl").write_text(json.dumps(row), "utf-8")
    assert [document.id for document in read(tmp_path, "hf")] == ["x-1", "x-2", "y-1"]


OK = {"tokens": ["a", "b"], "ner_tags": [0, 1]}
BAD: list[tuple[str, dict[str, Any], object, str]] = [
    ("out of range", {**OK, "ner_tags": [0, 3]}, NAMES, "rows.jsonl:1: tag 3 is out of range; the features name 3"),
    ("negative", {**OK, "ner_tags": [0, -100]}, NAMES, "tag -100 is out of range"),
    ("no features", OK, None, "put the names that they stand for beside it as rows.features.json"),
    ("features of another column", OK, {"pos_tags": {"names": NAMES}}, "features.json: no list of names for"),
    ("names that are no tags", OK, ["O", "NAME"], "features.json: name 1 of ner_tags is not a tag"),
    ("a string that is no tag", {**OK, "ner_tags": ["O", "secret"]}, None, "rows.jsonl:1: something else than a tag"),
    ("true", {**OK, "ner_tags": [0, True]}, NAMES, "rows.jsonl:1: a tag must be a string"),
    ("a tag too few", {**OK, "ner_tags": [0]}, NAMES, "rows.jsonl:1: 2 tokens but 1 tags"),
    ("no tags", {"tokens": ["secret"]}, NAMES, "rows.jsonl:1: field 'ner_tags' is missing"),
    ("no tokens", {"ner_tags": []}, NAMES, "rows.jsonl:1: field 'tokens' is missing"),
    ("an empty token", {**OK, "tokens": ["a", ""]}, NAMES, "every token must be a string that is not empty"),
    ("another text", {**OK, "text": "a secret"}, NAMES, "rows.jsonl:1: token 2 is not in the text at offset 2"),
    ("backwards", {**OK, "text": "ab", "starts": [1, 0], "ends": [2, 1]}, NAMES, "token 2 do not ascend"),
    (
        "moved",
        {**OK, "text": "a b", "starts": [0, 1], "ends": [1, 2]},
        NAMES,
        "token 2 is not what the text has at 1–2",
    ),
]


@pytest.mark.parametrize(("row", "features", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_bad_rows(row: dict[str, Any], features: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        list(read(put(tmp_path, row, features=features), "hf"))
    assert "secret" not in str(caught.value)


def test_half_a_character_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="half a character"):
        list(read(put(tmp_path, {"tokens": ["\ud83d"], "ner_tags": ["O"]}), "hf"))


def test_an_empty_label_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CannotHoldError, match="span 0–1: a tag cannot hold an empty label"):
        write([Document("a", "1", spans=(Span(0, 1, ""),))], tmp_path / "out.jsonl", "hf")
    assert list(tmp_path.iterdir()) == []


def test_two_files_of_features_that_could_be_meant_are_not_guessed_between(tmp_path: Path) -> None:
    file = put(tmp_path, OK, features=NAMES, name="a_features.json")
    shutil.copy(tmp_path / "a_features.json", tmp_path / "b_features.json")
    with pytest.raises(FormatError, match=r"rows\.features\.json"):
        list(read(file, "hf"))
