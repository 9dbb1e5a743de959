"""True dates beside dates that moved: one pair gives the shift of all notes of a patient away, so it is refused."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from elision.errors import RunError
from elision.policy import Policy
from elision.replace.dates import date_of
from elision.run.columns import Columns

LOOKED_AT = 200  # values of a column
_SHARE = 0.5  # of values that are dates, from which on a column holds dates


def refuse_true_dates(batch: pa.RecordBatch, columns: Columns, policy: Policy) -> None:
    """An error if a column that is kept as it is holds dates, and the policy moves those of the notes."""
    if not columns.keep or not policy.moves_dates:
        return
    for number, name in enumerate(batch.schema.names):
        if name in columns.keep and _holds_dates(batch.column(number)):
            raise RunError(
                f"--keep: column {number + 1} holds true dates, and policy {policy.name} moves the dates of the notes; "
                "both beside each other give the shift away; leave the column out, or choose a policy that moves none"
            )


def _holds_dates(column: pa.Array) -> bool:
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return bool(column.null_count < len(column))
    whole = pa.types.is_integer(column.type)
    if not whole and not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return False
    values = [str(value).strip() for value in column.drop_null()[:LOOKED_AT].to_pylist()]
    values = [value for value in values if value]
    return sum(map(_compact if whole else _is_date, values)) > _SHARE * len(values)


def _compact(value: str) -> bool:
    """20200503 is a date; other numbers are none."""
    return len(value) == 8 and value[:2] in ("19", "20") and _is_date(value)


def _is_date(value: str, languages: Sequence[str] = ("en-GB", "en-US", "es", "nl", "zh")) -> bool:
    day = value.partition("T")[0] if value[:4].isdigit() else value
    day = day.partition(" ")[0] if day[:2].isdigit() and ":" in day else day  # without the time of day
    if day.isdigit() and len(day) != 8:
        return False
    return any(date_of(day, language) is not None for language in languages)
