"""Questions to a frame before the work: its first rows, its schema, its ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from elision.errors import FormatError
from elision.formats.tables.columns import Columns
from elision.formats.tables.source import Shard
from elision.run.ids import telling
from elision.run.plan import RunOptions
from elision.run.preview import SAMPLE, sample
from elision.run.spark.failing import in_words
from elision.showing import column as shown_column
from elision.showing import tells

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

WHERE = "the frame"
Warn = Callable[[str], None]
_CONTROLS = r"[\p{Cc}\p{Zl}\p{Zp}]"


def done(action: Callable[[], Any]) -> Any:
    """What an action of Spark gives; its errors in our words."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        return action()
    except (PySparkException, Py4JError) as error:
        told = in_words(error)
    raise told


def quoted(names: Sequence[str] | Mapping[str, Any]) -> list[str]:
    """Names as Spark reads them, with dots and blanks in them."""
    return ["`{}`".format(name.replace("`", "``")) for name in names]


def arrow_schema(df: DataFrame) -> pa.Schema:
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(df.schema)


def check_ids(df: DataFrame, source: FrameSource, columns: Columns, said: RunOptions, ids: str, warn: Warn) -> None:
    """Refuse ids that are missing, cannot be shown, or come twice."""
    from pyspark.sql import functions as f

    id = f.col(quoted([columns.id])[0]).cast("string")
    known = id.isNotNull() & (id != "")
    counts: list[Column] = [
        f.count_if(~known).alias("missing"),
        f.count_if(known & id.rlike(_CONTROLS)).alias("odd"),
        f.count_if(known).alias("all"),
        f.count_distinct(f.when(known, f.xxhash64(id)), f.when(known, f.hash(id))).alias("different"),
    ]
    row = done(lambda: df.select(*counts).collect())[0]
    name = shown_column(columns.id)
    if row["missing"]:
        raise FormatError(
            f"{WHERE}: {row['missing']:,} rows have no id in column {name}; give every note an id, or choose another "
            "column"
        )
    if row["odd"] and ids != "keyed":
        raise FormatError(
            f"{WHERE}: {row['odd']:,} ids in column {name} have line breaks or control characters; give these notes "
            "other ids, or say ids='keyed'"
        )
    if row["different"] < row["all"] and not said.repeated_ids:
        raise FormatError(
            f"{WHERE}: {row['all'] - row['different']:,} rows have an id in column {name} that came before; every note "
            "needs an id of its own, or allow it (repeated_ids=True)"
        )
    if not ids:
        told: dict[str, int] = {}
        for batch in sample(source, names=(columns.id,)):
            for value in batch.column(0).to_pylist():
                if what := tells(str(value)):
                    told[what] = told.get(what, 0) + 1
        if told:
            warn(f"of the first {SAMPLE}: {telling(told)}")


class FrameSource:
    """A frame as a source of its first rows, for all that looks at columns before a run."""

    where, format, rows = WHERE, "parquet", None
    fingerprint = ""
    remarks: Sequence[str] = ()

    def __init__(self, df: DataFrame) -> None:
        self._df = df
        self.schema = arrow_schema(df)
        self._first: pa.Table | None = None

    def shards(self, rows: int) -> list[Shard]:
        return [{"start": 0, "rows": min(rows, SAMPLE)}]

    def read(self, _: Shard, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        if self._first is None:
            self._first = done(self._taken)
        table = self._first if names is None else self._first.select(list(dict.fromkeys(filter(None, names))))
        yield from table.combine_chunks().to_batches()

    def _taken(self) -> pa.Table:
        """The first rows. A `limit` that is not collected would shuffle them to disks in clear."""
        return self._df.sparkSession.createDataFrame(self._df.take(SAMPLE), self._df.schema).toArrow()
