"""A run: shards of the input go to workers, and what they make becomes the output when all of it is there.

Beside the output stands the run's folder: manifest, receipts, the list of held notes, the report. While the run is at
work it holds a staging folder, too, with cleaned shards and, encrypted, what was learnt about patients. A run that was
stopped anywhere, by anything, goes on when the same is asked again.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.errors import ElisionError, RunError
from elision.evidence.receipts import Receipt, Total
from elision.evidence.receipts import canonical as as_line
from elision.formats.apart import check_out
from elision.formats.atomic import writing
from elision.formats.tables.columns import check_names
from elision.formats.tables.placing import settle
from elision.formats.tables.sql_sink import drop_staged
from elision.formats.tables.writers import TABLES_FILE
from elision.keys import Key
from elision.policy import Policy
from elision.run import patient_store
from elision.run.how import How
from elision.run.ids import check_ids, telling
from elision.run.kept_dates import refuse_true_dates
from elision.run.local import folder, manifest, shards
from elision.run.local import folder as own
from elision.run.local.folder import HELD_FILE, RECEIPTS_FILE, REPORT_FILE, STAGING, STORE
from elision.run.local.locks import wait_for_all
from elision.run.local.manifest import AMEND, DONE, FINISH, RETRY, WORK, Manifest
from elision.run.local.progress import Ended, Progress, Tell
from elision.run.local.shards import CLEAN, LOOK, Job, Task
from elision.run.local.workers import WORKERS_LOCK, Crew
from elision.run.plan import RunPlan
from elision.run.preview import sample
from elision.run.rows import RECEIPTS, STATUS, schema_out
from elision.showing import place

if TYPE_CHECKING:
    from elision.formats.tables.sink import Sink


def run(plan: RunPlan, tell: Tell = lambda _: None) -> Ended:
    """Run to the end, or go on from where an earlier run was stopped."""
    how = plan.how.begun()
    how.columns.check(plan.source.schema, plan.source.where)
    check_places(plan)
    with own.alone(plan.folder), own.told(plan.folder):
        wait_for_all(plan.folder / WORKERS_LOCK)
        own.remove_parts(plan.folder)
        state = _begin(plan, how)
        if state.state == DONE and state.counts is not None:
            own.tidy(plan.folder)
            return Ended(plan.folder, state.counts, before=True)
        job = job_of(plan, how, plan.folder / STAGING)
        with staged_rows_told(job.sink):
            if state.state == WORK:
                _work(plan, job, state, tell)
                state.state = FINISH
                state.write(plan.folder)
            counts = _finish(plan, job, state)
        return Ended(plan.folder, counts)


def check_places(plan: RunPlan) -> None:
    """Refuse what would lose or mix up files, before anything is made."""
    how = plan.how
    policy = how.policy if how.policy.endswith(".toml") else ""
    read = [one for one in (how.key, policy, how.allow, how.deny, *how.rules, *how.models, *plan.reads) if one]
    check_out(plan.source.where, plan.out, read)
    folder.check_folder(plan.source.where, plan.out, plan.folder)
    own.check(plan.folder)


@contextmanager
def staged_rows_told(sink: Sink) -> Iterator[None]:
    """An error says what a run leaves in a database."""
    try:
        yield
    except ElisionError as error:
        if stays := sink.failed():
            error.args = (f"{error}. {stays}",)
        raise


def _begin(plan: RunPlan, how: How) -> Manifest:
    """The manifest of the run that goes on, or a new one."""
    source = plan.source
    wanted = wanted_of(plan, how)
    old = manifest.read(plan.folder)
    if old and (old.state == AMEND or (old.state == RETRY and not plan.force)):
        raise RunError(
            f"{plan.folder}: held notes were being tried again here; finish that first: the same command as then, with "
            "--retry-held"
        )
    if old and old.state == DONE and old.settings == wanted and not _is_there(plan.out):
        old = None  # somebody took the output away
    if old and not (plan.force and (old.state == DONE or old.settings != wanted)):
        manifest.refuse_other(old.settings, wanted, plan.folder)
        if plan.ids == "keyed":
            old.restore(source.shards(plan.rows), plan.folder)
        return old
    if how.columns.keep or how.columns.changed:
        for batch in sample(source, names=how.columns.read):
            refuse_true_dates(batch, how.columns, Policy.named(how.policy))
    give_up(plan)
    check_names(source.schema.names, place(source.where))
    stretches = source.shards(plan.rows)
    for remark in source.remarks:
        plan.warn(remark)
    if how.columns.id:
        told = check_ids(source, how.columns.id, stretches, repeats=plan.repeated_ids)
        if told and not plan.ids:
            plan.warn(telling(told))
    state = Manifest(
        wanted,
        stretches,
        keyed=plan.ids == "keyed",
        begun=datetime.now(UTC).isoformat(timespec="seconds"),
        columns=how.columns.fates(source.schema.names),
        remarks=list(plan.remarks),
    )
    staging = own.new_staging(plan.folder)
    try:
        sink = job_of(plan, how, staging).sink  # an output that cannot be is told before anything is written down
    except BaseException:
        own.remove_staging(plan.folder)
        raise
    state.format = sink.format
    with staged_rows_told(sink):
        state.write(plan.folder)
    return state


def wanted_of(plan: RunPlan, how: How) -> dict[str, str]:
    """All that decides what comes out, as the manifest holds it."""
    others = {
        "status column": "on" if plan.status else "off",
        **({"ids": plan.ids} if plan.ids == "keyed" else {}),
        **(_of_nights(plan, how) if plan.incremental else {}),
    }
    return manifest.settings(how, plan.source.where, plan.source.fingerprint, plan.out, plan.rows, others)


def _of_nights(plan: RunPlan, how: How) -> dict[str, str]:
    types = [f"{field.name} {field.type}" for field in schema_out(plan.source.schema, how.columns)]
    return {"incremental": "on", "columns that go out": ", ".join(types)}


def give_up(plan: RunPlan, *, store: bool = True) -> None:
    """Take away what another run has left unfinished; what it put in its place stays there. With the store of nights,
    unless that is needed."""
    staging = plan.folder / STAGING
    settle(staging)
    if (staging / TABLES_FILE).exists():
        drop_staged(staging, plan.out)
    own.remove_staging(plan.folder)
    if store:
        (plan.folder / STORE).unlink(missing_ok=True)


def _is_there(out: str) -> bool:
    """Whether an output that a run has made is still there; of a database, it is believed."""
    return "://" in out or Path(out).exists()


def job_of(plan: RunPlan, how: How, staging: Path, *, force: bool = False) -> Job:
    """What workers must know. With `force`, what is at OUT may be replaced, whatever the plan says."""
    left_out = {RECEIPTS} if plan.status else {RECEIPTS, STATUS}
    full = schema_out(plan.source.schema, how.columns)
    for name in left_out:
        full = full.remove(full.get_field_index(name))
    sink = plan.sink(staging, full, force or plan.force)
    token = b"" if how.key else secrets.token_bytes(32)
    return Job(plan.source, sink, how, staging, token, plan.status)


def _work(plan: RunPlan, job: Job, state: Manifest, tell: Tell) -> None:
    """Make all shards that are not there yet."""
    began, before = time.monotonic(), state.seconds
    finished = shards.done(job.staging, CLEAN) & job.sink.done()
    open_ = [number for number in range(len(state.shards)) if number not in finished]
    progress = _progress(job, state, open_)

    def passed(rows: int, characters: int, held: int = 0) -> None:
        progress.passed += rows
        progress.characters += characters
        progress.held += held
        tell(progress)

    try:
        with Crew(job, plan.workers, passed, plan.limits) as crew:
            if job.gathers and open_:
                _look(job, state, crew)
            for _ in crew.do(Task(CLEAN, at, state.shards[at]) for at in open_):
                state.seconds = before + time.monotonic() - began
    finally:
        state.seconds = before + time.monotonic() - began
        state.write(plan.folder)


def _progress(job: Job, state: Manifest, open_: list[int]) -> Progress:
    """Where a run stands as it begins, or begins again."""
    sizes = [int(shard["rows"]) for shard in state.shards]
    to_clean = sum(sizes[number] for number in open_)
    if not job.gathers:
        return Progress(sum(sizes), before=sum(sizes) - to_clean)
    seen = _seen(job, state) if open_ else set(range(len(sizes)))
    to_look = sum(size for number, size in enumerate(sizes) if number not in seen)
    return Progress(2 * sum(sizes), before=2 * sum(sizes) - to_clean - to_look)


def _seen(job: Job, state: Manifest) -> set[int]:
    """The shards that were looked at, if anybody can still read what came of it."""
    return shards.done(job.staging, LOOK) & set(range(len(state.shards))) if job.how.key else set()


def _look(job: Job, state: Manifest, crew: Crew) -> None:
    """The first look at the whole input, and what it tells put in order."""
    if not job.how.key:
        shards.forget(job.staging)  # nobody knows any more under what it was kept
    job.first_pass.mkdir(exist_ok=True)
    seen = _seen(job, state)
    if len(seen) == len(state.shards) and (job.first_pass / "places.npy").exists():
        return
    for _ in crew.do(Task(LOOK, at, shard) for at, shard in enumerate(state.shards) if at not in seen):
        pass
    patient_store.merge(job.first_pass, len(state.shards))


def _finish(plan: RunPlan, job: Job, state: Manifest) -> dict[str, Any]:
    """Receipts, list of held notes, output, report: all from what is in staging, so that it can be done again."""
    if state.counts is None:
        state.counts = _counted(plan, job, state)
        state.counts["seconds"] = round(state.seconds, 1)
        state.write(plan.folder)
    if len(job.sink.done()) == len(state.shards):  # else it was stopped after this
        job.sink.finish()
    from elision.run.local.report import write_report

    write_report(plan.folder / REPORT_FILE, state)
    state.state = DONE
    state.write(plan.folder)
    own.tidy(plan.folder)
    return state.counts


def _counted(plan: RunPlan, job: Job, state: Manifest) -> dict[str, Any]:
    """Put together receipts and held notes of all shards, and count them."""
    total = Total(Key.read(job.how.key) if job.how.key else None)
    rows = characters = held = 0
    kinds: dict[str, int] = {}
    nulls: dict[str, dict[str, int]] = {}
    with (
        writing(plan.folder / RECEIPTS_FILE, synced=True) as receipts,
        writing(plan.folder / HELD_FILE, synced=True) as quarantine,
    ):
        for shard in range(len(state.shards)):
            with shards.receipts_of(job.staging, shard).open(encoding="utf-8") as lines:
                for line in lines:
                    receipts.write(total.add(Receipt.read(line)).encode() + b"\n")
            counts = json.loads(shards.mark(job.staging, CLEAN, shard).read_bytes())
            rows += counts["rows"]
            characters += counts["characters"]
            for name, whys in counts.get("nulls", {}).items():
                for why, number in whys.items():
                    nulls.setdefault(name, {})[why] = nulls.get(name, {}).get(why, 0) + number
            for one in counts["held"]:
                held += 1
                kinds[one["why"]] = kinds.get(one["why"], 0) + 1
                quarantine.write(json.dumps(one, ensure_ascii=False).encode() + b"\n")
        summary = total.summary(state.columns)
        receipts.write(as_line(summary).encode() + b"\n")
    counts = {"rows": rows, "characters": characters, "held": held, "kinds": kinds, "nulls": nulls}
    return {**counts, "summary": summary}
