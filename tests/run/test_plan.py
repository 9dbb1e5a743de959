"""A run is put together by `plan`, from options alone: the command line only says what was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.errors import FormatError, RunError
from elision.run.local.runner import run
from elision.run.plan import RunOptions, plan
from tests.run.small import by_id, rows, write_rows

OPTIONS = RunOptions(columns={"texts": ("text",), "id": "id"}, language="en", effort="rules", workers=1)


def test_a_plan_writes_nothing_and_a_runner_does_it(tmp_path: Path) -> None:
    source, out = write_rows(tmp_path / "in.jsonl", rows(4)), tmp_path / "out.jsonl"
    made = plan(str(source), str(out), OPTIONS)
    assert made.preview().rows == 4
    assert {one.column: one.fate for one in made.columns()}["text"] == "cleaned"
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
    assert run(made).held == 0
    assert by_id(out).keys() == {"n0", "n1", "n2", "n3"}


def test_what_is_guessed_is_told(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(4))
    told: list[str] = []
    made = plan(str(source), str(tmp_path / "out.jsonl"), warn=told.append)
    assert made.how.columns.texts == ("text",)
    assert told[0] == f"reading {source} as jsonl: the ending .jsonl"
    assert any(line.startswith("column text is taken for: text") for line in told)
    assert made.folder == tmp_path / "out.jsonl.run"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (RunOptions(workers=513), "--workers"),
        (RunOptions(rows=0), "--shard-rows"),
        (RunOptions(columns={"texts": ("txt",)}), "did you mean text"),
        (RunOptions(columns={"texts": ("text",)}, ids="odd"), "say keep or keyed"),
        (RunOptions(columns={"texts": ("text",), "id": "id"}, ids="keyed"), "needs --key"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_done(tmp_path: Path, options: RunOptions, says: str) -> None:
    source = write_rows(tmp_path / "in.jsonl", rows(2))
    with pytest.raises((FormatError, RunError), match=says):
        plan(str(source), str(tmp_path / "out.jsonl"), options)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
