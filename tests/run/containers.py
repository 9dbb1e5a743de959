"""Rows in each container, and back: what the tests of sources and sinks share."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.formats.tables.source import Source

COLUMNS = Columns(texts=("text",), id="id")
SCHEMA = pa.schema([("id", pa.string()), ("text", pa.string())])
FILES = {"csv": "notes.csv", "tsv": "notes.tsv", "jsonl": "notes.jsonl", "parquet": "notes.parquet", "text": "notes"}
Rows = list[dict[str, Any]]


class Given:
    """A source that is a list of batches."""

    def __init__(self, rows: Rows, schema: Any = SCHEMA, where: str = "given://rows") -> None:
        self.where, self.schema, self.fingerprint, self.rows = where, schema, "given", len(rows)
        self.format, self.remarks = "csv", ()
        self._rows = rows

    def shards(self, rows: int) -> list[dict[str, Any]]:
        starts = range(0, self.rows, rows)
        return [{"start": start, "rows": min(rows, self.rows - start)} for start in starts]

    def read(self, shard: dict[str, Any], names: Sequence[str] | None = None) -> Iterator[Any]:
        rows = self._rows[shard["start"] : shard["start"] + shard["rows"]]
        batch = pa.RecordBatch.from_pylist(rows, schema=self.schema)
        yield batch if names is None else batch.select([name for name in self.schema.names if name in names])


def copy(source: Source, where: str, staging: Path, rows: int = 3, **options: Any) -> None:
    """Everything from a source to a place, shard by shard, the last one first and one of them twice."""
    columns = options.pop("columns", COLUMNS)
    schema = options.pop("schema", None) or pa.schema([source.schema.field(name) for name in columns.read])
    sink = open_sink(where, source, columns, schema, staging=staging, **options)
    shards = source.shards(rows)
    for number in [*reversed(range(len(shards))), *range(min(1, len(shards)))]:
        sink.put(number, source.read(shards[number], columns.read))
    assert sink.done() == set(range(len(shards)))
    sink.finish()


def rows_of(source: Source, rows: int = 3) -> Rows:
    return [row for shard in source.shards(rows) for batch in source.read(shard) for row in batch.to_pylist()]


def read_rows(where: str, **options: Any) -> Rows:
    return rows_of(open_source(where, **options))


def find_postgres() -> Path | None:
    """The folder of the server's programs."""
    places = [*Path("/usr/lib/postgresql").glob("*/bin"), Path("/usr/local/bin"), Path("/usr/bin")]
    return next((place for place in places if (place / "initdb").exists() and (place / "pg_ctl").exists()), None)


@contextmanager
def postgres() -> Iterator[str]:
    """A server of one's own in a temporary folder, which only a socket in it leads to; its URL without a query."""
    programs = find_postgres()
    assert programs
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # the name of a socket must be short
    as_root = os.geteuid() == 0
    if as_root:
        shutil.chown(folder, "nobody")
    before = ["runuser", "-u", "nobody", "--"] if as_root else []

    def call(*command: str) -> None:
        subprocess.run([*before, *command], check=True, capture_output=True, timeout=120, cwd=folder)

    data = str(folder / "data")
    try:
        call(str(programs / "initdb"), "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        call(str(programs / "pg_ctl"), "-D", data, "-o", options, "-l", str(folder / "log"), "-w", "start")
        try:
            yield f"postgresql+psycopg://tester:hunter2@/postgres?host={folder}"
        finally:
            call(str(programs / "pg_ctl"), "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
