"""Patients and what is known of them from another table, and from the names of files."""

from __future__ import annotations

import json
import pickle
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from elision.errors import FormatError
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.run.local.runner import run
from elision.run.patients import KNOWN, PATIENT, by_pattern, by_table, joinable
from elision.run.plan import RunOptions, plan
from tests.run.small import a_key, read_rows, write_rows

NOTES: list[dict[str, Any]] = [
    {"note_id": "a1", "person": 17, "note": "Roebuck-Poe came with a cough. Record 48-0017 was read."},
    {"note_id": "a2", "person": 18, "note": "He was born on 5 May 1950 and came with a cough."},
    {"note_id": "a3", "person": 19, "note": "She came with a cough and went home well."},
    {"note_id": "a4", "person": None, "note": "She came with a cough and went home well."},
]
PATIENTS: list[dict[str, Any]] = [
    {"person": "17", "full_name": "Jane Roebuck", "mrn": "480017", "dob": None, "colour": "red"},
    {"person": "18", "full_name": "Hugo Fenwick", "mrn": "480018", "dob": "1950-05-05", "colour": "blue"},
    {"person": "17", "full_name": "Jane Roebuck-Poe", "mrn": "480017", "dob": None, "colour": "red"},
]


def joined(folder: Path, notes: list[dict[str, Any]], patients: list[dict[str, Any]], **columns: Any) -> Any:
    told: list[str] = []
    source = open_source(write_rows(folder / "notes.jsonl", notes))
    table = open_source(write_rows(folder / "patients.jsonl", patients))
    chosen = Columns(("note",), **{"id": "note_id", "patient": "person", **columns})
    made, chosen = by_table(source, chosen, table, told.append)
    return made, chosen, told


def cells(source: Any, *names: str) -> list[Any]:
    return [row for shard in source.shards(2) for batch in source.read(shard, names) for row in batch.to_pylist()]


def test_all_rows_of_a_patient_are_known_of_each_note(tmp_path: Path) -> None:
    made, chosen, told = joined(tmp_path, NOTES, PATIENTS)
    assert (chosen.known, chosen.patient) == ({"*": KNOWN}, "person")
    assert "joined by person; known of a patient: full_name=full_name, mrn=mrn, dob=dob" in told[0]
    assert "not used: colour" in told[1]
    assert "there are 2 whose patient" in told[2]
    for source in (made, pickle.loads(pickle.dumps(made))):
        rows = cells(source, "note_id", KNOWN)
        assert all(set(row) == {"note_id", KNOWN} for row in rows)
        assert [json.loads(row[KNOWN]) if row[KNOWN] else None for row in rows] == [
            {"full_name": ["Jane Roebuck", "Jane Roebuck-Poe"], "mrn": ["480017"]},
            {"full_name": ["Hugo Fenwick"], "mrn": ["480018"], "dob": ["1950-05-05"]},
            None,
            None,
        ]


def test_a_table_may_say_whose_each_note_is(tmp_path: Path) -> None:
    patients = [{"note_id": f"a{at}", "patient_id": patient} for at, patient in ((1, 7), (2, 8), (2, 9), (3, 7))]
    made, chosen, _ = joined(tmp_path, NOTES, patients, patient="")
    assert chosen.patient == PATIENT
    assert [row[PATIENT] for row in cells(made, PATIENT)] == ["7", None, "7", None]  # two patients are none


def test_another_table_is_another_run(tmp_path: Path) -> None:
    prints = {joined(tmp_path, NOTES, PATIENTS[:size])[0].fingerprint for size in (2, 3)}
    assert len(prints) == 2


def test_what_cannot_be_joined_is_told(tmp_path: Path) -> None:
    for columns, patients, said in (
        ({"known": {"*": "x"}}, PATIENTS, "all known values in a column already"),
        ({"id": "", "patient": ""}, PATIENTS, "neither patients nor ids"),
        ({}, [{"a": 1}], "needs a column person, to join by; it has: a"),
        ({"patient": ""}, [{"note_id": "a1"}], "needs columns note_id and patient_id"),
    ):
        with pytest.raises(FormatError, match=said):
            joined(tmp_path, NOTES, patients, **columns)
    with pytest.raises(FormatError, match="this name is ours"):
        joined(tmp_path, [row | {KNOWN: "x"} for row in NOTES], PATIENTS)


def test_keys_are_compared_whatever_their_type() -> None:
    assert {joinable(17), joinable("17"), joinable(17.0), joinable(" 17 ")} == {"17"}
    assert (joinable(None), joinable(datetime(1950, 5, 5)), joinable(date(1950, 5, 5))) == ("", *["1950-05-05"] * 2)


def test_rows_of_patients_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("person,full_name\n17,Jane Roebuck\n18,Hugo Fenwick,x\n19,Nora Quimby\n")
    told: list[str] = []
    source = open_source(write_rows(tmp_path / "notes.jsonl", NOTES))
    by_table(source, Columns(("note",), "note_id", "person"), open_source(tmp_path / "patients.csv"), told.append)
    assert any("row 2 (line 3) cannot be read" in line for line in told)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_run_hides_what_the_patients_table_knows(ending: str, tmp_path: Path) -> None:
    notes = write_rows(tmp_path / "notes.jsonl", NOTES)
    patients = tmp_path / f"patients.{ending}"
    if ending == "jsonl":
        write_rows(patients, PATIENTS)
    else:
        parquet.write_table(pa.Table.from_pylist(PATIENTS), patients)
    said = RunOptions(
        columns={"texts": ("note",), "id": "note_id", "patient": "person", "operators": {"person": "pseudonym"}},
        patients=str(patients), policy="tag", key=a_key(tmp_path), language="en", effort="rules", workers=1, rows=2,
    )  # fmt: skip
    run(plan(str(notes), str(tmp_path / "out.jsonl"), said))
    out = read_rows(tmp_path / "out.jsonl")
    assert [row["note"] for row in out] == [
        "[NAME] came with a cough. Record [MEDICAL_RECORD] was read.",
        "He was born on [DATE] and came with a cough.",
        *(NOTES[at]["note"] for at in (2, 3)),
    ]
    assert all(set(row) == {"note_id", "person", "note", "elision_status"} for row in out)
    with pytest.raises(FormatError):
        run(plan(str(notes), str(patients), said))  # the table is read


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    for name in ("17_a", "17_b", "18_a", "letter"):
        (tmp_path / "notes" / f"{name}.txt").write_text("She was seen on 2021-03-04 and was well.")
    return tmp_path / "notes"


def test_patients_stand_in_names_of_files(folder: Path) -> None:
    told: list[str] = []
    made, chosen = by_pattern(open_source(folder), Columns(("text",), "id"), r"^(\d+)_", told.append)
    assert chosen.patient == PATIENT
    assert [row[PATIENT] for row in cells(made, PATIENT)] == ["17", "17", "18", None]
    assert "--ids keyed" in told[0]
    assert "there are 1 names in which" in told[1]


@pytest.mark.parametrize(
    ("pattern", "said"), [("(", "is no pattern"), (r"\d+", "has 0 groups"), (r"(\d)(\d)", "has 2 groups")]
)
def test_a_pattern_has_one_group(pattern: str, said: str, folder: Path) -> None:
    with pytest.raises(FormatError, match=said):
        by_pattern(open_source(folder), Columns(("text",), "id"), pattern, print)
    with pytest.raises(FormatError, match="says whose notes"):
        by_pattern(open_source(folder), Columns(("text",), "id", "text2"), r"(\d+)", print)


def test_files_of_a_patient_move_together(folder: Path, tmp_path: Path) -> None:
    said = RunOptions(
        patient_pattern=r"^(\d+)_", policy="surrogate", key=a_key(tmp_path), language="en", effort="rules", workers=1
    )
    run(plan(str(folder), str(tmp_path / "out"), said))
    dates = {file.stem: file.read_text()[16:26] for file in (tmp_path / "out").iterdir()}
    assert dates["17_a"] == dates["17_b"]
    assert len({"2021-03-04", dates["17_a"], dates["18_a"], dates["letter"]}) == 4
