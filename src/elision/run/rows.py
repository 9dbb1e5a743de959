"""From notes back to rows: the columns that go out, what became of each row, and the receipts of its notes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pyarrow as pa

from elision.errors import RunError
from elision.formats.tables.columns import Columns
from elision.formats.tables.source import UNREADABLE_ROW
from elision.pipeline import Cleaned
from elision.run.cells import Cell
from elision.run.column_types import type_of
from elision.run.how import How

STATUS, RECEIPTS = "elision_status", "elision_receipts"
CLEANED, HELD, NO_TEXT = "cleaned", "held", "no-text"


def schema_out(schema: pa.Schema, columns: Columns) -> pa.Schema:
    """The columns that go out, in the order of those that came in: id, texts, what is kept or changed; then status,
    receipts."""
    taken = sorted({STATUS, RECEIPTS, UNREADABLE_ROW} & {*columns.out, *columns.read})
    if taken:
        raise RunError(f"column {taken[0]}: this name is ours; give the column of the input another one")
    fields = []
    for one in schema:
        if one.name and one.name in (columns.record, columns.joints):
            fields.append(pa.field(one.name, pa.string()))
        elif one.name in columns.texts:
            fields.append(pa.field(one.name, pa.large_string() if pa.types.is_large_string(one.type) else pa.string()))
        elif one.name in columns.changed:
            fields.append(pa.field(one.name, type_of(one.type, columns.changed[one.name])))
        elif one.name in columns.out:
            fields.append(one)
    return pa.schema([*fields, pa.field(STATUS, pa.string()), pa.field(RECEIPTS, pa.list_(pa.string()))])


def rows_out(
    batch: pa.RecordBatch,
    how: How,
    cells: Sequence[Cell],
    cleaned: Sequence[Cleaned],
    beside: Mapping[str, pa.Array] = MappingProxyType({}),
) -> pa.RecordBatch:
    """The rows of a batch with their notes as they became, and with the columns `beside` them that were changed."""
    schema = schema_out(batch.schema, how.columns)
    texts: dict[str, list[str | None]] = {name: [None] * len(batch) for name in how.columns.texts}
    status = [NO_TEXT] * len(batch)
    receipts: list[list[str]] = [[] for _ in range(len(batch))]
    joints: list[str | None] = [None] * len(batch)
    for cell, one in zip(cells, cleaned, strict=True):
        receipts[cell.row].append(one.receipt.line())
        if one.document is None:
            status[cell.row] = HELD
        else:
            texts[cell.column][cell.row] = one.document.text
            joints[cell.row] = json.dumps(one.document.joints)
            status[cell.row] = HELD if status[cell.row] == HELD else CLEANED
    made: dict[str, Any] = {**texts, STATUS: status, RECEIPTS: receipts}
    if how.columns.joints:
        made[how.columns.joints] = joints
    arrays = [
        pa.array(made[one.name], one.type)
        if one.name in made
        else (beside if one.name in {*how.columns.changed, how.columns.record} else batch)[one.name]
        for one in schema
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
