"""Ten nights in any order, killed in between: nothing is lost, doubled or half-written."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.run.nights import left_by
from tests.run.small import a_key, rows, write_rows

pytestmark = pytest.mark.slow  # processes

KILLS = int(os.environ.get("ELISION_KILLS", "2"))  # `make kills`: 50
NIGHTS = 10 if KILLS >= 20 else 2
COMMAND = (sys.executable, "-c", "from elision.cli import main; main()", "run", "in.jsonl", "--progress", "none")
OPTIONS = ("--policy", "surrogate", "--key", "project.key", "--shard-rows", "20", "--workers", "2", "--text", "text",
           "--id", "id", "--patient", "patient", "--known", "name=name", "--effort", "rules")  # fmt: skip
NIGHTLY = (*OPTIONS, "--incremental", "--deleted", "remove")
PATIENCE = 120


def start(folder: Path, out: str, *options: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*COMMAND, "-o", out, *options], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_nights_that_are_killed_at_any_time_lose_double_and_leave_nothing(tmp_path: Path) -> None:
    a_key(tmp_path)
    rng = random.Random(11)
    data = rows(30 * NIGHTS)
    arrival = [rng.randrange(NIGHTS) for _ in data]
    killed, whole = 0, 4.0
    for night in range(NIGHTS):
        there = [row for row, came in zip(data, arrival, strict=True) if came <= night]
        write_rows(tmp_path / "in.jsonl", there[night == 1 :])  # in one night the first note is away
        while True:
            began = time.monotonic()
            process = start(tmp_path, "out.jsonl", *NIGHTLY)
            try:
                if killed * NIGHTS >= KILLS * (night + 1):
                    raise TimeoutError
                process.wait(timeout=rng.uniform(0.2, 1.1) * whole)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            except TimeoutError:
                _, told = process.communicate(timeout=PATIENCE)
                assert process.returncode == 0, told.decode()
                whole = time.monotonic() - began
                break
            else:
                assert process.returncode == 0
                process.communicate()
                break
    _, told = start(tmp_path, "one.jsonl", *OPTIONS).communicate(timeout=PATIENCE)
    assert left_by(tmp_path / "out.jsonl") == left_by(tmp_path / "one.jsonl"), told.decode()
    records = {path.name for path in (tmp_path / "out.jsonl.run").iterdir()}
    kept = {"manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock", "nights.db"}
    assert records == kept
    assert {path.name for path in tmp_path.iterdir()} == {
        "in.jsonl", "project.key", "out.jsonl", "out.jsonl.run", "one.jsonl", "one.jsonl.run"
    }  # fmt: skip
