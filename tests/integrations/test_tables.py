"""A function from a table of Arrow to a table, as Ray Data and others call it."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from elision.errors import FormatError, RunError
from elision.integrations.tables import deidentify_patients, deidentify_table
from elision.run.how import How
from elision.run.rows import STATUS
from tests.run.small import COLUMNS, rows

HOW = How(replace(COLUMNS, keep=("extra",)), default_language="en")
TABLE = pa.Table.from_pylist([*rows(30, patients=3), {"id": "empty", "patient": "p1"}])


def test_batches_of_any_size_give_the_same_table() -> None:
    whole = deidentify_table(TABLE, HOW)
    assert whole.schema.names == ["id", "text", "extra", STATUS, "elision_receipts"]
    for size in (1, 7):
        some = [deidentify_table(TABLE.slice(start, size), HOW) for start in range(0, len(TABLE), size)]
        assert pa.concat_tables(some).to_pylist() == whole.to_pylist()
    assert whole.column(STATUS).to_pylist()[-1] == "no-text"


def test_a_patient_is_remembered_where_all_notes_are_there() -> None:
    mine = pa.Table.from_pylist(
        [
            {"id": "1", "patient": "p", "text": "No pain. Zyxwvutova was told to rest.", "name": None},
            {"id": "2", "patient": "p", "text": "Patient name: Ida Zyxwvutova. She was well.", "name": None},
        ]
    )
    parts = pa.concat_tables([mine.slice(0, 1), mine.slice(1, 1)])  # in two chunks
    how = How(COLUMNS, default_language="en")
    assert "Zyxwvutova" not in str(deidentify_patients(parts, how).column("text").to_pylist())
    assert "Zyxwvutova" not in str(deidentify_patients(mine, how).column("text").to_pylist())


def test_an_empty_table_has_the_same_columns() -> None:
    empty = deidentify_table(TABLE.slice(0, 0), HOW)
    assert len(empty) == 0
    assert empty.schema == deidentify_table(TABLE, HOW).schema


def test_what_cannot_be_is_told() -> None:
    with pytest.raises(FormatError, match="did you mean text"):
        deidentify_table(TABLE, How(replace(COLUMNS, texts=("txt",)), default_language="en"))
    with pytest.raises(FormatError, match="name no patient"):
        deidentify_patients(TABLE, How(replace(COLUMNS, patient=""), default_language="en"))


def test_an_error_over_a_batch_gives_no_row_and_quotes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> object:
        raise ValueError("Jane Roebuck")

    monkeypatch.setattr("elision.integrations.tables.clean", fails)
    with pytest.raises(RunError) as told:
        deidentify_table(TABLE, HOW)
    assert "Roebuck" not in str(told.value)
    assert told.value.__context__ is None
