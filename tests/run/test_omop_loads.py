"""What a run makes of an OMOP NOTE table goes into a real one, with its types and all that must not be NULL."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from elision.keys import Key
from elision.run.ids import keyed_number
from tests.run.containers import find_postgres, postgres
from tests.run.omop_tables import CONCEPTS, executed, insert, load_csv, make_tables
from tests.run.small import a_key
from tests.run.test_retry import call

pytestmark = pytest.mark.slow  # a server, and processes

DAY = date(2021, 3, 4)
ROWS: list[dict[str, Any]] = [
    {
        "note_id": 40 + at, "person_id": 7 + at % 2, "note_date": DAY, "note_datetime": datetime(2021, 3, 4, 10, 20),
        **CONCEPTS, "note_title": f"Letter, part {at}",
        "note_text": f"- Seen on 2021-03-04 by Dr. Alan Tremblay.\nShe said \"no, 'not' pain\", and was well: {at}%.",
        "provider_id": 9, "visit_occurrence_id": None if at else 3, "note_source_value": "Alan", "note_event_id": None,
    }
    for at in range(4)
]  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    if find_postgres() is None:
        pytest.skip("there is no PostgreSQL server on this machine")
    with postgres() as url:
        yield url


def filled(url: str) -> None:
    make_tables(url, "cdm")
    insert(url, "cdm", "person", [{"person_id": 7}, {"person_id": 8}])
    insert(url, "cdm", "note", ROWS)


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


def made_clean(url: str, key: str) -> None:
    """Where the notes are loaded: a table of notes, and those that they are of."""
    secret = Key.read(key).secret("ids")
    make_tables(url, "clean")
    insert(url, "clean", "person", [{"person_id": keyed_number(secret, person)} for person in (7, 8)])


def test_a_file_is_loaded_into_a_note_table_with_copy(server: str, tmp_path: Path) -> None:
    filled(server)
    out, key = tmp_path / "note.csv", a_key(tmp_path)
    call("run", f"{server}&schema=cdm&table=note", "-o", out, *options(tmp_path), "--raw-cells")
    made_clean(server, key)
    load_csv(server, "clean.note", out)
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
    made_clean(server, key)
    executed(server, f"INSERT INTO clean.note ({listed}) SELECT {listed} FROM made")
    checked(server, key)
    assert "ok: 8" in call("verify", tmp_path / "records", where, "--key", key)
    executed(server, "UPDATE made SET note_text = 'x' WHERE note_text LIKE '%2^%%' ESCAPE '^'")
    assert "was changed" in call("verify", tmp_path / "records", where, "--key", key, status=1)
    assert "hunter2" not in "".join(file.read_text() for file in (tmp_path / "records").iterdir() if file.is_file())
