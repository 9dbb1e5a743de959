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


def test_databases_and_folders_are_inspected_as_well(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute("CREATE TABLE note (note_id INTEGER PRIMARY KEY, person_id INTEGER, note_text TEXT)")
    connection.close()
    assert "OMOP" in called(f"sqlite:///{tmp_path / 'a.db'}?table=note")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(f"{CANARY} was seen today, and all was well.")
    assert "cleaned" in called(str(tmp_path / "in"))
