"""Incremental runs: whatever the nights bring, in whatever order, what comes out is as one run over the last input."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.errors import ElisionError
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.run.engine import Engine
from elision.run.local import night as night_module
from elision.run.local import night_shards
from elision.run.local.folder import alone
from elision.run.local.manifest import read as manifest_of
from elision.run.plan import plan
from tests.run.inline import inline
from tests.run.nights import KEY, NAMES, TEXTS, Snapshot, left_by, night, once, options, rows_of, write_input
from tests.run.small import Row, read_rows

EVENING: Snapshot = [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 3), (6, 4)]
MORNING: Snapshot = [(7, 0), (0, 0), (1, 2), (2, 1), (3, 1), (5, 3), (6, 4), (8, 0)]  # new, changed, gone


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    inline(monkeypatch)


def nights(folder: Path, out: object, *snapshots: Snapshot, ending: str = ".parquet", **more: Any) -> Path:
    source = folder / f"in{ending}"
    for snapshot in snapshots:
        night(write_input(source, rows_of(snapshot)), out, **more)
    return source


some = st.lists(st.tuples(st.integers(0, 11), st.integers(0, 4)), max_size=9, unique_by=lambda note: note[0])


@pytest.mark.slow
@given(snapshots=st.lists(some, min_size=2, max_size=4), ending=st.sampled_from(["jsonl", "csv", "parquet"]))
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nights_with_edits_and_deletions_are_one_run_over_the_last_input(
    snapshots: list[Snapshot], ending: str
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = nights(folder, folder / f"out.{ending}", *snapshots)
        once(source, folder / f"one.{ending}")
        assert left_by(folder / f"out.{ending}") == left_by(folder / f"one.{ending}")


def test_a_folder_has_the_same_files_and_those_that_stay_are_not_written_again(tmp_path: Path) -> None:
    by_name = {"columns": {}, "patient_pattern": "^(p[0-9])_"}
    nights(tmp_path, tmp_path / "out", EVENING, ending="", **by_name)
    before = (tmp_path / "out" / "p2_n5.txt").stat().st_ino
    source = nights(tmp_path, tmp_path / "out", MORNING, ending="", **by_name)
    once(source, tmp_path / "one", **by_name)
    assert left_by(tmp_path / "out") == left_by(tmp_path / "one")
    assert (tmp_path / "out" / "p2_n5.txt").stat().st_ino == before
    (tmp_path / "out" / "p2_n5.txt").unlink()
    with pytest.raises(ElisionError, match="not as the run left it"):
        nights(tmp_path, tmp_path / "out", EVENING, ending="", **by_name)


def test_new_rows_that_stand_together_are_work_for_several_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In stretches smaller than the shards of a run, whose numbers the list of held notes has all the same."""
    looked: list[int] = []
    usual = night_shards._look

    def look(job: Any, task: Any, tell: Any) -> Any:
        looked.append(len(task.rows))
        return usual(job, task, tell)

    monkeypatch.setattr(night_shards, "_look", look)
    monkeypatch.setattr(night_module, "STRETCH", 2)
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, [(at, 0) for at in range(4)], rows=5)
    looked.clear()
    source = nights(tmp_path, out, [(at, at % 5) for at in range(4)] + [(at, 4) for at in range(4, 9)], rows=5)
    assert len(looked) >= 4
    once(source, tmp_path / "one.jsonl", rows=5)
    assert left_by(out) == left_by(tmp_path / "one.jsonl")


def test_documents_of_another_format(tmp_path: Path) -> None:
    source = nights(tmp_path, tmp_path / "out", EVENING, MORNING, to="brat")
    once(source, tmp_path / "one", to="brat")
    assert left_by(tmp_path / "out") == left_by(tmp_path / "one")


def test_a_table_of_a_database_has_the_same_rows(tmp_path: Path) -> None:
    urls = [f"sqlite:///{tmp_path / name}.db?table=note" for name in ("out", "one")]
    source = nights(tmp_path, urls[0], EVENING, MORNING)
    once(source, urls[1])
    out, one = (
        sqlite3.connect(tmp_path / f"{name}.db").execute("SELECT * FROM note ORDER BY id").fetchall()
        for name in ("out", "one")
    )
    assert out == one
    assert len(out) == len(MORNING)
    with sqlite3.connect(tmp_path / "out.db") as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        assert tables == ["note"]
        connection.execute("DELETE FROM note WHERE id = 'n0'")
    with pytest.raises(ElisionError, match="not as the run left it"):
        nights(tmp_path, urls[0], EVENING)


def test_what_a_new_note_teaches_is_hidden_in_older_ones_and_no_detector_looks_at_them_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    usual = Engine.found

    def found(self: Engine, cells: Any) -> Any:
        looked.extend(cell.document.id for cell in cells)
        return usual(self, cells)

    monkeypatch.setattr(Engine, "found", found)
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, [(3, 1), (1, 3)])
    assert "Roebuck" in read_rows(out)[0]["text"]  # nobody knows yet that it is a name
    looked.clear()
    nights(tmp_path, out, [(3, 1), (1, 3), (6, 0)])
    assert "Roebuck" not in out.read_text()
    assert looked == ["n6"]
    state = manifest_of(tmp_path / "out.jsonl.run")
    assert state
    assert {name: state.nights[-1][name] for name in ("new", "changed", "replaced", "removed")} == {
        "new": 1,
        "changed": 0,
        "replaced": 1,
        "removed": 0,
    }


def test_a_stand_in_that_became_somebodys_name_is_another_one(tmp_path: Path) -> None:
    out, one, source = tmp_path / "out.jsonl", tmp_path / "one.jsonl", tmp_path / "in.jsonl"
    rows: list[Row] = rows_of([(0, 0), (1, 3)])
    night(write_input(source, rows), out)
    stand_in = read_rows(out)[0]["text"].partition(": ")[2].partition("\n")[0]
    rows += [{"id": "n9", "patient": "p9", "text": TEXTS[3], "name": stand_in}]
    night(write_input(source, rows), out)
    assert stand_in not in out.read_text()
    once(source, one)
    assert left_by(out) == left_by(one)


def test_the_same_night_twice_changes_nothing_and_says_so(tmp_path: Path) -> None:
    out = tmp_path / "out.parquet"
    source = nights(tmp_path, out, EVENING)
    before = left_by(out), out.stat().st_ino
    os.utime(source, (1, 1))
    assert night(source, out).before
    assert (left_by(out), out.stat().st_ino) == before
    assert {path.name for path in (tmp_path / "out.parquet.run").iterdir()} == {
        "manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock", "nights.db"
    }  # fmt: skip


def test_many_notes_that_are_gone_are_refused_unless_somebody_says_what_becomes_of_them(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, EVENING)
    before = left_by(out)
    with pytest.raises(ElisionError, match="3 of 7 notes are no longer there"):
        nights(tmp_path, out, EVENING[:4], deleted="")
    assert left_by(out) == before
    state = manifest_of(tmp_path / "out.jsonl.run")
    assert state
    assert state.state == "done"  # a refusal leaves it as it was
    with pytest.raises(ElisionError, match="1 of 7 notes are no longer there, and --deleted refuse was said"):
        nights(tmp_path, out, EVENING[:6], deleted="refuse")
    source = nights(tmp_path, out, EVENING[:4])
    once(source, tmp_path / "one.jsonl")
    assert left_by(out) == left_by(tmp_path / "one.jsonl")


def test_a_few_that_are_gone_are_taken_out_and_told(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, [(at, at % 4) for at in range(12)])
    nights(tmp_path, out, [(at, at % 4) for at in range(11)], deleted="")
    assert len(read_rows(out)) == 11
    assert "1 removed" in (tmp_path / "out.jsonl.run" / "report.html").read_text()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"policy": "mask"}, "Changed: policy, was surrogate, now mask"),
        ({"memory": False}, "memory, was on, now off"),
        ({"incremental": False, "deleted": ""}, "incremental, was on, now none"),
        ({"key": ""}, "needs a key|needs --key"),
        ({"columns": {"texts": ("text",), "patient": "patient"}}, "say which column has them"),
        ({"repeated_ids": True}, "leave --repeated-ids out"),
        ({"deleted": "perhaps"}, "say remove or refuse"),
    ],
)
def test_what_must_be_the_same_every_night(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    out = tmp_path / "out.jsonl"
    source = nights(tmp_path, out, EVENING)
    before = left_by(out)
    work = once if "incremental" in more else night
    with pytest.raises(ElisionError, match=told):
        work(source, out, **more)
    assert left_by(out) == before


def test_another_key_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    source = nights(tmp_path, out, EVENING)
    Key.new().write(tmp_path / "other.key")
    with pytest.raises(ElisionError, match=r"Changed: key \(its fingerprint\)"):
        night(source, out, key=str(tmp_path / "other.key"))


@pytest.mark.parametrize("what", ["store", "no store", "output", "receipts", "old store"])
def test_what_is_damaged_is_refused_by_name(tmp_path: Path, what: str) -> None:
    out, folder = tmp_path / "out.jsonl", tmp_path / "out.jsonl.run"
    nights(tmp_path, out, EVENING)
    store = folder / "nights.db"
    earlier = store.read_bytes()
    nights(tmp_path, out, MORNING)
    if what == "store":
        data = bytearray(store.read_bytes())
        data[len(data) // 2] ^= 1
        store.write_bytes(data)
    elif what == "no store":
        store.unlink()
    elif what == "old store":
        store.write_bytes(earlier)
    elif what == "output":
        out.write_text(out.read_text().replace("cleaned", "Cleaned", 1))
    else:
        receipts = folder / "receipts.jsonl"
        receipts.write_text(receipts.read_text().replace('"status":"done"', '"status":"held"', 1))
    named = {"output": "out.jsonl: is not as", "receipts": "receipts.jsonl: the receipts are not"}
    before = out.read_bytes()
    with pytest.raises(ElisionError, match=named.get(what, "nights.db: is")):
        nights(tmp_path, out, EVENING)
    assert out.read_bytes() == before
    source = nights(tmp_path, out, EVENING, force=True)  # as the error says
    once(source, tmp_path / "one.jsonl")
    assert left_by(out) == left_by(tmp_path / "one.jsonl")


def test_no_word_of_a_note_is_kept_between_the_nights(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, EVENING, MORNING)
    store = tmp_path / "out.jsonl.run" / "nights.db"
    kept = store.read_bytes()
    words = {word for text in TEXTS for word in text.split() if len(word) > 4} - {"patient"}  # a column has this name
    for word in (*words, *(word for name in NAMES for word in name.split()), "NAME", "DATE"):
        assert word.encode() not in kept, word
    with closing(sqlite3.connect(store)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        values = {value for name in tables for row in database.execute(f"SELECT * FROM {name}") for value in row}
    assert values
    assert not values & {"n0", b"n0", "p1", b"p1"}  # ids: two letters stand in many a hash
    if os.name == "posix":
        assert store.stat().st_mode & 0o077 == 0


def test_the_command_says_what_the_night_brought_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def command(snapshot: Snapshot, *more: str) -> Result:
        words = ("--text", "text", "--id", "id", "--patient", "patient", "--key", KEY, "--policy", "surrogate")
        source = write_input(tmp_path / "in.jsonl", rows_of(snapshot))
        usual = ("--effort", "rules", "--progress", "none", "--incremental")
        return CliRunner().invoke(app, ["run", str(source), "-o", str(tmp_path / "out.csv"), *words, *usual, *more])

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(night_module, "cleaned", stopped)
        told = command(EVENING).output
    assert "stopped: nothing is half-written" in told
    assert "the same command goes on from there" in told
    first = command(EVENING)
    assert first.exit_code == 1  # one note is held
    assert "this night   7 new" in first.output
    advice = CliRunner().invoke(app, ["held", str(tmp_path / "out.csv.run"), "--by", "why"]).output
    assert "the next night tries them again" in advice
    assert "--retry-held" not in advice
    assert "nothing is new in" in command(EVENING).output
    again = command(MORNING, "--deleted", "remove", "--json")
    assert json.loads(again.stdout.splitlines()[-1])["night"] == {
        "new": 2, "changed": 1, "replaced": 1, "removed": 1
    }  # fmt: skip
    refused = command(EVENING, "--deleted", "refuse")
    assert "2 of 8 notes are no longer there" in str(refused.exception)


class StoppedError(BaseException):
    pass


STEPS = ["cleaned", "order_of", "new_receipts", "new_held", "digest_of", "write_report", "give_up"]


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_night_goes_on_from_every_step_even_if_the_input_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, after: bool
) -> None:
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, EVENING)
    usual = getattr(night_module, step)

    def stopped(*given: object, **named: object) -> object:
        if after:
            usual(*given, **named)
        raise StoppedError

    for snapshot in ([(1, 0), (7, 2), (0, 3)], MORNING, MORNING):
        with monkeypatch.context() as patch:
            patch.setattr(night_module, step, stopped)
            with pytest.raises(StoppedError):
                nights(tmp_path, out, snapshot)
    source = nights(tmp_path, out, MORNING)
    once(source, tmp_path / "one.jsonl")
    assert left_by(out) == left_by(tmp_path / "one.jsonl")


def test_what_was_looked_at_is_not_looked_at_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out.jsonl"
    calls: list[str] = []
    usual = night_shards._look

    def look(job: Any, task: Any, tell: Any) -> Any:
        calls.append("look")
        return usual(job, task, tell)

    def stopped(*_: object) -> None:
        raise StoppedError

    monkeypatch.setattr(night_shards, "_look", look)
    with monkeypatch.context() as patch:
        patch.setattr(night_shards, "_clean", stopped)
        with pytest.raises(StoppedError):
            nights(tmp_path, out, EVENING)
    assert len(calls) == 3
    nights(tmp_path, out, EVENING)
    assert len(calls) == 3


def test_two_at_the_same_time_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    nights(tmp_path, out, EVENING)
    with (
        alone(tmp_path / "out.jsonl.run"),
        pytest.raises(ElisionError, match="another run is at work there"),
    ):
        nights(tmp_path, out, MORNING)


def test_held_notes_are_not_tried_again_by_two_options(tmp_path: Path) -> None:
    from elision.run.local.retry import retry

    source = nights(tmp_path, tmp_path / "out.jsonl", EVENING)
    with pytest.raises(ElisionError, match="leave one out"):
        retry(plan(str(source), str(tmp_path / "out.jsonl"), options(incremental=True)))


@pytest.mark.parametrize(
    "more", [{"columns": {"texts": ("text",), "id": "id"}}, {"memory": False}, {"ids": "keyed"}, {"policy": "tag"}]
)
def test_other_runs(tmp_path: Path, more: dict[str, Any]) -> None:
    out, one = tmp_path / "out.csv", tmp_path / "one.csv"
    source = nights(tmp_path, out, EVENING, MORNING, **more)
    once(source, one, **more)
    assert left_by(out) == left_by(one)


def test_another_column_in_the_input_is_told_in_the_receipts(tmp_path: Path) -> None:
    out, one, source = tmp_path / "out.csv", tmp_path / "one.csv", tmp_path / "in.jsonl"
    night(write_input(source, rows_of(EVENING)), out)
    night(write_input(source, [{**row, "ward": "3"} for row in rows_of(EVENING)]), out)
    once(source, one)
    assert left_by(out) == left_by(one)


def test_columns_beside_the_notes_stay_in_step(tmp_path: Path) -> None:
    columns = {"texts": ("text",), "id": "id", "patient": "patient", "operators": {"name": "pseudonym:name"}}
    out, one = tmp_path / "out.csv", tmp_path / "one.csv"
    source = nights(tmp_path, out, EVENING, MORNING, columns=columns)
    once(source, one, columns=columns)
    assert left_by(out) == left_by(one)
    assert Columns(**columns).changed  # type: ignore[arg-type]
    counts = json.loads((tmp_path / "out.csv.run" / "manifest.json").read_text())["counts"]
    assert counts["nulls"] == json.loads((tmp_path / "one.csv.run" / "manifest.json").read_text())["counts"]["nulls"]
