"""The first look at rows: known values as numbers, what notes tell of their patients, and what was found, sealed.

These are functions from batches to batches; Spark calls them in its executors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from elision.detect.safely import Detected
from elision.errors import HeldError
from elision.limits import each_within
from elision.run.cells import Cell, cells_of, known_of
from elision.run.engine import Engine, engine_for
from elision.run.kept_dates import refuse_true_dates
from elision.run.patient_store import PatientWriter
from elision.run.spark.job import (
    NUMBERS,
    RECORDS,
    ROWS,
    TOLD,
    Job,
    number_of,
    numbers_of,
    seal_rows,
    seal_told,
    size_of,
)

PIECE = 250  # rows that are looked at together, as a run on one machine does


def known_numbers(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Numbers of the known values of rows that have a text; the batches have columns of known values only."""
    for batch in batches:
        columns = {kind: batch.column(name) for kind, name in job.how.columns.known.items()}
        numbers: set[int] = set()
        for row in range(len(batch)):
            numbers |= numbers_of(job, known_of(columns, row)[0])
        yield pa.RecordBatch.from_arrays([pa.array(sorted(numbers), pa.int64())], schema=NUMBERS)


def pieces(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of a partition, some at a time."""
    policy = engine_for(job.how).policy
    for batch in batches:
        rows = job.read(batch)
        refuse_true_dates(rows, job.how.columns, policy)
        for start in range(0, len(rows), PIECE):
            yield rows.slice(start, PIECE)


def seen(job: Job, engine: Engine, rows: pa.RecordBatch) -> tuple[list[Cell], list[Detected], dict[int, str]]:
    """Notes, what is found in them, and the rows that are held since a note took too much time or memory."""
    cells, late = cells_of(rows, job.how), dict[int, str]()
    engine.prepare(cells)
    if job.limits is None:
        return cells, engine.found(cells), late

    def held(cell: Cell, why: str) -> Detected:
        late[cell.row] = why
        return HeldError(why)

    found = each_within(job.limits, cells, size_of, engine.found, held)
    if late:
        cells = cells_of(rows, job.how, late)
        found = [HeldError(cell.why) if cell.why else one for cell, one in zip(cells, found, strict=True)]
    return cells, found, late


def look(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Sealed records: what each patient's notes tell, and the patient's rows with what was found in them."""
    engine = engine_for(job.how)
    for rows in pieces(job, batches):
        cells, found, late = seen(job, engine, rows)
        gathering = PatientWriter(job.secret())
        for cell, one in zip(cells, found, strict=True):
            gathering.add(cell.document, one)
        of_row: dict[int, list[Detected]] = {}
        for cell, one in zip(cells, found, strict=True):
            of_row.setdefault(cell.row, []).append(one)
        records = [(*seal_told(job, *told), TOLD) for told in gathering.told()]
        for number, numbers in _by_patient(job, rows).items():
            theirs = [one for row in numbers for one in of_row.get(row, ())]
            held = {at: late[row] for at, row in enumerate(numbers) if row in late}
            record = seal_rows(job, number, rows.take(pa.array(numbers, pa.int32())), theirs, held)
            records.append((number, record, ROWS))
        yield _records(records)


def _by_patient(job: Job, rows: pa.RecordBatch) -> dict[int, list[int]]:
    """The rows of each patient, by the patient's number."""
    groups: dict[int, list[int]] = {}
    for row, patient in enumerate(rows.column(job.how.columns.patient).to_pylist()):
        whose = "" if patient is None else str(patient)
        alone = "" if whose else rows.slice(row, 1).serialize().to_pybytes().decode("latin-1")
        groups.setdefault(number_of(job, whose, alone), []).append(row)
    return groups


def _records(records: Sequence[tuple[int, bytes, int]]) -> pa.RecordBatch:
    numbers, sealed, kinds = zip(*records, strict=True) if records else ((), (), ())
    arrays = [pa.array(numbers, pa.int64()), pa.array(kinds, pa.int8()), pa.array(sealed, pa.binary())]
    return pa.RecordBatch.from_arrays(arrays, schema=RECORDS)
