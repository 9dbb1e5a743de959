"""What a worker does with the rows of a shard that a night asks for: look at them, gather what they tell, clean them.

What was found in rows of earlier nights comes from the store, so no detector looks at them again.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from elision.detect.safely import Detected
from elision.errors import HeldError, RunError
from elision.formats.atomic import writing
from elision.formats.tables.writers import read_ipc, write_ipc
from elision.pipeline import Cleaned
from elision.run import patient_store
from elision.run.cells import Cell, cells_of
from elision.run.column_values import Left
from elision.run.engine import Engine, engine_for
from elision.run.kept_dates import refuse_true_dates
from elision.run.local.night_plan import hashes_of
from elision.run.local.night_store import NightStore, numbers, seal, unseal
from elision.run.local.shards import CLEAN, LOOK, Counts, Job, Task, Tell, held_row, marked, receipts_of
from elision.run.patient_store import known_number
from elision.run.rows import HELD, RECEIPTS, STATUS, rows_out

GATHER = "gather"
_LOOKED = pa.schema([("row", pa.int64()), *[(name, pa.binary()) for name in ("spans", "told", "known")]])
_CLEANED = pa.schema(
    [
        *[(name, pa.int64()) for name in ("row", "held", "notes", "characters")],
        ("nulls", pa.string()),
        *[(name, pa.binary()) for name in ("asked", "remembered")],
    ]
)
Piece = tuple[list[int], pa.RecordBatch, list[Cell]]


@dataclass(frozen=True)
class NightJob(Job):
    """A job over some rows. `shards`: how many the input has. `starts`: where those of one run over all would begin,
    as records of held notes name them."""

    store: Path = Path()
    shards: int = 0
    starts: tuple[int, ...] = ()

    def do(self, task: Task, tell: Tell) -> Counts:
        if task.probe is not None:
            return _probe(self, task, tell)
        does = {LOOK: _look, GATHER: _gather, CLEAN: _clean}[task.do]
        return marked(self, task, does(self, task, tell))

    def looked(self, shard: int) -> Path:
        return self.first_pass / f"looked-{shard:06d}.arrow"

    def cleaned(self, shard: int) -> Path:
        return self.staging / f"cleaned-{shard:06d}.arrow"

    def records(self, name: str, shard: int) -> list[dict[str, Any]]:
        """What a task wrote down of its rows."""
        path: Path = getattr(self, name)(shard)
        return [row for batch in read_ipc(path) for row in batch.to_pylist()] if path.exists() else []


def _pieces(job: NightJob, task: Task) -> Iterator[Piece]:
    """The rows that are asked for, batch by batch or one by one: their numbers in the shard, and their notes."""
    secret, first = job.secret(), 0
    single = task.single or task.probe is not None
    for batch in job.source.read(task.shard, job.how.columns.read):
        here = [row for row in range(first, first + len(batch)) if row in task.rows and row >= (task.probe or 0)]
        for some in [[row] for row in here] if single else [here] if here else []:
            piece = batch if len(some) == len(batch) else batch.take([row - first for row in some])
            if [task.rows[row].hash for row in some] != hashes_of(piece, job.how.columns, secret):
                raise RunError(
                    f"shard {task.number}: the input was changed while the run was going on; the same command goes on "
                    "with what is there now"
                )
            yield some, piece, cells_of(piece, job.how, _held(task, some))
        first += len(batch)


def _held(task: Task, rows: Sequence[int]) -> dict[int, str]:
    held = {at: task.held[row] for at, row in enumerate(rows) if row in task.held}
    if task.held_from is not None:
        held.update((at, task.held_why) for at, row in enumerate(rows) if row >= (task.held_from or 0))
    return held


def _characters(cells: Sequence[Cell]) -> int:
    return sum(len(cell.document.text) for cell in cells)


def _look(job: NightJob, task: Task, tell: Tell) -> Counts:
    """Detect, and keep what is found and what it tells."""
    secret, engine = job.secret(), engine_for(job.how)
    gathering, lock = patient_store.PatientWriter(secret), patient_store.cipher(secret)
    rows: list[dict[str, Any]] = []
    for numbered, _, cells in _pieces(job, task):
        engine.prepare(cells)
        tell("begun", _characters(cells))
        found = engine.found(cells)
        for at, number in enumerate(numbered):
            here = [(cell, each) for cell, each in zip(cells, found, strict=True) if cell.row == at]
            told, known = set[int](), set[int]()
            for cell, each in here:
                gathering.add(cell.document, each)
                known.update(known_number(secret, value) for some in cell.document.known.values() for value in some)
                if whose := cell.document.patient if job.detects else "":
                    told.update(
                        secret.number("told", whose, *one) for one in patient_store.told_by(cell.document, each)
                    )
            spans = seal(lock, {cell.column: each for cell, each in here}, task.rows[number].hash)
            rows.append({"row": number, "spans": spans, "told": numbers(told), "known": numbers(known)})
        tell("passed", len(numbered), _characters(cells))
    _write(job.looked(task.number), rows, _LOOKED)
    gathering.write(job.first_pass, task.number)
    _on_the_disk(job, task.number)
    return {"rows": len(rows)}


def _gather(job: NightJob, task: Task, tell: Tell) -> Counts:
    """What older notes tell of the patients whose notes are cleaned tonight."""
    gathering = patient_store.PatientWriter(job.secret())
    plain = replace(job, how=replace(job.how, language=job.how.language or "en"))  # which nobody asks for here
    store = NightStore(job.store, job.secret())
    for numbered, _, cells in _pieces(plain, task):
        tell("begun", _characters(cells))
        found = store.spans({task.rows[row].key: task.rows[row].hash for row in numbered})
        for cell in cells:
            gathering.add(cell.document, _of(found[task.rows[numbered[cell.row]].key], cell))
        tell("passed", 0, 0)
    number = task.number + job.shards
    gathering.write(job.first_pass, number)
    _on_the_disk(job, number)
    return {"rows": len(task.rows)}


def _on_the_disk(job: Job, number: int) -> None:
    for path in job.first_pass.glob(f"*-{number:06d}.*"):
        with path.open("r+b") as stream:
            os.fsync(stream.fileno())


def _of(found: Mapping[str, Detected], cell: Cell) -> Detected:
    """What was found in a note; one that was never looked at is held."""
    return found.get(cell.column, HeldError("not-looked-at"))


class _Asked:
    """Tells known values, and remembers of which it was asked."""

    def __init__(self, store: patient_store.PatientStore, job: Job) -> None:
        self._store, self._secret = store, job.secret()
        self.numbers: set[int] = set()

    def of_a_row(self) -> Callable[[str], bool]:
        """Another function for each row, as what one has remembered is not asked again."""
        self.numbers = asked = set[int]()

        def is_known(text: str) -> bool:
            number = known_number(self._secret, text)
            asked.add(number)
            return self._store.has(number)

        return is_known


class _Found:
    """What was found in the rows of a task: tonight, or in an earlier night."""

    def __init__(self, job: NightJob, task: Task) -> None:
        self._job, self._task = job, task
        self._store = NightStore(job.store, job.secret())
        self._tonight = {row["row"]: row["spans"] for row in job.records("looked", task.number)}

    def __call__(self, rows: Sequence[int]) -> list[dict[str, Detected]]:
        asked, lock = self._task.rows, patient_store.cipher(self._job.secret())
        older = self._store.spans({asked[row].key: asked[row].hash for row in rows if row not in self._tonight})
        where = self._job.looked(self._task.number)
        return [
            unseal(lock, self._tonight[row], asked[row].hash, where) if row in self._tonight else older[asked[row].key]
            for row in rows
        ]


def _clean(job: NightJob, task: Task, tell: Tell) -> Counts:
    counts: Counts = {"held": []}
    engine, found_in = engine_for(job.how), _Found(job, task)
    store = patient_store.PatientStore(job.first_pass, job.secret())
    asked = _Asked(store, job)
    records: list[dict[str, Any]] = []
    with writing(receipts_of(job.staging, task.number), synced=True) as receipts:

        def rows() -> Iterator[pa.RecordBatch]:
            for numbered, batch, cells in _pieces(job, task):
                refuse_true_dates(batch, job.how.columns, engine.policy)
                engine.prepare(cells)
                tell("begun", _characters(cells))
                by_row = found_in(numbered)
                found = engine.remembered(cells, [_of(by_row[cell.row], cell) for cell in cells], store.values_of)
                held = 0
                for at, number in enumerate(numbered):
                    mine = [
                        (cell._replace(row=0), each) for cell, each in zip(cells, found, strict=True) if cell.row == at
                    ]
                    remembered = _digest(mine)
                    if task.rows[number].remembered == remembered:
                        continue
                    out, cleaned, nulls = _row(job, engine, batch.slice(at, 1), mine, asked.of_a_row())
                    lines = out.column(RECEIPTS)[0].as_py()
                    receipts.writelines(line.encode() + b"\n" for line in lines)
                    start = int(task.shard.get("start", 0)) + number
                    not_out = [
                        (cell, one) for (cell, _), one in zip(mine, cleaned, strict=True) if one.document is None
                    ]
                    shard = bisect_right(job.starts, start) - 1
                    counts["held"] += [held_row(cell, one, shard, start) for cell, one in not_out]
                    held += len(not_out)
                    records.append(
                        {
                            "row": number,
                            "held": int(out.column(STATUS)[0].as_py() == HELD),
                            "notes": len(lines),
                            "characters": _characters([cell for cell, _ in mine]),
                            "nulls": nulls,
                            "asked": numbers(asked.numbers),
                            "remembered": remembered,
                        }
                    )
                    yield out.drop_columns([RECEIPTS] if job.status else [RECEIPTS, STATUS])
                tell("passed", len(numbered), _characters(cells), held)

        job.sink.put(task.number, rows())
    _write(job.cleaned(task.number), records, _CLEANED)
    return counts


def _row(
    job: Job,
    engine: Engine,
    batch: pa.RecordBatch,
    mine: Sequence[tuple[Cell, Detected]],
    is_known: Callable[[str], bool],
) -> tuple[pa.RecordBatch, list[Cleaned], str]:
    """A row as it goes out, what became of its notes, and what of its columns is NULL, as JSON."""
    cells = [cell for cell, _ in mine]
    cleaned = engine.replaced(cells, [each for _, each in mine], is_known)
    beside, left = engine.changed_by(batch, cells, is_known)
    return rows_out(batch, job.how, cells, cleaned, beside), cleaned, _nulls(left)


def _nulls(left: Left) -> str:
    nulls: dict[str, dict[str, int]] = {}
    for (name, why), number in left.items():
        nulls.setdefault(name, {})[why] = number
    return json.dumps(nulls, sort_keys=True) if nulls else ""


def _digest(mine: Sequence[tuple[Cell, Detected]]) -> bytes:
    """A hash of all that a row's notes become by, besides its cells and the known values of others."""
    told = [
        (cell.column, cell.why, str(each) if isinstance(each, HeldError) else [tuple(_fields(one)) for one in each])
        for cell, each in mine
    ]
    return hashlib.sha256(repr(told).encode()).digest()[:16]


def _fields(span: Any) -> Iterator[Any]:
    yield from (span.start, span.end, span.label, span.score, span.source)


def _write(path: Path, rows: list[dict[str, Any]], schema: pa.Schema) -> None:
    with writing(path, synced=True) as stream:
        write_ipc(stream, iter([pa.RecordBatch.from_pylist(rows, schema=schema)]), schema)


def _probe(job: NightJob, task: Task, tell: Tell) -> Counts:
    """Try rows one by one and throw away what comes of it, to find those over which a worker dies."""
    engine = engine_for(job.how)
    found_in = _Found(job, task) if task.do == CLEAN else None
    store = patient_store.PatientStore(job.first_pass, job.secret()) if found_in else None
    for numbered, _, cells in _pieces(job, task):
        engine.prepare(cells)
        tell("at", numbered[0])
        tell("begun", _characters(cells))
        if task.do == LOOK:
            engine.found(cells)
        elif found_in and store:
            found = [_of(found_in(numbered)[0], cell) for cell in cells]
            engine.replaced(cells, engine.remembered(cells, found, store.values_of), store.is_known)
    return {}
