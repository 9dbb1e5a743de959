"""Tables of a database, by URL: `sqlite:///notes.db?table=note`, `postgresql+psycopg://user@host/db?table=note`.

They are read only, a page at a time, in the order of a key. A password never stands in a message: what a database says
of an error is not passed on either, since it may quote a row.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from elision.errors import FormatError
from elision.formats.tables.answers import answered
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
    from sqlalchemy import ColumnElement, Connection, FromClause


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
    def _table(self) -> FromClause:
        return reflected(self.place)

    @cached_property
    def schema(self) -> Any:
        import pyarrow as pa

        return pa.schema([pa.field(column.name, arrow_type(column)) for column in self._table.columns])

    @property
    def _part(self) -> ColumnElement[Any] | None:
        return self._table.c[self.place.partition] if self.place.partition else None

    def _keys(self, connection: Connection) -> Iterator[tuple[Any, Any]]:
        """The part and the key of all rows in order, as JSON holds them."""
        from sqlalchemy import literal, select

        key, name, part = self._table.c[self.key], shown_column(self.key), self._part
        query = select(literal(0) if part is None else part, key)
        query = query.order_by(key) if part is None else query.order_by(part, key)
        for where, value in connection.execution_options(yield_per=10_000).execute(query):
            told = str(value) if isinstance(value, uuid.UUID) else value
            if not isinstance(told, (int, str)):
                raise FormatError(
                    f"{self.where}: column {name} has a key of type {type(told).__name__}; it must be a number, "
                    "a text or a UUID: choose another column, or cast it in a view"
                )
            yield where.isoformat() if isinstance(where, date) else where, told

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
        place = self.place
        said = (place.schema, place.query, place.partition) if place.query or place.partition else (place.schema,)
        return fingerprint([self.where, *said, self.key, self.schema, *self._counts])

    def shards(self, rows: int) -> list[Shard]:
        """Stretches of keys, each in one part. Rows with the same key are never parted."""
        if not self.rows:
            return []
        with reading(self.place) as connection, asked(self.place, "read the keys"):
            return list(stretches(self._keys(connection), rows, parts=bool(self.place.partition)))

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        return whole(self._batches(shard, chosen_fields(self.schema, names)), shard, self.where)

    def _batches(self, shard: Shard, schema: Any) -> Iterator[Any]:
        from sqlalchemy import select

        table, key = self._table, self._table.c[self.key]
        query = select(*(table.c[name] for name in schema.names)).where(key <= _asked(key, shard["upto"])).order_by(key)
        if shard["after"] is not None:
            query = query.where(key > _asked(key, shard["after"]))
        if self._part is not None:
            query = query.where(_is_part(self._part, shard["part"]))
        with reading(self.place) as connection, asked(self.place, "read rows"):
            found = connection.execution_options(stream_results=True, max_row_buffer=1).execute(query)
            most = 1
            while rows := [row._mapping for row in found.fetchmany(most)]:
                size = sum(len(cell) for row in rows for cell in row.values() if isinstance(cell, (str, bytes)))
                # Rows may be of 20 MB or of 20 bytes: we feel our way, and ask for so many as fill half a batch.
                most = max(1, min(4 * most, MOST_ROWS, int(MOST_BYTES / 2 * len(rows) / max(1, size))))
                yield batch_of([_cells(row, schema) for row in rows], schema, self.where)

    def __getstate__(self) -> dict[str, Any]:
        """A worker looks at the table itself, and is told the keys by its shards."""
        return {"place": self.place, "key": self.key}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def stretches(keys: Iterable[tuple[Any, Any]], rows: int, *, parts: bool) -> Iterator[Shard]:
    """Shards of keys in order, each key with the part that it is in."""

    def shard() -> Shard:
        made = {"start": start, "rows": at - start, "after": after, "upto": last}
        return {**made, "part": part} if parts else made

    after = last = part = None
    start = at = 0
    for where, key in keys:
        other = at > start and where != part
        if other or (at - start >= rows and key != last):
            yield shard()
            after, start = None if other else last, at
        last, part, at = key, where, at + 1
    yield shard()


def _may_part(column: ColumnElement[Any]) -> bool:
    return str(arrow_type(column)) in ("string", "int64", "date32[day]", "bool") or (
        str(arrow_type(column)).startswith("timestamp")
    )


def _is_part(column: ColumnElement[Any], value: Any) -> ColumnElement[bool]:
    """Whether a row is in a part, of which JSON holds the value."""
    from sqlalchemy import types

    if value is None:
        return column.is_(None)
    if isinstance(column.type, types.DateTime):
        return column == datetime.fromisoformat(value)
    return column == (date.fromisoformat(value) if isinstance(column.type, types.Date) else value)


def open_table(where: str, options: Options) -> DatabaseTable:
    place = Place.of(where, options.query)
    table = reflected(place)
    check_names([str(column.name) for column in table.columns], place.shown)
    wanted = options.key or place.key
    if wanted and wanted not in table.columns:
        there = shown_columns(list(table.columns.keys()))
        raise FormatError(f"{place.shown}: no column {shown_column(wanted)!r} to order by; there are: {there}")
    if place.partition and place.partition not in table.columns:
        there = shown_columns(list(table.columns.keys()))
        name = shown_column(place.partition)
        raise FormatError(f"{place.shown}: no column {name!r} (partition=); there are: {there}")
    if place.partition and not _may_part(table.columns[place.partition]):
        raise FormatError(
            f"{place.shown}: partition={shown_column(place.partition)}: choose a column of dates, times, whole numbers "
            "or texts"
        )
    primary = [column.name for column in table.primary_key]
    usual = [name for name in ("note_id", "id") if name in table.columns]
    key = wanted or (primary[0] if len(primary) == 1 else "") or next(iter(usual), "")
    if not key:
        raise FormatError(f"{place.shown}: no primary key of one column; say which column to order by (?key=NAME)")
    return DatabaseTable(place, key)


def reflected(place: Place) -> FromClause:
    """The table, or what the query answers, as the database describes it."""
    from sqlalchemy import MetaData, Table, inspect
    from sqlalchemy.exc import NoSuchTableError

    if place.query:
        return answered(place)
    with reading(place) as connection, asked(place, "describe the table"):
        try:
            return Table(place.table, MetaData(), schema=place.schema, autoload_with=connection, resolve_fks=False)
        except NoSuchTableError:
            looked = inspect(connection)
            names = sorted({*looked.get_table_names(place.schema), *looked.get_view_names(place.schema)})
            there = shown_columns(names) or "none"
            raise FormatError(f"{place.shown}: no such table; there are: {there}") from None


def arrow_type(column: ColumnElement[Any]) -> Any:
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


def _cells(row: Mapping[Any, Any], schema: Any) -> dict[str, Any]:
    cells = {str(name): _plain(value) for name, value in row.items()}
    texts = [name for name, value in cells.items() if isinstance(value, (date, int, float))]
    for name in texts:
        if str(schema.field(name).type) == "string":  # a type that the query did not tell
            cells[name] = str(cells[name])
    return cells


def _plain(value: object) -> object:
    """A cell as its column holds it: numbers of any length, UUIDs and JSON go as text, and so do large objects."""
    if hasattr(value, "read"):
        value = value.read()
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    if value is None or isinstance(value, (str, bool, int, float, bytes, date)):
        return value
    return str(value)


def _is_uuid(key: ColumnElement[Any]) -> bool:
    from sqlalchemy import types

    return isinstance(key.type, types.Uuid) and bool(key.type.as_uuid)


def _asked(key: ColumnElement[Any], value: Any) -> Any:
    """A key as the database compares it."""
    return uuid.UUID(value) if _is_uuid(key) else value
