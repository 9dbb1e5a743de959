"""The data engineer: a table of notes with dates and numbers beside them, linked to a table of patients.

    python -m tests.walks.engineer FOLDER [--rows 600] [--workers 2]

Searched for in all that comes out: names, numbers and record numbers of all patients, and the true dates of a row. Days
between the date in a note and the date beside it are counted, before and after.
"""

from __future__ import annotations

import argparse
import json
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.walks.made_tables import Visit, patients, visits
from tests.walks.walking import Walk, expect

ISO, US = re.compile(r"\d{4}-\d{2}-\d{2}"), re.compile(r"\d{1,2}/\d{1,2}/\d{4}")
COLUMNS = (
    "--text note --id note_id --patient person_id --patients patients.parquet"
    " --column note_date=shift --column person_id=pseudonym --ids keyed"
    " --policy surrogate --key project.key --language en"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    walk = Walk(said.folder)
    people = patients(max(1, said.rows // 4))
    made = list(visits(people, said.rows))
    pq.write_table(pa.Table.from_pylist(people), walk.folder / "patients.parquet")
    pq.write_table(pa.Table.from_pylist([visit.row for visit in made]), walk.folder / "notes.parquet")
    walk.elision("key new project.key")
    proposed = walk.elision("inspect notes.parquet --out columns.toml")
    expect("note_date" in proposed and "shift" in proposed, "no operator is proposed for the dates")
    walk.elision(f"run notes.parquet -o clean.parquet {COLUMNS} --workers {said.workers} --progress none")
    proof = json.loads(walk.elision("verify clean.parquet.run --key project.key --json").splitlines()[-1])
    expect(proof["ok"] is True and proof["summary"] == {"ok": said.rows}, f"verify says {proof}")
    rows = pq.read_table(walk.folder / "clean.parquet").to_pylist()
    expect(len(rows) == len(made), f"{len(rows)} rows of {len(made)}")
    exact = linked(made, rows)
    nothing_left(people, made, rows)
    print(f"{len(rows):,} rows; {exact:,} intervals as before; nothing of {len(people):,} patients found")


def linked(made: list[Visit], rows: list[dict[str, Any]]) -> int:
    """How many rows have as many days between the note's date and the column's as before: all, or the walk ends."""
    persons: dict[int, int] = {}
    exact = 0
    for visit, row in zip(made, rows, strict=True):
        found = (ISO if visit.form.startswith("%Y") else US).search(row["note"] or "")
        expect(found is not None, f"row {visit.row['note_id']}: no date in the note that came out")
        moved = datetime.strptime(found[0], visit.form).date() if found else date.min
        expect(
            isinstance(row["note_date"], date) and moved != visit.day, f"row {visit.row['note_id']}: the date stayed"
        )
        before, after = visit.row["note_date"] - visit.day, row["note_date"] - moved
        expect(before == after, f"row {visit.row['note_id']}: {before.days} days became {after.days}")
        exact += 1
        person = persons.setdefault(visit.row["person_id"], row["person_id"])
        expect(person == row["person_id"] != visit.row["person_id"], f"row {visit.row['note_id']}: the person's number")
    expect(len(set(persons.values())) == len(persons), "two persons have one number")
    return exact


def nothing_left(people: list[dict[str, Any]], made: list[Visit], rows: list[dict[str, Any]]) -> None:
    """Nothing of any patient stands in any cell."""
    secret = {word for person in people for word in (person["full_name"].split()[1], person["mrn"])}
    numbers = {person["person_id"] for person in people} | {visit.row["note_id"] for visit in made}
    for visit, row in zip(made, rows, strict=True):
        words = set(re.findall(r"\w+", " ".join(map(str, row.values()))))
        left = len(words & secret) + len(numbers & {value for name, value in row.items() if name.endswith("_id")})
        expect(not left, f"row {visit.row['note_id']}: {left} identifiers of a patient are left")


if __name__ == "__main__":
    main()
