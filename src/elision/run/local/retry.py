"""Trying again the notes that a run held: they alone are read, and what they become goes into the same output.

Key, policy and columns stay, and so do all stand-ins; what finds identifiers, and how much a note may take, may be
changed. Of other rows only those of the same patients are looked at, and the known values of all. A row takes the place
of what it was unless a text would be lost that had come out. The receipts of all other notes stay as they were signed;
the manifest keeps how the chain of receipts ended before.
"""

from __future__ import annotations

import json
import shutil
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from elision.errors import RunError
from elision.formats.atomic import writing
from elision.formats.files import is_url
from elision.formats.tables.amending import Amendment
from elision.keys import Key
from elision.run import patient_store
from elision.run.how import How
from elision.run.local import folder as own
from elision.run.local import manifest, shards
from elision.run.local.folder import HELD_FILE, RECEIPTS_FILE, REPORT_FILE, STAGING
from elision.run.local.held import HeldNote, held_notes
from elision.run.local.locks import wait_for_all
from elision.run.local.manifest import AMEND, DONE, RETRY, Manifest
from elision.run.local.progress import Ended, Progress, Tell
from elision.run.local.records import Taken, amend_records
from elision.run.local.report import write_report
from elision.run.local.runner import check_places, job_of, staged_rows_told, wanted_of
from elision.run.local.shards import CLEAN, LOOK, Job, Task
from elision.run.local.workers import WORKERS_LOCK, Crew
from elision.run.plan import RunPlan

_CHANGE = "change.json"  # in the staging folder: what changes in the output
Rows = dict[int, dict[int, frozenset[str]]]  # by shard and row in it, the columns that were held


def retry(plan: RunPlan, tell: Tell = lambda _: None) -> Ended:
    """Try again what the run to this output held, or go on with that."""
    if plan.incremental:
        raise RunError("--retry-held and --incremental: leave one out; each night tries held notes again by itself")
    how = plan.how.begun()
    how.columns.check(plan.source.schema, plan.source.where)
    check_places(plan)
    if not (plan.folder / manifest.NAME).exists():
        raise RunError(f"{plan.folder}: no run has ended here; --retry-held needs the OUT of a run that held notes")
    with own.alone(plan.folder), own.told(plan.folder):
        wait_for_all(plan.folder / WORKERS_LOCK)
        own.remove_parts(plan.folder)
        state = _begin(plan, how)
        if state.retry is None and state.counts is not None:
            return Ended(plan.folder, state.counts, before=True)
        job = job_of(plan, how, plan.folder / STAGING, force=True)
        with staged_rows_told(job.sink):
            if state.state == RETRY:
                _work(plan, job, state, tell)
                _note_change(plan, job, state)
            return Ended(plan.folder, _finish(plan, job, state))


def _begin(plan: RunPlan, how: How) -> Manifest:
    """The state of the run, ready for its held notes; without `retry` in it, there are none."""
    state = manifest.read(plan.folder)
    if state is None or state.state not in (DONE, RETRY, AMEND):
        raise RunError(f"{plan.folder}: the run has not ended; the same command without --retry-held goes on")
    wanted = wanted_of(plan, how)
    manifest.refuse_unfit(state.settings, wanted, plan.folder)
    if plan.ids == "keyed":
        state.restore(plan.source.shards(int(state.settings["rows of a shard"])), plan.folder)
    if state.state != DONE and state.retry != wanted and not (plan.force and state.state == RETRY):
        manifest.refuse_other(state.retry or {}, wanted, plan.folder, "give up that try with --force")
    if state.state == DONE or state.retry != wanted:
        if not next(held_notes(plan.folder), None):
            return state
        _check_output(plan)
        state.state, state.retry = RETRY, wanted
        staging = own.new_staging(plan.folder)
        try:
            sink = job_of(plan, how, staging, force=True).sink
        except BaseException:
            own.remove_staging(plan.folder)
            raise
        with staged_rows_told(sink):
            state.write(plan.folder)
    return state


def _check_output(plan: RunPlan) -> None:
    if is_url(plan.out):
        if not plan.how.columns.id or plan.repeated_ids:
            raise RunError("--retry-held into a database finds rows by their ids: it needs --id, and each id once")
    elif not Path(plan.out).exists() and plan.out != "":
        raise RunError(f"{plan.out}: is no longer there; begin anew with --force and without --retry-held")


# -- the notes


def _work(plan: RunPlan, job: Job, state: Manifest, tell: Tell) -> None:
    """Look again at the held notes, and at what else must be known for that."""
    held = _rows(held_notes(plan.folder), state)
    done = shards.done(job.staging, CLEAN) & job.sink.done()
    looks = _looks(job, state, held) if job.gathers and set(held) - done else {}
    progress = Progress(sum(map(len, looks.values())) + sum(map(len, held.values())))

    def passed(rows: int, characters: int, stays: int = 0) -> None:
        progress.passed += rows
        progress.characters += characters
        progress.held += stays
        tell(progress)

    with Crew(job, plan.workers, passed, plan.limits) as crew:
        if looks:
            shards.forget(job.staging)
            job.first_pass.mkdir(exist_ok=True)
            for _ in crew.do(Task(LOOK, at, state.shards[at], only=rows) for at, rows in looks.items()):
                pass
            patient_store.merge(job.first_pass, len(state.shards))
        again = [Task(CLEAN, at, state.shards[at], only=rows) for at, rows in held.items() if at not in done]
        for _ in crew.do(again):
            pass


def _rows(notes: Iterator[HeldNote], state: Manifest) -> Rows:
    """The rows that held notes are in."""
    starts = [int(shard["start"]) for shard in state.shards]
    rows: Rows = {}
    for note in notes:
        shard = bisect_right(starts, note.row) - 1
        here = rows.setdefault(shard, {})
        at = note.row - starts[shard]
        here[at] = here.get(at, frozenset()) | {note.column}
    return rows


def _looks(job: Job, state: Manifest, held: Rows) -> dict[int, dict[int, frozenset[str]]]:
    """For each shard the rows of the patients whose notes are held; of other rows only known values count."""
    column = job.how.columns.patient
    if not column:
        return {at: {} for at in range(len(state.shards))}

    def patients(shard: int) -> Iterator[tuple[int, str]]:
        cells = (
            cell
            for batch in job.source.read(state.shards[shard], (column,))
            for cell in batch.column(column).to_pylist()
        )
        return ((row, "" if cell is None else str(cell)) for row, cell in enumerate(cells))

    theirs = {patient for shard, rows in held.items() for row, patient in patients(shard) if patient and row in rows}
    return {
        at: {row: frozenset() for row, patient in patients(at) if patient in theirs} for at in range(len(state.shards))
    }


# -- the output and the records


def _note_change(plan: RunPlan, job: Job, state: Manifest) -> None:
    """Make the new records beside the old ones, and write down what changes, before anything is changed."""
    key = Key.read(job.how.key) if job.how.key else None
    change, counts = amend_records(plan.folder, job.staging, _taken(job, state), state.counts or {}, key)
    with writing(job.staging / _CHANGE, synced=True) as stream:
        stream.write(json.dumps(asdict(change)).encode())
    before = state.counts or {}
    came_out = before["held"] - counts["held"]
    earlier = {"chain": before["summary"]["chain"], "signature": before["summary"]["signature"]}
    now = datetime.now(UTC).isoformat(timespec="seconds")
    state.retries.append({"begun": now, "tried": before["held"], "came out": came_out, "before": earlier})
    state.state, state.counts = AMEND, counts
    state.write(plan.folder)


def _taken(job: Job, state: Manifest) -> Iterator[Taken]:
    """The rows that take the place of what they were, in order, with their receipts and what of them is held."""
    for shard in sorted(shards.done(job.staging, CLEAN)):
        counts = json.loads(shards.mark(job.staging, CLEAN, shard).read_bytes())
        start = int(state.shards[shard]["start"])
        held: dict[int, list[Mapping[str, Any]]] = {}
        for one in counts["held"]:
            held.setdefault(one["row"], []).append(one)
        with shards.receipts_of(job.staging, shard).open(encoding="utf-8") as lines:
            for row, columns in counts["taken"]:
                receipts = [next(lines).rstrip("\n") for _ in columns]
                yield Taken(start + row, columns, receipts, held.get(start + row, []))


def _finish(plan: RunPlan, job: Job, state: Manifest) -> dict[str, Any]:
    """The output, then the records, each whole or not at all; all can be done again."""
    job.sink.finish(Amendment(**json.loads((job.staging / _CHANGE).read_bytes())))
    for name in (RECEIPTS_FILE, HELD_FILE):
        with writing(plan.folder / name, synced=True) as stream, (job.staging / name).open("rb") as new:
            shutil.copyfileobj(new, stream)
    state.state, state.retry = DONE, None
    write_report(plan.folder / REPORT_FILE, state)
    state.write(plan.folder)
    own.tidy(plan.folder)
    assert state.counts is not None  # noqa: S101
    return state.counts
