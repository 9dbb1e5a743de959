"""Tables of a database, by URL: `sqlite:///notes.db?table=note`, `postgresql+psycopg://user@host/db?table=note`.

They are read only, a page at a time, in the order of a key. A password never stands in a message: what a database says
of an error is not passed on either, since it may quote a row.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from elision.errors import FormatError
from elision.formats.tables.columns import check_names
from elision.formats.tables.database import Place, asked, reading
from elision.formats.tables.source import (
    MOST_BYTES,
    MOST_ROWS,
    Options,
    Shard,
    batch_of,
    chosen_fields,
    fingerprint,
    whole,
)
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns

if TYPE_CHECKING:
    from sqlalchemy import Column, Connection, Table


@dataclass(frozen=True)
class DatabaseTable:
    """A table or view. A shard is a stretch of keys."""

    place: Place
    key: str
    format = "sql"
    remarks = ()

    @property
    def where(self) -> str:
        return self.place.shown

    @cached_property
    def _table(self) -> Table:
        return reflected(self.place)

    @cached_property
    def schema(self) -> Any:
        import pyarrow as pa

        return pa.schema([pa.field(column.name, arrow_type(column)) for column in self._table.columns])

    def _keys(self, connection: Connection) -> Iterator[Any]:
        """All keys in order, as JSON holds them."""
        from sqlalchemy import select

        key, name = self._table.c[self.key], shown_column(self.key)
        for value in connection.execution_options(yield_per=10_000).execute(select(key).order_by(key)).scalars():
            told = str(value) if isinstance(value, uuid.UUID) else value
            if not isinstance(told, (int, str)):
                raise FormatError(
                    f"{self.where}: column {name} has a key of type {type(told).__name__}; it must be a number, "
                    "a text or a UUID: choose another column, or cast it in a view"
                )
            yield told

    @cached_property
    def _counts(self) -> tuple[int, Any, Any]:
        """How many rows, the first key, the last. Rows without a key would be lost, and so are an error."""
        from sqlalchemy import func, select

        key, name = self._table.c[self.key], shown_column(self.key)
        query = select(func.count(), func.count(key)).select_from(self._table)
        with reading(self.place) as connection, asked(self.place, "count the rows"):
            rows, keys = connection.execute(query).one()
            first, last = (
                (None, None)  # which PostgreSQL cannot tell of UUIDs
                if _is_uuid(key)
                else connection.execute(select(func.min(key), func.max(key))).one()
            )
        if keys < rows:
            raise FormatError(
                f"{self.where}: column {name}: {rows - keys:,} rows have no key; choose another column (?key=NAME)"
            )
        return rows, first, last

    @property
    def rows(self) -> int:
        return self._counts[0]

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint([self.where, self.place.schema, self.key, self.schema, *self._counts])

    def shards(self, rows: int) -> list[Shard]:
        """Stretches of keys. Rows with the same key are never parted."""
        found: list[Shard] = []
        if not self.rows:
            return found
        after = last = None
        start = at = 0
        with reading(self.place) as connection, asked(self.place, "read the keys"):
            for key in self._keys(connection):
                if at - start >= rows and key != last:
                    found.append({"start": start, "rows": at - start, "after": after, "upto": last})
                    after, start = last, at
                last, at = key, at + 1
        found.append({"start": start, "rows": at - start, "after": after, "upto": last})
        return found

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        return whole(self._batches(shard, chosen_fields(self.schema, names)), shard, self.where)

    def _batches(self, shard: Shard, schema: Any) -> Iterator[Any]:
        from sqlalchemy import select

        table, key = self._table, self._table.c[self.key]
        query = select(*(table.c[name] for name in schema.names)).where(key <= _asked(key, shard["upto"])).order_by(key)
        if shard["after"] is not None:
            query = query.where(key > _asked(key, shard["after"]))
        with reading(self.place) as connection, asked(self.place, "read rows"):
            found = connection.execution_options(stream_results=True, max_row_buffer=1).execute(query)
            most = 1
            while rows := [row._mapping for row in found.fetchmany(most)]:
                size = sum(len(cell) for row in rows for cell in row.values() if isinstance(cell, (str, bytes)))
                # Rows may be of 20 MB or of 20 bytes: we feel our way, and ask for so many as fill half a batch.
                most = max(1, min(4 * most, MOST_ROWS, int(MOST_BYTES / 2 * len(rows) / max(1, size))))
                yield batch_of([_cells(row) for row in rows], schema, self.where)

    def __getstate__(self) -> dict[str, Any]:
        """A worker looks at the table itself, and is told the keys by its shards."""
        return {"place": self.place, "key": self.key}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def open_table(where: str, options: Options) -> DatabaseTable:
    place = Place.of(where)
    table = reflected(place)
    check_names([str(column.name) for column in table.columns], place.shown)
    wanted = options.key or place.key
    if wanted and wanted not in table.columns:
        there = shown_columns(list(table.columns.keys()))
        raise FormatError(f"{place.shown}: no column {shown_column(wanted)!r} to order by; there are: {there}")
    primary = [column.name for column in table.primary_key.columns]
    usual = [name for name in ("note_id", "id") if name in table.columns]
    key = wanted or (primary[0] if len(primary) == 1 else "") or next(iter(usual), "")
    if not key:
        raise FormatError(f"{place.shown}: no primary key of one column; say which column to order by (?key=NAME)")
    return DatabaseTable(place, key)


def reflected(place: Place) -> Table:
    """The table as the database describes it."""
    from sqlalchemy import MetaData, Table, inspect
    from sqlalchemy.exc import NoSuchTableError

    with reading(place) as connection, asked(place, "describe the table"):
        try:
            return Table(place.table, MetaData(), schema=place.schema, autoload_with=connection, resolve_fks=False)
        except NoSuchTableError:
            looked = inspect(connection)
            names = sorted({*looked.get_table_names(place.schema), *looked.get_view_names(place.schema)})
            there = shown_columns(names) or "none"
            raise FormatError(f"{place.shown}: no such table; there are: {there}") from None


def arrow_type(column: Column[Any]) -> Any:
    """The type in which a column is read; what we do not know goes as text."""
    import pyarrow as pa
    from sqlalchemy import types

    kinds: list[tuple[Any, Any]] = [
        (types.Boolean, pa.bool_()),
        (types.Integer, pa.int64()),
        (types.Float, pa.float64()),
        (types.DateTime, pa.timestamp("us", "UTC" if getattr(column.type, "timezone", False) else None)),
        (types.Date, pa.date32()),
        (types.LargeBinary, pa.binary()),
    ]
    return next((arrow for sql, arrow in kinds if isinstance(column.type, sql)), pa.string())


def _cells(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(name): _plain(value) for name, value in row.items()}


def _plain(value: object) -> object:
    """A cell as its column holds it: numbers of any length, UUIDs and JSON go as text."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, (str, bool, int, float, bytes, date)):
        return value
    return str(value)


def _is_uuid(key: Column[Any]) -> bool:
    from sqlalchemy import types

    return isinstance(key.type, types.Uuid) and bool(key.type.as_uuid)


def _asked(key: Column[Any], value: Any) -> Any:
    """A key as the database compares it."""
    return uuid.UUID(value) if _is_uuid(key) else value
