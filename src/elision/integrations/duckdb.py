"""DuckDB: functions in SQL over columns of notes.

    register(connection, policy="mask", language="en")
    connection.sql("SELECT id, elision(note) AS note, elision_why(note) AS why FROM notes")

Each note is looked at by itself, so the result does not depend on how DuckDB cuts a table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from elision.errors import ElisionError, FormatError, MissingExtraError, RunError
from elision.formats.tables.columns import Columns
from elision.pipeline import Cleaned, check_keyed
from elision.run.cells import cells_of
from elision.run.engine import Engine
from elision.run.failures import told
from elision.run.how import How

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

COLUMNS = Columns(("text",), "id", "patient")
_SCHEMA = pa.schema([(name, pa.string()) for name in ("text", "id", "patient")])
_NOTE = pa.struct([("text", pa.string()), ("why", pa.string()), ("receipt", pa.string())])


def register(
    connection: DuckDBPyConnection, *, name: str = "elision", policy: str = "tag", key: str = "", **options: Any
) -> None:
    """Give a connection three functions. NULL stays NULL.

    `elision(text)`: the clean note, NULL if it is withheld. `elision_why(text)`: why it is withheld, else NULL.
    `elision_note(text, id, patient)`: all of it as a struct of text, why and receipt; notes of a patient share
    stand-ins and shift. `options` are those of `How`: language, default_language, rules, models, dial, effort, most.
    """
    try:
        import duckdb
    except ImportError:
        raise MissingExtraError("functions in DuckDB", "duckdb") from None
    if not name.isidentifier():
        raise FormatError("name: a function is called by letters, digits and _, such as elision")
    notes = Notes(How(COLUMNS, policy, str(key), **options))
    text, struct = "VARCHAR", duckdb.struct_type({one.name: "VARCHAR" for one in _NOTE})
    target: Any = connection  # its types want members of enums that older ones do not have
    functions: list[tuple[str, Callable[..., Any], list[Any], Any]] = [
        (name, notes.text, [text], text),
        (f"{name}_why", notes.why, [text], text),
        (f"{name}_note", notes.note, [text, text, text], struct),
    ]
    for called, function, takes, gives in functions:
        target.create_function(called, function, takes, gives, type="arrow", null_handling="special")


class Notes:
    """Columns of texts to columns of what became of them. DuckDB calls from several threads; one works at a time."""

    def __init__(self, how: How) -> None:
        self._engine = Engine(how)
        check_keyed(self._engine.policy, keyed=bool(how.key))
        self._lock = threading.Lock()

    def text(self, texts: Any) -> pa.Array:
        return pa.array([one and one.document and one.document.text for one in self._each(texts)], pa.string())

    def why(self, texts: Any) -> pa.Array:
        return pa.array([_why(one) for one in self._each(texts)], pa.string())

    def note(self, texts: Any, ids: Any, patients: Any) -> pa.Array:
        rows = [
            one and {"text": one.document and one.document.text, "why": _why(one), "receipt": one.receipt.line()}
            for one in self._each(texts, ids, patients)
        ]
        return pa.array(rows, _NOTE)

    def _each(self, texts: Any, ids: Any = None, patients: Any = None) -> list[Cleaned | None]:
        """What became of each text, None where there is none."""
        try:
            with self._lock:
                return self._cleaned([_column(one, len(texts)) for one in (texts, ids, patients)])
        except ElisionError:
            raise
        except Exception as error:
            said = told(error)
        raise RunError(said)

    def _cleaned(self, columns: Sequence[pa.Array]) -> list[Cleaned | None]:
        batch = pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)
        cells = cells_of(batch, self._engine.how)
        done: list[Cleaned | None] = [None] * len(batch)
        for cell, found in zip(cells, self._engine.found(cells), strict=True):
            done[cell.row] = self._engine.cleaned([cell], None, [found])[0]  # alone: no other note is remembered
        return done


def _column(column: Any, size: int) -> pa.Array:
    """A column of DuckDB as one array of texts."""
    if column is None:
        return pa.nulls(size, pa.string())
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    whole = pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole
    return whole.cast(pa.string())


def _why(one: Cleaned | None) -> str | None:
    return one.receipt.why if one and one.document is None else None
