"""Patients of a bulk export are known in the notes that refer to them: their names are found that no detector finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from elision.errors import FormatError
from elision.formats.fhir_patients import patients_at
from elision.formats.format import Reading
from elision.run.packed import Packed
from elision.run.plan import RunOptions, plan
from tests.run.inline import inline
from tests.run.nights import left_by, night, once
from tests.run.small import a_key, read_rows, write_rows
from tests.run.test_globs import note, run, texts_in, write_lines

ONLY_KNOWN = "quillfeather was well; ref 77x1, at 4 plomwex lane."  # in small letters, so that nothing else finds it


def patient(id: str = "p1", family: str = "Quillfeather", **more: Any) -> dict[str, Any]:
    return {
        "resourceType": "Patient",
        "id": id,
        "name": [{"given": ["Ada"], "family": family}],
        "birthDate": "1951-04-07",
        "identifier": [{"value": "77x1"}],
        "telecom": [{"system": "phone", "value": "555 0134"}],
        "address": [{"line": ["4 plomwex lane"]}],
        **more,
    }


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inline(monkeypatch)
    write_lines(tmp_path / "in" / "DocumentReference.ndjson", note("a", ONLY_KNOWN), note("b", ONLY_KNOWN, "p2"))
    write_lines(tmp_path / "in" / "Observation.ndjson", {"resourceType": "Observation", "id": "o"})
    return tmp_path


def text_of(out: Path, id: str = "a") -> str:
    return texts_in(out / "DocumentReference.ndjson")[id]


@pytest.mark.parametrize("pattern", ["in", "in/*.ndjson"])
def test_patients_in_the_export_itself_are_known(exported: Path, pattern: str) -> None:
    run(str(exported / "in"), exported / "before")
    assert "quillfeather" in text_of(exported / "before")
    write_lines(exported / "in" / "Patient.ndjson", patient())
    run(str(exported / pattern), exported / "out")
    assert not {"quillfeather", "77x1", "plomwex"} & set(text_of(exported / "out").replace(";", " ").split())
    assert "quillfeather" in text_of(exported / "out", "b")  # of another patient


def test_patients_at_another_place_are_known(exported: Path) -> None:
    write_lines(exported / "patients" / "Patient.ndjson", patient())
    run(str(exported / "in"), exported / "out", patients=str(exported / "patients" / "Patient.ndjson"))
    assert "quillfeather" not in text_of(exported / "out")


def test_patients_of_a_table_of_notes_may_be_resources(exported: Path) -> None:
    rows = [{"id": "a", "person": 17, "text": ONLY_KNOWN}, {"id": "b", "person": 18, "text": ONLY_KNOWN}]
    source = write_rows(exported / "notes.jsonl", rows)
    write_lines(exported / "patients" / "Patient.ndjson", patient("17"))
    columns = {"texts": ("text",), "id": "id", "patient": "person"}
    told = str(exported / "patients" / "Patient.ndjson")
    run(str(source), exported / "out.jsonl", patients=told, columns=columns)
    first, second = read_rows(exported / "out.jsonl")
    assert "quillfeather" not in first["text"]
    assert "quillfeather" in second["text"]


def test_a_patient_who_changes_cleans_the_notes_anew(exported: Path) -> None:
    options = {"columns": {}, "default_language": "en", "policy": "surrogate"}
    write_lines(exported / "in" / "Patient.ndjson", patient(family="Garvthun"))
    night(exported / "in", exported / "out", **options)
    write_lines(exported / "in" / "Patient.ndjson", patient())
    night(exported / "in", exported / "out", **options)
    once(exported / "in", exported / "one", **options)
    assert left_by(exported / "out") == left_by(exported / "one")
    texts = texts_in(exported / "out" / "DocumentReference.ndjson").values()
    assert sum("quillfeather" in text for text in texts) == 1  # in the note of another patient


@pytest.mark.parametrize("form", ["bundle", "resource", "lines"])
def test_what_a_patient_states_is_read_in_all_forms(tmp_path: Path, form: str) -> None:
    one = patient()
    if form == "lines":
        write_lines(tmp_path / "x.ndjson", note("a"), one)
    else:
        bundle = {"resourceType": "Bundle", "type": "collection", "entry": [{"resource": one}, {"resource": note("a")}]}
        (tmp_path / "x.json").write_text(json.dumps(bundle if form == "bundle" else one))
    found = dict(patients_at(tmp_path, Reading()))
    assert list(found) == ["p1", "77x1"]  # notes may refer to either
    assert found["p1"] == {
        "name": ("Ada Quillfeather",),
        "birth_date": ("1951-04-07",),
        "id": ("77x1",),
        "phone": ("555 0134",),
        "address": ("4 plomwex lane",),
    }


def test_a_place_without_patients_or_notes_without_any_are_told(exported: Path) -> None:
    where = str(exported / "in" / "Observation.ndjson")
    with pytest.raises(FormatError, match="there is no Patient resource"):
        plan(str(exported / "in"), str(exported / "out"), RunOptions(patients=where))
    rows = write_rows(exported / "notes.jsonl", [{"id": "a", "text": "Seen."}])
    columns = {"texts": ("text",), "id": "id"}
    with pytest.raises(FormatError, match="say it with --patient"):
        plan(str(rows), str(exported / "out"), RunOptions(patients=where, columns=columns, key=a_key(exported)))


def test_what_is_packed_is_found_again_by_its_key() -> None:
    packed = Packed([("a", {"name": ["Roe", ""]}), ("b", {}), ("a", {"name": ["Doe", "Roe"], "id": ["1"]})])
    assert packed.of("a") == {"name": ["Roe", "Doe"], "id": ["1"]}
    assert packed.of("b") == packed.of("c") == packed.of("") == {}
    assert len(Packed([])) == 0
