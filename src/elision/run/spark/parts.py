"""A run from a frame to Parquet, some patients at a time, which goes on where it was stopped.

Rows fall into parts by a hash of their patients, so a part has all notes of its patients and is a run of its own. One
that is done has left its mark, which is written last; whoever finds no mark does the part again. When all are there,
their files are moved together, and the output appears in one step.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elision.errors import FormatError, RunError
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.run.local.folder import RECEIPTS_TABLE
from elision.run.local.manifest import DONE, FINISH, NAME, VERSION, WORK, refuse_other, settings
from elision.run.plan import RunOptions
from elision.run.spark.alone import Still, alone, others
from elision.run.spark.asking import Warn, done, quoted
from elision.run.spark.counting import TOTALS, total_of, totals
from elision.run.spark.frames import cleaned, mapped, planned, said_of, warned, with_known
from elision.run.spark.job import Job
from elision.run.spark.places import Places

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

PARTS = 16
ROWS = 1000  # that a task of the second step has, at least, if there are fewer tasks than Spark makes
CLEAN, RECEIPTS, HELD = "clean", RECEIPTS_TABLE, "held"
STAGING = "staging"
_OTHERWISE = "give another output, or remove this folder if the run is not wanted any more"
Tell = Callable[[int, int], None]  # parts that are done, and all


@dataclass(frozen=True)
class Written:
    """Where a run has written, and what it counted. `before`: it had ended earlier, and nothing was done."""

    out: str
    receipts: str
    held: str
    counts: Mapping[str, Any]
    before: bool = False


def write(
    df: DataFrame,
    out: str,
    columns: Columns | Mapping[str, Any] | str | Path | None = None,
    policy: str = "tag",
    key: str | Path = "",
    *,
    parts: int = PARTS,
    partitions: int = 0,
    warn: Warn = warned,
    tell: Tell = lambda *_: None,
    **options: Any,
) -> Written:
    """A frame of notes, de-identified into Parquet: rows in OUT, receipts and withheld notes in OUT.run.

    Given again, it goes on with the parts that are not there yet. Nothing is written over. `out` is any place that
    Spark can write to."""
    said = said_of(columns, policy, key, options)
    return written(df, out, said, parts=parts, partitions=partitions, warn=warn, tell=tell)


def written(
    df: DataFrame, out: str, said: RunOptions, *, parts: int, partitions: int = 0, warn: Warn, tell: Tell
) -> Written:
    """The same, by the options of a run."""
    if parts < 1:
        raise FormatError("parts is a number from 1 on")
    job = planned(df, said, warn)
    rows, fingerprint = done(lambda: _rows_of(df, job))
    partitions = partitions or _partitions(df, rows // parts)
    run = _Run(df, Places(df.sparkSession), out.rstrip("/"), parts, partitions)
    with alone(run.places, run.folder) as still:
        state = done(lambda: run.begin(job, fingerprint))
        if state["state"] == DONE:
            return run.ended(state["counts"], before=True)
        if state["state"] == WORK:
            done(lambda: run.work(job, tell, still))
            state = done(lambda: run.say(state, FINISH))
        still()
        counts = done(lambda: run.finish(job))
        done(lambda: run.say({**state, "counts": counts}, DONE))
        done(lambda: run.places.remove(f"{run.folder}/{STAGING}"))
        return run.ended(counts)


@dataclass(frozen=True)
class _Run:
    df: DataFrame
    places: Places
    out: str
    parts: int
    partitions: int

    @property
    def folder(self) -> str:
        return f"{self.out}.run"

    def staged(self, *names: str) -> str:
        return "/".join((self.folder, STAGING, *names))

    def begin(self, job: Job, fingerprint: str) -> dict[str, Any]:
        """The manifest of the run that goes on, or a new one."""
        more = {"ids": "keyed"} if job.keyed else {}
        more |= {"parts": str(self.parts)}
        wanted = settings(job.how, "a frame of Spark", fingerprint, self.out, 0, more)
        text = self.places.read(f"{self.folder}/{NAME}")
        if text is None:
            if self.places.exists(self.out) or others(self.places, self.folder):
                raise RunError(f"{self.out}: is there already, or {self.folder} is; give another output")
            return self.say({"version": VERSION, "settings": wanted, "shards": [], "format": "parquet"}, WORK)
        try:
            state: dict[str, Any] = json.loads(text)
            old, at = state["settings"], state["state"]
        except (ValueError, KeyError, TypeError):
            raise RunError(f"{self.folder}: has no manifest of this version of elision; {_OTHERWISE}") from None
        refuse_other(old, wanted, Path(self.folder), _OTHERWISE)
        there = self.places.exists(self.out)
        if at == DONE and not there:
            raise RunError(f"{self.out}: is gone, and {self.folder} says that it was made; {_OTHERWISE}")
        if at == WORK and there:
            raise RunError(f"{self.out}: was made by something else while the run was stopped; {_OTHERWISE}")
        return state

    def say(self, state: Mapping[str, Any], at: str) -> dict[str, Any]:
        new = {**state, "state": at}
        self.places.write(f"{self.folder}/{NAME}", json.dumps(new, indent=1))
        return new

    def work(self, job: Job, tell: Tell, still: Still) -> None:
        """Make all parts that are not there yet."""
        open_ = [part for part in range(self.parts) if not self.places.exists(self.mark(part))]
        if open_:
            job = with_known(job, self.df)
        for part in open_:
            still()
            tell(self.parts - len(open_) + open_.index(part), self.parts)
            self.make(job, part)
        tell(self.parts, self.parts)

    def make(self, job: Job, part: int) -> None:
        from pyspark import StorageLevel

        made = cleaned(job, self.df.where(_part_of(job, self.parts) == part), self.partitions)
        made.rows.persist(StorageLevel.MEMORY_AND_DISK)
        try:
            for name, frame in ((CLEAN, made.clean), (RECEIPTS, made.receipts)):
                frame.write.mode("overwrite").parquet(self.staged(name, _name(part)))
            counts = self.counted(job, part)
            if counts["total"]["held"] or not part:  # one file, at least, tells the columns
                made.held.write.mode("overwrite").parquet(self.staged(HELD, _name(part)))
            nulls = made.nulls.orderBy("column", "why").collect() if job.how.columns.changed else []
            counts["nulls"] = [null.asDict() for null in nulls]
        finally:
            made.unpersist()
        self.places.write(self.mark(part), json.dumps(counts))

    def counted(self, job: Job, part: int) -> dict[str, Any]:
        """What was written of a part."""
        read = self.df.sparkSession.read
        receipts = read.parquet(self.staged(RECEIPTS, _name(part))).select("receipt")
        total = total_of(job)
        for row in mapped(receipts, totals, job, TOTALS).collect():
            total.add_part(json.loads(row["total"]))
        return {"rows": read.parquet(self.staged(CLEAN, _name(part))).count(), "total": total.part()}

    def mark(self, part: int) -> str:
        return self.staged(f"done-{_name(part)}.json")

    def finish(self, job: Job) -> dict[str, Any]:
        """Add up, and put everything where it belongs; done again, it does what is left."""
        rows, total = 0, total_of(job)
        nulls: dict[str, dict[str, int]] = {}
        for part in range(self.parts):
            told = json.loads(self.places.read(self.mark(part)) or "{}")
            rows += told["rows"]
            total.add_part(told["total"])
            for row in told["nulls"]:
                mine = nulls.setdefault(row["column"], {})
                mine[row["why"]] = mine.get(row["why"], 0) + row["cells"]
        for name, target in ((RECEIPTS, self.receipts), (HELD, self.held), (CLEAN, self.out)):
            if not self.places.exists(target):
                self._gather(name, target)
        summary = total.summary()
        counts = {name: summary[name] for name in ("notes", "held", "characters")}
        return {"rows": rows, **counts, "nulls": nulls, "summary": summary}

    def _gather(self, name: str, target: str) -> None:
        """The files of all parts in one folder, which then takes its place."""
        whole = self.staged(f"all-{name}")
        self.places.make(whole)
        for part in range(self.parts):
            for file in self.places.files(self.staged(name, _name(part)), ".parquet"):
                self.places.move(file, f"{whole}/{_name(part)}-{file.rpartition('/')[2].removeprefix('part-')}")
        self.places.move(whole, target)

    @property
    def receipts(self) -> str:
        return f"{self.folder}/{RECEIPTS}"

    @property
    def held(self) -> str:
        return f"{self.folder}/{HELD}"

    def ended(self, counts: Mapping[str, Any], *, before: bool = False) -> Written:
        return Written(self.out, self.receipts, self.held, counts, before)


def _name(part: int) -> str:
    return f"part-{part:05d}"


def _part_of(job: Job, parts: int) -> Column:
    """The part of a row: by its patient, or, where it has none, by its id or its texts."""
    from pyspark.sql import functions as f

    columns = job.how.columns
    alone = f.xxhash64(*quoted([columns.id] if columns.id else columns.texts))
    if not columns.patient:
        return f.pmod(alone, f.lit(parts))
    patient = f.col(quoted([columns.patient])[0]).cast("string")
    return f.pmod(f.when(patient.isNull() | (patient == ""), alone).otherwise(f.xxhash64(patient)), f.lit(parts))


def _partitions(df: DataFrame, rows: int) -> int:
    """How many tasks clean a part. Of few rows, Spark's usual number is of tasks that have nearly nothing to do."""
    usual = df.sparkSession.conf.get("spark.sql.shuffle.partitions") or ""
    least = max(1, df.sparkSession.sparkContext.defaultParallelism, rows // ROWS)
    return min(int(usual), least) if usual.isdigit() else 0


def _rows_of(df: DataFrame, job: Job) -> tuple[int, str]:
    """How many rows there are, and what tells whether some were changed, added or taken away; nobody learns a row from
    that who has not the key."""
    from pyspark.sql import functions as f

    names = [field.name for field in df.schema if field.name in job.how.columns.read]
    names = [name for name in names if "map<" not in df.schema[name].dataType.simpleString()]
    row = df.select(f.xxhash64(*quoted(names)).cast("decimal(38,0)").alias("n")).agg(f.count("n"), f.sum("n"))
    count, sum_ = row.collect()[0]
    told = json.dumps([df.select(*quoted(names)).schema.simpleString(), str(count), str(sum_)])
    if job.how.key:
        return count, Key.read(job.how.key).secret("run").name("rows", told)
    return count, hashlib.sha256(told.encode()).hexdigest()
