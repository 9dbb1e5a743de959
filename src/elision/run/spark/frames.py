"""From a data frame of notes to frames of clean rows, of withheld notes, and of receipts."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from elision.errors import FormatError, RunError
from elision.formats.tables.columns import Columns, check_names
from elision.limits import CAN_FORK
from elision.pipeline import check_keyed
from elision.policy import Policy
from elision.run.how import How
from elision.run.ids import keyed_schema
from elision.run.kept_dates import refuse_true_dates
from elision.run.plan import RunOptions, columns_of, how_of, ids_of, looked_at
from elision.run.preview import sample
from elision.run.rows import RECEIPTS, schema_out
from elision.run.spark.asking import WHERE, FrameSource, Warn, arrow_schema, check_ids, done, quoted
from elision.run.spark.cleaning import HELD_NOTES, NULLS, OURS, clean_alone, clean_records, schema_of
from elision.run.spark.failing import Batches, guarded
from elision.run.spark.job import NUMBERS, RECORDS, Job
from elision.run.spark.looking import known_numbers, look
from elision.taggers.named import model_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Work = Callable[[Job, Batches], Iterator[pa.RecordBatch]]
_OPTIONS = frozenset((
    "omop", "language", "default_language", "rules", "models", "dial", "effort", "memory", "most", "limits", "ids",
    "repeated_ids",
))  # fmt: skip


@dataclass(frozen=True)
class Deidentified:
    """What becomes of a frame. Each frame is worked out when it is asked for; `rows` is kept for the others if it is
    cached.

    `clean`: the rows that go out, with `elision_status`. `held`: withheld notes, why, and what to do next. `receipts`:
    for each note a line that is signed if there is a key. `nulls`: cells of columns that could not be changed.
    """

    rows: DataFrame  # all of it
    how: How

    @property
    def clean(self) -> DataFrame:
        return self.rows.drop(RECEIPTS, *OURS)

    @property
    def held(self) -> DataFrame:
        from pyspark.sql import functions as f

        return self.rows.select(f.explode(HELD_NOTES).alias("held")).select("held.*")

    @property
    def receipts(self) -> DataFrame:
        from pyspark.sql import functions as f

        line = self.rows.select(f.explode(RECEIPTS).alias("receipt"))
        return line.select(
            *(f.get_json_object("receipt", f"$.{name}").alias(name) for name in ("note", "status", "why")), "receipt"
        )

    @property
    def nulls(self) -> DataFrame:
        from pyspark.sql import functions as f

        each = self.rows.select(f.explode(NULLS).alias("null")).select("null.*")
        return each.groupBy("column", "why").agg(f.sum("cells").alias("cells"))

    def unpersist(self) -> None:
        """Give back what was kept of `rows`."""
        self.rows.unpersist()


def warned(message: str) -> None:
    """Say what somebody ought to know of columns and ids."""
    warnings.warn(message, stacklevel=4)


def deidentify(
    df: DataFrame,
    columns: Columns | Mapping[str, Any] | str | Path | None = None,
    policy: str = "tag",
    key: str | Path = "",
    *,
    partitions: int = 0,
    cache: bool = True,
    warn: Warn = warned,
    **options: Any,
) -> Deidentified:
    """A frame of notes de-identified in Spark's executors.

    `columns` says which column is what: fields of `Columns`, or a TOML file; without, it is guessed and told. `key`
    and all other files are places that are the same on every executor. `partitions`: of the shuffle; else as Spark
    does. `options` are those of `RunOptions`: language, default_language, rules, models, dial, effort, memory, most,
    limits, ids, repeated_ids, omop. Columns, ids and files are checked, and known values gathered, before it returns.
    """
    job = planned(df, said_of(columns, policy, key, options), warn)
    found = cleaned(with_known(job, df), df, partitions)
    if cache:
        from pyspark import StorageLevel

        found.rows.persist(StorageLevel.MEMORY_AND_DISK)
    return found


def planned(df: DataFrame, said: RunOptions, warn: Warn) -> Job:
    """What executors must know, with all checked that can be checked before the work."""
    said = _absolute(said)
    source = FrameSource(df)
    check_names(df.columns, WHERE)
    if len(set(df.columns)) < len(df.columns):
        raise FormatError(f"{WHERE}: two columns have one name; rename one (after a join: drop one of them)")
    chosen = columns_of(source, said, warn)
    looked_at(source, chosen, list(df.columns), said, warn)
    policy = Policy.named(said.policy)
    check_keyed(policy, keyed=bool(said.key))
    ids = ids_of(said)
    if ids == "keyed" and not (chosen.id and said.key):
        raise RunError("ids='keyed' needs a column of ids (id) and a key")
    how = how_of(said, chosen).begun()
    names = [name for name in df.columns if name in chosen.read]
    schema = arrow_schema(df.select(*quoted(names)))
    job = Job(how, keyed_schema(schema, chosen.id) if ids == "keyed" else schema, keyed=ids == "keyed")
    if taken := {*OURS} & {*chosen.out}:
        raise RunError(f"column {min(taken)}: this name is ours; give the column of the frame another one")
    schema_out(job.schema, chosen)
    for batch in sample(source, names=chosen.read):
        refuse_true_dates(batch, chosen, policy)
    if chosen.id:
        check_ids(df, source, chosen, said, ids, warn)
    return replace(job, limits=said.limits if CAN_FORK else None)


def said_of(
    columns: Columns | Mapping[str, Any] | str | Path | None, policy: str, key: str | Path, options: Mapping[str, Any]
) -> RunOptions:
    """What was said of a run over a frame."""
    if odd := sorted({*options} - _OPTIONS):
        raise FormatError(f"no option {odd[0][:40]!r} over a frame; there are: {', '.join(sorted(_OPTIONS))}")
    named: dict[str, Any] = {}
    if isinstance(columns, Columns | Mapping):
        one = columns if isinstance(columns, Columns) else Columns.from_json(columns)
        named = {**one.as_json(), "texts": one.texts, "keep": one.keep}
    file = Path(columns) if isinstance(columns, str | Path) else None
    return RunOptions(**options, columns=named, columns_file=file, policy=policy, key=str(key))


def _absolute(said: RunOptions) -> RunOptions:
    """The same with files by their whole paths: executors work in other folders."""
    return replace(
        said,
        policy=str(Path(said.policy).absolute()) if said.policy.endswith(".toml") else said.policy,
        key=str(Path(said.key).absolute()) if said.key else "",
        rules=tuple(str(Path(one).absolute()) for one in said.rules),
        models=tuple(str(model_folder(one, "models").absolute()) for one in said.models),
    )


def with_known(job: Job, df: DataFrame) -> Job:
    """The job with the numbers of all known values of the frame, which go to all executors."""
    from pyspark.sql import functions as f

    columns = job.how.columns
    if not columns.known:
        return job
    has_text = f.coalesce(*(f.col(name) for name in quoted(columns.texts))).isNotNull()
    cells = df.where(has_text).select(*quoted(dict.fromkeys(columns.known.values())))
    numbers = mapped(cells, known_numbers, job, NUMBERS).distinct()
    found = done(lambda: numbers.toArrow()).column(0).to_numpy()
    return replace(job, known=df.sparkSession.sparkContext.broadcast(np.sort(found).astype(np.int64).tobytes()))


def cleaned(job: Job, df: DataFrame, partitions: int = 0) -> Deidentified:
    """The frames of a job; nothing is worked out yet."""
    out, rows = schema_of(job), df.select(*quoted(_names(df, job)))
    if not job.remembers:
        return Deidentified(mapped(rows, clean_alone, job, out), job.how)
    records = mapped(rows, look, job, RECORDS)
    by_patient = records.repartition(partitions, "whose") if partitions else records.repartition("whose")
    together = by_patient.sortWithinPartitions("whose", "kind")
    return Deidentified(mapped(together, clean_records, job, out), job.how)


def mapped(df: DataFrame, work: Work, job: Job, out: pa.Schema) -> DataFrame:
    """A frame whose partitions go through a function. Its name is all of it that plans show."""
    from pyspark.sql.pandas.types import from_arrow_schema

    def elision(batches: Batches) -> Iterator[pa.RecordBatch]:
        return guarded(lambda some: work(job, some), batches)

    return df.mapInArrow(elision, from_arrow_schema(out))


def _names(df: DataFrame, job: Job) -> list[str]:
    return [name for name in df.columns if name in job.how.columns.read]
