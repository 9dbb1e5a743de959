"""The second look: what is told of a patient comes first, then the patient's rows, and each leaves clean.

The records of a partition are sorted, so a patient's values are known before the first of the patient's notes is
cleaned, and nothing of a patient is kept but the values. A patient with very many notes costs time, not memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from elision.detect.safely import Detected, Values
from elision.limits import each_within
from elision.pipeline import Cleaned
from elision.run.advice import told_of
from elision.run.cells import Cell, cells_of
from elision.run.engine import Engine, engine_for
from elision.run.rows import rows_out, schema_out
from elision.run.spark.job import TOLD, Job, open_rows, open_told, size_of
from elision.run.spark.looking import PIECE, pieces, seen

HELD_NOTES, NULLS = "elision_held", "elision_nulls"
OURS = (HELD_NOTES, NULLS)
_HELD = pa.list_(
    pa.struct(
        [
            ("note", pa.string()),
            ("column", pa.string()),
            ("why", pa.string()),
            ("label", pa.string()),
            ("start", pa.int64()),
            ("end", pa.int64()),
            ("next", pa.string()),
        ]
    )
)
_NULLS = pa.list_(pa.struct([("column", pa.string()), ("why", pa.string()), ("cells", pa.int64())]))
MOST = 1 << 22  # characters of notes that wait to be cleaned together


def schema_of(job: Job) -> pa.Schema:
    """What comes out: the engine's rows, the notes of each that are held, and what of columns could not be changed,
    which stands in one row for many."""
    return schema_out(job.schema, job.how.columns).append(pa.field(HELD_NOTES, _HELD)).append(pa.field(NULLS, _NULLS))


@dataclass
class Memories:
    """What is known of the patients whose notes are being cleaned: a `Whole` of the engine."""

    job: Job
    values: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    now: set[str] = field(default_factory=set)  # the patients of whom more notes may come

    def values_of(self, patient: str) -> Values:
        return {kind: sorted(values) for kind, values in sorted(self.values.get(patient, {}).items())}

    def is_known(self, text: str) -> bool:
        return self.job.is_known(text)

    def found(self, _: Sequence[Cell]) -> list[Detected] | None:
        return None

    def add(self, patient: str, told: dict[str, list[str]]) -> None:
        self.now.add(patient)
        mine = self.values.setdefault(patient, {})
        for kind, values in told.items():
            mine.setdefault(kind, set()).update(values)

    def forget_others(self) -> None:
        self.values = {patient: self.values[patient] for patient in self.now}


@dataclass
class Waiting:
    """Rows that wait to be cleaned together, with what was found in their notes."""

    rows: list[pa.RecordBatch] = field(default_factory=list)
    found: list[Detected] = field(default_factory=list)
    held: dict[int, str] = field(default_factory=dict)
    count: int = 0
    bytes: int = 0

    def add(self, rows: pa.RecordBatch, found: Sequence[Detected], held: dict[int, str]) -> None:
        self.held.update({self.count + row: why for row, why in held.items()})
        self.rows.append(rows)
        self.found += found
        self.count += len(rows)
        self.bytes += rows.nbytes

    @property
    def enough(self) -> bool:
        return self.count >= PIECE or self.bytes >= MOST


def clean_alone(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows whose patients are not remembered: looked at and cleaned at once."""
    engine, memories = engine_for(job.how), Memories(job)
    for rows in pieces(job, batches):
        _, found, late = seen(job, engine, rows)
        yield _cleaned(job, engine, memories, rows, found, late)


def clean_records(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Rows out of sealed records, which are sorted by patient, and by kind."""
    engine = engine_for(job.how)
    memories, waiting, whose = Memories(job), Waiting(), -1
    for batch in batches:
        for number, kind, record in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if number != whose:
                whose, memories.now = number, set()
            if waiting.enough:
                yield _done(job, engine, memories, waiting)
                waiting = Waiting()
                memories.forget_others()
            if kind == TOLD:
                memories.add(*open_told(job, number, record))
            else:
                waiting.add(*open_rows(job, number, record))
    if waiting.rows:
        yield _done(job, engine, memories, waiting)


def _done(job: Job, engine: Engine, memories: Memories, waiting: Waiting) -> pa.RecordBatch:
    rows = pa.Table.from_batches(waiting.rows).combine_chunks().to_batches()[0]
    return _cleaned(job, engine, memories, rows, waiting.found, waiting.held)


def _cleaned(
    job: Job,
    engine: Engine,
    memories: Memories,
    rows: pa.RecordBatch,
    found: Sequence[Detected],
    held: dict[int, str],
) -> pa.RecordBatch:
    cells = cells_of(rows, job.how, held)
    engine.prepare(cells)
    done, late = _within(job, engine, memories, cells, found)
    if late:
        cells = cells_of(rows, job.how, {**held, **late})
        done = [engine.cleaned([cell])[0] if cell.why else one for cell, one in zip(cells, done, strict=True)]
    beside, left = engine.changed(rows, cells, memories)
    out = rows_out(rows, job.how, cells, done, beside)
    notes: list[list[dict[str, object]]] = [[] for _ in range(len(rows))]
    for cell, one in zip(cells, done, strict=True):
        if one.document is None:
            told = {"note": cell.document.id, "column": cell.column, "why": one.receipt.why, **told_of(one)}
            notes[cell.row].append(told)
    nulls: list[list[dict[str, object]]] = [[] for _ in range(len(rows))]
    if len(rows):
        nulls[0] = [{"column": name, "why": why, "cells": cells_} for (name, why), cells_ in sorted(left.items())]
    arrays = [*out.columns, pa.array(notes, _HELD), pa.array(nulls, _NULLS)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema_of(job))


def _within(
    job: Job, engine: Engine, memories: Memories, cells: Sequence[Cell], found: Sequence[Detected]
) -> tuple[list[Cleaned], dict[int, str]]:
    """What becomes of each note, and the rows of which a note took too much time or memory."""
    late: dict[int, str] = {}

    def work(some: Sequence[tuple[Cell, Detected]]) -> list[Cleaned]:
        return engine.cleaned([cell for cell, _ in some], memories, [one for _, one in some])

    def held(one: tuple[Cell, Detected], why: str) -> Cleaned:
        late[one[0].row] = why
        return engine.cleaned([one[0]._replace(why=why)])[0]

    together = list(zip(cells, found, strict=True))
    if job.limits is None:
        return work(together), late
    return each_within(job.limits, together, lambda one: size_of(one[0]), work, held), late
