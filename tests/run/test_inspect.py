from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from elision.cli.inspect import inspect
from elision.errors import FormatError
from elision.formats.tables.columns import Columns
from elision.run.plan import RunOptions, plan
from tests.run.small import a_key, write_rows

CANARY = "Zebulon"
ROWS = [
    {
        "note_id": f"{CANARY}{at}",
        "patient_name": f"{CANARY} Quartermain",
        "text": f"{CANARY} was seen here today. " * 9,
        "x": None,
    }
    for at in range(3)
]
app = typer.Typer()
app.command()(inspect)


def as_json(*arguments: str) -> Any:
    return json.loads(called(*arguments, "--json", only_results=True))


def called(*arguments: str, only_results: bool = False) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0
    assert CANARY not in done.output
    return done.stdout if only_results else done.output


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    (tmp_path / "notes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path / "notes.jsonl"


def test_a_table_is_shown_without_its_cells(notes: Path) -> None:
    shown = called(str(notes))
    for word in ("text", "note_id", "known patient_name", "cleaned", "dropped", "100%", "its name is usual for a text"):
        assert word in shown
    assert "3 rows" in shown


def test_it_is_told_as_json(notes: Path) -> None:
    told = as_json(str(notes), "--rows", "2")
    assert (told["rows"], told["measured"]) == (3, 2)
    assert told["as"]["texts"] == ["text"]
    by = {column["column"]: column for column in told["columns"]}
    assert by["text"]["median"] == len(ROWS[0]["text"] or "")
    assert (by["x"]["nulls"], by["x"]["fate"]) == (1.0, "dropped")


def test_columns_that_are_said_are_not_guessed(notes: Path) -> None:
    (notes.parent / "c.toml").write_text('texts = ["patient_name"]\n')
    told = as_json(str(notes), "--columns", str(notes.parent / "c.toml"))
    assert {column["column"]: column["role"] for column in told["columns"]} == {
        "note_id": "none", "patient_name": "text", "text": "none", "x": "none",
    }  # fmt: skip
    (notes.parent / "c.toml").write_text('texts = ["txt"]\n')
    with pytest.raises(FormatError, match="did you mean text"):
        called(str(notes), "--columns", str(notes.parent / "c.toml"))


TABLE = [
    {"note_id": at, "person": 40 + at, "mrn": f"48-000{at}", "patient_name": "Ann Poe", "seen": f"2021-03-0{at}",
     "postcode": "02139", "age": 40 + at, "visit_id": at, "tel": f"020123456{at}", "ward": "A", "lang": "en",
     "note": "She came with a cough and went home well."}
    for at in range(1, 4)
]  # fmt: skip


def test_an_operator_is_proposed_for_each_column_with_the_reason(tmp_path: Path) -> None:
    write_rows(tmp_path / "notes.jsonl", TABLE)
    told = as_json(str(tmp_path / "notes.jsonl"))
    assert (told["as"]["patient"], told["as"]["known"]["mrn"]) == ("person", "mrn")
    assert {name: one["do"] for name, one in told["proposed"].items()} == {
        "person": "pseudonym", "mrn": "pseudonym", "patient_name": "drop", "seen": "shift", "postcode": "generalise",
        "age": "generalise", "visit_id": "pseudonym", "tel": "pseudonym", "ward": "drop", "lang": "keep",
    }  # fmt: skip
    assert all(one["why"] for one in told["proposed"].values())
    shown = called(str(tmp_path / "notes.jsonl"))
    assert "proposed operator" in shown
    assert "Ann Poe" not in shown


def test_a_file_of_columns_is_written_that_a_run_takes(tmp_path: Path) -> None:
    write_rows(tmp_path / "notes.jsonl", TABLE)
    file = tmp_path / "columns.toml"
    assert "look through it" in called(str(tmp_path / "notes.jsonl"), "--out", str(file))
    assert Columns.from_toml(file).operators["seen"] == "shift"
    assert "Ann" not in file.read_text()
    with pytest.raises(FormatError, match="--force"):
        called(str(tmp_path / "notes.jsonl"), "-o", str(file))
    with pytest.raises(FormatError, match="is read by the command"):
        called(str(tmp_path / "notes.jsonl"), "-o", str(tmp_path / "notes.jsonl"), "--force")
    called(str(tmp_path / "notes.jsonl"), "-o", str(file), "--force")
    said = RunOptions(columns_file=file, policy="surrogate", key=a_key(tmp_path), language="en", effort="rules")
    made = plan(str(tmp_path / "notes.jsonl"), str(tmp_path / "out.jsonl"), said)
    assert made.how.columns.out == {
        "note_id", "note", "person", "mrn", "seen", "postcode", "age", "visit_id", "tel", "lang",
    }  # fmt: skip
    told = as_json(str(tmp_path / "notes.jsonl"), "--columns", str(file))
    assert told["proposed"]["seen"] == {"do": "shift", "why": "said so"}


@pytest.mark.parametrize(
    ("cells", "patient", "known"),
    [([1, 2], "person", {}), (["P-1", "P-2"], "person", {}), (["Ann Poe", "Bo Roe"], "mrn", {"person": "person"})],
)
def test_a_person_is_a_number_or_a_name(cells: list[Any], patient: str, known: dict[str, str], tmp_path: Path) -> None:
    write_rows(tmp_path / "a.jsonl", [{**TABLE[0], "patient_name": None, "person": cell} for cell in cells])
    told = as_json(str(tmp_path / "a.jsonl"))["as"]
    assert told["patient"] == patient
    assert {kind: column for kind, column in told["known"].items() if column == "person"} == known


def test_an_omop_table_gets_operators_by_which_it_loads_again(tmp_path: Path) -> None:
    row = {"note_id": 1, "person_id": 7, "note_date": "2021-03-04", "note_text": "She came, and was well."}
    more = {"note_type_concept_id": 4180186, "provider_id": 9, "note_source_value": "x"}
    write_rows(tmp_path / "note.jsonl", [row | more])
    told = as_json(str(tmp_path / "note.jsonl"))["proposed"]
    assert {name: one["do"] for name, one in told.items()} == {
        "person_id": "pseudonym", "note_date": "shift", "note_type_concept_id": "keep", "provider_id": "pseudonym",
        "note_source_value": "drop",
    }  # fmt: skip


def test_databases_and_folders_are_inspected_as_well(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE note (note_id INTEGER PRIMARY KEY, person_id INTEGER, note_text TEXT)")
    connection.close()
    assert "OMOP" in called(f"sqlite:///{tmp_path / 'a.db'}?table=note")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"{CANARY} was seen today, and all was well.")
    assert "cleaned" in called(str(tmp_path / "in"))
