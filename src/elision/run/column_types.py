"""Columns beside the notes as Python's values, and back: a date stays a date, a whole number a whole number."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from elision.formats.tables.operators import GENERALISE, HASH, PSEUDONYM, SHIFT, Operator
from elision.labels import parent

UNREADABLE = object()  # a cell that is no value of its type: bytes that are no text, a day of the year 20000
_TICKS = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}  # of a day
_EPOCH, _LAST = date(1970, 1, 1).toordinal(), date.max.toordinal()


def type_of(type: Any, operator: Operator) -> Any:
    """The type of a column when it is changed."""
    if operator.do == HASH:
        return pa.string()
    return pa.int64() if operator.do == PSEUDONYM and pa.types.is_integer(type) else type


def has_days(type: Any) -> bool:
    """Whether the values of a type are days, or moments of one."""
    return bool(pa.types.is_date(type) or pa.types.is_timestamp(type))


def suits(type: Any, operator: Operator, label: str) -> bool:
    """Whether a column of this type, with values of this label, can be changed so."""
    plain = bool(pa.types.is_string(type) or pa.types.is_large_string(type) or pa.types.is_integer(type))
    if operator.do == SHIFT or (operator.do in (GENERALISE, PSEUDONYM) and parent(label) == "DATE"):
        return plain or has_days(type)
    return plain or (operator.do != HASH and bool(pa.types.is_floating(type)))


def values_of(column: pa.Array) -> list[Any]:
    """The values of a column, of timestamps the days."""
    if pa.types.is_timestamp(column.type):
        days = (_ticks(column) // _TICKS[column.type.unit]).tolist()
        return [_day(day) if there else None for day, there in zip(days, column.is_valid().to_pylist(), strict=True)]
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return list(map(_cell, column))


def array_of(values: Sequence[Any], type: Any, like: pa.Array, *, hours: bool) -> pa.Array:
    """Values as a column of this type; timestamps with the `hours` of those that they come from."""
    if not pa.types.is_timestamp(type):
        return pa.array(values, type)
    size = _TICKS[type.unit]
    most = np.iinfo(np.int64).max // size - 1  # days that fit: of nanoseconds, until 2262
    days = np.array([value.toordinal() - _EPOCH if value is not None else most + 1 for value in values], np.int64)
    there = abs(days) <= most
    ticks = np.where(there, days, 0) * size + (_ticks(like) % size if hours else 0)
    naive = pa.array(ticks, pa.int64(), mask=~there).cast(pa.timestamp(type.unit))
    return pc.assume_timezone(naive, type.tz, ambiguous="earliest", nonexistent="latest") if type.tz else naive


def _ticks(column: pa.Array) -> Any:
    """Timestamps as numbers, by the clock of their own place."""
    naive = pc.local_timestamp(column) if column.type.tz else column
    return naive.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)


def _day(number: int) -> Any:
    return date.fromordinal(number + _EPOCH) if 0 < number + _EPOCH <= _LAST else UNREADABLE


def _cell(cell: Any) -> Any:
    try:
        return cell.as_py()
    except (ValueError, OverflowError):
        return UNREADABLE
