"""Nothing is left but what was asked for: no temporary file here or in the system's folder, however a command ends.

A temporary file holds what the command was about to write, or had read: notes that were held, names of patients.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from elision.run.local import shards
from tests.run.small import a_key, rows, write_rows

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

CODE = """
import resource, signal, sys
if (most := int(sys.argv.pop(1))) >= 0:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
from elision.cli import main
main()
"""
NOTE = "Patient name: Ada Quillfeather\nShe was seen on 3 May 2001 and was well. " + "No pain. " * 200
RECORDS = {"manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock"}
RUN = ("run", "in.jsonl", "-o", "out.jsonl", "--text", "text", "--id", "id", "--patient", "patient", "--policy",
       "surrogate", "--key", "project.key", "--language", "en", "--effort", "rules", "--progress", "none")  # fmt: skip
PATIENCE = 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with what commands are given, and one for the system's temporary files beside it."""
    for name in ("work", "temporary"):
        (tmp_path / name).mkdir()
    folder = tmp_path / "work"
    (folder / "in.txt").write_text(NOTE)
    (folder / "no-rule.toml").write_text('[labels]\nAGE = "tag"\n')
    write_rows(folder / "in.jsonl", rows(24))
    a_key(folder)
    return folder


def start(folder: Path, *words: object, most: int = -1) -> subprocess.Popen[str]:
    """A command that begins; no file of it may be larger than `most`, if that is a size."""
    temporary = str(folder.parent / "temporary")
    return subprocess.Popen(
        [sys.executable, "-c", CODE, str(most), *map(str, words)],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": temporary, "TEMP": temporary, "TMP": temporary},
    )  # fmt: skip


def status(process: subprocess.Popen[str]) -> int:
    process.communicate(timeout=PATIENCE)
    return process.returncode


def left(folder: Path, *expected: str, records: Iterable[str] = ()) -> None:
    """That only what there was at first and these files are there."""
    given = {"in.txt", "in.jsonl", "no-rule.toml", "project.key"}
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == given | set(expected) | {f"out.jsonl.run/{name}" for name in records}
    assert not list((folder.parent / "temporary").iterdir())


ONE = ("deidentify", "in.txt", "--effort", "rules", "--language", "en", "--key", "project.key", "-o", "out.txt",
       "--receipt", "r.jsonl", "--html", "page.html")  # fmt: skip


@pytest.mark.parametrize(
    ("words", "most", "expected"),
    [
        (ONE, -1, ["out.txt", "r.jsonl", "page.html"]),
        ((*ONE, "--policy", "no-rule.toml"), -1, ["r.jsonl"]),  # held
        ((*ONE, "--language", "xx"), -1, []),
        (ONE, 100, []),  # for nothing
        (ONE, 1500, ["r.jsonl"]),  # for the receipt, not for the note
        (ONE, 3000, ["r.jsonl", "out.txt"]),  # for both, not for the page
    ],
    ids=["done", "held", "refused", "no room", "little room", "some room"],
)
def test_one_note(folder: Path, words: tuple[str, ...], most: int, expected: list[str]) -> None:
    """What could be written may be there, and nothing else."""
    code = status(start(folder, *words, most=most))
    assert (code == 0) == ("page.html" in expected)
    there = [name for name in expected if (folder / name).exists()]
    assert there == expected if code == 0 else "out.txt" not in there or "out.txt" in expected
    left(folder, *there)


def test_a_key_for_which_there_is_no_room_leaves_none(folder: Path) -> None:
    assert status(start(folder, "key", "new", "other.key", most=3)) != 0
    (folder / "other.key").unlink(missing_ok=True)  # said to be there, and refused when it is read
    left(folder)


def test_a_run(folder: Path) -> None:
    assert status(start(folder, *RUN, "--workers", 2, "--shard-rows", 8)) == 0
    left(folder, "out.jsonl", records=RECORDS)


def test_a_run_with_notes_held(folder: Path) -> None:
    words = ["no-rule.toml" if word == "surrogate" else word for word in RUN]
    assert status(start(folder, *words, "--workers", 1)) == 1
    left(folder, "out.jsonl", records=RECORDS)


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill"])
def test_a_run_that_is_stopped_and_goes_on(folder: Path, sign: signal.Signals) -> None:
    words = (*RUN, "--workers", 2, "--shard-rows", 3)
    process = start(folder, *words)
    staging = folder / "out.jsonl.run" / "staging"
    until = time.monotonic() + PATIENCE
    while not shards.done(staging, shards.LOOK) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(sign)
    assert status(process) != 0
    assert not (folder / "out.jsonl").exists()
    assert not list((folder.parent / "temporary").iterdir())
    # what a kill in the middle of writing would leave
    (folder / "out.jsonl.run" / ".receipts.jsonl.99999.part").write_text(NOTE)
    (staging / ".clean-000000.json.99999.part").write_text(NOTE)
    assert status(start(folder, *words)) == 0
    left(folder, "out.jsonl", records=RECORDS)


@pytest.mark.parametrize("most", [300, 9_000])
def test_a_run_without_room_that_goes_on(folder: Path, most: int) -> None:
    words = (*RUN, "--workers", 1, "--shard-rows", 8)
    assert status(start(folder, *words, most=most)) == 2
    assert not (folder / "out.jsonl").exists()
    parts = [path for path in folder.rglob(".*.part") if path.is_file()]
    assert not parts
    assert status(start(folder, *words)) == 0
    left(folder, "out.jsonl", records=RECORDS)


def test_a_run_that_is_refused(folder: Path) -> None:
    assert status(start(folder, *RUN, "--known", "name=nobody")) == 2
    left(folder)
