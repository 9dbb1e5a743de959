"""Databases by schema and table, or by a query; statements for servers that are not here; and no password anywhere."""

from __future__ import annotations

import pickle
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.dialects import mssql, oracle

from elision.errors import FormatError
from elision.formats.tables.answers import literal
from elision.formats.tables.columns import Columns
from elision.formats.tables.database import Place, one_query
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.formats.tables.sql import stretches
from elision.formats.tables.sql_sink import TableSink
from elision.formats.urls import for_a_name, split_name, without_password
from elision.run.plan import folder_of
from tests.run.containers import COLUMNS, SCHEMA, Given, rows_of
from tests.run.test_sql import database, execute, server  # noqa: F401 — fixtures

SECRET = "hunter2"
HELD = [
    f"postgresql+psycopg://tester:{SECRET}@/db?host=/tmp/nowhere&table=note",
    f"postgresql:///db?host=/tmp/nowhere&user=tester&password={SECRET}&table=note",
    f"mssql+pyodbc:///?odbc_connect=DRIVER%3D%7BX%7D%3BUID%3Dme%3BPWD%3D{SECRET}&table=note",
    f"mssql+pyodbc://me:p%40{SECRET}@host/db?driver=ODBC+Driver+18&table=dbo.note",
    f"oracle+oracledb://me:p@{SECRET}@host/?service_name=x&table=note",
    f"postgresql://host/db?{SECRET}",
    f"postgresql://me:{SECRET}@[host/db",
]


@pytest.mark.parametrize("where", HELD)
def test_a_password_is_shown_nowhere_wherever_it_stands(where: str, tmp_path: Path) -> None:
    assert SECRET not in without_password(where)
    if "[" not in where:
        assert SECRET not in for_a_name(where)
        assert SECRET not in str(folder_of(where))
    with pytest.raises(FormatError) as told:
        open_source(where)
    assert SECRET not in str(told.value)
    with pytest.raises(FormatError) as told:
        open_sink(where, Given([]), COLUMNS, SCHEMA, staging=tmp_path)
    assert SECRET not in str(told.value)
    assert not list(tmp_path.iterdir())


def test_a_path_and_a_url_without_a_password_stay() -> None:
    assert without_password("notes.csv") == "notes.csv"
    assert without_password("sqlite:///a b.db?table=note") == "sqlite:///a b.db?table=note"
    assert without_password("x://me@host/db?table=a.b&key=id") == "x://me@host/db?table=a.b&key=id"


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("note", (None, "note")),
        ("cdm.note", ("cdm", "note")),
        ('"my.schema"."a ""b"".c"', ("my.schema", 'a "b".c')),
        ('cdm."Note"', ("cdm", "Note")),
        ("db.dbo.note", ("db.dbo", "note")),
        ("", (None, "")),
    ],
)
def test_names_of_tables(said: str, names: tuple[str | None, str]) -> None:
    assert split_name(said) == names


@pytest.mark.parametrize("said", [".note", "cdm.", 'cdm."note', "a..b", 'a"b"'])
def test_names_that_cannot_be_read(said: str) -> None:
    with pytest.raises(FormatError, match="table="):
        split_name(said)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6), min_size=1, max_size=2))
def test_any_name_in_quotes_is_read(names: list[str]) -> None:
    said = ".".join('"' + name.replace('"', '""') + '"' for name in names)
    assert split_name(said) == (names[0] if len(names) == 2 else None, names[-1])


def test_a_table_of_a_schema_with_dots_and_capitals_is_read(request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("server")
    execute(
        url,
        'DROP SCHEMA IF EXISTS "My.Cdm" CASCADE',
        'CREATE SCHEMA "My.Cdm"',
        'CREATE TABLE "My.Cdm"."The Note" (id integer PRIMARY KEY, text text)',
        """INSERT INTO "My.Cdm"."The Note" VALUES (1, 'x')""",
    )
    source = open_source(f'{url}&table="My.Cdm"."The Note"')
    assert rows_of(source) == [{"id": 1, "text": "x"}]
    with pytest.raises(FormatError, match="say it once"):
        open_source(f"{url}&table=a.b&schema=a")


QUERY = """SELECT n.id AS id, n.text || ': 10:30 100%' AS text, n.day AS day, p.score AS score
FROM note n JOIN person p ON p.id = n.person WHERE n.text <> ':x';"""


def test_what_a_query_answers_is_read_in_shards(database: str) -> None:  # noqa: F811
    execute(
        database,
        "CREATE TABLE note (id INTEGER, person INTEGER, day DATE, text TEXT)",
        "CREATE TABLE person (id INTEGER, score FLOAT)",
        "INSERT INTO person VALUES (1, 0.5), (2, NULL)",
        "INSERT INTO note VALUES (:id, :person, '2021-03-04', :text)",
        rows=[{"id": at, "person": at % 2 + 1, "text": f"note {at}"} for at in range(7)],
    )
    source = open_source(database.rstrip("?&"), query=QUERY)
    expected = [
        {"id": at, "text": f"note {at}: 10:30 100%", "day": date(2021, 3, 4), "score": None if at % 2 else 0.5}
        for at in range(7)
    ]
    found = rows_of(source)
    assert [{**row, "day": date.fromisoformat(str(row["day"]))} for row in found] == expected
    assert [shard["rows"] for shard in source.shards(3)] == [3, 3, 1]
    again = pickle.loads(pickle.dumps(source))
    assert [row["id"] for batch in again.read(source.shards(3)[1], ["id"]) for row in batch.to_pylist()] == [3, 4, 5]
    other = open_source(database.rstrip("?&"), query=QUERY.replace(":x", ":y"))
    assert other.fingerprint != source.fingerprint
    with pytest.raises(FormatError, match="the query reads a table of the name of OUT"):
        open_sink(f"{database}table=note", source, COLUMNS, SCHEMA, staging=Path("s"), force=True)


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM note",
        "SELECT 1; DROP TABLE note",
        "SELECT 1 -- x",
        "UPDATE note SET text = ''",
        "SELECTION",
        "/* */",
    ],
)
def test_a_query_that_is_not_one_select_is_refused(query: str) -> None:
    with pytest.raises(FormatError) as told:
        one_query(query, "x")
    assert "note" not in str(told.value)


def test_a_query_cannot_change_anything(database: str) -> None:  # noqa: F811
    execute(database, "CREATE TABLE note (id INTEGER, text TEXT)", "INSERT INTO note VALUES (1, 'x')")
    with pytest.raises(FormatError):
        open_source(
            database.rstrip("?&"), query="WITH gone AS (DELETE FROM note RETURNING *) SELECT id, text FROM gone"
        )
    assert execute(database, "SELECT count(*) FROM note")[0][0] == 1


keys = st.lists(st.tuples(st.none() | st.integers(0, 2), st.integers(0, 3)), max_size=30).map(
    lambda found: sorted(found, key=lambda pair: (pair[0] is None, pair[0] or 0, pair[1]))
)


@given(keys.filter(bool), st.integers(1, 5))
def test_no_shard_has_rows_of_two_parts_and_none_is_lost(found: list[tuple[Any, int]], rows: int) -> None:
    shards = list(stretches(found, rows, parts=True))
    read = [
        [pair for pair in found if pair[0] == one["part"] and pair[1] <= one["upto"]
         and (one["after"] is None or pair[1] > one["after"])]
        for one in shards
    ]  # fmt: skip
    assert [pair for part in read for pair in part] == found
    assert [len(part) for part in read] == [one["rows"] for one in shards]
    assert [one["start"] for one in shards] == [sum(map(len, read[:at])) for at in range(len(shards))]


def test_a_table_is_read_part_by_part(database: str) -> None:  # noqa: F811
    days = ["2021-01-01", None, "2021-01-02"]
    execute(
        database,
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, day DATE)",
        "INSERT INTO note VALUES (:id, 'x', :day)",
        rows=[{"id": at, "day": days[at % 3] and date.fromisoformat(str(days[at % 3]))} for at in range(9)],
    )
    source = open_source(f"{database}table=note&partition=day")
    shards = source.shards(2)
    assert sorted(shard["rows"] for shard in shards) == [1, 1, 1, 2, 2, 2]
    for shard in shards:
        parts = {row["day"] for batch in source.read(shard) for row in batch.to_pylist()}
        assert [None if part is None else part.isoformat() for part in parts] == [shard["part"]]
    assert sorted(row["id"] for row in rows_of(source)) == list(range(9))
    with pytest.raises(FormatError, match="no column 'dax'"):
        open_source(f"{database}table=note&partition=dax")


@pytest.mark.parametrize(
    ("where", "query", "said"),
    [
        ("sqlite:///x.db?table=note", "SELECT 1", "leave one of them out"),
        ("notes.csv", "SELECT 1", "a query is for databases"),
    ],
)
def test_a_query_beside_a_table_is_refused(where: str, query: str, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        open_source(where, query=query)


@given(st.text(st.sampled_from("a:%'\\ 1:"), max_size=12))
def test_no_colon_of_a_query_waits_for_a_value(query: str) -> None:
    compiled = sa.text(literal(query)).compile(dialect=sa.create_engine("sqlite://").dialect)
    assert str(compiled) == query
    assert compiled.params == {}


# -- SQL Server and Oracle, without a server: the statements as they would go out

DIALECTS: dict[str, Any] = {"mssql": mssql.dialect(deprecate_large_types=True), "oracle": oracle.dialect()}  # type: ignore[no-untyped-call]
DIALECTS["mssql"].server_version_info = (16,)  # as a server would say


def _compiled(statement: Any, dialect: str) -> str:
    return re.sub(r"\s+", " ", str(statement.compile(dialect=DIALECTS[dialect])))


@pytest.mark.parametrize(
    ("dialect", "quoted", "brackets"),
    [("mssql", "[My Schema].[Select]", "AS elision_query"), ("oracle", '"My Schema"."Select"', ") elision_query")],
)
def test_statements_for_other_servers(dialect: str, quoted: str, brackets: str) -> None:
    table = sa.Table("Select", sa.MetaData(), sa.Column("id", sa.Integer), sa.Column("text", sa.Text),
                     schema="My Schema")  # fmt: skip
    query = sa.select(table.c.text).where(table.c.id <= 5).where(table.c.id > 1).order_by(table.c.id)
    said = _compiled(query, dialect)
    assert f"FROM {quoted}" in said
    assert "ORDER BY" in said
    inner = sa.text(literal("SELECT id, text FROM note")).columns(
        sa.column("id", sa.Integer), sa.column("text", sa.Text)
    )
    whole = _compiled(sa.select(inner.subquery("elision_query").c.text), dialect)
    assert brackets in whole
    assert (" AS elision_query" in whole) is (dialect == "mssql")


KINDS = [
    ("mssql", ["id BIGINT", "code NVARCHAR(400)", "text NVARCHAR(max)", "day DATE", "at DATETIME2(6)", "flag BIT"]),
    ("oracle", ["id NUMBER(19)", "code VARCHAR2(400 CHAR)", "text CLOB", "day DATE", "at TIMESTAMP"]),
]


@pytest.mark.parametrize(("dialect", "kinds"), KINDS)
def test_tables_that_a_run_makes_on_other_servers(dialect: str, kinds: list[str], tmp_path: Path) -> None:
    import pyarrow as pa

    schema = pa.schema(
        [("id", pa.int64()), ("code", pa.string()), ("text", pa.string()), ("day", pa.date32()),
         ("at", pa.timestamp("us")), ("score", pa.float64()), ("flag", pa.bool_()), ("raw", pa.binary())]
    )  # fmt: skip
    place = Place(sa.make_url("sqlite://"), "clean", "dbo", "")
    for table in TableSink(place, tmp_path, schema, Columns(texts=("text",), id="code"), "abcd1234")._tables:
        said = _compiled(sa.schema.CreateTable(table), dialect)
        assert len(table.name) < 60
        if "text" in table.c:
            assert [one for one in kinds if one not in said] == []


@pytest.mark.parametrize(
    ("url", "package"), [("mssql+pyodbc://u:p@h/d", "pyodbc"), ("oracle+oracledb://u:p@h", "oracledb")]
)
def test_a_driver_that_is_not_there_is_named(url: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(FormatError, match=f"pip install {package}"):
        open_source(f"{url}?table=dbo.note")


def test_large_objects_are_read(tmp_path: Path) -> None:
    """Some drivers give a handle in place of a large text."""
    from io import StringIO

    from elision.formats.tables.sql import _plain

    assert _plain(StringIO("a long text")) == "a long text"
