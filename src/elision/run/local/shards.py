"""What a worker does with one shard: look at it, or clean it, whole or not at all.

A shard that is done has left its mark, which is written last. Whoever finds no mark does the shard again, and that is
harmless.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from elision.detect.safely import Detected, Values
from elision.formats.atomic import writing
from elision.formats.tables.source import Shard, Source
from elision.keys import Key, Secret
from elision.limits import DIED
from elision.pipeline import Cleaned
from elision.run import first_pass, patient_store
from elision.run.advice import told_of
from elision.run.cells import Cell, cells_of, known_of
from elision.run.engine import engine_for
from elision.run.how import How
from elision.run.kept_dates import refuse_true_dates
from elision.run.rows import RECEIPTS, STATUS, rows_out

if TYPE_CHECKING:
    from elision.formats.tables.sink import Sink

LOOK, CLEAN = "look", "clean"
FOUND = "looked"  # the folder in the staging folder
Counts = dict[str, Any]
Tell = Callable[..., None]


@dataclass(frozen=True)
class Job:
    """All that a worker must know, once and for all. It goes to the worker through a pipe, never by its arguments."""

    source: Source
    sink: Sink
    how: How
    staging: Path
    token: bytes = field(default=b"", repr=False)  # without a key, what is kept between two looks is under this
    status: bool = True  # whether the rows that go out say what became of them

    @property
    def gathers(self) -> bool:
        """Whether the whole input is looked at first, if only for its known values."""
        return self.detects or bool(self.how.columns.known)

    @property
    def detects(self) -> bool:
        """Whether the first look finds identifiers, too."""
        return self.how.memory and bool(self.how.columns.patient)

    def secret(self) -> Secret:
        return Key.read(self.how.key).secret("run") if self.how.key else Secret(self.token)

    @property
    def first_pass(self) -> Path:
        """The folder of what the first look finds."""
        return self.staging / FOUND

    def do(self, task: Task, tell: Tell) -> Counts:
        """What a worker does with a task of this job."""
        if task.probe is not None:
            return _probe(self, task, tell)
        return marked(self, task, _look(self, task, tell) if task.do == LOOK else _clean(self, task, tell))


class Expected(NamedTuple):
    """A row as a night's plan has it: the number of its id, a hash of its cells, and what memory found in it before; if
    that is still so, the row stays as it is."""

    key: int
    hash: bytes
    remembered: bytes = b""


class Task(NamedTuple):
    """A shard and what to do with it. After a worker died over it: how to go about it."""

    do: str
    number: int
    shard: Shard
    held: Mapping[int, str] = {}  # rows that are held without a look, and why
    held_from: int | None = None  # all rows from this one on are
    held_why: str = DIED
    single: bool = False  # rows one by one
    probe: int | None = None  # only try rows from this one on
    only: Mapping[int, frozenset[str]] | None = None  # only these rows are looked at; of each, the columns held before
    rows: Mapping[int, Expected] = {}  # of a night: the rows that are asked for


def done(staging: Path, do: str) -> set[int]:
    """The shards that have their mark."""
    return {int(path.stem.partition("-")[2]) for path in staging.glob(f"{do}-*.json")}


def mark(staging: Path, do: str, number: int) -> Path:
    return staging / f"{do}-{number:06d}.json"


def receipts_of(staging: Path, number: int) -> Path:
    return staging / f"receipts-{number:06d}.jsonl"


def perform(job: Job, task: Task, tell: Tell) -> Counts:
    """Do a task and count. `tell("at", row)` comes before a row is tried, `tell("begun", characters)` before notes are
    looked at, `tell("passed", rows, characters)` after."""
    return job.do(task, tell)


def marked(job: Job, task: Task, counts: Counts) -> Counts:
    """Write down that a task is done."""
    with writing(mark(job.staging, task.do, task.number), synced=True) as stream:
        stream.write(json.dumps(counts).encode())
    return counts


def _look(job: Job, task: Task, tell: Tell) -> Counts:
    """Keep what is found, and what it tells of the patients."""
    secret, engine = job.secret(), engine_for(job.how)
    gathering = patient_store.PatientWriter(secret)
    file = first_pass.file_of(job.first_pass, task.number)
    spans = first_pass.SpanWriter(file, secret)
    rows = 0
    if task.only is not None:
        _look_at_known(job, task, gathering)
    for _, batch, cells in _pieces(job, task):
        engine.prepare(cells)
        tell("begun", _characters(cells))
        found = engine.found(cells) if job.detects else [() for _ in cells]
        spans.add(cells, found)
        for cell, each in zip(cells, found, strict=True):
            gathering.add(cell.document, each)
        rows += len(batch)
        tell("passed", len(batch), _characters(cells))
    spans.close()
    gathering.write(job.first_pass, task.number)
    for path in job.first_pass.glob(f"*-{task.number:06d}.*"):
        with path.open("r+b") as stream:
            os.fsync(stream.fileno())
    return {"rows": rows}


def _look_at_known(job: Job, task: Task, gathering: patient_store.PatientWriter) -> None:
    """The known values of all rows, where only some rows are looked at."""
    columns = job.how.columns.known
    for batch in job.source.read(task.shard, tuple(columns.values())) if columns else ():
        cells = {kind: batch.column(name) for kind, name in columns.items()}
        for row in range(len(batch)):
            gathering.add_known(known_of(cells, row)[0])


def _clean(job: Job, task: Task, tell: Tell) -> Counts:
    counts: Counts = {"rows": 0, "notes": 0, "characters": 0, "bytes": 0, "held": [], "taken": [], "nulls": {}}
    whole = FirstPass(job, task) if job.gathers else None
    engine = engine_for(job.how)
    with writing(receipts_of(job.staging, task.number), synced=True) as receipts:

        def rows() -> Iterator[pa.RecordBatch]:
            for first, batch, cells in _chosen(job, task, whole):
                refuse_true_dates(batch, job.how.columns, engine.policy)
                engine.prepare(cells)
                tell("begun", _characters(cells))
                cleaned = engine.cleaned(cells, whole)
                if task.only is not None:
                    if not _may_take(task.only[first], cells, cleaned):
                        tell("passed", len(batch), _characters(cells), 0)
                        continue
                    counts["taken"].append([first, [cell.column for cell in cells]])
                beside, left = engine.changed(batch, cells, whole)
                out = rows_out(batch, job.how, cells, cleaned, beside)
                for (name, why), number in left.items():
                    nulls = counts["nulls"].setdefault(name, {})
                    nulls[why] = nulls.get(why, 0) + number
                held = _count(counts, task, first, cells, cleaned)
                for lines in out.column(RECEIPTS).to_pylist():
                    receipts.writelines(line.encode() + b"\n" for line in lines)
                counts["rows"] += len(batch)
                tell("passed", len(batch), _characters(cells), held)
                yield out.drop_columns([RECEIPTS] if job.status else [RECEIPTS, STATUS])

        job.sink.put(task.number, rows())
    return counts


def _count(counts: Counts, task: Task, first: int, cells: Sequence[Cell], cleaned: Sequence[Cleaned]) -> int:
    held = 0
    for cell, one in zip(cells, cleaned, strict=True):
        counts["notes"] += 1
        counts["characters"] += len(cell.document.text)
        if one.document is None:
            held += 1
            row = task.shard.get("start", 0) + first + cell.row
            counts["held"].append(held_row(cell, one, task.number, row))
    return held


def held_row(cell: Cell, one: Cleaned, shard: int, row: int) -> dict[str, Any]:
    """What is written down of a held note: why, the label and the place where the check tells them, what to do next."""
    why = {"note": cell.document.id, "column": cell.column, "why": one.receipt.why}
    return {**why, "shard": shard, "row": row, **told_of(one)}


def _may_take(before: frozenset[str], cells: Sequence[Cell], cleaned: Sequence[Cleaned]) -> bool:
    """Whether a row that is tried again may take the place of what it was: no text of it is lost that was there."""
    return {cell.column for cell, one in zip(cells, cleaned, strict=True) if one.document is None} <= before


def _probe(job: Job, task: Task, tell: Tell) -> Counts:
    """Try rows one by one and throw away what comes of it, to find those over which a worker dies."""
    engine = engine_for(job.how)
    whole = FirstPass(job, task) if job.gathers and task.do == CLEAN else None
    for first, _, cells in _chosen(job, task._replace(single=True), whole):
        engine.prepare(cells)
        tell("at", first)
        tell("begun", _characters(cells))
        if task.do == CLEAN:
            engine.cleaned(cells, whole)
        elif job.detects:
            engine.found(cells)
    return {}


def _chosen(job: Job, task: Task, whole: FirstPass | None) -> Iterator[tuple[int, pa.RecordBatch, list[Cell]]]:
    """The pieces of a shard that are asked for; what was found in the others is passed over."""
    for first, batch, cells in _pieces(job, task):
        if first < (task.probe or 0):
            if whole:
                whole.found(cells)
        else:
            yield first, batch, cells


def _pieces(job: Job, task: Task) -> Iterator[tuple[int, pa.RecordBatch, list[Cell]]]:
    """The batches of a shard, the number of the first row of each, and its notes."""
    first = 0
    single = task.single or task.only is not None
    for batch in job.source.read(task.shard, job.how.columns.read) if task.only != {} else ():
        for piece in (batch.slice(row, 1) for row in range(len(batch))) if single else (batch,):
            if task.only is not None and first not in task.only:
                first += len(piece)
                continue
            held = {row - first: why for row, why in task.held.items()}
            if task.held_from is not None:
                held.update((row, task.held_why) for row in range(max(0, task.held_from - first), len(piece)))
            yield first, piece, cells_of(piece, job.how, held)
            first += len(piece)


def _characters(cells: Sequence[Cell]) -> int:
    return sum(len(cell.document.text) for cell in cells)


class FirstPass:
    """What the first look at the input told, for one shard."""

    def __init__(self, job: Job, task: Task) -> None:
        self._store = _store(job)
        # Rows that are tried again are looked at again.
        file = first_pass.file_of(job.first_pass, task.number) if task.only is None else None
        self._found = first_pass.SpanReader(file, job.secret()) if file else None
        self._detected = job.detects

    def values_of(self, patient: str) -> Values:
        return self._store.values_of(patient)

    def is_known(self, text: str) -> bool:
        return self._store.is_known(text)

    def found(self, cells: Sequence[Cell]) -> list[Detected] | None:
        found = self._found.next(cells) if self._found else None
        return found if self._detected else None


_OPEN: dict[tuple[str, bytes], patient_store.PatientStore] = {}


def _store(job: Job) -> patient_store.PatientStore:
    """The values of all patients, opened once in each process."""
    name = str(job.first_pass), job.token
    if name not in _OPEN:
        _OPEN.clear()
        _OPEN[name] = patient_store.PatientStore(job.first_pass, job.secret())
    return _OPEN[name]


def forget(staging: Path) -> None:
    """Take away what the first look left, marks first."""
    for path in staging.glob(f"{LOOK}-*.json"):
        path.unlink()
    shutil.rmtree(staging / FOUND, ignore_errors=True)
