"""A new table of a database. Rows are staged in a table beside it, a transaction for each shard, and a ledger says
which shards are there; so a shard that is written again takes the place of what it was."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.errors import CannotHoldError, FormatError
from elision.formats.atomic import writing
from elision.formats.files import is_url
from elision.formats.tables.amending import Amendment, gone
from elision.formats.tables.columns import Columns
from elision.formats.tables.database import Place, asked, changing, reading, refuse_same_table
from elision.formats.tables.source import Source
from elision.formats.tables.writers import TABLES_FILE, Parts
from elision.showing import column as shown_column
from elision.showing import ident

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

SHARD, ROW = "elision_shard", "elision_row"
PLACED = -1  # in the ledger, no shard: the output is there
_AT_ONCE = 500  # rows of one statement


@dataclass(frozen=True)
class TableSink:
    """The rows of a table, which is there when all shards are."""

    place: Place
    staging: Path
    schema: Any
    columns: Columns
    run: str  # in the names of the tables beside the output: they are this run's, and nobody else's
    force: bool = False
    format = "sql"

    @cached_property
    def _tables(self) -> tuple[Table, Table, Table]:
        """The output, the rows that are staged, and the ledger."""
        from sqlalchemy import BigInteger, Column, MetaData, Table

        metadata, schema = MetaData(), self.place.schema

        def fields() -> list[Column[Any]]:
            types = [(one, self.schema.field(one).type) for one in self.schema.names]
            return [Column(one, _sql_type(type, one == self.columns.id), nullable=True) for one, type in types]

        out = Table(self.place.table, metadata, *fields(), schema=schema)
        numbers = [Column(one, BigInteger, nullable=False, index=one == SHARD) for one in (SHARD, ROW)]
        staged_rows, shards = _beside(self.place, self.run)
        rows = Table(staged_rows, metadata, *numbers, *fields(), schema=schema)
        ledger = Table(shards, metadata, Column(SHARD, BigInteger, primary_key=True), schema=schema)
        return out, rows, ledger

    def prepare(self) -> None:
        """Make the tables beside the output, which must not be there, unless it may be replaced or is our own."""
        out, rows, ledger = self._tables
        finished = self._parts.finished() is not None
        with changing(self.place, "make the tables") as connection:
            if _has(connection, out) and not (self.force or finished or self._is_placed(connection)):
                raise FormatError(
                    f"{self.place.shown}: the table is there already; choose another, or --force to replace it"
                )
            if finished:
                return
            # Their names are on the disk before they are in the database, so that whoever comes next finds them.
            _note_tables(self.staging, self.place, self.run)
            rows.create(connection, checkfirst=True)
            ledger.create(connection, checkfirst=True)

    def _is_placed(self, connection: Connection) -> bool:
        """Whether the output is made of our rows already: the ledger was told in the same transaction."""
        from sqlalchemy import select

        _, _, ledger = self._tables
        told = select(ledger.c[SHARD]).where(ledger.c[SHARD] == PLACED)
        return _has(connection, ledger) and connection.scalar(told) is not None

    @property
    def _parts(self) -> Parts:
        return Parts(self.staging, ".none")  # only for the word that all is finished

    def put(self, number: int, batches: Iterator[Any]) -> None:
        from sqlalchemy import delete, insert

        _, rows, ledger = self._tables
        with changing(self.place, "write rows") as connection:
            connection.execute(delete(rows).where(rows.c[SHARD] == number))
            connection.execute(delete(ledger).where(ledger.c[SHARD] == number))
            at = 0
            for batch in batches:
                found = batch.select(list(self.schema.names)).to_pylist()
                for row in found:
                    self._check(row, connection)
                    row |= {SHARD: number, ROW: at}
                    at += 1
                for first in range(0, len(found), _AT_ONCE):
                    connection.execute(insert(rows), found[first : first + _AT_ONCE])
            connection.execute(insert(ledger), [{SHARD: number}])

    def _check(self, row: dict[str, Any], connection: Connection) -> None:
        """PostgreSQL has no NUL; we say so before it does, and by the note's id."""
        if connection.dialect.name == "postgresql":
            for name, value in row.items():
                if isinstance(value, str) and "\0" in value:
                    who = (
                        f"note {ident(str(row[self.columns.id]))}" if row.get(self.columns.id) is not None else "a note"
                    )
                    raise CannotHoldError(
                        f"{self.place.shown}: {who}: column {shown_column(name)} has a NUL character, which PostgreSQL "
                        "cannot hold; write it to another container"
                    )

    def done(self) -> set[int]:
        from sqlalchemy import select

        _, _, ledger = self._tables
        with changing(self.place, "read the ledger") as connection:
            if not _has(connection, ledger):
                return set(self._parts.finished() or ())
            return set(connection.scalars(select(ledger.c[SHARD]).where(ledger.c[SHARD] != PLACED)))

    def finish(self, change: Amendment | None = None) -> None:
        from sqlalchemy import insert, select

        out, rows, ledger = self._tables
        done = self.done()
        with changing(self.place, "make the output") as connection:
            if _has(connection, ledger) and not self._is_placed(connection):
                if change is not None:
                    self._take_away(connection, change.ids)
                elif _has(connection, out) and not self.force:
                    raise FormatError(
                        f"{self.place.shown}: a table came there while the run was at work; move it away, or --force "
                        "to replace it"
                    )
                else:
                    out.drop(connection, checkfirst=True)
                    out.create(connection)
                ordered = select(*(rows.c[name] for name in self.schema.names)).order_by(rows.c[SHARD], rows.c[ROW])
                connection.execute(insert(out).from_select(list(self.schema.names), ordered))
                connection.execute(insert(ledger), [{SHARD: PLACED}])
        self._parts.finish(done)
        self._drop()

    def _take_away(self, connection: Connection, ids: Sequence[Any] | None) -> None:
        """Take rows out of the table, each once: those of these ids, or else that the staged ones take the place of."""
        from sqlalchemy import delete, func, select

        out, rows, _ = self._tables
        id = self.columns.id
        if not _has(connection, out):
            raise gone(self.place.shown)
        if ids is None:
            wanted = connection.scalar(select(func.count()).select_from(rows)) or 0
            taken = connection.execute(delete(out).where(out.c[id].in_(select(rows.c[id])))).rowcount
        else:
            wanted, taken = len(ids), 0
            for first in range(0, len(ids), _AT_ONCE):
                some = ids[first : first + _AT_ONCE]
                taken += connection.execute(delete(out).where(out.c[id].in_(some))).rowcount
        if taken != wanted:
            raise gone(self.place.shown)

    def _drop(self) -> None:
        _, rows, ledger = self._tables
        with changing(self.place, "take the staged rows away") as connection:
            rows.drop(connection, checkfirst=True)
            ledger.drop(connection, checkfirst=True)

    def failed(self) -> str:
        """Tables without any row that a run could go on from are taken away; of others, the names."""
        with contextlib.suppress(FormatError):
            if not self.done():
                self._drop()
                (self.staging / TABLES_FILE).unlink(missing_ok=True)
            with changing(self.place, "look for the ledger") as connection:
                if not _has(connection, self._tables[2]):
                    return ""
        names = " and ".join(_beside(self.place, self.run))
        return (
            f"The rows that are done stay in the tables {names} of {self.place.shown}: the same command goes on from "
            "them and then takes them away; to give them up, add --force, or drop these two tables"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_tables"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _has(connection: Connection, table: Table) -> bool:
    from sqlalchemy import inspect

    return inspect(connection).has_table(table.name, schema=table.schema)


def open_table_sink(
    where: str, source: Source, columns: Columns, schema_out: Any, staging: Path, *, force: bool
) -> TableSink:
    place = Place.of(where)
    origin = getattr(source, "place", None)
    if isinstance(origin, Place):
        refuse_same_table(origin, place)
    if len(set(map(str.lower, schema_out.names))) < len(schema_out.names):
        raise FormatError(f"{place.shown}: two columns differ in capitals only, which databases take for one")
    sink = TableSink(place, staging, schema_out, columns, _noted_run(staging) or secrets.token_hex(4), force)
    sink.prepare()
    return sink


def ids_in(where: str, column: str) -> list[Any]:
    """The ids of all rows of a table that was written; none if it is not there."""
    from sqlalchemy import Column, MetaData, Table, select

    place = Place.of(where)
    table = Table(place.table, MetaData(), Column(column), schema=place.schema)
    with reading(place) as connection, asked(place, "read the ids"):
        return list(connection.scalars(select(table.c[column]))) if _has(connection, table) else []


def _beside(place: Place, run: str) -> tuple[str, str]:
    """The names of the tables beside the output; no database has room for long ones."""
    start = f"{place.table.encode()[:30].decode(errors='ignore')}_elision_{run}"
    return f"{start}_rows", f"{start}_shards"


def _note_tables(staging: Path, place: Place, run: str) -> None:
    row = {"database": place.shown, "schema": place.schema, "run": run, "tables": _beside(place, run)}
    with writing(staging / TABLES_FILE, synced=True) as stream:
        stream.write(json.dumps(row).encode())


def _noted_run(staging: Path) -> str:
    file = staging / TABLES_FILE
    return str(json.loads(file.read_text("utf-8"))["run"]) if file.exists() else ""


def drop_staged(staging: Path, out: str) -> None:
    """Take away the tables of a run that is given up. Of its database we know the password only if it is OUT again."""
    from sqlalchemy import MetaData, Table

    file = staging / TABLES_FILE
    note = json.loads(file.read_text("utf-8"))
    place = Place.of(out) if is_url(out) else None
    if place is None or (place.shown, place.schema) != (note["database"], note["schema"]):
        raise FormatError(
            f"{note['database']}: the run that is given up has rows there, in the tables {' and '.join(note['tables'])}"
            f"; drop them, remove {file}, and say --force again"
        )
    with changing(place, "take the staged rows away") as connection:
        for name in note["tables"]:
            Table(name, MetaData(), schema=place.schema).drop(connection, checkfirst=True)
    file.unlink()


_LONGEST_ID = 400  # in databases that neither compare nor order long texts


def _sql_type(type: Any, is_id: bool = False) -> Any:
    """The type of a column; what a database has no type for goes as text. SQL Server needs to be told to take all
    characters and whole seconds in parts, Oracle to keep the time of a day."""
    import pyarrow as pa
    from sqlalchemy import types
    from sqlalchemy.dialects.mssql import DATETIME2, DATETIMEOFFSET
    from sqlalchemy.dialects.oracle import TIMESTAMP

    kinds: list[tuple[Any, Any]] = [
        (pa.types.is_boolean, types.Boolean()),
        (pa.types.is_integer, types.BigInteger()),
        (pa.types.is_floating, types.Double()),
        (pa.types.is_date, types.Date()),
        (pa.types.is_binary, types.LargeBinary()),
    ]
    if pa.types.is_timestamp(type):
        zone = type.tz is not None
        there: Any = (DATETIMEOFFSET if zone else DATETIME2)(precision=6)
        return types.DateTime(timezone=zone).with_variant(there, "mssql").with_variant(TIMESTAMP(zone), "oracle")
    if pa.types.is_nested(type):
        raise FormatError(f"a column of {type} cannot be kept in a table of a database; drop it, or write Parquet")
    text = types.Text().with_variant(types.Unicode(_LONGEST_ID) if is_id else types.UnicodeText(), "mssql")
    if is_id:
        text = text.with_variant(types.String(_LONGEST_ID), "oracle")
    return next((sql for is_kind, sql in kinds if is_kind(type)), text)
