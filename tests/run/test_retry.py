"""Held notes, tried again: they come out into the same output, as if they had come out at once, and the rest stays."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document
from elision.errors import ElisionError
from elision.evidence.receipts import Receipt
from elision.formats.tables.opening import open_source
from elision.pipeline import Cleaned
from elision.policy import Policy
from elision.run.cells import Cell
from elision.run.local import retry, shards, workers
from elision.run.local.held import held_notes
from tests.run.small import Row, a_key, read_rows, rows, write_rows

pytestmark = pytest.mark.slow  # processes

COLUMNS = ("--text", "text", "--id", "id", "--patient", "patient", "--known", "name=name")
MUTE = "RR 120/80"


def call(*words: object, status: int = 0) -> str:
    result = CliRunner().invoke(app, list(map(str, words)))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == status, result.output
    return result.output


def data() -> list[Row]:
    """Notes in which three do not tell their language; one of these says so with a name that is known."""
    made = rows(14)
    made[2]["text"] = made[9]["text"] = MUTE
    made[5]["text"] = f"{made[5]['name'] or 'Roebuck'} 120/80"
    return made


def options(folder: Path, *more: object) -> tuple[object, ...]:
    return (*COLUMNS, "--policy", "surrogate", "--key", a_key(folder), "--effort", "rules", "--workers", 1,
            "--shard-rows", 4, "--progress", "none", *more)  # fmt: skip


def content(out: str) -> Any:
    where = out.partition("?")[0].removeprefix("sqlite:///")
    if out.startswith("sqlite"):
        with sqlite3.connect(where) as connection:
            return sorted(connection.execute("select * from clean").fetchall())
    path = Path(out)
    if path.is_dir():
        return {file.relative_to(path).as_posix(): file.read_bytes() for file in path.rglob("*") if file.is_file()}
    return path.read_bytes()


OUTS = [
    ("o.jsonl", ()), ("o.csv", ()), ("o.parquet", ()), ("o", ("--to", "text")), ("o.json", ("--to", "fhir")),
     ("o.hl7", ("--to", "hl7v2")), ("sqlite", ()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "more"), OUTS, ids=[name for name, _ in OUTS])
def test_the_output_is_as_if_the_notes_had_come_out_at_once(name: str, more: tuple[str, ...], tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", data())
    outs, folders = [], []
    for which in ("again", "once"):
        (tmp_path / which).mkdir()
        where = tmp_path / which / name
        outs.append(f"sqlite:///{where}?table=clean" if name == "sqlite" else str(where))
        folders.append(tmp_path / which / "records")
    usual = options(tmp_path, *more)
    call("run", source, "-o", outs[0], *usual, "--state", folders[0], status=1)
    assert len(list(held_notes(folders[0]))) == 3
    again = ("--state", folders[0], "--default-language", "en", "--retry-held")
    call("run", source, "-o", outs[0], *usual, *again)
    call("run", source, "-o", outs[1], *usual, "--state", folders[1], "--default-language", "en")
    assert content(outs[0]) == content(outs[1])
    for file in ("receipts.jsonl", "quarantine.jsonl"):
        assert (folders[0] / file).read_bytes() == (folders[1] / file).read_bytes()
    (told,) = json.loads((folders[0] / "manifest.json").read_text())["retries"]
    assert (told["tried"], told["came out"]) == (3, 3)
    names = {path.name for path in folders[0].iterdir()}
    assert names == {path.name for path in folders[1].iterdir()}
    assert "holds no note" in call("run", source, "-o", outs[0], *usual[:-2], *again, "--progress", "plain")


def test_what_is_still_held_stays_held_and_is_named(tmp_path: Path) -> None:
    made = data()
    made[7]["text"] = "The patient was well and had no pain at all. " * 300
    source, out = write_rows(tmp_path / "in.jsonl", made), tmp_path / "out.jsonl"
    usual = options(tmp_path, "--max-mb", 0.01)
    call("run", source, "-o", out, *usual, status=1)
    before = out.read_bytes().splitlines()
    call("run", source, "-o", out, *usual, "--default-language", "en", "--retry-held", status=1)
    after = out.read_bytes().splitlines()
    assert [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other] == [2, 5, 9]
    (held,) = held_notes(tmp_path / "out.jsonl.run")
    assert (held.note, held.row, held.why) == ("n7", 7, "too-long")
    assert "--max-mb" in held.next
    call("run", source, "-o", out, *options(tmp_path, "--max-mb", 1), "--retry-held")
    assert all(row["elision_status"] == "cleaned" for row in read_rows(out))
    assert len(json.loads((tmp_path / "out.jsonl.run" / "manifest.json").read_text())["retries"]) == 2


class StoppedError(Exception):
    pass


STEPS = [("_note_change", retry), ("write_report", retry)]


@pytest.mark.parametrize("name", ["out.jsonl"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("step", "where"), STEPS, ids=[step for step, _ in STEPS])
def test_a_retry_that_is_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str, where: Any, after: bool, name: str
) -> None:
    source, out, expected = write_rows(tmp_path / "in.jsonl", data()), tmp_path / name, tmp_path / f"whole-{name}"
    usual = options(tmp_path, *(("--to", "text") if name == "out" else ()))
    call("run", source, "-o", out, *usual, status=1)
    there = content(str(out))
    function = getattr(where, step)

    def stopped(*given: object) -> object:
        if after:
            function(*given)
        raise StoppedError

    again = ("run", source, "-o", out, *usual, "--default-language", "en", "--retry-held")
    with monkeypatch.context() as patch:
        patch.setattr(where, step, stopped)
        with pytest.raises(StoppedError):
            call(*again)
    if step != "write_report":
        assert content(str(out)) == there
    with pytest.raises(ElisionError, match="finish that first"):
        call("run", source, "-o", out, *usual)
    call(*again)
    call("run", source, "-o", expected, *usual, "--default-language", "en")
    assert content(str(out)) == content(str(expected))
    for file in ("receipts.jsonl", "quarantine.jsonl"):
        assert (tmp_path / f"{name}.run" / file).read_bytes() == (tmp_path / f"whole-{name}.run" / file).read_bytes()
    assert not (tmp_path / f"{name}.run" / "staging").exists()


def test_only_the_held_rows_and_those_of_their_patients_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = data()
    source, out = write_rows(tmp_path / "in.jsonl", made), tmp_path / "out.jsonl"
    call("run", source, "-o", out, *options(tmp_path), status=1)
    asked: list[shards.Task] = []
    usual = workers.Crew.do

    def do(self: Any, tasks: Any) -> Any:
        listed = list(tasks)
        asked.extend(listed)
        return usual(self, listed)

    monkeypatch.setattr(workers.Crew, "do", do)
    call("run", source, "-o", out, *options(tmp_path), "--default-language", "en", "--retry-held")
    looked = {4 * one.number + row for one in asked if one.do == "look" for row in one.only or ()}
    tried = {4 * one.number + row for one in asked if one.do == "clean" for row in one.only or ()}
    theirs = {made[at]["patient"] for at in (2, 5, 9)}
    assert tried == {2, 5, 9}
    assert looked == {at for at, row in enumerate(made) if row["patient"] in theirs}


def _cut(out: Path) -> None:
    out.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:-1]))


def _receipt(out: Path) -> None:
    file = out.with_name(f"{out.name}.run") / "receipts.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))


def _quarantine(out: Path) -> None:
    file = out.with_name(f"{out.name}.run") / "quarantine.jsonl"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[1:]))


@pytest.mark.parametrize(
    ("harm", "more", "told"),
    [
        (_cut, (), "is not as the run left it"),
        (_receipt, (), "not as the run wrote them"),
        (_quarantine, (), "does not fit the receipts"),
        (Path.unlink, (), "no longer there"),
        (None, ("--policy", "tag"), "Changed: policy"),
        (None, ("--no-memory",), "Changed: memory"),
        (None, ("--text", "extra"), "Changed: column for texts"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_changed(
    harm: Any, more: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", data()), tmp_path / "out.jsonl"
    call("run", source, "-o", out, *options(tmp_path), status=1)
    if harm:
        harm(out)
    before = out.read_bytes() if out.exists() else b""
    with pytest.raises(ElisionError, match=told):
        call("run", source, "-o", out, *options(tmp_path), "--default-language", "en", "--retry-held", *more)
    assert (out.read_bytes() if out.exists() else b"") == before


def test_a_half_written_parquet_is_refused(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", data()), tmp_path / "out.parquet"
    call("run", source, "-o", out, *options(tmp_path), status=1)
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ElisionError, match="not as the run left it"):
        call("run", source, "-o", out, *options(tmp_path), "--default-language", "en", "--retry-held")
    out.write_bytes(whole)
    call("run", source, "-o", out, *options(tmp_path), "--default-language", "en", "--retry-held")
    assert pq.read_table(out).column("text").null_count == 0


def test_another_key_or_input_is_refused(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", data()), tmp_path / "out.jsonl"
    with pytest.raises(ElisionError, match="no run has ended here"):
        call("run", source, "-o", out, *options(tmp_path), "--retry-held")
    assert not (tmp_path / "out.jsonl.run").exists()
    call("run", source, "-o", out, *options(tmp_path), status=1)
    (tmp_path / "other").mkdir()
    with pytest.raises(ElisionError, match="key"):
        call("run", source, "-o", out, *options(tmp_path / "other"), "--retry-held")
    write_rows(source, data()[1:])
    with pytest.raises(ElisionError, match="what is in the input"):
        call("run", source, "-o", out, *options(tmp_path), "--retry-held")


def test_a_row_of_several_texts_loses_none(tmp_path: Path) -> None:
    made = [{**row, "more": MUTE if at == 1 else "She was well and went home today."} for at, row in enumerate(rows(4))]
    made[3]["text"] = made[3]["more"] = MUTE
    source, out = write_rows(tmp_path / "in.jsonl", made), tmp_path / "out.jsonl"
    usual = options(tmp_path, "--text", "more")
    call("run", source, "-o", out, *usual, status=1)
    call("run", source, "-o", out, *usual, "--default-language", "en", "--retry-held")
    call("run", source, "-o", tmp_path / "once.jsonl", *usual, "--default-language", "en")
    assert out.read_bytes() == (tmp_path / "once.jsonl").read_bytes()
    assert open_source(out).rows == 4


def test_held_lists_and_groups_without_a_word(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", data()), tmp_path / "out.jsonl"
    call("run", source, "-o", out, *options(tmp_path), status=1)
    told = call("held", f"{out}.run", "--notes", status=1)
    assert told == call("held", out, "--notes", status=1)
    for words in ("language-not-told", "--default-language", "3 held notes", "--retry-held tries them", "n2", "n9"):
        assert words in told
    assert MUTE not in told
    lines = [json.loads(line) for line in call("held", out, "--json", status=1).splitlines()]
    assert [(line["note"], line["row"], line["column"]) for line in lines] == [
        (f"n{at}", at, "text") for at in (2, 5, 9)
    ]
    assert "file" in call("held", out, "--by", "file", status=1)
    with pytest.raises(ElisionError, match="--by size"):
        call("held", out, "--by", "size")
    with pytest.raises(ElisionError, match="no run has ended here"):
        call("held", tmp_path)
    call("run", source, "-o", out, *options(tmp_path), "--default-language", "en", "--retry-held")
    assert "0 held notes" in call("held", out)
    (tmp_path / "out.jsonl.run" / "quarantine.jsonl").write_text("{}\n")
    with pytest.raises(ElisionError, match="no list of held notes"):
        call("held", out)


def test_a_row_is_not_taken_if_a_text_would_be_lost_that_was_there() -> None:
    note = Document("x", "n1")
    cells = [Cell(0, "text", note), Cell(0, "more", note)]
    policy = Policy.named("tag")
    out, held = (Cleaned(after, Receipt.of(note, after, policy=policy, key=None)) for after in (note, None))
    expected: list[tuple[set[str], tuple[Cleaned, Cleaned], bool]] = [
        ({"text"}, (out, out), True), ({"text"}, (held, out), True), ({"text"}, (out, held), False),
        ({"text", "more"}, (out, held), True), (set(), (held, out), False),
    ]  # fmt: skip
    for before, now, taken in expected:
        assert shards._may_take(frozenset(before), cells, now) == taken


def test_kill_9_while_held_notes_are_tried_again_loses_and_doubles_nothing(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", data()), tmp_path / "out.jsonl"
    usual = options(tmp_path)
    call("run", source, "-o", out, *usual, status=1)
    call("run", source, "-o", tmp_path / "once.jsonl", *usual, "--default-language", "en")
    before, expected = out.read_bytes(), (tmp_path / "once.jsonl").read_bytes()
    again = ("run", source, "-o", out, *usual, "--default-language", "en", "--retry-held")
    command = [sys.executable, "-c", "from elision.cli import main; main()", *map(str, again)]
    staging = tmp_path / "out.jsonl.run" / "staging"
    for until in ("made-by-elision", "clean-000000.json"):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not (staging / until).exists():
            time.sleep(0.005)
        process.kill()
        process.wait()
        assert out.read_bytes() in (before, expected)
    if out.read_bytes() == before:
        call(*again)
    assert out.read_bytes() == expected
    once = tmp_path / "once.jsonl.run" / "receipts.jsonl"
    assert (tmp_path / "out.jsonl.run" / "receipts.jsonl").read_bytes() == once.read_bytes()
