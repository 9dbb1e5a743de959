"""A new table of a database. Rows are staged in a table beside it, a transaction for each shard, and a ledger says
which shards are there; so a shard that is written again takes the place of what it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.errors import CannotHoldError, FormatError
from elision.run.columns import Columns
from elision.run.database import Place, asked
from elision.run.keyed import inmost
from elision.run.parts import Parts, staged
from elision.run.source import Source
from elision.run.sql import DatabaseTable
from elision.showing import column as shown_column
from elision.showing import ident

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

SHARD, ROW = "elision_shard", "elision_row"
_AT_ONCE = 500  # rows of one statement


@dataclass(frozen=True)
class TableSink:
    """The rows of a table, which is there when all shards are."""

    place: Place
    staging: Path
    schema: Any
    columns: Columns

    @cached_property
    def _tables(self) -> tuple[Table, Table, Table]:
        """The output, the rows that are staged, and the ledger."""
        from sqlalchemy import BigInteger, Column, MetaData, Table

        metadata, schema = MetaData(), self.place.schema
        name = self.place.table

        def fields() -> list[Column[Any]]:
            return [Column(one, _sql_type(self.schema.field(one).type), nullable=True) for one in self.schema.names]

        out = Table(name, metadata, *fields(), schema=schema)
        numbers = [Column(one, BigInteger, nullable=False, index=one == SHARD) for one in (SHARD, ROW)]
        rows = Table(f"{name}_elision_rows", metadata, *numbers, *fields(), schema=schema)
        ledger = Table(f"{name}_elision_shards", metadata, Column(SHARD, BigInteger, primary_key=True), schema=schema)
        return out, rows, ledger

    @contextmanager
    def _writing(self, what: str) -> Iterator[Connection]:
        """A transaction: all of it or nothing."""
        engine = self.place.engine(read_only=False)
        with asked(self.place, "connect"):
            connection = engine.connect()
        try:
            with asked(self.place, what), connection.begin():
                yield connection
        finally:
            connection.close()
            engine.dispose()

    def prepare(self, *, force: bool) -> None:
        """The tables beside the output, which must not be there, unless it may be replaced or is our own. Rows that
        another run has left are not ours: our staging folder would know of them."""
        from sqlalchemy import inspect

        out, rows, ledger = self._tables
        mark = self.staging / "tables"
        with self._writing("make the tables") as connection:
            going_on = mark.exists() or self._parts.finished() is not None
            if inspect(connection).has_table(out.name, schema=self.place.schema) and not (force or going_on):
                raise FormatError(
                    f"{self.place.shown}: the table is there already; choose another, or --force to replace it"
                )
            if going_on:
                return
            rows.drop(connection, checkfirst=True)
            ledger.drop(connection, checkfirst=True)
            rows.create(connection)
            ledger.create(connection)
        with staged(mark) as stream:
            stream.write(rows.name.encode())

    @property
    def _parts(self) -> Parts:
        return Parts(self.staging, ".none")  # only for the word that all is finished

    def put(self, number: int, batches: Iterator[Any]) -> None:
        from sqlalchemy import delete, insert

        _, rows, ledger = self._tables
        with self._writing("write rows") as connection:
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
        from sqlalchemy import inspect, select

        _, _, ledger = self._tables
        with self._writing("read the ledger") as connection:
            if not inspect(connection).has_table(ledger.name, schema=self.place.schema):
                return set(self._parts.finished() or ())
            return set(connection.scalars(select(ledger.c[SHARD])))

    def finish(self) -> None:
        from sqlalchemy import insert, select

        out, rows, ledger = self._tables
        done = self.done()
        with self._writing("make the output") as connection:
            if _has(connection, ledger):
                out.drop(connection, checkfirst=True)
                out.create(connection)
                ordered = select(*(rows.c[name] for name in self.schema.names)).order_by(rows.c[SHARD], rows.c[ROW])
                connection.execute(insert(out).from_select(list(self.schema.names), ordered))
        self._parts.finish(done)
        with self._writing("take the staged rows away") as connection:
            rows.drop(connection, checkfirst=True)
            ledger.drop(connection, checkfirst=True)

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
    source = inmost(source)
    if isinstance(source, DatabaseTable) and source.place.shown == place.shown:
        raise FormatError(f"{place.shown}: IN and OUT are the same table; write into another one")
    if len(set(map(str.lower, schema_out.names))) < len(schema_out.names):
        raise FormatError(f"{place.shown}: two columns differ in capitals only, which databases take for one")
    sink = TableSink(place, staging, schema_out, columns)
    sink.prepare(force=force)
    return sink


def _sql_type(type: Any) -> Any:
    """The type of a column; what a database has no type for goes as text."""
    import pyarrow as pa
    from sqlalchemy import types

    kinds: list[tuple[Any, Any]] = [
        (pa.types.is_boolean, types.Boolean()),
        (pa.types.is_integer, types.BigInteger()),
        (pa.types.is_floating, types.Double()),
        (pa.types.is_date, types.Date()),
        (pa.types.is_binary, types.LargeBinary()),
    ]
    if pa.types.is_timestamp(type):
        return types.DateTime(timezone=type.tz is not None)
    if pa.types.is_nested(type):
        raise FormatError(f"a column of {type} cannot be kept in a table of a database; drop it, or write Parquet")
    return next((sql for is_kind, sql in kinds if is_kind(type)), types.Text())
