"""What a run would do, before it does it: how many notes, how long, and what becomes of each column."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import pyarrow as pa

from elision.formats.tables.source import Source
from elision.run.cells import cells_of
from elision.run.engine import clean
from elision.run.how import How
from elision.run.rows import HELD, STATUS

SAMPLE = 200  # rows
START = 3.0  # seconds until workers work
ALIKE = 0.85  # how much of its speed a worker keeps beside another


@dataclass(frozen=True)
class Preview:
    """What is known of a run before it. `seconds` is a guess from some rows at the beginning."""

    rows: int
    sample: int
    held: int  # rows of the sample
    languages: tuple[tuple[str, int], ...]  # of notes of the sample
    speed: float  # rows a second of one worker
    seconds: float


def sample(source: Source, rows: int = SAMPLE, names: Sequence[str] | None = None) -> list[pa.RecordBatch]:
    """The first rows of a source."""
    batches: list[pa.RecordBatch] = []
    for shard in islice(source.shards(rows), 1):
        for batch in source.read(shard, names):
            batches.append(batch.slice(0, rows - sum(map(len, batches))))
            if sum(map(len, batches)) >= rows:
                break
    return batches


def cells(batches: Sequence[pa.RecordBatch], schema: Any) -> dict[str, list[object]]:
    """The cells of some rows by column."""
    return {name: [cell for batch in batches for cell in batch.column(name).to_pylist()] for name in schema.names}


def preview(source: Source, how: How, workers: int) -> Preview:
    """Clean some rows, throw them away, and say how that went."""
    batches = sample(source, names=how.columns.read)
    rows = sum(map(len, batches))
    notes = [cell for batch in batches for cell in cells_of(batch, how)]
    once = replace(how, agreed={})
    list(clean(batches[:1], once))  # whatever is made at the first time is made now
    began = time.perf_counter()
    out = list(clean(batches, once))
    took = max(time.perf_counter() - began, 1e-6)
    total = source.rows if source.rows is not None else sum(int(shard["rows"]) for shard in source.shards(100_000))
    speed = rows / took
    together = speed * workers * (ALIKE if workers > 1 else 1)
    return Preview(
        rows=total,
        sample=rows,
        held=sum(batch.column(STATUS).to_pylist().count(HELD) for batch in out),
        languages=tuple(Counter(cell.document.language or "not told" for cell in notes).most_common()),
        speed=speed,
        seconds=START + total / max(together, 1e-6) if rows else 0.0,
    )
