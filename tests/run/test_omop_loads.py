"""What a run makes of an OMOP NOTE table goes into a real one, with its types and all that must not be NULL."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from elision.keys import Key
from elision.run.ids import keyed_number
from tests.run.containers import find_postgres, postgres
from tests.run.small import a_key
from tests.run.test_retry import call

pytestmark = pytest.mark.slow  # a server, and processes

# The columns of NOTE in the Common Data Model 5.4: name, type, whether it must not be NULL.
NOTE = (
    ("note_id", "integer", True), ("person_id", "integer", True), ("note_date", "date", True),
    ("note_datetime", "timestamp", False), ("note_type_concept_id", "integer", True),
    ("note_class_concept_id", "integer", True), ("note_title", "varchar(250)", False), ("note_text", "text", True),
    ("encoding_concept_id", "integer", True), ("language_concept_id", "integer", True),
    ("provider_id", "integer", False), ("visit_occurrence_id", "integer", False), ("visit_detail_id", "integer", False),
    ("note_source_value", "varchar(50)", False), ("note_event_id", "integer", False),
    ("note_event_field_concept_id", "integer", False),
)  # fmt: skip
DAY = date(2021, 3, 4)
ROWS: list[dict[str, Any]] = [
    {
        "note_id": 40 + at, "person_id": 7 + at % 2, "note_date": DAY, "note_datetime": datetime(2021, 3, 4, 10, 20),
        "note_type_concept_id": 32831, "note_class_concept_id": 0, "note_title": f"Letter, part {at}",
        "note_text": f"- Seen on 2021-03-04 by Dr. Alan Tremblay.\nShe said \"no, 'not' pain\", and was well: {at}%.",
        "encoding_concept_id": 32678, "language_concept_id": 4180186, "provider_id": 9,
        "visit_occurrence_id": None if at else 3, "note_source_value": "Alan", "note_event_id": None,
    }
    for at in range(4)
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if find_postgres() is None:
        pytest.skip("there is no PostgreSQL server on this machine")
    with postgres() as url:
        yield url


def made(schema: str) -> list[str]:
    columns = ", ".join(f"{name} {type}{' NOT NULL' if must else ''}" for name, type, must in NOTE)
    person = f"CREATE TABLE {schema}.person (person_id integer PRIMARY KEY)"
    note = f"CREATE TABLE {schema}.note ({columns}, PRIMARY KEY (note_id), FOREIGN KEY (person_id) REFERENCES "
    return [f"DROP SCHEMA IF EXISTS {schema} CASCADE", f"CREATE SCHEMA {schema}", person, f"{note}{schema}.person)"]


def executed(url: str, *statements: str) -> list[Any]:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        for statement in statements:
            done = connection.execute(sa.text(statement))
        found = list(done) if done.returns_rows else []
    engine.dispose()
    return found


def filled(url: str) -> None:
    executed(url, *made("cdm"), "INSERT INTO cdm.person VALUES (7), (8)")
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    table = sa.Table("note", sa.MetaData(), schema="cdm", autoload_with=engine, resolve_fks=False)
    with engine.begin() as connection:
        connection.execute(sa.insert(table), ROWS)
    engine.dispose()


def checked(url: str, key: str) -> None:
    """The table that was loaded, read back."""
    secret = Key.read(key).secret("ids")
    rows = [row._mapping for row in executed(url, "SELECT * FROM clean.note ORDER BY note_title")]
    assert len(rows) == len(ROWS)
    shifts: dict[int, timedelta] = {}
    for row, before in zip(rows, ROWS, strict=True):
        for name in ("note_id", "person_id", "provider_id"):
            assert row[name] == keyed_number(secret, before[name])
        assert row["note_datetime"].date() == row["note_date"]
        assert f"Seen on {row['note_date'].isoformat()} by" in row["note_text"]
        assert row["note_text"].startswith("- Seen")
        assert "Tremblay" not in row["note_text"]
        assert row["note_source_value"] is None
        assert (row["visit_occurrence_id"] is None) is (before["visit_occurrence_id"] is None)
        assert shifts.setdefault(row["person_id"], row["note_date"] - DAY) == row["note_date"] - DAY != timedelta(0)


def options(tmp_path: Path) -> list[object]:
    key = ("--key", a_key(tmp_path), "--policy", "surrogate")
    return ["--omop", *key, "--effort", "rules", "--workers", 1, "--progress", "none"]


def people(url: str, key: str) -> str:
    secret = Key.read(key).secret("ids")
    return f"INSERT INTO clean.person VALUES ({keyed_number(secret, 7)}), ({keyed_number(secret, 8)})"


def test_a_file_is_loaded_into_a_note_table_with_copy(server: str, tmp_path: Path) -> None:
    filled(server)
    out, key = tmp_path / "note.csv", a_key(tmp_path)
    call("run", f"{server}&schema=cdm&table=note", "-o", out, *options(tmp_path), "--raw-cells")
    executed(server, *made("clean"), people(server, key))
    with out.open() as stream:
        names = ", ".join(next(csv.reader(stream)))
    engine = sa.create_engine(server, poolclass=sa.NullPool)
    connection = engine.raw_connection()
    with connection.cursor().copy(f"COPY clean.note ({names}) FROM STDIN CSV HEADER") as copy:
        copy.write(out.read_bytes())
    connection.commit()
    connection.close()
    checked(server, key)
    assert "ok: 8" in call("verify", f"{out}.run", "--key", key)
    out.write_text(out.read_text().replace("was well: 2%", "was well: 3%"))
    assert "was changed" in call("verify", f"{out}.run", "--key", key, status=1)


def test_a_table_is_loaded_into_a_note_table_with_insert(server: str, tmp_path: Path) -> None:
    filled(server)
    where, key = f"{server}&table=made", a_key(tmp_path)
    executed(server, "DROP TABLE IF EXISTS made")
    call("run", f"{server}&schema=cdm&table=note", "-o", where, *options(tmp_path), "--state", tmp_path / "records")
    names = [str(row[0]) for row in executed(server, "SELECT column_name FROM information_schema.columns "
                                             "WHERE table_name = 'made'")]  # fmt: skip
    listed = ", ".join(names)
    executed(
        server, *made("clean"), people(server, key), f"INSERT INTO clean.note ({listed}) SELECT {listed} FROM made"
    )
    checked(server, key)
    assert "ok: 8" in call("verify", tmp_path / "records", where, "--key", key)
    executed(server, "UPDATE made SET note_text = 'x' WHERE note_text LIKE '%2^%%' ESCAPE '^'")
    assert "was changed" in call("verify", tmp_path / "records", where, "--key", key, status=1)
    assert "hunter2" not in "".join(file.read_text() for file in (tmp_path / "records").iterdir() if file.is_file())
