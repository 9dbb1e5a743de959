"""Runs that go on for years: each night brings what is new or changed in the input into the same output.

What comes out has the same bytes as one run over the input as it is tonight. Detectors look at new and changed rows
only. Older rows come out anew if more is known of their patients, from what was found in them; all others stay in the
output as they are. A night that was stopped goes on; if the input changed meanwhile, it begins anew, and loses nothing.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from elision.formats.atomic import write_text, writing
from elision.formats.files import is_url
from elision.formats.tables.amending import GOES, Amendment
from elision.formats.tables.columns import check_names
from elision.formats.tables.layout import layout_told
from elision.keys import Key
from elision.policy import Policy
from elision.run.how import How
from elision.run.ids import check_ids, telling
from elision.run.kept_dates import refuse_true_dates
from elision.run.local import folder as own
from elision.run.local import manifest, night_plan
from elision.run.local.folder import HELD_FILE, RECEIPTS_FILE, REPORT_FILE, STAGING, STORE
from elision.run.local.held import held_notes
from elision.run.local.locks import wait_for_all
from elision.run.local.manifest import DONE, NIGHT, PUT, Manifest
from elision.run.local.night_checks import checked, digest_of, refuse_loss, refuse_unfit, rows_of
from elision.run.local.night_plan import ANEW, COMPARE, LOOK, Night
from elision.run.local.night_records import Order, held_tonight, new_held, new_receipts, new_rows, order_of
from elision.run.local.night_shards import NightJob
from elision.run.local.night_store import NightStore, Old, digest
from elision.run.local.night_work import cleaned
from elision.run.local.progress import Ended, Tell
from elision.run.local.report import write_report
from elision.run.local.runner import check_places, give_up, job_of, staged_rows_told, wanted_of
from elision.run.local.workers import WORKERS_LOCK
from elision.run.plan import RunPlan
from elision.run.preview import sample
from elision.showing import place

# Rows of a stretch in a later night. What is new stands together, mostly at the end: cut small, it is work for all
# workers. There are not more stretches than so many.
STRETCH, _MOST_STRETCHES = 250, 5000
_CHANGE, _PLAN = "change.json", "plan"  # in the staging folder: what changes in the output; which plan it is of


def nightly(plan: RunPlan, tell: Tell = lambda _: None) -> Ended:
    """Bring what is new in the input into the output, or go on with that."""
    how = plan.how.begun()
    how.columns.check(plan.source.schema, plan.source.where)
    refuse_unfit(plan, how)
    check_places(plan)
    with own.alone(plan.folder), own.told(plan.folder):
        wait_for_all(plan.folder / WORKERS_LOCK)
        own.remove_parts(plan.folder)
        state = _before(plan, how)
        if state and state.state == PUT:  # of the night before, perhaps: tonight begins with what it left
            job = _job(plan, how, state)
            with staged_rows_told(job.sink):
                _finish(plan, job, state)
        return _tonight(plan, how, state, tell)


def _before(plan: RunPlan, how: How) -> Manifest | None:
    """The state of the nights before; None if there is none that counts."""
    state = None if plan.force else manifest.read(plan.folder)
    if state is not None:
        wanted = manifest.of_all_nights(wanted_of(plan, how))
        manifest.refuse_other(manifest.of_all_nights(state.settings), wanted, plan.folder)
    return state


def _tonight(plan: RunPlan, how: How, state: Manifest | None, tell: Tell) -> Ended:
    began = time.monotonic()
    secret = Key.read(how.key).secret("run")
    is_first = state is None or state.counts is None
    store = NightStore(plan.folder / STORE, secret)
    old = NightStore.none() if state is None or is_first else checked(plan, how, state, store, secret)
    stretches = _looked_at(plan, how, plan.rows if is_first else _few(plan))
    night = night_plan.scan(plan.source, how.columns, stretches, secret, old)
    refuse_loss(plan, len(night.gone), len(old.keys))
    job, state = _begun(plan, how, state, night)
    of_a_run = stretches if is_first else plan.source.shards(plan.rows)
    job = replace(job, shards=len(stretches), starts=tuple(int(shard["start"]) for shard in of_a_run))
    with staged_rows_told(job.sink):
        emitted = cleaned(plan, job, night, old, store, stretches, tell)
        order = order_of(night, old, emitted)
        tonight = {
            "new": night.new,
            "changed": night.changed,
            "replaced": int(np.isin(night.do[emitted], (COMPARE, ANEW)).sum()),
            "removed": len(night.gone),
        }
        state.settings, state.shards = wanted_of(plan, how), stretches
        if not is_first and not _changes(plan, job, state, night, emitted):
            state.state, state.counts = DONE, {**(state.counts or {}), "night": tonight}
            state.write(plan.folder)
            give_up(plan, store=False)
            own.tidy(plan.folder)
            return Ended(plan.folder, state.counts, before=True)
        counts = _prepare(plan, job, state, night, order, old, store)
        seconds = round(time.monotonic() - began, 1)
        before = {name: state.counts["summary"][name] for name in ("chain", "signature")} if state.counts else {}
        state.nights.append({"begun": state.begun, **tonight, "before": before})
        state.state, state.seconds = PUT, seconds
        state.counts = {**counts, "seconds": seconds, "night": tonight}
        state.write(plan.folder)
        return Ended(plan.folder, _finish(plan, job, state))


def _few(plan: RunPlan) -> int:
    return min(plan.rows, max(STRETCH, (plan.source.rows or 0) // _MOST_STRETCHES))


def _looked_at(plan: RunPlan, how: How, rows: int) -> list[dict[str, Any]]:
    """The shards of the input, after a look at its columns and ids."""
    check_names(plan.source.schema.names, place(plan.source.where))
    if how.columns.keep or how.columns.changed:
        for batch in sample(plan.source, names=how.columns.read):
            refuse_true_dates(batch, how.columns, Policy.named(how.policy))
    stretches = plan.source.shards(rows)
    for remark in plan.source.remarks:
        plan.warn(remark)
    told = check_ids(plan.source, how.columns.id, stretches)
    if told and not plan.ids:
        plan.warn(telling(told))
    return stretches


def _begun(plan: RunPlan, how: How, state: Manifest | None, night: Night) -> tuple[NightJob, Manifest]:
    """The job, and the state in which it is written down that the night has begun. What an earlier call did of this
    very plan is there; of another plan nothing is."""
    staging = plan.folder / STAGING
    plan_of = _digest(night)
    columns = how.columns.fates(plan.source.schema.names)
    if state is not None and state.state == NIGHT and _read(staging / _PLAN) == plan_of:
        state.columns = columns
        return _job(plan, how, state), state
    give_up(plan, store=state is None or state.counts is None)
    state = state or Manifest(wanted_of(plan, how), [], keyed=plan.ids == "keyed")
    own.new_staging(plan.folder)
    try:
        job = _job(plan, how, state)  # an output that cannot be is told before anything is written down
    except BaseException:
        own.remove_staging(plan.folder)
        raise
    write_text(staging / _PLAN, plan_of)
    state.state, state.begun = NIGHT, datetime.now(UTC).isoformat(timespec="seconds")
    state.columns = columns
    state.format, state.remarks = job.sink.format, list(plan.remarks)
    with staged_rows_told(job.sink):
        state.write(plan.folder)
    return job, state


def _digest(night: Night) -> str:
    told = hashlib.sha256(repr(night.starts).encode())
    for column in (night.keys, night.hashes, night.do, night.gone):
        told.update(column.tobytes())
    return told.hexdigest()


def _read(file: Any) -> str:
    return str(file.read_text("utf-8")) if file.exists() else ""


def _job(plan: RunPlan, how: How, state: Manifest) -> NightJob:
    has_output = bool((state.night or {}).get("store"))  # of ours, which may be replaced
    job = job_of(plan, how, plan.folder / STAGING, force=has_output)
    values = {name: getattr(job, name) for name in ("source", "sink", "how", "staging", "token", "status")}
    return NightJob(**values, store=plan.folder / STORE)


def _changes(plan: RunPlan, job: NightJob, state: Manifest, night: Night, emitted: Sequence[int]) -> bool:
    """Whether the night changes anything. Held notes that were tried again may be held as before."""
    if state.columns != (state.counts or {})["summary"].get("columns"):
        return True
    if layout_told(job.sink) != (state.night or {}).get("layout", ""):  # rows may be in other files
        return True
    if night.new or night.changed or len(night.gone) or (night.do[list(emitted)] != LOOK).any():
        return True
    before = [(one.note, one.column, one.why) for one in held_notes(plan.folder)]
    return before != [(one["note"], one["column"], one["why"]) for one in held_tonight(job)]


# -- the output and the records


def _prepare(
    plan: RunPlan, job: NightJob, state: Manifest, night: Night, order: Order, old: Old, store: NightStore
) -> dict[str, Any]:
    """Make all that the night leaves in the staging folder, before anything is changed. The new counts."""
    summary, secret = state.counts and state.counts["summary"], job.secret()
    change, summary = new_receipts(plan.folder, job, order, old, summary, state.columns)
    held, kinds = new_held(job)
    goes = [key for key, letter in zip(old.keys.tolist(), order.old, strict=True) if letter == GOES]
    store.renewed(job.staging / STORE, goes, new_rows(job, night, store), order.keys)
    characters, nulls = NightStore(job.staging / STORE, secret).sums()
    if is_url(plan.out) and state.counts:
        away = set(goes)
        change = replace(change, ids=tuple(id for key, id in rows_of(plan, job.how, secret) if key in away))
    with writing(job.staging / _CHANGE, synced=True) as stream:
        stream.write(json.dumps(asdict(change) if state.counts else None).encode())
    state.night = {**(state.night or {}), "next": digest(job.staging / STORE, secret)}
    counts = {"rows": len(order.keys), "characters": characters, "held": held, "kinds": kinds, "nulls": nulls}
    return {**counts, "summary": summary}


def _finish(plan: RunPlan, job: NightJob, state: Manifest) -> dict[str, Any]:
    """The output, then the records, each whole or not at all; all can be done again."""
    change = json.loads((job.staging / _CHANGE).read_bytes())
    job.sink.finish(change and Amendment(**change))
    for name in (RECEIPTS_FILE, HELD_FILE, STORE):
        with (
            writing(plan.folder / name, synced=True, private=name == STORE) as stream,
            (job.staging / name).open("rb") as new,
        ):
            shutil.copyfileobj(new, stream)
    state.state = DONE
    made = {"output": digest_of(plan.out), "layout": layout_told(job.sink)}
    state.night = {"store": (state.night or {})["next"], **made}
    write_report(plan.folder / REPORT_FILE, state)
    state.write(plan.folder)
    own.tidy(plan.folder)
    assert state.counts is not None  # noqa: S101
    return state.counts
