"""A run that is stopped anywhere goes on with the same command, and nobody can tell from what comes out."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from elision.errors import ElisionError
from elision.formats.tables.file_sink import FileSink
from elision.run import patient_store
from elision.run.how import How
from elision.run.local import report, runner, shards
from elision.run.local.progress import Progress
from tests.run.small import COLUMNS, a_key, by_id, done, plan, read_rows, rows, write_rows

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

KILLS = int(os.environ.get("ELISION_KILLS", "5"))  # `make kills`: 50
COMMAND = (sys.executable, "-c", "from elision.cli import main; main()", "run", "in.jsonl", "--progress", "none")
OPTIONS = ("--policy", "surrogate", "--key", "project.key", "--shard-rows", "40", "--workers", "2",
           "--text", "text", "--id", "id", "--patient", "patient", "--known", "name=name", "--column",
           "extra=drop")  # fmt: skip
PATIENCE = 60


def start(folder: Path, out: str = "out.jsonl", *options: str) -> subprocess.Popen[bytes]:
    command = [*COMMAND, "-o", out, *(options or OPTIONS)]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """How it ended, and what it said besides how it reads IN."""
    _, told = process.communicate(timeout=PATIENCE)
    lines = told.decode().splitlines(keepends=True)
    usual = ("reading in.jsonl as jsonl: ", "report, receipts and held notes: ")
    before = ": this run had ended before; "
    return process.returncode, "".join(line for line in lines if not line.startswith(usual) and before not in line)


def everything(folder: Path, name: str) -> str:
    """One hash of all that a run leaves, but for times."""
    digest = hashlib.sha256((folder / name).read_bytes())
    records = folder / f"{name}.run"
    for file in ("receipts.jsonl", "quarantine.jsonl"):
        digest.update((records / file).read_bytes())
    return digest.hexdigest()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_rows(tmp_path / "in.jsonl", rows(400))
    a_key(tmp_path)
    return tmp_path


def test_kill_9_at_any_time_loses_doubles_and_leaves_nothing(folder: Path) -> None:
    began = time.monotonic()
    assert ended(start(folder, "whole.jsonl")) == (0, "")
    whole = time.monotonic() - began
    rng = random.Random(5)
    killed = tries = 0
    while killed < KILLS:
        name = f"out{tries}.jsonl"
        tries += 1
        while True:
            process = start(folder, name)
            try:
                process.wait(timeout=rng.uniform(0.3, 1.0) * whole)
            except subprocess.TimeoutExpired:
                if killed == KILLS:
                    assert ended(process) == (0, "")
                    break
                process.kill()
                process.communicate()
                killed += 1
            else:
                assert ended(process) == (0, "")
                break
        assert everything(folder, name) == everything(folder, "whole.jsonl")
        records = {path.name for path in (folder / f"{name}.run").iterdir()}
        assert records == {"manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock"}
    ids = [row["id"] for row in read_rows(folder / "whole.jsonl")]
    assert ids == [f"n{at}" for at in range(400)]
    outs = {"whole.jsonl", *(f"out{at}.jsonl" for at in range(tries))}
    assert {path.name for path in folder.iterdir()} == {
        "in.jsonl", "project.key", *outs, *(f"{name}.run" for name in outs)
    }  # fmt: skip


@pytest.mark.parametrize(("sign", "status"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_run_that_is_asked_to_end_ends_and_goes_on(folder: Path, sign: signal.Signals, status: int) -> None:
    process = start(folder)
    staging = folder / "out.jsonl.run" / "staging"
    until = time.monotonic() + PATIENCE
    while not shards.done(staging, shards.LOOK) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(sign)
    code, told = ended(process)
    assert code == status
    assert told.startswith("stopped: nothing is half-written; what is done stays in out.jsonl.run")
    assert told.endswith("the same command goes on from there\n")
    assert not (folder / "out.jsonl").exists()
    assert ended(start(folder)) == (0, "")
    assert len(read_rows(folder / "out.jsonl")) == 400


class StoppedError(Exception):
    pass


# Where the run itself is stopped: before or after each step that the disk remembers.
STEPS = ["_look", "_finish", "_counted", "write_report", "finish"]


@pytest.mark.parametrize("keyed", [True, False], ids=["key", "no key"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_run_goes_on_from_every_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool, keyed: bool
) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(20))
    how = How(COLUMNS, key=a_key(tmp_path) if keyed else "")
    out, expected = tmp_path / "out.jsonl", tmp_path / "expected.jsonl"
    if step in ("write_report", "finish"):
        where, name = (report, step) if step == "write_report" else (FileSink, step)
    else:
        where, name = runner, step
    usual = getattr(where, name)

    def stopped(*given: object) -> None:
        if after:
            usual(*given)
        raise StoppedError

    with monkeypatch.context() as patch:
        patch.setattr(where, name, stopped)
        with pytest.raises(StoppedError):
            done(source, out, how)
    done(source, out, how)
    done(source, expected, how)
    assert out.read_bytes() == expected.read_bytes()
    assert not (tmp_path / "out.jsonl.run" / "staging").exists()


def test_shards_that_are_done_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(40))
    how = How(COLUMNS, key=a_key(tmp_path))
    out = tmp_path / "out.jsonl"
    passed: list[int] = []

    def stop_half_way(progress: Progress) -> None:
        if progress.share >= 0.75:
            raise StoppedError

    with pytest.raises(StoppedError):
        runner.run(plan(source, out, how, rows=10), stop_half_way)
    runner.run(plan(source, out, how, rows=10), lambda progress: passed.append(progress.before))
    assert passed
    assert passed[0] >= 50  # all that was looked at, and one shard at least that was cleaned
    assert len(by_id(out)) == 40


def test_what_cannot_be_written_is_told_and_can_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(20))
    out = tmp_path / "out.jsonl"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(patient_store, "merge", full)
        with pytest.raises(ElisionError, match="No space left on device"):
            done(source, out)
    assert not out.exists()
    done(source, out)
    assert len(read_rows(out)) == 20


def test_a_manifest_that_is_none_is_refused(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(5))
    done(source, tmp_path / "out.jsonl")
    manifest = tmp_path / "out.jsonl.run" / "manifest.json"
    for text in ("{", "[]", json.dumps({"version": 99})):
        manifest.write_text(text)
        with pytest.raises(ElisionError, match="no manifest of this version"):
            done(source, tmp_path / "out.jsonl")
