from __future__ import annotations

import logging
import pickle
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import CannotHoldError, FormatError
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.formats.tables.source import MOST_BYTES, MOST_ROWS
from tests.run.containers import COLUMNS, SCHEMA, Given, copy, find_postgres, postgres, read_rows, rows_of
from tests.strategies import fewer, texts

CANARY = "Zebulon Quartermain"
ROWS = [{"id": f"n{at:02}", "text": f"note {at} =1\r\n李明"} for at in range(11)]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    if find_postgres() is None:
        pytest.skip("there is no PostgreSQL server on this machine")
    with postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A URL that lacks only `table=`; tables of earlier tests are gone."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'a b.db'}?"
    url = str(request.getfixturevalue("server"))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    return f"{url}&"


def execute(database: str, *statements: str, rows: list[dict[str, Any]] | None = None) -> list[Any]:
    """Statements, the last one for many rows if some are given; what it answers."""
    engine = sa.create_engine(database.rstrip("?&"))
    with engine.begin() as connection:
        for at, statement in enumerate(statements):
            last = at == len(statements) - 1
            done = connection.execute(sa.text(statement), rows if rows and last else None)
        found = list(done) if done.returns_rows else []
    engine.dispose()
    return found


def tables(database: str) -> list[str]:
    engine = sa.create_engine(database.rstrip("?&"), poolclass=sa.NullPool)
    names = sa.inspect(engine).get_table_names()
    engine.dispose()
    return names


def test_rows_go_in_and_come_out(database: str, tmp_path: Path) -> None:
    copy(Given(ROWS), f"{database}table=note", tmp_path / "s")
    source = open_source(f"{database}table=note&key=id")
    assert rows_of(source) == ROWS
    assert source.rows == 11
    assert [shard["rows"] for shard in source.shards(4)] == [4, 4, 3]
    again = pickle.loads(pickle.dumps(source))
    assert [row["id"] for batch in again.read(source.shards(4)[1], ["id"]) for row in batch.to_pylist()] == [
        row["id"] for row in ROWS[4:8]
    ]
    copy(source, f"{database}table=again", tmp_path / "s2")
    assert read_rows(f"{database}table=again", key="id") == ROWS
    copy(source, str(tmp_path / "a.parquet"), tmp_path / "s3")
    assert read_rows(str(tmp_path / "a.parquet")) == ROWS


@fewer
@given(st.lists(texts, max_size=6))
def test_every_text_goes_through_sqlite(cells: list[str]) -> None:
    import tempfile

    rows = [{"id": str(at), "text": cell} for at, cell in enumerate(cells)]
    with tempfile.TemporaryDirectory() as folder:
        where = f"sqlite:///{folder}/a.db?table=t"
        copy(Given(rows), where, Path(folder, "s"))
        assert read_rows(where, key="id") == rows


def test_many_texts_go_through_postgres(server: str, tmp_path: Path) -> None:
    from tests.strategies import ALPHABET

    alphabet = [character for character in ALPHABET if character != "\0"]
    rows = [{"id": f"{at:03}", "text": one + other} for at, (one, other) in enumerate(pairwise(alphabet))]
    copy(Given(rows), f"{server}&table=odd", tmp_path / "s", rows=7, force=True)
    assert read_rows(f"{server}&table=odd", key="id") == rows


def test_nul_is_refused_by_the_note_where_it_cannot_be(server: str, tmp_path: Path) -> None:
    rows = [{"id": "n1", "text": f"{CANARY}\0"}]
    with pytest.raises(CannotHoldError, match="note n1: column text has a NUL") as error:
        copy(Given(rows), f"{server}&table=nul", tmp_path / "s")
    assert CANARY not in str(error.value)


def test_types_of_columns(database: str, tmp_path: Path) -> None:
    execute(
        database,
        "CREATE TABLE note "
        "(id INTEGER PRIMARY KEY, text TEXT, day DATE, at TIMESTAMP, share NUMERIC(6,2), yes BOOLEAN)",
        "INSERT INTO note VALUES "
        "(1, 'a', '2026-03-05', '2026-03-05 10:11:12', 1.25, NULL), (2, NULL, NULL, NULL, NULL, NULL)",
    )
    source = open_source(f"{database}table=note")
    assert [str(field.type) for field in source.schema][:4] == ["int64", "string", "date32[day]", "timestamp[us]"]
    first, second = rows_of(source)
    assert (first["share"], str(first["day"]), str(first["at"])) == ("1.25", "2026-03-05", "2026-03-05 10:11:12")
    assert second == {"id": 2, **dict.fromkeys(("text", "day", "at", "share", "yes"))}
    columns = Columns(("text",), "id", keep=("day", "at", "share"))
    copy(source, f"{database}table=out", tmp_path / "s", columns=columns)
    assert read_rows(f"{database}table=out", key="id") == [
        {name: row[name] for name in ("id", "text", "day", "at", "share")} for row in (first, second)
    ]


def test_keys_decide_the_order_and_are_never_lost(database: str) -> None:
    execute(
        database,
        "CREATE TABLE note (id TEXT, text TEXT)",
        "INSERT INTO note VALUES (:id, :text)",
        rows=[{"id": f"k{at % 5}", "text": f"{at}"} for at in range(20)],
    )
    source = open_source(f"{database}table=note")
    shards = source.shards(3)
    assert [shard["rows"] for shard in shards] == [4] * 5
    assert sorted(row["text"] for row in rows_of(source)) == sorted(str(at) for at in range(20))
    execute(database, "INSERT INTO note VALUES (NULL, 'x')")
    with pytest.raises(FormatError, match="1 rows have no key"):
        open_source(f"{database}table=note").shards(3)


def test_keys_may_be_uuids(server: str) -> None:
    execute(server, "CREATE TABLE IF NOT EXISTS u (id UUID PRIMARY KEY, text TEXT)", "DELETE FROM u")
    rows = [{"id": UUID(int=at * 7919), "text": str(at)} for at in range(7)]
    execute(server, "INSERT INTO u VALUES (:id, :text)", rows=rows)
    source = open_source(f"{server}&table=u")
    assert rows_of(source, 2) == [{"id": str(row["id"]), "text": row["text"]} for row in rows]
    assert len(source.fingerprint) == 64


def test_a_fingerprint_changes_with_the_rows(database: str) -> None:
    execute(database, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)", "INSERT INTO note VALUES (1, 'a')")
    before = open_source(f"{database}table=note").fingerprint
    assert open_source(f"{database}table=note").fingerprint == before
    execute(database, "INSERT INTO note VALUES (2, 'a')")
    assert open_source(f"{database}table=note").fingerprint != before


def test_large_cells_come_one_by_one(database: str) -> None:
    execute(
        database,
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)",
        "INSERT INTO note VALUES (:id, :text)",
        rows=[{"id": at, "text": "x" * (6_000_000 if at < 4 else 10)} for at in range(3000)],
    )
    source = open_source(f"{database}table=note")
    batches = [batch for shard in source.shards(5000) for batch in source.read(shard)]
    assert sum(batch.num_rows for batch in batches) == 3000
    assert max(batch.nbytes for batch in batches) < 6_100_000 + MOST_BYTES
    assert len(batches) < 20 + 3000 // MOST_ROWS


def test_a_table_that_is_there_is_refused_without_force(database: str, tmp_path: Path) -> None:
    execute(database, "CREATE TABLE out (mine TEXT)", "INSERT INTO out VALUES ('kept')")
    with pytest.raises(FormatError, match="the table is there already"):
        copy(Given(ROWS), f"{database}table=out", tmp_path / "s")
    assert [tuple(row) for row in execute(database, "SELECT * FROM out")] == [("kept",)]
    copy(Given(ROWS), f"{database}table=out", tmp_path / "s", force=True)
    assert read_rows(f"{database}table=out", key="id") == ROWS


def test_a_run_goes_on_where_it_was_and_leaves_nothing(database: str, tmp_path: Path) -> None:
    where, staging = f"{database}table=out", tmp_path / "s"
    source = Given(ROWS)
    shards = source.shards(4)

    def opened(staging: Path = staging) -> Any:
        return open_sink(where, source, COLUMNS, SCHEMA, staging=staging)

    opened().put(0, source.read(shards[1]))
    opened().put(0, source.read(shards[0]))
    assert opened().done() == {0}
    with pytest.raises(RuntimeError):
        opened().put(1, _broken(source, shards[1]))
    assert opened().done() == {0}
    pickle.loads(pickle.dumps(opened())).put(2, source.read(shards[2]))
    opened().put(1, source.read(shards[1]))
    assert "out" not in tables(database)
    opened().finish()
    assert read_rows(where, key="id") == ROWS
    assert opened().done() == {0, 1, 2}  # while the staging folder is there, nobody takes it for another's
    opened().finish()
    assert tables(database) == ["out"]


def _broken(source: Given, shard: dict[str, Any]) -> Iterator[Any]:
    yield from source.read(shard)
    raise RuntimeError("the machine stops")


def test_rows_that_another_run_has_left_are_not_taken_for_ours(database: str, tmp_path: Path) -> None:
    source = Given(ROWS)
    open_sink(f"{database}table=out", source, COLUMNS, SCHEMA, staging=tmp_path / "old").put(
        7, source.read(source.shards(2)[0])
    )
    sink = open_sink(f"{database}table=out", source, COLUMNS, SCHEMA, staging=tmp_path / "new")
    assert sink.done() == set()


@pytest.mark.parametrize("number", range(1, 4))
def test_finishing_can_be_stopped_between_its_steps(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from elision.formats.tables.database import Place

    where, source = f"sqlite:///{tmp_path / 'a.db'}?table=out", Given(ROWS)
    sink = open_sink(where, source, COLUMNS, SCHEMA, staging=tmp_path / "s")
    for at, shard in enumerate(source.shards(4)):
        sink.put(at, source.read(shard))
    calls = 0
    real = Place.engine

    def engine(self: Place, *, read_only: bool) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            raise KeyboardInterrupt
        return real(self, read_only=read_only)

    with monkeypatch.context() as patch:
        patch.setattr(Place, "engine", engine)
        with pytest.raises(KeyboardInterrupt):
            sink.finish()
    again = open_sink(where, source, COLUMNS, SCHEMA, staging=tmp_path / "s")
    assert again.done() == {0, 1, 2}
    again.finish()
    assert read_rows(where, key="id") == ROWS
    assert tables(f"sqlite:///{tmp_path / 'a.db'}") == ["out"]


def test_reading_changes_nothing(database: str) -> None:
    from elision.formats.tables.database import Place, reading

    execute(database, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
    with reading(Place.of(f"{database}table=note")) as connection, pytest.raises(sa.exc.DBAPIError):
        connection.execute(sa.text("INSERT INTO note VALUES (1, 'x')"))


def test_databases_that_cannot_be_reached_are_told_without_the_password(tmp_path: Path) -> None:
    for where, said in (
        ("postgresql+psycopg://tester:hunter2@/db?host=/tmp/nowhere&table=note", "cannot be reached"),
        ("postgresql://tester:hunter2@/db?host=/tmp/nowhere&table=note", "cannot be reached"),
        (f"sqlite:///{tmp_path}/none.db?table=note", "no such file"),
        (f"sqlite:///{tmp_path}/none.db", "which table"),
        ("postgresql://tester:hunter2@host/db", "which table"),
        ("klingon://tester:hunter2@host/db?table=note", "no such kind of database"),
        ("://tester:hunter2@host", "not a database URL"),
    ):
        with pytest.raises(FormatError, match=said) as error:
            open_source(where)
        assert "hunter2" not in str(error.value)
        with pytest.raises(FormatError) as error:
            copy(Given(ROWS), where.replace("none.db", "deep/none.db"), tmp_path / "s")
        assert "hunter2" not in str(error.value)


def test_tables_and_columns_that_are_not_there_are_told(database: str) -> None:
    execute(database, "CREATE TABLE note (id INTEGER, text TEXT)", "CREATE TABLE odd (text TEXT)")
    with pytest.raises(FormatError, match="no such table; there are: note, odd"):
        open_source(f"{database}table=nota")
    with pytest.raises(FormatError, match="no column 'ide' to order by; there are: id, text"):
        open_source(f"{database}table=note", key="ide")
    with pytest.raises(FormatError, match="say which column to order by"):
        open_source(f"{database}table=odd")
    with pytest.raises(FormatError, match="IN and OUT are the same table"):
        open_sink(f"{database}table=note", open_source(f"{database}table=note"), COLUMNS, SCHEMA, staging=Path("s"))


def test_what_a_database_says_of_a_row_is_not_passed_on(
    database: str, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A trigger or a constraint refuses a row, and the driver quotes it; with all logs on."""
    caplog.set_level(logging.DEBUG)
    sink = open_sink(f"{database}table=out", Given(ROWS), COLUMNS, SCHEMA, staging=tmp_path / "s")
    (staged,) = (name for name in tables(database) if name.endswith("_rows"))
    execute(
        database,
        f"DROP TABLE {staged}",
        f"CREATE TABLE {staged} (elision_shard INT, elision_row INT, id TEXT, text TEXT CHECK (length(text) < 5))",
    )
    with pytest.raises(FormatError, match="refuses to write rows") as error:
        sink.put(0, iter([pa.RecordBatch.from_pylist([{"id": "1", "text": CANARY}], schema=SCHEMA)]))
    said = str(error.value) + caplog.text + "".join(capfd.readouterr())
    assert error.value.__cause__ is None
    assert error.value.__suppress_context__
    assert not re.search(f"{CANARY}|hunter2", said)
    assert sink.done() == set()


def test_columns_that_a_database_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    schema = pa.schema([*SCHEMA, ("ID", pa.string())])
    with pytest.raises(FormatError, match="differ in capitals only"):
        open_sink(f"sqlite:///{tmp_path}/a.db?table=t", Given([], schema), COLUMNS, schema, staging=tmp_path)
