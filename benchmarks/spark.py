"""What Spark costs: processor time, shuffle and memory, beside `elision run` on the same notes in the same run.

    python benchmarks/spark.py [EFFORT:NOTES ...] [--policy surrogate] [--patients 10] [--csv FILE]
    python benchmarks/spark.py --one-patient 100000

Notes of about 1.7 KB are generated as in `benchmarks/run.py`, with patients and known values, and go from Parquet to
Parquet, with receipts. Spark runs as `local[2]`, `elision run` with two workers. Of both the start is told apart:
processes that begin and models that load, which a first run over few notes does. Core-seconds are the processor time of
all processes together. They say more than seconds where others are at work. Ratios are notes a core-second, and notes a
second, of Spark to those of `elision run`. What is shuffled is counted by Spark itself, in its event log.

With --one-patient, that many short notes are of one patient, whose name the first alone states: what they cost, and in
how many the name is left.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.run import write
from elision.keys import Key
from elision.run.plan import RunOptions, plan

COLUMNS = {"texts": ("note",), "id": "note_id", "patient": "person", "known": {"name": "name"}}
FEW = 20
TASK = 250  # notes of a partition
TICKS = os.sysconf("SC_CLK_TCK")
HEADER = (
    "effort", "notes", "core-seconds for 10⁶ notes", "core-hours for 10⁹ notes", "MB of a Python process",
    "shuffle bytes a note", "shuffle bytes a patient", "ratio by core-seconds", "ratio by seconds", "printed",
)  # fmt: skip


@dataclass
class Cost:
    """What some work took. `memory`: the most of one Python process of an executor, in MB."""

    seconds: float = 0.0
    cores: float = 0.0
    memory: float = 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("efforts", nargs="*", default=["fast:2000"])
    parser.add_argument("--policy", default="surrogate")
    parser.add_argument("--patients", type=int, default=10, help="notes of each")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--one-patient", type=int, metavar="NOTES", help="notes of one patient; nothing else is done")
    given = parser.parse_args()
    if given.one_patient:
        print(of_one_patient(given.one_patient, given.policy))
        return
    rows = []
    print(f"| {' | '.join(HEADER)} |\n|{'---|' * len(HEADER)}", flush=True)
    for said in given.efforts:
        effort, _, notes = said.partition(":")
        rows.append(measured(effort, int(notes or 2000), given))
        print(f"| {' | '.join(map(str, rows[-1]))} |", flush=True)
        if given.csv:
            with given.csv.open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream, lineterminator="\n").writerows([HEADER, *rows])


def measured(effort: str, notes: int, given: argparse.Namespace) -> list[object]:
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        Key.new().write(here / "project.key")
        for name, number in (("few", FEW), ("in", notes)):
            write(here / f"{name}.parquet", number, given.patients)
        start, all_ = (on_one_machine(here, name, effort, given.policy) for name in ("few", "in"))
        ours = Cost(all_.seconds - start.seconds, all_.cores - start.cores)
        theirs, shuffled = on_spark(here, effort, notes, given.policy)
    print(f"# {effort}: elision run {ours}, Spark {theirs}, shuffled {shuffled:,} bytes", file=sys.stderr)
    return [
        effort,
        notes,
        round(theirs.cores / notes * 1e6),
        round(theirs.cores / notes * 1e9 / 3600),
        round(theirs.memory),
        round(shuffled / notes),
        round(shuffled / max(1, notes // given.patients)),
        f"{ours.cores / theirs.cores:.2f}",
        f"{ours.seconds / theirs.seconds:.2f}",
        time.strftime("%Y-%m-%d"),
    ]


def on_one_machine(here: Path, name: str, effort: str, policy: str) -> Cost:
    from elision.run.local.runner import run

    options = RunOptions(
        columns=COLUMNS, policy=policy, key=str(here / "project.key"), language="en", workers=2, effort=effort
    )
    with measuring() as cost:
        run(plan(str(here / f"{name}.parquet"), str(here / f"{name}-local.parquet"), options))
    return cost


def on_spark(here: Path, effort: str, notes: int, policy: str) -> tuple[Cost, int]:
    """What all notes cost after some first ones, and the bytes that were shuffled."""
    from pyspark.sql import SparkSession

    from elision.run.spark import write as write_

    os.environ["PYSPARK_PYTHON"] = sys.executable
    (here / "events").mkdir()
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.compress": "false",
        "spark.eventLog.dir": (here / "events").as_uri(),
    }
    builder = SparkSession.builder.master("local[2]")
    for setting, value in settings.items():
        builder = builder.config(setting, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    key = str(here / "project.key")
    costs = {}
    for name, source in (("cold", "few"), ("few", "few"), ("in", "in")):
        spark.sparkContext.setJobGroup(name, name)
        partitions = max(2, notes // TASK) if name == "in" else 2
        frame = spark.createDataFrame(spark.read.parquet(str(here / f"{source}.parquet")).toArrow())
        said: dict[str, Any] = {"columns": COLUMNS, "policy": policy, "key": key, "language": "en", "effort": effort}
        with measuring() as costs[name]:
            write_(frame.repartition(partitions), str(here / f"{name}-spark"), parts=1, partitions=partitions, **said)
    spark.stop()
    all_, start = costs["in"], costs["few"]
    cost = Cost(all_.seconds - start.seconds, all_.cores - start.cores, all_.memory)
    return cost, sum(shuffled_by(here / "events", "in"))


def of_one_patient(notes: int, policy: str) -> str:
    from pyspark.sql import SparkSession

    from elision.run.spark import deidentify

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    rows = [("first", "p", "Patient name: Ida Marlowe. She was well.")]
    rows += [(f"n{at}", "p", f"Seen on 0{at % 8 + 1}/0{at % 9 + 1}/2021. Marlowe rests.") for at in range(notes - 1)]
    with tempfile.TemporaryDirectory() as folder:
        key, out = Path(folder) / "project.key", str(Path(folder) / "out")
        Key.new().write(key)
        columns = {"texts": ["text"], "id": "id", "patient": "patient"}
        with measuring() as cost:
            frame = spark.createDataFrame(rows, "id string, patient string, text string").repartition(8)
            made = deidentify(frame, columns, policy, key, language="en", effort="fast", partitions=8, cache=False)
            made.clean.write.parquet(out)
        clean = spark.read.parquet(out)
        count, left = clean.count(), clean.where("text LIKE '%Marlowe%'").count()
    spark.stop()
    return f"{count:,} notes of one patient: {cost.seconds:.0f} s, {cost.memory:.0f} MB, the name left in {left:,}"


def shuffled_by(folder: Path, group: str) -> Iterator[int]:
    """The bytes that the tasks of a group of jobs wrote for a shuffle of sealed records; not what the benchmark itself
    spreads over partitions."""
    ours: set[int] = set()
    for file in sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")):
        for line in file.open(encoding="utf-8"):
            event = json.loads(line)
            if event["Event"] == "SparkListenerStageSubmitted":
                info = event["Stage Info"]
                is_sealed = any("MapInArrow" in one.get("Scope", "") for one in info["RDD Info"])
                if is_sealed and event.get("Properties", {}).get("spark.jobGroup.id") == group:
                    ours.add(info["Stage ID"])
            elif event["Event"] == "SparkListenerTaskEnd" and event["Stage ID"] in ours:
                yield event["Task Metrics"]["Shuffle Write Metrics"]["Shuffle Bytes Written"]


@contextmanager
def measuring() -> Iterator[Cost]:
    cost, ended = Cost(), threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            cost.memory = max(cost.memory, *(peak(pid) for pid in below() if of_spark(pid)), 0.0)

    watcher = threading.Thread(target=watch)
    watcher.start()
    began, cores = time.perf_counter(), cores_used()
    try:
        yield cost
    finally:
        cost.seconds, cost.cores = time.perf_counter() - began, cores_used() - cores
        ended.set()
        watcher.join()


def below() -> list[int]:
    """This process and all that it and those below it have begun."""
    parents = {int(path.name): int(fields(int(path.name))[1] or 0) for path in Path("/proc").glob("[0-9]*")}
    found = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found)


def fields(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name: state, parent, …"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["0"] * 50


def cores_used() -> float:
    """Seconds of processors of this process and all below it, also of those that have ended."""
    return sum(sum(map(int, fields(pid)[11:15])) for pid in below()) / TICKS


def of_spark(pid: int) -> bool:
    try:
        return b"pyspark.daemon" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


def peak(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1e3 for line in lines if line.startswith("VmHWM:")), 0.0)


if __name__ == "__main__":
    main()
