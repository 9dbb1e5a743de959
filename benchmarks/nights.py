"""How long a night takes, against a run over all: `python benchmarks/nights.py 50000 --new 500 --changed 20`.

The first night cleans all notes. Then some are added and some changed, and the second night brings these in. Both
times, their ratio, and how long a night with nothing new and the reading of the input take are printed by one run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))

from run import write  # type: ignore[import-not-found]  # a benchmark beside this one

from elision.formats.tables.opening import open_source
from elision.keys import Key

COLUMNS = ("--text", "note", "--id", "note_id", "--patient", "person", "--known", "name=name")


def night(source: Path, out: Path, options: list[str]) -> float:
    program = [sys.executable, "-c", "from elision.cli import main; main()", "run", str(source), "-o", str(out)]
    began = time.perf_counter()
    process = subprocess.run([*program, *COLUMNS, "--incremental", *options], check=False)
    if process.returncode not in (0, 1):
        sys.exit("the run failed")
    return time.perf_counter() - began


def read(source: Path) -> float:
    """Seconds to read all rows once."""
    began = time.perf_counter()
    opened = open_source(str(source))
    for shard in opened.shards(2000):
        for batch in opened.read(shard):
            batch.to_pylist()
    return time.perf_counter() - began


def changed(source: Path, target: Path, number: int, changes: int) -> None:
    """The first rows of a table, some of which, spread over all, have another text."""
    rows = pq.read_table(source).slice(0, number).to_pylist()
    for at in range(changes):
        rows[at * number // max(1, changes)]["note"] += " The patient was seen again and feels well."
    pq.write_table(pa.Table.from_pylist(rows, pq.read_schema(source)), target, compression="zstd")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", nargs="?", type=int, default=50_000)
    parser.add_argument("--new", type=int, default=500)
    parser.add_argument("--changed", type=int, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--patients", type=int, default=10, help="notes a patient")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        key = folder / "project.key"
        Key.new().write(key)
        options = ["--policy", given.policy, "--workers", str(given.workers), "--key", str(key), "--progress", "none"]
        whole, source, out = folder / "whole.parquet", folder / "in.parquet", folder / "out.parquet"
        write(whole, given.notes + given.new, given.patients)
        changed(whole, source, given.notes, 0)
        first = night(source, out, options)
        changed(whole, source, given.notes + given.new, given.changed)
        second = night(source, out, options)
        nothing = night(source, out, options)
        print(
            f"{given.notes:,} notes: the first night {first:.1f} s; a night with {given.new:,} new and "
            f"{given.changed:,} changed notes {second:.1f} s, {100 * second / first:.1f} % of that; a night with "
            f"nothing new {nothing:.1f} s, {100 * nothing / first:.1f} %; reading the input once {read(source):.1f} s "
            f"(on {os.cpu_count()} processors)"
        )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
