"""Adds up the receipts of a part as they were written, in Spark's executors."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import pyarrow as pa

from elision.evidence.receipts import Receipt
from elision.evidence.unordered import UnorderedTotal
from elision.keys import Key
from elision.run.spark.job import Job

TOTALS = pa.schema([("total", pa.string())])


def total_of(job: Job) -> UnorderedTotal:
    return UnorderedTotal(Key.read(job.how.key) if job.how.key else None)


def totals(job: Job, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What the receipts of a partition add up to, as one row of JSON."""
    total = total_of(job)
    for batch in batches:
        for line in batch.column(0).to_pylist():
            total.add(Receipt.read(line))
    yield pa.RecordBatch.from_arrays([pa.array([json.dumps(total.part())])], schema=TOTALS)
