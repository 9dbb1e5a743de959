"""Workers that die: one note that nobody can bear costs that note, and no other."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from pathlib import Path

import pytest

from elision.errors import RunError
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.limits import Limits, memory_of
from elision.run.how import How
from elision.run.local import workers
from elision.run.local.shards import Job, Task
from elision.run.rows import STATUS
from tests.run.small import COLUMNS, Broken, Row, by_id, done, read_rows, rows, write_rows

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

FAILING = ("tests.run.small:failing",)
ONE_LOOK = Columns(texts=("text",), id="id")


def with_words(table: list[Row], words: dict[int, str]) -> list[Row]:
    return [{**row, "text": f"{row['text']} {words.get(at, '')}"} for at, row in enumerate(table)]


def held(out: Path) -> dict[str, str]:
    quarantine = read_rows(out.with_name(f"{out.name}.run") / "quarantine.jsonl")
    return {row["note"]: row["why"] for row in quarantine}


@pytest.mark.parametrize(("columns", "deadly"), [(ONE_LOOK, (5, 7)), (COLUMNS, (23,))], ids=["one look", "two looks"])
def test_a_note_over_which_workers_die_is_held_alone(tmp_path: Path, columns: Columns, deadly: tuple[int, ...]) -> None:
    table = with_words(rows(40), dict.fromkeys(deadly, "die here"))
    source = write_rows(tmp_path / "in.jsonl", table)
    out = tmp_path / "out.jsonl"
    ended = done(source, out, How(columns, detectors=FAILING), workers=2)
    assert held(out) == {f"n{at}": "worker-died" for at in deadly}
    assert ended.held == len(deadly)
    clean = tmp_path / "clean.jsonl"
    done(write_rows(tmp_path / "without.jsonl", rows(40)), clean, How(columns))
    expected = by_id(clean)
    for id, row in by_id(out).items():
        if id in held(out):
            assert (row["text"], row[STATUS]) == (None, "held")
        else:
            assert row["text"].rstrip() == expected[id]["text"].rstrip()


def test_a_shard_over_which_a_worker_died_once_is_done_again(tmp_path: Path) -> None:
    table = with_words(rows(40), {5: f"die once in {tmp_path / 'flag'}"})
    ended = done(write_rows(tmp_path / "in.jsonl", table), tmp_path / "out.jsonl", How(ONE_LOOK, detectors=FAILING))
    assert (tmp_path / "flag").exists()
    assert ended.held == 0


@pytest.mark.parametrize(("columns", "at"), [(ONE_LOOK, 5), (COLUMNS, 23)], ids=["one look", "two looks"])
@pytest.mark.parametrize("how", ["hang here", "hang in C here", "eat memory here"])
def test_a_note_beyond_its_limits_is_held_alone(tmp_path: Path, how: str, columns: Columns, at: int) -> None:
    if "memory" in how and not memory_of(os.getpid()):
        pytest.skip("this system does not tell what memory a process has")
    source = write_rows(tmp_path / "in.jsonl", with_words(rows(30), {at: how}))
    out = tmp_path / "out.jsonl"
    limits = Limits(1.0) if "hang" in how else Limits(60, 200)
    ended = done(source, out, How(columns, detectors=FAILING), workers=2, limits=limits)
    assert held(out) == {f"n{at}": "timeout" if "hang" in how else "memory"}
    assert (ended.held, len(read_rows(out))) == (1, 30)
    assert not multiprocessing.active_children()


def test_time_counts_for_notes_and_not_for_a_slow_source(tmp_path: Path) -> None:
    source = Broken(open_source(write_rows(tmp_path / "in.jsonl", rows(20))), slow=2.0)
    assert done(source, tmp_path / "out.jsonl", How(ONE_LOOK), limits=Limits(1.5)).held == 0


def test_when_too_many_die_the_rest_of_the_shard_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "DEATHS", 2)
    table = with_words(rows(20), dict.fromkeys((2, 4, 6, 8), "die here"))
    out = tmp_path / "out.jsonl"
    done(write_rows(tmp_path / "in.jsonl", table), out, How(ONE_LOOK, detectors=FAILING))
    assert sorted(held(out)) == sorted(["n2", "n4", "n5", "n6", "n7", "n8", "n9"])
    assert len(read_rows(out)) == 20


def test_a_source_that_fails_ends_the_run_and_quotes_nothing(tmp_path: Path) -> None:
    source = Broken(open_source(write_rows(tmp_path / "in.jsonl", rows(40))), at=20)
    with pytest.raises(RunError, match="internal error: ValueError") as error:
        done(source, tmp_path / "out.jsonl", workers=2)
    assert not any(name in str(error.value) for name in ("Roebuck", "patient was"))
    assert not (tmp_path / "out.jsonl").exists()


WAYS = {"a note": "fail here", "its memory": "no memory here", "its spans": "beyond here"}


def printed(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """What a run and its workers print, all that they have."""
    root = Path(__file__).parents[2]
    path = os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))
    there = {"PYTHONPATH": path, "PYTHONFAULTHANDLER": "1", "PYTHONUNBUFFERED": "1"}
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder,
                          env={**os.environ, **there})  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_worker_prints_nothing_whatever_a_detector_says(tmp_path: Path, way: str) -> None:
    canary = "Quillfeather"
    table = with_words(rows(6), dict.fromkeys((1, 4), f"{canary} {WAYS[way]}"))
    write_rows(tmp_path / "in.jsonl", table)
    script = f"""
from pathlib import Path
from elision.run.how import How
from tests.run.small import COLUMNS, done
how = How(COLUMNS, detectors={FAILING!r}, language="en", effort="rules")
done(Path("in.jsonl"), Path("out.jsonl"), how, rows=3)
"""
    told = printed(tmp_path, script)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")
    assert {"n1", "n4"} <= set(held(tmp_path / "out.jsonl"))
    for file in (path for path in tmp_path.rglob("*") if path.is_file() and path.name != "in.jsonl"):
        assert canary.encode() not in file.read_bytes(), file


@pytest.mark.parametrize("where", ["perform", "shared", "_done"])
def test_a_worker_that_fails_itself_prints_nothing(tmp_path: Path, where: str) -> None:
    """Whatever fails in it, even what nobody thought of: a traceback would quote the note that it was at."""
    script = f"""
import pickle, sys
import elision.run.local.workers as workers
from tests.run.small import COLUMNS
from tests.run.test_workers import Pipe
def failing(*_):
    raise SystemError("of Jane Quillfeather")
workers.{where} = failing
workers.threading.Thread = lambda **_: type("Thread", (), {{"start": lambda self: None}})()
workers.work(Pipe(), Pipe.job())
"""
    told = printed(tmp_path, script)
    assert (told.stdout, told.stderr) == ("", "")
    assert told.returncode == 1


class Pipe:
    """A pipe through which one task comes, and nothing after it."""

    def __init__(self) -> None:
        self.tasks = [Task("clean", 0, {"start": 0, "rows": 1})]

    def recv(self) -> Task:
        if not self.tasks:
            raise ValueError("Jane Quillfeather")
        return self.tasks.pop()

    def send(self, said: tuple[object, ...]) -> None:
        assert "Quillfeather" not in repr(said)

    @staticmethod
    def job() -> Job:
        return Job(None, None, How(ONE_LOOK), Path("staging"))  # type: ignore[arg-type]


def test_scripts_without_a_guard_can_run(tmp_path: Path) -> None:
    write_rows(tmp_path / "in.jsonl", rows(10))
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\nfrom tests.run.small import done\nprint('once')\n"
        f"done(Path({str(tmp_path / 'in.jsonl')!r}), Path({str(tmp_path / 'out.jsonl')!r}))\n"
    )
    root = Path(__file__).parents[2]
    told = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH"))))},
    )
    assert (told.stdout, told.stderr, told.returncode) == ("once\n", "", 0)


def test_a_worker_multiplies_in_one_thread_and_the_run_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    with workers._one_thread():
        assert os.environ["OPENBLAS_NUM_THREADS"] == "1"
        assert os.environ["OMP_NUM_THREADS"] == "3"  # somebody said it
    assert "OPENBLAS_NUM_THREADS" not in os.environ
