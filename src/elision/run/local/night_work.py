"""What workers do in a night: they look at new rows, gather what older ones tell of the same patients, and clean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from elision.formats.tables.source import Shard
from elision.run import patient_store
from elision.run.local import shards
from elision.run.local.night_plan import COMPARE, LOOK, STAYS, Looked, Night, settle
from elision.run.local.night_shards import GATHER, NightJob
from elision.run.local.night_store import NightStore, Old, numbers_in
from elision.run.local.progress import Progress, Tell
from elision.run.local.shards import CLEAN, Expected, Task
from elision.run.local.workers import Crew
from elision.run.plan import RunPlan

Asked = Mapping[int, Mapping[int, Expected]]  # rows of shards


def cleaned(
    plan: RunPlan,
    job: NightJob,
    night: Night,
    old: Old,
    store: NightStore,
    stretches: Sequence[Shard],
    tell: Tell,
) -> list[int]:
    """Clean all rows that cannot stay as they are; the numbers of those that come out anew."""
    looks = _asked(night, night.do == LOOK, {})
    progress = Progress(2 * sum(map(len, looks.values())))

    def passed(rows: int, characters: int, held: int = 0) -> None:
        progress.passed += rows
        progress.characters += characters
        progress.held += held
        tell(progress)

    def do(what: str, asked: Asked, done: set[int]) -> None:
        tasks = [Task(what, at, stretches[at], rows=rows) for at, rows in asked.items() if at not in done]
        for _ in crew.do(tasks):
            pass

    job.first_pass.mkdir(exist_ok=True)
    with Crew(job, plan.workers, passed, plan.limits) as crew:
        do(shards.LOOK, looks, shards.done(job.staging, shards.LOOK))
        known = settle(night, old, store, _looked(job, night, looks), memory=job.detects)
        gathered = _asked(night, _to_gather(job, night), {})
        do(GATHER, gathered, shards.done(job.staging, GATHER))
        patient_store.merge(job.first_pass, [*looks, *(at + job.shards for at in gathered)])
        np.save(job.first_pass / "known.npy", known)
        compared = store.remembered(night.keys[night.do == COMPARE].tolist())
        cleans = _asked(night, night.do != STAYS, compared)
        progress.rows = sum(map(len, (*looks.values(), *cleans.values())))
        do(CLEAN, cleans, shards.done(job.staging, CLEAN) & job.sink.done())
    return [night.starts[at] + row["row"] for at in sorted(cleans) for row in job.records("cleaned", at)]


def _asked(night: Night, chosen: Any, remembered: Mapping[int, bytes]) -> dict[int, dict[int, Expected]]:
    return {shard: night.expected(shard, rows, remembered) for shard, rows in night.of_shards(chosen)}


def _looked(job: NightJob, night: Night, looks: Asked) -> Looked:
    """What new rows tell. In the first night, nothing is compared with that."""
    looked = Looked()
    for shard in looks:
        rows = job.records("looked", shard)
        known = [numbers_in(row["known"]) for row in rows]
        looked.known.append(np.unique(np.concatenate([np.zeros(0, np.uint64), *known])))
        if job.store.exists():
            looked.told.update((night.starts[shard] + row["row"], row["told"]) for row in rows)
    return looked


def _to_gather(job: NightJob, night: Night) -> Any:
    """Older rows of patients whose notes are cleaned."""
    theirs = np.unique(night.patients[night.do != STAYS])
    others = (night.do != LOOK) & (night.patients != 0)
    return others & np.isin(night.patients, theirs) & job.detects
