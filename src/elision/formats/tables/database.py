"""Databases by URL, and what is told of them: never a password, nor what a driver says, which may quote a row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from elision.errors import FormatError, MissingExtraError
from elision.formats.urls import split_name

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection, Engine

_DRIVERS = {"mssql": "pyodbc", "oracle": "oracledb"}  # of databases that are no extra of ours, by kind
_OURS = ("table", "schema", "key", "partition")  # what we read of a URL's query; the rest is the driver's


@dataclass(frozen=True)
class Place:
    """A table of a database, or what a query answers. `shown` is the URL without the password."""

    url: URL
    table: str
    schema: str | None
    key: str
    query: str = ""
    partition: str = ""  # the column by which it is read in parts

    @property
    def shown(self) -> str:
        bare = self.url.set(query={}).render_as_string(hide_password=True)
        return f"{bare} (a query)" if self.query else f"{bare}?table={self.table}"

    @classmethod
    def of(cls, where: str, query: str = "") -> Place:
        try:
            from sqlalchemy import make_url
            from sqlalchemy.exc import ArgumentError
        except ImportError:
            raise MissingExtraError("reading and writing databases", "sql") from None
        try:
            url = make_url(where)
        except (ArgumentError, ValueError):
            raise FormatError(
                "this is not a database URL; it should read like sqlite:///notes.db?table=note or "
                "postgresql+psycopg://user@host/database?table=note"
            ) from None
        if "@" in (url.host or ""):
            raise FormatError(f"{url.drivername}: there are two @ in the URL; write one in a password as %40")
        if url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        said = {name: value for name, value in url.query.items() if name in _OURS and isinstance(value, str)}
        url = url.difference_update_query(_OURS)
        bare = url.set(query={}).render_as_string(hide_password=True)
        schema, table = split_name(said.get("table", ""))
        if schema and said.get("schema"):
            raise FormatError(f"{bare}: table= names a schema, and so does schema=; say it once")
        if query and table:
            raise FormatError(f"{bare}: there is a table= and a query; leave one of them out")
        if not (table or query):
            raise FormatError(f"{bare}: which table? add ?table=NAME to the URL, or say --query")
        partition, query = said.get("partition", ""), one_query(query, bare)
        return cls(url, table, said.get("schema") or schema, said.get("key", ""), query, partition)

    def engine(self, *, read_only: bool) -> Engine:
        """An engine that tells nobody the values of a statement."""
        from sqlalchemy import create_engine, event
        from sqlalchemy.exc import NoSuchModuleError
        from sqlalchemy.pool import NullPool

        url = self.url
        if url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:":
            if read_only and not Path(url.database).is_file():
                raise FormatError(f"{self.shown}: there is no such file")
            mode = "ro" if read_only else "rwc"
            url = url.set(database=f"file:{quote(url.database)}", query={**url.query, "mode": mode, "uri": "true"})
        try:
            engine = create_engine(url, hide_parameters=True, poolclass=NullPool, **_options(url))
        except NoSuchModuleError:
            raise FormatError(
                f"{self.shown}: no such kind of database; try sqlite:// or postgresql+psycopg://"
            ) from None
        except ImportError:
            kind = url.get_backend_name()
            if kind in _DRIVERS:
                raise FormatError(
                    f"{self.shown}: the driver is not there; install it with: pip install {_DRIVERS[kind]}"
                ) from None
            raise MissingExtraError(f"the driver of {url.drivername}", "postgres") from None
        if url.get_backend_name() == "sqlite":
            event.listen(engine, "connect", _no_hidden_begin)
            event.listen(engine, "begin", _begin_reading if read_only else _begin_writing)
        return engine


def _options(url: URL) -> dict[str, Any]:
    """What other databases need: many rows at once, and the texts of large columns in place of handles."""
    kind, driver = url.get_backend_name(), url.get_driver_name()
    if kind == "oracle":
        return {"arraysize": 200}  # large texts come as texts with SQLAlchemy's own setting
    return {"fast_executemany": True} if (kind, driver) == ("mssql", "pyodbc") else {}


def one_query(query: str, where: str) -> str:
    """A query that may stand in brackets, or an error: it is one SELECT, and reads only."""
    bare = query.strip().removesuffix(";").rstrip()
    if not bare:
        return ""
    if not re.match(r"(?i)(?:select|with)\b", bare):
        raise FormatError(f"{where}: the query must begin with SELECT or WITH")
    if ";" in bare or "--" in bare or "/*" in bare:
        raise FormatError(f"{where}: the query must be one statement without ; and without comments; or make a view")
    return bare


def _no_hidden_begin(connection: Any, _record: object) -> None:
    """The driver would begin transactions when it pleases, and not for CREATE TABLE."""
    connection.isolation_level = None
    connection.execute("PRAGMA busy_timeout = 60000")


def _begin_reading(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_writing(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def asked(place: Place, what: str) -> Iterator[None]:
    """What the database says when it refuses, by its kind only."""
    from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

    try:
        yield
    except DBAPIError as error:
        state = getattr(error.orig, "sqlstate", "") or getattr(error.orig, "sqlite_errorname", "") or ""
        kind = f"{type(error.orig).__name__}{f' {state}' if state else ''}"
        unreachable = isinstance(error, (OperationalError, InterfaceError)) and what == "connect"
        hint = "; is it running, and are host, user and password right?" if unreachable else ""
        said = "the database cannot be reached" if unreachable else f"the database refuses to {what}"
        raise FormatError(f"{place.shown}: {said} ({kind}){hint}") from None
    except SQLAlchemyError as error:
        raise FormatError(f"{place.shown}: cannot {what} ({type(error).__name__})") from None


@contextmanager
def reading(place: Place) -> Iterator[Connection]:
    """A connection that cannot change anything, and sees one state of the database."""
    engine = place.engine(read_only=True)
    with asked(place, "connect"):
        connection = engine.connect()
    try:
        if engine.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        elif engine.dialect.name == "oracle":
            with asked(place, "begin to read"):
                connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        yield connection
    finally:
        connection.close()
        engine.dispose()


@contextmanager
def changing(place: Place, what: str) -> Iterator[Connection]:
    """A transaction: all of it or nothing."""
    engine = place.engine(read_only=False)
    with asked(place, "connect"):
        connection = engine.connect()
    try:
        with asked(place, what), connection.begin():
            yield connection
    finally:
        connection.close()
        engine.dispose()


def refuse_same_table(read: Place, written: Place) -> None:
    """An error if the table that is read is the one that is written, however the two URLs are spelt."""
    kind = read.url.get_backend_name()
    if read.query and kind == written.url.get_backend_name():
        if _named(written.table).search(read.query.lower()):
            raise FormatError(f"{written.shown}: the query reads a table of the name of OUT; write into another one")
        return
    same = read.shown == written.shown and read.schema == written.schema
    if not same and kind == written.url.get_backend_name() == "sqlite" and _in_one_file(read, written):
        same = read.table.lower() == written.table.lower()
        if not same and _may_read(read, written.table):
            raise FormatError(f"{read.shown}: IN is a view that reads the table OUT; write into another one")
    if not same and kind == written.url.get_backend_name() == "postgresql":
        one = _identity(read)
        same = one is not None and one == _identity(written)
    if same:
        raise FormatError(f"{written.shown}: IN and OUT are the same table; write into another one")


def _in_one_file(one: Place, other: Place) -> bool:
    try:
        return Path(one.url.database or "").samefile(other.url.database or "")
    except OSError:
        return False


def _may_read(place: Place, table: str) -> bool:
    """Whether the views of a database of SQLite name a table, if this is a view."""
    from sqlalchemy import text

    with reading(place) as connection, asked(place, "look at the views"):
        query = text("SELECT name, sql FROM sqlite_master WHERE type = 'view'")
        views = {str(name).lower(): str(sql).lower() for name, sql in connection.execute(query)}
    return place.table.lower() in views and any(_named(table).search(sql or "") for sql in views.values())


def _named(table: str) -> re.Pattern[str]:
    """A table's name as a word, in small letters."""
    return re.compile(rf"(?<!\w){re.escape(table.lower())}(?!\w)")


def _identity(place: Place) -> tuple[Any, ...] | None:
    """What names a table of PostgreSQL, whatever the URL says; None if it is not there."""
    from sqlalchemy import text

    with reading(place) as connection, asked(place, "look at the table"):
        quote = connection.dialect.identifier_preparer.quote
        name = ".".join(quote(part) for part in (place.schema, place.table) if part)
        query = text("SELECT pg_postmaster_start_time()::text, current_database(), to_regclass(:name)::oid")
        found = tuple(connection.execute(query, {"name": name}).one())
    return found if found[-1] is not None else None
