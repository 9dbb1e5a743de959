"""A driver of a cluster of separate worker processes; `test_spark_cluster.py` starts it, in a process of its own.

    python -m tests.run.spark_cluster FOLDER NOTES

Notes of a tenth as many patients lie spread over all partitions. Each round says whether its rows and receipts are
those of `elision run`: with 1, 4 and 16 partitions, with an executor that is killed in the middle, and with tasks that
are begun twice since they take long.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socket import socket
from typing import Any

import pyspark

from elision.formats.tables.columns import Columns
from elision.run.how import How
from elision.run.spark import deidentify
from tests.run.small import a_key, done, rows, write_rows

COLUMNS = Columns(("text",), "id", "patient", known={"name": "name"}, keep=("extra",))
SAID: dict[str, Any] = {"columns": COLUMNS, "policy": "surrogate", "default_language": "en", "effort": "fast"}
SCHEMA = "id string, patient string, text string, name string, extra string"
CANARY = "Zyxwvutova"
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
PARTITIONS = {"1 partition": 1, "4 partitions": 4, "16 partitions": 16}
KILL, SPECULATION = "an executor killed", "tasks begun twice"
ROUNDS = (*PARTITIONS, KILL, SPECULATION)


def main(folder: Path, notes: int) -> None:
    key = a_key(folder)
    data = rows(notes, patients=max(2, notes // 10))
    data[0]["text"] = f"Patient name: Ida {CANARY}. She was well."
    expected = one_machine(folder, data, key)
    with cluster(folder) as spark:
        for at, name in enumerate(ROUNDS):
            began = time.perf_counter()
            random.Random(at).shuffle(data)
            made = deidentify(spread(spark, data, name), key=key, partitions=PARTITIONS.get(name, 8), **SAID)

            def both(made: Any = made) -> tuple[list[Any], list[str]]:
                clean = sorted(json.dumps(row.asDict(), sort_keys=True) for row in made.clean.collect())
                return clean, sorted(row["receipt"] for row in made.receipts.collect())

            same = (with_a_kill(spark, folder, both) if name == KILL else both()) == expected
            made.unpersist()
            what = "the same bytes" if same else "OTHER BYTES"
            print(f"{name}: {what}, {time.perf_counter() - began:.0f} s", flush=True)


def spread(spark: Any, data: list[dict[str, Any]], name: str) -> Any:
    """The rows in partitions; most in one, where tasks that take long are begun twice."""
    frame = spark.createDataFrame(data, SCHEMA)
    if name != SPECULATION:
        return frame.repartition(PARTITIONS.get(name, 8))
    few = len(data) // 5
    rest = spark.createDataFrame(data[:few], SCHEMA).repartition(7)
    return spark.createDataFrame(data[few:], SCHEMA).repartition(1).union(rest)


def one_machine(folder: Path, data: list[dict[str, Any]], key: str) -> tuple[list[Any], list[str]]:
    how = How(COLUMNS, "surrogate", key, default_language="en", effort="fast")
    done(write_rows(folder / "in.jsonl", data), folder / "out.jsonl", how, workers=1, rows=1000)
    clean = sorted(
        json.dumps(json.loads(line), sort_keys=True) for line in (folder / "out.jsonl").read_text().splitlines()
    )
    receipts = (folder / "out.jsonl.run" / "receipts.jsonl").read_text().splitlines()[:-1]
    for path in (folder / "in.jsonl", folder / "out.jsonl"):
        path.unlink()
    shutil.rmtree(folder / "out.jsonl.run")
    return clean, sorted(receipts)


@contextmanager
def cluster(folder: Path) -> Iterator[Any]:
    """A master and two workers of one processor each, which have different addresses of this machine: a task is begun
    twice only on another. All that they write lies in the folder."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.compress": "false",
        "spark.ui.enabled": "false",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "tables"),
        "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
        "spark.executorEnv.OMP_NUM_THREADS": "1",
        "spark.executor.memory": "1g",
        "spark.speculation": "true",
        "spark.speculation.efficiency.enabled": "false",
        "spark.speculation.interval": "50ms",
        "spark.speculation.multiplier": "1.1",
        "spark.speculation.quantile": "0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": JAVA,
        "spark.executor.extraJavaOptions": JAVA,
    }
    os.environ["PYSPARK_PYTHON"] = sys.executable
    (folder / "events").mkdir()
    with master_and_workers(folder) as address:
        builder = SparkSession.builder.master(address).appName("elision-cluster")
        for name, value in settings.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        try:
            yield session
        finally:
            session.stop()


@contextmanager
def master_and_workers(folder: Path) -> Iterator[str]:
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"spark://127.0.0.1:{port}"
    work = ("--cores", "1", "--memory", "1g", "--work-dir", str(folder / "work"), "--webui-port", "0")
    commands = (
        ("master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0"),
        *(("worker.Worker", address, "--host", host, *work) for host in ("127.0.0.1", "127.0.0.2")),
    )
    home = Path(pyspark.__file__).parent
    environment = {**os.environ, "SPARK_HOME": str(home), "SPARK_SCALA_VERSION": "2.13", "SPARK_LOCAL_IP": "127.0.0.1"}
    java = ("java", "-Xmx256m", *JAVA.split(), f"-Dspark.local.dir={folder}", "-cp", str(home / "jars" / "*"))
    with ExitStack() as end:
        log = end.enter_context((folder / "cluster.log").open("wb"))
        for name, *words in commands:
            command = [*java, f"org.apache.spark.deploy.{name}", *words]
            one = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            end.callback(one.wait, 20)
            end.callback(one.terminate)
        yield address


def with_a_kill(spark: Any, folder: Path, work: Callable[[], Any]) -> Any:
    """What the work gives while the first executor at work is killed."""
    tracker, ended = spark.sparkContext.statusTracker(), threading.Event()

    def kill() -> None:
        while not ended.is_set():
            if any(info and info.numCompletedTasks for info in map(tracker.getStageInfo, tracker.getActiveStageIds())):
                victim = executors(folder)[0]
                os.kill(victim, signal.SIGKILL)
                print("killed an executor", flush=True)
                return
            time.sleep(0.02)

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        return work()
    finally:
        ended.set()
        killer.join()


def executors(folder: Path) -> list[int]:
    """The processes of executors that work in the folder."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (place / "cmdline").read_bytes()
            if b"CoarseGrainedExecutorBackend" in words and (place / "cwd").resolve().is_relative_to(folder):
                found.append(int(place.name))
    return sorted(found)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
