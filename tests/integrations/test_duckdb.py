"""DuckDB calls elision as a function in SQL: over columns, NULL as NULL, a withheld note as NULL with its reason."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from elision.errors import FormatError, PolicyError, RunError
from elision.integrations.duckdb import COLUMNS, Notes, register
from elision.keys import Key
from elision.run.how import How

duckdb = pytest.importorskip("duckdb")

SWEDISH = "Patienten är en äldre kvinna som har ont i magen."


@pytest.fixture
def connection() -> Any:
    with duckdb.connect(config={"threads": 2}) as one:
        yield one


def test_notes_come_out_clean_and_null_stays_null(connection: Any) -> None:
    register(connection, language="en")
    connection.execute("CREATE TABLE notes (id INTEGER, note VARCHAR)")
    connection.execute("INSERT INTO notes VALUES (1, 'Seen by Dr. Jane Roebuck.'), (2, NULL), (3, '')")
    connection.execute("INSERT INTO notes SELECT i, 'Seen by Dr. Fenwick.' FROM range(4, 300) r(i)")
    out = connection.sql("SELECT id, elision(note) AS note, elision_why(note) AS why FROM notes ORDER BY id").fetchall()
    assert out[:3] == [(1, "Seen by Dr. [NAME].", None), (2, None, None), (3, "", None)]
    assert {row[1:] for row in out[3:]} == {("Seen by Dr. [NAME].", None)}
    assert len(out) == 299
    assert connection.sql("SELECT elision(NULL)").fetchall() == [(None,)]


def test_a_withheld_note_is_null_and_says_why(connection: Any) -> None:
    register(connection, default_language="en")
    (row,) = connection.execute("SELECT elision(?), elision_why(?)", [SWEDISH, SWEDISH]).fetchall()
    assert row == (None, "language-not-supported: sv?")


def test_notes_of_a_patient_share_stand_ins(connection: Any, tmp_path: Path) -> None:
    Key.new().write(tmp_path / "project.key")
    register(connection, name="clean", policy="surrogate", key=str(tmp_path / "project.key"), language="en")
    sql = "SELECT clean_note(note, id, patient) AS n FROM (VALUES ('Dr. Roebuck', '1', 'p1'), ('Dr. Roebuck', '2', 'p1'), ('Dr. Roebuck', '3', 'p2'), (NULL, '4', 'p2')) t(note, id, patient)"  # noqa: E501
    first, second, third, none = (row[0] for row in connection.sql(sql).fetchall())
    assert first["text"] == second["text"] != third["text"]
    assert "Roebuck" not in first["text"]
    assert none is None
    assert first["why"] is None
    assert '"note":"1"' in first["receipt"]


def test_a_note_does_not_depend_on_the_others(connection: Any) -> None:
    """Of a patient's notes, one tells that a word is a name; the other comes out as if it were alone."""
    register(connection, language="en")
    told, other = "Patient name: Ida Wintersong. She was well.", "Wintersong dosing was continued."
    connection.execute("CREATE TABLE notes AS SELECT * FROM (VALUES (?), (?)) t(note)", [told, other])
    together = connection.sql("SELECT elision_note(note, NULL, 'p1').text FROM notes").fetchall()
    alone = [connection.execute("SELECT elision(?)", [note]).fetchone() for note in (told, other)]
    assert together == alone


def test_threads_get_what_one_gets() -> None:
    import pyarrow as pa

    notes = Notes(How(COLUMNS, language="en"))
    texts = [[f"Seen by Dr. {name} on 03/0{day}/2021."] for name in ("Roebuck", "Fenwick") for day in range(1, 5)]
    one = [notes.text(pa.array(some)).to_pylist() for some in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda some: notes.text(pa.array(some)).to_pylist(), texts)) == one


def test_errors_quote_nothing_and_come_before_the_work(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PolicyError, match="needs a key"):
        register(connection, policy="surrogate", language="en")
    with pytest.raises(FormatError, match="letters"):
        register(connection, name="drop table", language="en")
    register(connection, name="failing", language="en")

    def fail(*_: Any) -> Any:
        raise ValueError("Jane Roebuck")

    monkeypatch.setattr("elision.integrations.duckdb.cells_of", fail)
    with pytest.raises(Exception, match="internal error: ValueError") as caught:
        connection.sql("SELECT failing('Seen by Dr. Roebuck.')").fetchall()
    assert "Roebuck" not in str(caught.value)
    with pytest.raises(RunError) as ours:
        Notes(How(COLUMNS, language="en")).text(["Jane Roebuck"])
    assert "Roebuck" not in str(ours.value)
