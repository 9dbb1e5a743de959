from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from elision.errors import FormatError
from elision.formats.tables.columns import Columns, omop
from elision.languages.telling.deciding import language_code
from elision.run.column_roles import guess, role_of

NOTE = "The patient was seen in the clinic today and is doing well on the new treatment. " * 4


def table(**columns: list[Any]) -> tuple[Any, dict[str, list[Any]]]:
    return pa.table(columns).schema, columns


def test_columns_from_a_file_are_those_of_json(tmp_path: Path) -> None:
    given = Columns(("note", "plan"), "id", "pid", "lang", "day", {"name": "who", "mrn": "mrn"}, ("ward",))
    (tmp_path / "a.toml").write_text(
        '[columns]\ntexts = ["note", "plan"]\nid = "id"\npatient = "pid"\nlanguage = "lang"\ndate = "day"\n'
        'keep = ["ward"]\nknown = { name = "who", mrn = "mrn" }\n'
    )
    assert Columns.from_toml(tmp_path / "a.toml") == given
    assert Columns.from_json(given.as_json()) == given
    (tmp_path / "b.toml").write_text('text = "note"\n')
    assert Columns.from_toml(tmp_path / "b.toml") == Columns(("note",))
    assert given.read == ("id", "pid", "lang", "day", "note", "plan", "who", "mrn", "ward")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('txets = ["a"]', "did you mean texts"),
        ('texts = "a"', "must be a list"),
        ("texts = [1]", "must be a list"),
        ('known = ["a"]', "must be a table"),
        ("id = 1", "must be the name"),
        ("id = ", "is not valid TOML"),
        ('texts = ["a"]\nkeep = ["a"]', "cannot be kept as it is"),
        ('texts = ["a"]\nid = "a"', "both for a text and for an id"),
    ],
)
def test_files_that_cannot_be(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(content)
    with pytest.raises(FormatError, match=said):
        Columns.from_toml(tmp_path / "a.toml")
    with pytest.raises(FormatError, match="cannot be read"):
        Columns.from_toml(tmp_path / "none.toml")


def test_a_column_that_is_not_there_is_told_with_near_ones() -> None:
    schema = pa.schema([("Note_Text", pa.string()), ("note_id", pa.int64()), ("ward", pa.string())])
    Columns(("Note_Text",), "note_id").check(schema, "t")
    for columns, said in (
        (Columns(("note_text",)), "no column 'note_text'; did you mean Note_Text"),
        (Columns(("Note_Text",), "noteid"), "did you mean note_id"),
        (Columns(("Note_Text",), keep=("zzzzzz",)), "there are: Note_Text, note_id, ward"),
        (Columns(id="note_id"), "no text column"),
        (Columns(("note_id",)), "column note_id holds int64, not text"),
    ):
        with pytest.raises(FormatError, match=said):
            columns.check(schema, "t")


def test_json_is_no_text() -> None:
    schema = pa.schema([pa.field("text", pa.string(), metadata={b"elision": b"json"})])
    with pytest.raises(FormatError, match="several kinds"):
        Columns(("text",)).check(schema, "t")


def test_languages_are_known_by_many_names() -> None:
    cases = {
        "en": "en", "EN-us": "en", "es_MX": "es", "Spanish": "es", "nld": "nl", "zh-Hans": "zh", "4180186": "en",
        "": "", "klingon": "?", " Dutch ": "nl",
    }  # fmt: skip
    assert {said: language_code(said) for said in cases} == cases
    assert (language_code(None), language_code(4182511)) == ("", "es")


def test_columns_are_guessed_by_name_and_cells() -> None:
    schema, cells = table(
        note_id=[1, 2], PatientID=["a", "b"], patient_name=["Ann Poe", "Bo Roe"], note_text=[NOTE, None],
        remarks=["x", "y"], odd=[NOTE, NOTE], lang=["en", "es"], ward=["A", "B"], note_date=["2026-01-01", None],
        Telephone=["1", "2"],
    )  # fmt: skip
    columns, rows = guess(schema, cells)
    assert columns == Columns(
        ("note_text", "odd"), "note_id", "PatientID", "lang", "note_date",
        {"patient_name": "patient_name", "telephone": "Telephone"},
    )  # fmt: skip
    by = {row.column: row for row in rows}
    assert (by["note_text"].nulls, by["note_text"].longest, by["note_text"].fate) == (0.5, len(NOTE), "cleaned")
    assert by["odd"].why == "its cells are long and have many words"
    assert (by["ward"].role, by["ward"].fate) == ("none", "dropped")
    assert by["remarks"].role == "none"
    assert by["patient_name"].fate == "read, then dropped"
    assert by["note_id"].fate.startswith("goes out as it is")
    assert all(row.why for row in rows)


def test_a_column_called_like_a_language_must_look_like_one() -> None:
    schema, cells = table(text=[NOTE], lang=["assembler"])
    assert guess(schema, cells)[0].language == ""


def test_texts_in_chinese_are_texts() -> None:
    schema, cells = table(编号=["1"], x=["患者今天来院就诊，一般情况良好，继续目前的治疗方案。"])
    assert guess(schema, cells)[0].texts == ("x",)


def test_all_known_values_in_one_column() -> None:
    schema, cells = table(id=["1"], text=[NOTE], known=['{"name": ["Ann Poe"]}'])
    columns, _ = guess(schema, cells)
    assert columns.known == {"*": "known"}
    assert role_of("known", columns) == "known values"


def test_a_table_without_rows_is_guessed_by_names() -> None:
    schema, cells = table(id=[], text=[])
    schema = pa.schema([("id", pa.string()), ("text", pa.string())])
    assert guess(schema, cells)[0] == Columns(("text",), "id")


def test_omop() -> None:
    names = ["NOTE_ID", "PERSON_ID", "NOTE_DATE", "NOTE_TITLE", "NOTE_TEXT", "LANGUAGE_CONCEPT_ID", "PROVIDER_ID"]
    columns = omop(names)
    assert columns == Columns(
        ("NOTE_TEXT", "NOTE_TITLE"), "NOTE_ID", "PERSON_ID", "LANGUAGE_CONCEPT_ID", "NOTE_DATE",
        keep=("LANGUAGE_CONCEPT_ID", "PERSON_ID"),
    )  # fmt: skip
    keyed = omop(names, keyed=True)
    assert keyed.keep == ("LANGUAGE_CONCEPT_ID",)
    assert keyed.operators == {"PERSON_ID": "pseudonym", "NOTE_DATE": "shift", "PROVIDER_ID": "pseudonym"}
    schema, cells = table(note_id=[1], person_id=[2], note_text=[NOTE], note_title=["x"], note_source_value=["y"])
    guessed, rows = guess(schema, cells)
    assert guessed.texts == ("note_text", "note_title")
    assert {row.column: row.fate for row in rows}["note_source_value"] == "dropped"
