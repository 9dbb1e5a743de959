"""A table of notes in Arrow, and the same table de-identified: for Ray Data, and whatever else maps batches.

notes.map_batches(deidentify_table, fn_kwargs={"how": how}, batch_format="pyarrow")
notes.groupby("person").map_groups(deidentify_patients, fn_kwargs={"how": how}, batch_format="pyarrow")
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from elision.errors import ElisionError, FormatError, RunError
from elision.run.engine import clean
from elision.run.failures import told
from elision.run.how import How
from elision.run.rows import schema_out


def deidentify_table(table: pa.Table, how: How) -> pa.Table:
    """The rows with their notes cleaned, by themselves: another batching gives the same notes.

    A withheld note is NULL, and `elision_status` and `elision_receipts` say what became of each row. What one note of
    a patient tells is not looked for in the others."""
    return _cleaned(table, replace(how, memory=False))


def deidentify_patients(table: pa.Table, how: How) -> pa.Table:
    """The same for a table that has all notes of each of its patients: what one tells is looked for in the others."""
    if not how.columns.patient:
        raise FormatError("deidentify_patients: the columns name no patient; say which column tells whose note it is")
    return _cleaned(table.combine_chunks(), how)


def _cleaned(table: pa.Table, how: How) -> pa.Table:
    how.columns.check(table.schema, "the table")
    rows = table.select([name for name in table.schema.names if name in how.columns.read])
    try:
        return pa.Table.from_batches(clean(rows.to_batches(), how), schema_out(rows.schema, how.columns))
    except ElisionError:
        raise
    except Exception as error:  # its message may quote a note, and Ray writes messages into logs
        said = told(error)
    raise RunError(said)
