"""How fast Spark is beside `elision run`, both with two processes on the same notes.

    python benchmarks/spark.py [NOTES] [--policy tag] [--patients 10] [--partitions 8]

Notes are generated as in `benchmarks/run.py`, with patients and known values, and go from Parquet to Parquet. Of both
the start is told apart: processes that begin and models that load. Spark runs as `local[2]`. The ratio is that of
notes a second without the start.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.run import write
from elision.run.plan import RunOptions, plan

COLUMNS = {"texts": ("note",), "id": "note_id", "patient": "person", "known": {"name": "name"}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", nargs="?", type=int, default=2000)
    parser.add_argument("--policy", default="tag")
    parser.add_argument("--patients", type=int, default=10, help="notes of each")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--effort", default="fast")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        write(here / "few.parquet", 20, given.patients)
        write(here / "in.parquet", given.notes, given.patients)
        start, all_ = (local(here, name, given) for name in ("few", "in"))
        began, work = on_spark(here, given)
        ours, theirs = given.notes / max(all_ - start, 1e-6), given.notes / work
        print("| | start s | notes/s |\n|---|---|---|")
        print(f"| elision run --workers 2 | {start:.1f} | {ours:.0f} |")
        print(f"| Spark local[2] | {began:.1f} | {theirs:.0f} |")
        print(f"\nratio {theirs / ours:.2f}, {given.notes:,} notes, policy {given.policy}, effort {given.effort}")


def local(here: Path, name: str, given: argparse.Namespace) -> float:
    """Seconds of a run on one machine."""
    from elision.run.local.runner import run

    options = RunOptions(columns=COLUMNS, policy=given.policy, language="en", workers=2, effort=given.effort)
    began = time.perf_counter()
    run(plan(str(here / f"{name}.parquet"), str(here / f"{name}-local.parquet"), options))
    return time.perf_counter() - began


def on_spark(here: Path, given: argparse.Namespace) -> tuple[float, float]:
    """Seconds until Spark has cleaned some first notes, and seconds for all."""
    from pyspark.sql import SparkSession

    from elision.run.spark import deidentify

    os.environ["PYSPARK_PYTHON"] = sys.executable
    began = time.perf_counter()
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")

    def clean(name: str) -> float:
        start = time.perf_counter()
        notes = spark.read.parquet(str(here / f"{name}.parquet")).repartition(given.partitions)
        made = deidentify(notes, COLUMNS, given.policy, language="en", effort=given.effort, partitions=given.partitions)
        made.clean.write.parquet(str(here / f"{name}-spark"))
        return time.perf_counter() - start

    clean("few")
    first = time.perf_counter() - began
    took = clean("in")
    spark.stop()
    return first, took


if __name__ == "__main__":
    main()
