"""From rows to notes: each cell of a text column is one, with its id, its patient, its language and known values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import pyarrow as pa

from elision.document import Document
from elision.effort import effort_of
from elision.formats.kinds import reason as not_text
from elision.formats.tables.columns import ALL_KNOWN
from elision.formats.tables.source import UNREADABLE_ROW
from elision.languages.telling.deciding import decide
from elision.run.how import How


class Cell(NamedTuple):
    """A note: where it stands in its batch, and why it is held if it is already."""

    row: int
    column: str
    document: Document
    why: str = ""


def cells_of(batch: pa.RecordBatch, how: How, held: Mapping[int, str] | None = None) -> list[Cell]:
    """The notes of a batch. `held`: rows that are held without a look at them, and why."""
    columns, encoded = how.columns, effort_of(how.effort).encoded
    size = len(batch)
    ids, patients, said = (_strings(batch, name) for name in (columns.id, columns.patient, columns.language))
    texts = {name: _texts(batch.column(name)) for name in columns.texts}
    known = {kind: batch.column(name) for kind, name in columns.known.items()}
    joints = _strings(batch, columns.joints)
    unreadable = _strings(batch, UNREADABLE_ROW if UNREADABLE_ROW in batch.schema.names else "")
    cells = []
    for row in range(size):
        bad, _, number = unreadable[row].rpartition(" ")
        ids[row] = ids[row] or (f"row {number}" if bad else "")
        here = {name: column[row] for name, column in texts.items() if bad or column[row] is not None}
        why = (held or {}).get(row, "") or bad
        values, problem = known_of(known, row)
        around = "\n".join(text for text in here.values() if isinstance(text, str))
        for name, text in here.items():
            id = f"{ids[row]}/{name}" if ids[row] and len(columns.texts) > 1 else ids[row]
            reason = why or ("not-utf-8" if isinstance(text, Exception) else "") or problem
            note = text if isinstance(text, str) else ""
            spoken = decide(
                note,
                stated=said[row],
                language=how.language,
                default=how.default_language,
                around=around,
                encoded=encoded,
            )
            if spoken.why:  # what is no text has no language
                reason = reason or not_text(note) or spoken.why
            document = Document(
                note,
                id,
                patients[row],
                spoken.language,
                known=values,
                joints=tuple(json.loads(joints[row] or "[]")),
                sure=spoken.sure,
                also=spoken.also,
            )
            cells.append(Cell(row, name, document, reason))
    return cells


def known_of(columns: Mapping[str, pa.Array], row: int) -> tuple[dict[str, tuple[str, ...]], str]:
    """The known values of a row by kind, and what is wrong with them."""
    values: dict[str, tuple[str, ...]] = {}
    for kind, column in columns.items():
        value = column[row].as_py()
        if kind != ALL_KNOWN:
            _add(values, kind, value)
        elif value:
            try:
                told = json.loads(value)
                for name, each in told.items():
                    _add(values, str(name), each)
            except (ValueError, AttributeError, TypeError):
                return {}, "known-values-unreadable"
    return values, ""


def _add(values: dict[str, tuple[str, ...]], kind: str, value: object) -> None:
    several = value if isinstance(value, list | tuple) else [value]
    texts = tuple(text for each in several if each is not None and (text := str(each).strip()))
    if texts:
        values[kind] = tuple(dict.fromkeys((*values.get(kind, ()), *texts)))


def _strings(batch: pa.RecordBatch, name: str) -> list[str]:
    if not name:
        return [""] * len(batch)
    return ["" if value is None else str(value) for value in batch.column(name).to_pylist()]


def _texts(column: pa.Array) -> list[str | Exception | None]:
    """Texts, None where there is none, and an error where the bytes are no text."""
    try:
        values = column.to_pylist()
        if not any(isinstance(value, bytes) for value in values):
            return [value if value is None else str(value) for value in values]
    except UnicodeDecodeError:
        pass
    return [_text(column[row]) for row in range(len(column))]


def _text(cell: Any) -> str | Exception | None:
    try:
        value = cell.as_py()
        return value.decode("utf-8") if isinstance(value, bytes) else None if value is None else str(value)
    except UnicodeDecodeError:
        return ValueError("not UTF-8")
