"""What a run may write over: nothing that is read, nothing of others, and the earlier output only as a whole."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from elision.errors import ElisionError, FormatError
from elision.formats.tables import placing
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.models import swap
from elision.run.how import How
from elision.run.local import folder as own
from elision.run.local import runner, shards, workers
from elision.run.local.progress import Ended
from elision.run.plan import RunPlan
from tests.run.containers import COLUMNS, SCHEMA, Given
from tests.run.inline import inline

NOTES = [{"id": at, "text": f"note {at}"} for at in "abcd"]
SWAPPED = [{"id": at, "text": f"newer {at}"} for at in "bce"]  # two stay, two are gone, one is new
PLAIN = How(Columns(("text",), "id"), effort="rules", memory=False, language="en")


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    inline(monkeypatch)  # what is forced onto the disk when is a test of its own


def write_notes(folder: Path, **notes: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in notes.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def go(where: Path | str, out: Path | str, *, folder: Path | None = None, **options: Any) -> Ended:
    """A run, as the command line would begin it."""
    source, how = open_source(str(where)), options.pop("how", PLAIN)

    def sink(staging: Path, schema: Any, may: bool) -> Any:
        return open_sink(out, source, how.columns, schema, staging=staging, force=may)

    records = folder or Path(str(out).partition("?")[0].removeprefix("sqlite:///") + ".run")
    return runner.run(RunPlan(source, how, str(out), records, sink, **{"rows": 2, **options}))


def content(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


def refused(said: str, *given: Any, **options: Any) -> None:
    with pytest.raises(ElisionError, match=said):
        go(*given, **options)


WELL = "The wound was clean and she was well."


# --- the earlier output ----------------------------------------------------------------------------------------------


def test_a_note_that_is_held_now_does_not_stay_from_an_earlier_run(tmp_path: Path) -> None:
    notes, out = write_notes(tmp_path / "in", a=WELL, b=WELL), tmp_path / "out"
    go(notes, out)
    assert set(content(out)) == {"a.txt", "b.txt"}
    write_notes(notes, b=f"{WELL} " * 100)
    ended = go(notes, out, how=How(PLAIN.columns, effort="rules", memory=False, language="en", most=200), force=True)
    assert ended.held == 1
    assert set(content(out)) == {"a.txt"}
    assert {path.name for path in tmp_path.iterdir()} == {"in", "out", "out.run"}
    (notes / "a.txt").unlink()
    write_notes(notes, c=WELL)
    go(notes, out, force=True)
    assert set(content(out)) == {"b.txt", "c.txt"}


def test_a_folder_with_files_of_others_is_not_replaced(tmp_path: Path) -> None:
    notes, out = write_notes(tmp_path / "in", a=WELL), write_notes(tmp_path / "out", mine="stays")
    refused("a file not written by the run", notes, out, force=True)
    shutil.rmtree(out)
    assert not (tmp_path / "out.run").exists()
    go(notes, out)
    for other in ("mine.txt", "deep/mine.txt", "link"):
        (out / other).parent.mkdir(exist_ok=True)
        (out / other).symlink_to(notes) if other == "link" else (out / other).write_text("stays")
        refused("a file not written by the run of .*move them elsewhere", notes, out, force=True)
        assert os.path.lexists(out / other)
        (out / other).unlink()
    refused("a file not written by the run", notes, out, force=True, folder=tmp_path / "elsewhere.run")
    go(notes, out, force=True)
    shutil.copytree(out, tmp_path / "copy")
    refused("a file not written by the run", notes, tmp_path / "copy", force=True, folder=tmp_path / "out.run")


@pytest.mark.parametrize(("where", "step"), [(runner, "_counted"), (placing.Placing, "_settle_down")])
def test_what_others_put_there_during_the_run_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: Any, step: str
) -> None:
    notes = write_notes(tmp_path / "in", a=WELL)
    usual = getattr(where, step)

    for name, force in (("new", False), ("forced", True)):
        out = tmp_path / name
        if force:
            go(notes, out)

        def meddling(*given: Any, out: Path = out) -> Any:
            write_notes(out, mine="stays")
            return usual(*given)

        with monkeypatch.context() as patch:
            patch.setattr(where, step, meddling)
            refused("there already|not written by the run", notes, out, force=force)
        assert (out / "mine.txt").read_text() == "stays"
        assert ("a.txt" in content(out)) == force
        (out / "mine.txt").unlink()
        go(notes, out, force=force)
        assert set(content(out)) == {"a.txt"}


@pytest.mark.parametrize("format", ["csv", "text", "brat"])
def test_an_output_is_as_open_as_the_one_before(tmp_path: Path, format: str) -> None:
    def make(rows: Any, force: bool) -> None:
        sink = open_sink(tmp_path / "out", Given(rows), COLUMNS, SCHEMA, format=format, staging=staging, force=force)
        sink.put(0, Given(rows).read({"start": 0, "rows": len(rows)}))
        sink.finish()
        shutil.rmtree(staging)

    staging = tmp_path / "run" / "s"
    make(NOTES, force=False)
    (tmp_path / "out").chmod(0o700)
    make(SWAPPED, force=True)
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


# --- places ----------------------------------------------------------------------------------------------------------


def test_out_is_nothing_that_is_read(tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "in", a=WELL, b=WELL)
    (tmp_path / "in.csv").write_text(f"id,text\n1,{WELL}\n")
    (tmp_path / "tables").mkdir()
    for name in "ab":
        shutil.copy(tmp_path / "in.csv", tmp_path / "tables" / f"{name}.csv")
    (tmp_path / "link.csv").symlink_to(tmp_path / "in.csv")
    os.link(tmp_path / "in.csv", tmp_path / "hard.csv")
    os.link(tmp_path / "tables" / "a.csv", tmp_path / "hard-a.csv")
    (tmp_path / "alias").symlink_to(tmp_path / "tables")
    (tmp_path / "dangling.csv").symlink_to(tmp_path / "none.csv")
    before = content(tmp_path)
    table, glob = tmp_path / "in.csv", str(tmp_path / "tables" / "*.csv")
    cases: list[tuple[Path | str, Path, str]] = [
        (table, table, "same place"),
        (table, tmp_path / "hard.csv", "same place"),
        (table, tmp_path / "link.csv", "same place"),
        (table, tmp_path / "in" / ".." / "in.csv", "same place"),
        (table, tmp_path / "dangling.csv", "symbolic link"),
        (glob, tmp_path / "tables" / "b.csv", "OUT lies inside IN"),
        (glob, tmp_path / "tables" / "new.csv", "OUT lies inside IN"),
        (glob, tmp_path / "alias" / "new.csv", "OUT lies inside IN"),
        (glob, tmp_path / "hard-a.csv", "one of the files of IN"),
        (str(tmp_path / "**" / "*.csv"), tmp_path / "tables" / "deep" / "x.csv", "OUT lies inside IN"),
        (notes, notes / "out", "OUT lies inside IN"),
        (notes / "a.txt", notes, "IN lies inside OUT"),
        (notes, tmp_path, "IN lies inside OUT"),
    ]
    for where, out, said in cases:
        refused(said, where, out, force=True, folder=tmp_path / "records")
        assert not (tmp_path / "records").exists() or said == "symbolic link"
        shutil.rmtree(tmp_path / "records", ignore_errors=True)
        assert content(tmp_path) == before
    go(glob, tmp_path / "tables" / "all.jsonl", repeated_ids=True)  # no pattern of a CSV has this name
    go(str(tmp_path / "tab*" / "b.csv"), tmp_path / "b.csv")


def test_out_is_no_other_file_of_the_run(tmp_path: Path) -> None:
    notes, mine = write_notes(tmp_path / "in", a=WELL), tmp_path / "mine"
    mine.mkdir()
    (mine / "our.toml").write_text("")
    how = How(PLAIN.columns, rules=(str(mine / "our.toml"),))
    with pytest.raises(ElisionError, match="holds, a file that this run reads"):
        apart_check(notes, mine, how)
    with pytest.raises(ElisionError, match="holds, a file that this run reads"):
        apart_check(notes, mine / "our.toml", how)


def apart_check(where: Path, out: Path, how: How) -> None:
    runner.check_places(RunPlan(open_source(where), how, str(out), out.with_name("r"), lambda *_: None))  # type: ignore[arg-type]


def test_the_runs_folder_is_apart_from_in_and_out(tmp_path: Path) -> None:
    notes = write_notes(tmp_path / "in", a=WELL)
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "1", "text": WELL}))
    for where, out, folder, said in (
        (notes, tmp_path / "out", notes / "run", "inside IN"),
        (tmp_path / "*.jsonl", tmp_path / "out.csv", tmp_path, "inside IN"),
        (notes, tmp_path / "out", tmp_path / "out", "must not lie in each other"),
        (notes, tmp_path / "out", tmp_path / "out" / "run", "must not lie in each other"),
        (notes, tmp_path / "records" / "out", tmp_path / "records", "must not lie in each other"),
        (notes, tmp_path / "out", tmp_path, "IN lies inside the run's folder"),
    ):
        refused(said, str(where), out, folder=folder, force=True)
        assert {path.name for path in tmp_path.iterdir()} == {"in", "in.jsonl"}
        assert {path.name for path in notes.iterdir()} == {"a.txt"}


def test_a_folder_of_others_is_not_taken_for_the_runs_folder(tmp_path: Path) -> None:
    notes, theirs = write_notes(tmp_path / "in", a=WELL), tmp_path / "theirs"
    (theirs / "staging").mkdir(parents=True)
    files = {"staging/paper.txt": "draft", ".thesis.part": "half"}
    for name, text in files.items():
        (theirs / name).write_text(text)
    before = content(theirs)
    refused("the run's folder is not empty", notes, tmp_path / "out", folder=theirs, force=True)
    (theirs / "manifest.json").write_text('{"name": "an app", "version": 1}')
    refused("no manifest of this version", notes, tmp_path / "out", folder=theirs, force=True)
    (theirs / "manifest.json").unlink()
    (theirs / ".thesis.part").rename(tmp_path / ".thesis.part")
    refused("no run of elision has made this", notes, tmp_path / "out", folder=theirs, force=True)
    (tmp_path / ".thesis.part").rename(theirs / ".thesis.part")
    assert content(theirs) == before
    go(notes, tmp_path / "out")
    ours = tmp_path / "out.run"
    (ours / "staging").mkdir()
    for name, text in files.items():
        (ours / name).write_text(text)
    refused("no run of elision has made this", notes, tmp_path / "out", force=True)
    with pytest.raises(ElisionError, match="no run of elision has made this"):
        own.remove_staging(ours)
    (ours / "staging" / "paper.txt").rename(ours / "paper.txt")
    go(notes, tmp_path / "out", force=True)
    assert (ours / "paper.txt").read_text() == "draft"
    assert (ours / ".thesis.part").read_text() == "half"


def test_links_are_not_followed_out_of_out(tmp_path: Path) -> None:
    notes, away = write_notes(tmp_path / "in", a=WELL), write_notes(tmp_path / "away", a="theirs")
    (tmp_path / "out").symlink_to(away)
    refused("symbolic link, which is not followed; give the place it leads to", notes, tmp_path / "out", force=True)
    (tmp_path / "out").unlink()
    os.mkfifo(tmp_path / "out")
    refused("neither a file nor a folder", notes, tmp_path / "out", force=True)
    (tmp_path / "out").unlink()
    assert not (tmp_path / "out.run").exists()
    go(notes, tmp_path / "out")
    (tmp_path / "out" / "a.txt").unlink()
    (tmp_path / "out" / "a.txt").symlink_to(away / "a.txt")  # it has the name of a file of ours
    go(notes, tmp_path / "out", force=True)
    assert content(away) == {"a.txt": b"theirs"}
    assert not (tmp_path / "out" / "a.txt").is_symlink()


def test_a_folder_that_becomes_a_link_during_the_run_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, away, out = (
        write_notes(tmp_path / "in", a=WELL),
        write_notes(tmp_path / "away", a="theirs"),
        tmp_path / "out",
    )
    go(notes, out)
    usual = runner._counted

    def meddling(*given: Any) -> Any:
        shutil.rmtree(out)
        out.symlink_to(away)
        return usual(*given)

    monkeypatch.setattr(runner, "_counted", meddling)
    refused("symbolic link", notes, out, force=True)
    assert content(away) == {"a.txt": b"theirs"}


# --- disks that are full, and power that is cut ----------------------------------------------------------------------


class CutError(BaseException):
    """The machine stops: nothing that would change the disk happens any more, whatever `finally` says."""


class Faults:
    """Counts each step that changes the disk, and fails at one of them and from there on."""

    def __init__(self, at: int, error: Callable[[], BaseException], *, removing: bool, swaps: bool = True) -> None:
        self.at, self.error, self.removing, self.swaps, self.steps = at, error, removing, swaps, 0

    def step(self) -> None:
        self.steps += 1
        if self.at and self.steps >= self.at:
            raise self.error()

    @contextlib.contextmanager
    def put_in(self) -> Iterator[None]:
        faults, usual_open = self, io.open

        class Raw(io.FileIO):
            def write(self, data: Any) -> int:
                faults.step()
                return super().write(data)

        def opened(file: Any, mode: str = "r", *rest: Any, **options: Any) -> Any:
            if mode != "wb":
                return usual_open(file, mode, *rest, **options)
            faults.step()
            return io.BufferedWriter(Raw(os.fspath(file), "w"))

        def counted(usual: Callable[..., Any]) -> Callable[..., Any]:
            def call(*given: Any, **options: Any) -> Any:
                faults.step()
                return usual(*given, **options)

            return call

        def exchange(one: Path, other: Path) -> bool:
            faults.step()
            return bool(faults.swaps and swap.exchange(one, other))

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(io, "open", opened)
            patch.setattr(placing, "exchange", exchange)
            for name in ("fsync", "mkdir", "rename", "replace", *(("unlink", "rmdir") if self.removing else ())):
                patch.setattr(os, name, counted(getattr(os, name)))
            yield


def full() -> OSError:
    return OSError(errno.ENOSPC, "No space left on device", "Zebulon Quartermain")


def in_and_out(tmp_path: Path, format: str) -> tuple[Path, Path, Path, dict[str, bytes], dict[str, bytes]]:
    """IN, OUT with an earlier output, a copy of all of it, what was in OUT, and what is to be there."""
    begin = tmp_path / "begin"
    notes = write_notes(begin / "in", b=WELL, c=WELL)
    out = begin / ("out" if format == "text" else "out.jsonl")
    go(notes, begin / "expected.jsonl" if format != "text" else begin / "expected")
    expected = content(begin / "expected.jsonl" if format != "text" else begin / "expected")
    (notes / "c.txt").rename(begin / "c.txt")
    write_notes(notes, a=f"{WELL} Before.")
    go(notes, out)
    before = content(out)
    (notes / "a.txt").unlink()
    (begin / "c.txt").rename(notes / "c.txt")
    assert before != expected
    return notes, out, begin, before, expected


def leftovers(folder: Path) -> set[str]:
    """What a run leaves beside IN and OUT, and in its folder, that is not for ever."""
    lasting = {"in", "out", "out.jsonl", "out.run", "out.jsonl.run", "expected", "expected.jsonl"}
    records = {"manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock", "files.jsonl"}
    found = {path.name for path in folder.iterdir()} - lasting - {"expected.run", "expected.jsonl.run"}
    return found | {path.name for run in folder.glob("out*.run") for path in run.iterdir()} - records


def is_placing(folder: Path, name: str) -> bool:
    """Whether the output is taking its place: there every step is tried, and elsewhere every eighth."""
    return (folder / f"{name}.run" / "staging" / "placing.json").exists()


@pytest.mark.parametrize(
    ("format", "swaps"),
    [
        pytest.param("text", True, id="swap"),
        pytest.param("jsonl", True, id="file"),
        pytest.param("text", False, id="two-renamings", marks=pytest.mark.slow),  # where no system call swaps
    ],
)
def test_power_that_is_cut_at_any_step_leaves_the_old_or_the_new(tmp_path: Path, format: str, swaps: bool) -> None:
    """Before writes, renamings and removals of a run with `--force`; then the same command goes on."""
    notes, out, begin, before, expected = in_and_out(tmp_path, format)
    missing = step = 0
    while True:
        step += 1
        folder = tmp_path / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(begin, folder, copy_function=os.link)
        now = folder / out.name
        _moved(folder, out)
        faults = Faults(step, CutError, removing=True, swaps=swaps)
        try:
            with faults.put_in():
                go(folder / notes.name, now, force=True)
        except CutError:
            pass
        else:
            break
        placing_it = is_placing(folder, out.name)
        there = content(now) if now.exists() else None
        if there is None:
            missing += 1
            assert not placing.settle(folder / f"{out.name}.run" / "staging")
            assert content(now) == before
        assert there in (before, expected, None), step
        go(folder / notes.name, now, force=True)
        assert content(now) == expected, step
        assert leftovers(folder) == set(), step
        step += 0 if placing_it else 7
    assert step > 40
    assert missing == (0 if swaps or format == "jsonl" else 1)


def _moved(folder: Path, out: Path) -> None:
    """The list of files names the place of an output."""
    file = folder / f"{out.name}.run" / "files.jsonl"
    if file.exists():
        head, *lines = file.read_text().splitlines()
        assert json.loads(head) == {"output": str(out)}
        file.unlink()
        file.write_text("".join(f"{line}\n" for line in (json.dumps({"output": str(folder / out.name)}), *lines)))


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "jsonl"])
def test_a_disk_that_is_full_at_any_step_leaves_the_old_or_the_new(
    tmp_path: Path, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, out, begin, before, expected = in_and_out(tmp_path, format)
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    step, old = 0, 0
    while True:
        step += 1
        folder = tmp_path / "now"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(begin, folder, copy_function=os.link)
        now = folder / out.name
        _moved(folder, out)
        try:
            with Faults(step, full, removing=False).put_in():
                go(folder / notes.name, now, force=True)
        except ElisionError as error:
            said = str(error)
        else:
            break
        assert "cannot be written: No space left" in said, (step, said)
        assert "the same command" in said, (step, said)
        assert "Quartermain" not in said
        assert WELL not in said
        assert content(now) in (before, expected), step
        old += content(now) == before
        placing_it = is_placing(folder, out.name)
        assert {name for name in leftovers(folder) if name.endswith(".part")} == set(), step
        go(folder / notes.name, now, force=True)
        assert content(now) == expected, step
        assert leftovers(folder) == set(), step
        step += 0 if placing_it else 7
    assert old > 5
    assert not any((tmp_path / "temporary").iterdir())


def test_what_is_said_to_be_done_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file that a run goes by is forced to the disk before it gets its name; a shard before its mark."""
    notes = write_notes(tmp_path / "in", a=WELL, b=WELL, c=WELL)
    synced: set[int] = set()
    named: list[str] = []
    usual_sync, usual_replace = os.fsync, os.replace

    def fsync(handle: int) -> None:
        usual_sync(handle)
        synced.add(os.fstat(handle).st_ino)

    def replace(one: Any, other: Any) -> None:
        if Path(one).is_file():
            name = Path(other).name
            assert Path(one).stat().st_ino in synced or name == "report.html", name
            named.append(name)
        usual_replace(one, other)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "replace", replace)
    go(notes, tmp_path / "out.jsonl")
    assert {"out.jsonl", "manifest.json", "receipts.jsonl", "quarantine.jsonl"} < set(named)
    for number in range(2):
        shard, receipts = named.index(f"{number:08}.rows"), named.index(f"receipts-{number:06}.jsonl")
        assert max(shard, receipts) < named.index(f"clean-{number:06}.json")


# --- tables ----------------------------------------------------------------------------------------------------------


def tables(file: Path) -> dict[str, int]:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}


def a_database(file: Path, *statements: str) -> str:
    with contextlib.closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    return f"sqlite:///{file}"


def test_a_table_is_not_written_over_itself(tmp_path: Path) -> None:
    url = a_database(
        tmp_path / "notes.db",
        "CREATE TABLE note (id TEXT, text TEXT)",
        f"INSERT INTO note VALUES ('a', '{WELL}')",
        "CREATE VIEW seen AS SELECT id, text FROM note",
        "CREATE VIEW again AS SELECT * FROM seen",
    )
    (tmp_path / "alias.db").symlink_to(tmp_path / "notes.db")
    for where, out in (
        ("note", f"{url}?table=note"),
        ("note", f"{url}?table=NOTE"),
        ("note", f"sqlite:///{tmp_path}/../{tmp_path.name}/notes.db?table=note"),
        ("note", f"sqlite:///{tmp_path}/alias.db?table=note"),
        ("seen", f"{url}?table=note"),
        ("again", f"{url}?table=note"),
    ):
        refused("the same table|a view that reads", f"{url}?table={where}&key=id", out, force=True)
        assert tables(tmp_path / "notes.db") == {"note": 1}
    refused("same place", f"{url}?table=note&key=id", tmp_path / "notes.db", force=True)
    go(f"{url}?table=seen&key=id", f"{url}?table=clean")
    assert tables(tmp_path / "notes.db") == {"note": 1, "clean": 1}


def test_staged_rows_are_this_runs_and_gone_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes, file = write_notes(tmp_path / "in", a=WELL, b=WELL, c=WELL), tmp_path / "out.db"
    url = a_database(file, "CREATE TABLE note_elision_rows (theirs TEXT)", "CREATE TABLE theirs (id TEXT)")
    theirs, out = {"note_elision_rows": 0, "theirs": 0}, f"{url}?table=note"
    usual = shards.perform

    def failing(number: int) -> Any:
        def perform(job: Any, task: Any, tell: Any) -> Any:
            if task.number == number:
                raise FormatError("in: this cannot be read")
            return usual(job, task, tell)

        return perform

    with monkeypatch.context() as patch:  # nothing is done: nothing stays
        patch.setattr(workers, "perform", failing(0))
        refused("this cannot be read$", notes, out)
    assert tables(file) == theirs
    with monkeypatch.context() as patch:  # something is done: it stays, and is told by name
        patch.setattr(workers, "perform", failing(1))
        with pytest.raises(ElisionError) as error:
            go(notes, out)
    rows, ledger = sorted(set(tables(file)) - set(theirs))
    assert f"The rows that are done stay in the tables {rows} and {ledger}" in str(error.value)
    assert "--force" in str(error.value)
    go(notes, out, folder=tmp_path / "another.run", force=True)  # another run touches none of it
    assert tables(file) == {**theirs, rows: 2, ledger: 1, "note": 3}
    with pytest.raises(ElisionError, match=f"{rows} and {ledger}; drop them"):
        go(notes, tmp_path / "out.jsonl", folder=tmp_path / "out.db.run", force=True)
    write_notes(notes, d=WELL)
    go(notes, out, force=True)  # the run is given up
    assert tables(file) == {**theirs, "note": 4}


@pytest.mark.parametrize("number", range(1, 9))
def test_staged_rows_do_not_outlive_a_run_that_was_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Before each connection to the database; then the same command goes on."""
    from elision.formats.tables.database import Place

    notes, file = write_notes(tmp_path / "in", a=WELL, b=WELL, c=WELL), tmp_path / "out.db"
    usual, calls = Place.engine, 0

    def engine(self: Place, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls >= number:
            raise CutError
        return usual(self, **options)

    with monkeypatch.context() as patch, contextlib.suppress(CutError):
        patch.setattr(Place, "engine", engine)
        go(notes, f"sqlite:///{file}?table=note")
    go(notes, f"sqlite:///{file}?table=note")
    assert tables(file) == {"note": 3}


def test_a_table_that_comes_during_the_run_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notes, file = write_notes(tmp_path / "in", a=WELL), tmp_path / "out.db"
    usual = runner._counted

    def meddling(*given: Any) -> Any:
        a_database(file, "CREATE TABLE note (mine TEXT)")
        return usual(*given)

    monkeypatch.setattr(runner, "_counted", meddling)
    refused("a table came there while the run was at work", notes, f"sqlite:///{file}?table=note")
    assert tables(file)["note"] == 0
