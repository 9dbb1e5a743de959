"""NOTE tables of OMOP in a PostgreSQL server, with their types and all that must not be NULL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sqlalchemy as sa

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
CONCEPTS = {
    "note_type_concept_id": 32831, "note_class_concept_id": 0, "encoding_concept_id": 32678,
    "language_concept_id": 4180186,
}  # fmt: skip


def executed(url: str, *statements: str) -> list[Any]:
    """What the last of these statements returns."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        for statement in statements:
            done = connection.execute(sa.text(statement))
        found = list(done) if done.returns_rows else []
    engine.dispose()
    return found


def make_tables(url: str, schema: str) -> None:
    """Empty tables PERSON and NOTE in a schema of their own."""
    columns = ", ".join(f"{name} {type}{' NOT NULL' if must else ''}" for name, type, must in NOTE)
    person = f"CREATE TABLE {schema}.person (person_id integer PRIMARY KEY)"
    note = f"CREATE TABLE {schema}.note ({columns}, PRIMARY KEY (note_id), FOREIGN KEY (person_id) REFERENCES "
    anew = (f"DROP SCHEMA IF EXISTS {schema} CASCADE", f"CREATE SCHEMA {schema}")
    executed(url, *anew, person, f"{note}{schema}.person)")


def insert(url: str, schema: str, table: str, rows: list[dict[str, Any]]) -> None:
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    there = sa.Table(table, sa.MetaData(), schema=schema, autoload_with=engine, resolve_fks=False)
    with engine.begin() as connection:
        connection.execute(sa.insert(there), rows)
    engine.dispose()


def load_csv(url: str, table: str, file: Path) -> None:
    """A file into a table, as COPY does it."""
    data = file.read_bytes()
    names = data.partition(b"\n")[0].decode()
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    connection = engine.raw_connection()
    with connection.cursor().copy(f"COPY {table} ({names}) FROM STDIN CSV HEADER") as copy:
        copy.write(data)
    connection.commit()
    connection.close()
    engine.dispose()
