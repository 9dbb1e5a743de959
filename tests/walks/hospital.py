"""The engineer's second day: a PostgreSQL schema night by night, OMOP out of it and into it again, and a FHIR export.

    python -m tests.walks.hospital FOLDER [--rows 120] [--new 60] [--changed 6] [--workers 2]

Without a PostgreSQL server on the machine, only the export is walked, and the reason is printed.
"""

from __future__ import annotations

import argparse
import base64
import csv
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.run.containers import find_postgres, postgres
from tests.run.omop_tables import CONCEPTS, executed, insert, load_csv, make_tables
from tests.walks.made_tables import patients, visits
from tests.walks.walking import Walk, expect

Rows = list[dict[str, Any]]
OMOP = (
    "--omop --patients patients.parquet --policy surrogate --key project.key --language en --effort fast"
    " --raw-cells --progress none"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=120)
    parser.add_argument("--new", type=int, default=60)
    parser.add_argument("--changed", type=int, default=6)
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    walk = Walk(said.folder)
    people = patients(max(1, (said.rows + said.new) // 4))
    notes = [visit.row for visit in visits(people, said.rows + said.new)]
    pq.write_table(pa.Table.from_pylist(people), walk.folder / "patients.parquet")
    walk.elision("key new project.key")
    export(walk, people, notes[: said.rows])
    if find_postgres() is None:
        print("skipped: nights in PostgreSQL and OMOP, as there is no PostgreSQL server on this machine")
        return
    with postgres() as url:
        in_postgres(walk, url, people, notes, said)


def in_postgres(walk: Walk, url: str, people: Rows, notes: Rows, said: argparse.Namespace) -> None:
    rows = [omop(row) for row in notes]
    make_tables(url, "cdm")
    insert(url, "cdm", "person", [{"person_id": person["person_id"]} for person in people])
    insert(url, "cdm", "note", rows[: said.rows])
    source, out, whole = (f"'{url}&table={name}'" for name in ("cdm.note", "clean_note", "whole_note"))
    options = f"{OMOP} --workers {said.workers}"
    night = f"run {source} -o {out} {options} --state nights --incremental"
    walk.elision(night)
    insert(url, "cdm", "note", rows[said.rows :])
    step = said.rows // said.changed
    changed = ", ".join(str(notes[at * step]["note_id"]) for at in range(said.changed))
    more = "note_text || ' The patient was seen again and feels well.'"
    executed(url, f"UPDATE cdm.note SET note_text = {more} WHERE note_id IN ({changed})")
    told = walk.elision(night)
    expect(f"{said.new} new, {said.changed} changed" in told, f"the second night says {told}")
    walk.elision(f"run {source} -o {whole} {options} --state whole")
    first, second = (
        sorted(map(tuple, executed(url, f"SELECT * FROM {name}"))) for name in ("clean_note", "whole_note")
    )
    expect(len(first) == len(notes), f"{len(first)} rows after two nights, not {len(notes)}")
    expect(first == second, "two nights do not give what one run over all gives")
    proof = json.loads(walk.elision(f"verify nights {out} --key project.key --json").splitlines()[-1])
    expect(proof["ok"] is True, f"verify says {proof}")
    loaded(walk, url, people, len(notes))
    print(f"{len(first):,} rows by two nights as by one run, and loaded into a NOTE table")


def loaded(walk: Walk, url: str, people: Rows, count: int) -> None:
    """A NOTE table as CSV, de-identified, loaded by COPY into another schema with its constraints."""
    found = [dict(row._mapping) for row in executed(url, "SELECT * FROM cdm.note ORDER BY note_id")]
    with (walk.folder / "note.csv").open("w", newline="") as stream:
        rows = csv.DictWriter(stream, found[0])
        rows.writeheader()
        rows.writerows(found)
    walk.elision(f"run note.csv -o clean.csv {OMOP}")
    make_tables(url, "clean")
    (walk.folder / "persons.txt").write_text("".join(f"{person['person_id']}\n" for person in people))
    persons = re.findall(r"(\d+)\s*$", walk.elision("key id project.key persons.txt"), re.MULTILINE)
    executed(url, f"INSERT INTO clean.person VALUES {', '.join(f'({person})' for person in persons)}")
    load_csv(url, "clean.note", walk.folder / "clean.csv")
    rows_there = executed(url, "SELECT * FROM clean.note")
    expect(len(rows_there) == count, f"{len(rows_there)} rows in the NOTE table, not {count}")
    nothing_left(people, " ".join(" ".join(map(str, row)) for row in rows_there))


def export(walk: Walk, people: Rows, notes: Rows) -> None:
    """A bulk export: patients in a file of their own, notes in two."""
    folder = walk.folder / "export"
    folder.mkdir()
    half = len(notes) // 2
    write_lines(folder / "DocumentReference.0.ndjson", map(document, notes[:half]))
    write_lines(folder / "DocumentReference.1.ndjson", map(document, notes[half:]))
    write_lines(folder / "Patient.ndjson", map(resource, people))
    options = "--policy surrogate --key project.key --language en --effort fast --progress none"
    walk.elision(f"run 'export/*.ndjson' -o exported {options}")
    files = sorted((walk.folder / "exported").iterdir())
    names = [file.name for file in files]
    expect(names == ["DocumentReference.0.ndjson", "DocumentReference.1.ndjson"], f"the files are {names}")
    resources = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    expect(len(resources) == len(notes), f"{len(resources)} resources of {len(notes)}")
    texts = [base64.b64decode(one["content"][0]["attachment"]["data"]).decode() for one in resources]
    nothing_left(people, json.dumps(resources) + " ".join(texts))
    walk.elision("verify exported.run --key project.key")
    print(f"{len(resources):,} resources; nothing of {len(people):,} patients found")


def nothing_left(people: Rows, text: str) -> None:
    words = set(re.findall(r"\w+", text))
    secret = {word for person in people for word in (person["full_name"].split()[1], person["mrn"])}
    expect(not (words & secret), f"{len(words & secret)} identifiers of patients are left")


def omop(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **CONCEPTS,
        "note_id": row["note_id"],
        "person_id": row["person_id"],
        "note_date": row["note_date"],
        "note_text": row["note"],
    }


def document(row: dict[str, Any]) -> dict[str, Any]:
    attachment = {"contentType": "text/plain", "data": base64.b64encode(row["note"].encode()).decode()}
    return {
        "resourceType": "DocumentReference",
        "id": f"n{row['note_id']}",
        "status": "current",
        "subject": {"reference": f"Patient/{row['person_id']}"},
        "date": f"{row['note_date']}T10:20:00Z",
        "content": [{"attachment": attachment}],
    }


def resource(person: dict[str, Any]) -> dict[str, Any]:
    given, family = person["full_name"].split()
    name, identifier = {"given": [given], "family": family}, {"value": person["mrn"]}
    return {"resourceType": "Patient", "id": str(person["person_id"]), "name": [name], "identifier": [identifier]}


def write_lines(path: Path, rows: Any) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
