"""What a query answers, as if it were a table: its columns by name, with the types that the driver tells."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from uuid import UUID

from elision.errors import FormatError
from elision.formats.tables.columns import check_names
from elision.formats.tables.database import Place, asked, reading

if TYPE_CHECKING:
    from sqlalchemy import Connection, FromClause

_POSTGRES = {  # by the number of a type
    16: "Boolean", 17: "LargeBinary", 20: "Integer", 21: "Integer", 23: "Integer", 700: "Float", 701: "Float",
    1082: "Date", 1114: "DateTime", 1184: "DateTime", 2950: "Uuid",
}  # fmt: skip
_PYTHON = {  # by what a driver makes of a value
    bool: "Boolean", int: "Integer", float: "Float", datetime: "DateTime", date: "Date", bytes: "LargeBinary",
    UUID: "Uuid", Decimal: "Numeric",
}  # fmt: skip
_ORACLE = {"DB_TYPE_DATE": "DateTime", "DB_TYPE_TIMESTAMP": "DateTime", "DB_TYPE_RAW": "LargeBinary"}
_WITH_ZONE = 1184
_SQLITE = {"integer": "Integer", "real": "Float", "blob": "LargeBinary"}


def answered(place: Place) -> FromClause:
    """The query in brackets, its columns with their types."""
    from sqlalchemy import column, text, types

    query = literal(place.query)
    with reading(place) as connection, asked(place, "describe what the query answers"):
        found = connection.execute(text(f"SELECT * FROM (\n{query}\n) elision_query WHERE 1 = 0"))  # noqa: S608 — it is the user's own
        described = list(found.cursor.description) if found.cursor is not None else []
        names = [str(one[0]) for one in described]
        if len(set(names)) < len(names) or not all(names):
            raise FormatError(f"{place.shown}: the query answers columns without a name or with one name; say AS NAME")
        check_names(names, place.shown)
        kinds = [_kind(connection, place.query, one) for one in described]
    columns = []
    for name, (kind, zone) in zip(names, kinds, strict=True):
        type = types.DateTime(timezone=zone) if kind == "DateTime" else getattr(types, kind)()
        columns.append(column(name, type))
    return text(query).columns(*columns).subquery("elision_query")


def literal(query: str) -> str:
    """A query in which no colon stands for a value that is to come."""
    return query.replace(":", "\\:")


def _kind(connection: Connection, query: str, described: Any) -> tuple[str, bool]:
    """The name of a column's type, and whether its times have a zone. What is not known is text."""
    from sqlalchemy import text

    name, code = described[:2]
    dialect = connection.dialect.name
    if dialect == "postgresql":
        return _POSTGRES.get(code, "Text"), code == _WITH_ZONE
    if dialect == "sqlite":  # in which each value has a type of its own
        quoted = connection.dialect.identifier_preparer.quote_identifier(name)
        asked_types = f"SELECT DISTINCT typeof({quoted}) FROM (\n{literal(query)}\n) WHERE {quoted} IS NOT NULL"  # noqa: S608
        kinds = {_SQLITE.get(one, "Text") for one in connection.execute(text(asked_types)).scalars()}
        return kinds.pop() if len(kinds) == 1 else "Text", False
    if dialect == "oracle":
        return _ORACLE.get(getattr(code, "name", ""), "Text"), False
    return _PYTHON.get(code, "Text") if isinstance(code, type) else "Text", False
