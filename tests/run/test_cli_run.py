"""`elision run` from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.errors import ElisionError
from elision.run.local.progress import Progress
from elision.run.plan import folder_of
from tests.run.small import Row, read_rows, rows, write_rows

COLUMNS = ("--text", "text", "--id", "id", "--patient", "patient", "--known", "name=name")
MUTE: Row = {"id": "mute", "patient": "p9", "text": "RR 120/80", "name": None, "extra": ""}


def call(*words: object) -> Result:
    return CliRunner().invoke(app, ["run", *map(str, words)])


def ok(*words: object, status: int = 0) -> str:
    result = call(*words)
    assert result.exit_code == status, result.output
    return result.output


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "in.jsonl", rows(30))


def test_a_table_is_cleaned_and_reported(source: Path, tmp_path: Path) -> None:
    told = ok(source, "-o", tmp_path / "out.jsonl", "--workers", 1)
    assert "column text is taken for: text" in told
    assert re.search(r"notes +30, ", told)
    assert re.search(r"NAME_PATIENT +\d+ +tag \d+", told)
    page = (tmp_path / "out.jsonl.run" / "report.html").read_text()
    assert "All notes came out" in page
    assert "NAME_PATIENT" in page
    assert "<script" not in page
    assert not any(row["text"] in page for row in rows(30))
    assert "had ended before" in ok(source, "-o", tmp_path / "out.jsonl", "--workers", 1)


def test_a_folder_is_cleaned_into_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "ward").mkdir(parents=True)
    (folder / "a.txt").write_text("The patient was seen by Dr. Jane Roe and was well.")
    (folder / "ward" / "b.txt").write_text("RR 120/80")
    ok(folder, "-o", tmp_path / "clean", "--workers", 1, status=1)
    assert (tmp_path / "clean" / "a.txt").read_text() == "The patient was seen by Dr. [NAME] and was well."
    assert not (tmp_path / "clean" / "ward" / "b.txt").exists()
    (held,) = read_rows(tmp_path / "clean.run" / "quarantine.jsonl")
    assert "--default-language" in held.pop("next")
    assert held == {"note": "ward/b", "column": "text", "why": "language-not-told", "shard": 0, "row": 1}
    page = (tmp_path / "clean.run" / "report.html").read_text()
    assert "1 note was held" in page
    assert "language-not-told" in page
    assert "RR 120/80" not in page


def test_a_note_that_is_too_long_is_held_and_no_other(tmp_path: Path) -> None:
    long: Row = {**MUTE, "id": "long", "text": "The patient was well and had no pain at all. " * 300}
    source = write_rows(tmp_path / "in.jsonl", [*rows(3), long])
    ok(source, "-o", tmp_path / "out.jsonl", *COLUMNS, "--workers", 1, "--max-mb", 0.01, status=1)
    assert [row["id"] for row in read_rows(tmp_path / "out.jsonl") if row["text"] is None] == ["long"]


def call_raising(*words: object) -> None:
    error = call(*words).exception
    assert error is not None
    raise error


def test_a_dry_run_says_what_would_happen_and_writes_nothing(source: Path, tmp_path: Path) -> None:
    told = ok(source, "-o", tmp_path / "out.jsonl", "--dry-run", *COLUMNS, "--keep", "extra", "--workers", 2)
    assert re.search(r"text +text +cleaned", told)
    assert re.search(r"extra +kept +goes out as it is", told)
    assert re.search(r"patient +patient +read, then dropped", told)
    assert re.search(r"rows +30", told)
    assert "about 0:00:0" in told
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


def test_columns_come_from_a_file_too(source: Path, tmp_path: Path) -> None:
    columns = tmp_path / "columns.toml"
    columns.write_text('text = "text"\nid = "id"\nkeep = ["extra"]\n')
    ok(source, "-o", tmp_path / "out.jsonl", "--columns", columns, "--no-status", "--workers", 1)
    assert set(read_rows(tmp_path / "out.jsonl")[0]) == {"id", "text", "extra"}


def test_progress_as_json(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.cli.run_progress.EVERY", 0)
    told = ok(source, "-o", tmp_path / "out.jsonl", *COLUMNS, "--progress", "json", "--workers", 1, "--shard-rows", 10)
    lines = [json.loads(line) for line in told.splitlines() if line.startswith("{")]
    assert [line["share"] for line in lines][-1] == 1
    assert set(lines[0]) == {"share", "rows", "rows_a_second", "mb_a_second", "held", "seconds_left"}
    monkeypatch.setattr("elision.cli.run_progress.EVERY", 0)
    told = ok(source, "-o", tmp_path / "two.jsonl", *COLUMNS, "--progress", "plain", "--workers", 1)
    assert re.search(r"100%  [\d,]+ rows/s  \d+\.\d\d MB/s  0 held  0:00:00 left", told)


def test_a_run_sums_up_for_people_and_for_programs(source: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    usual = (*COLUMNS, "--workers", 1, "--progress", "none", "--effort", "rules", "--log-json", log)
    told = ok(source, "-o", tmp_path / "out.jsonl", *usual)
    assert re.search(r"notes +30, ", told)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["event"] for line in lines if line["event"] not in ("told", "progress")] == ["begun", "ended"]
    assert lines[-1]["notes"] == 30
    summary = json.loads(next(line for line in ok(source, "-o", tmp_path / "out.jsonl", *usual, "--json").splitlines()
                              if line.startswith("{")))  # fmt: skip
    assert (summary["before"], summary["rows"], summary["held"], summary["kinds"]) == (True, 30, 0, {})
    assert not any(row["text"] in log.read_text() for row in rows(30))
    with pytest.raises(ElisionError, match="no column"):
        call_raising(source, "-o", tmp_path / "new.jsonl", *usual, "--text", "none")
    assert json.loads(log.read_text().splitlines()[-1])["event"] == "failed"


@pytest.mark.parametrize("name", ["in.jsonl", "out.jsonl", "no/log.jsonl", "."])
def test_a_log_is_no_file_of_the_run(source: Path, tmp_path: Path, name: str) -> None:
    before = source.read_bytes()
    with pytest.raises(ElisionError, match="--log-json"):
        call_raising(source, "-o", tmp_path / "out.jsonl", *COLUMNS, "--log-json", tmp_path / name)
    assert source.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.parametrize("where", [None, "elsewhere/state"])
def test_a_refusal_leaves_nothing(tmp_path: Path, where: str | None) -> None:
    source = write_rows(tmp_path / "in.jsonl", [*rows(3), *rows(3)])
    state = ("--state", tmp_path / where) if where else ()
    with pytest.raises(ElisionError, match="--repeated-ids"):
        call_raising(source, "-o", tmp_path / "out.jsonl", *COLUMNS, *state)
    assert {path.name for path in tmp_path.rglob("*")} - {"elsewhere"} == {"in.jsonl"}
    ok(source, "-o", tmp_path / "out.jsonl", *COLUMNS, *state, "--repeated-ids", "--workers", 1, "--effort", "rules")
    assert (tmp_path / (where or "out.jsonl.run") / "manifest.json").exists()


def test_a_bar_can_be_drawn(source: Path, tmp_path: Path) -> None:
    ok(source, "-o", tmp_path / "out.jsonl", *COLUMNS, "--progress", "bar", "--workers", 1)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--text", "txt"), "did you mean text"),
        (("--known", "name"), "--known name=patient_name"),
        (("--progress", "loud"), "auto, bar, plain, json, none"),
        (("--language", "sv"), "no language 'sv'"),
        (("--shard-rows", "0"), "--shard-rows at least 1"),
        (("--policy", "surrogat"), "did you mean surrogate"),
        (("--key", "none.key"), "no such file"),
        (("--rules", "none.toml"), "cannot read the rules"),
        (("--format", "nonsense"), "nonsense"),
        (("--max-mb", "0"), "--max-mb 0"),
    ],
)
def test_mistakes_are_told_before_anything_is_written(
    source: Path, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    with pytest.raises(ElisionError, match=re.escape(told)):
        call_raising(source, "-o", tmp_path / "out.jsonl", *options)
    assert not (tmp_path / "out.jsonl").exists()


def test_an_id_that_comes_twice_is_refused_or_allowed(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", [*rows(3), *rows(3)])
    with pytest.raises(ElisionError, match="--repeated-ids"):
        call_raising(source, "-o", tmp_path / "out.jsonl", *COLUMNS)
    ok(source, "-o", tmp_path / "out.jsonl", *COLUMNS, "--repeated-ids", "--workers", 1)
    assert len(read_rows(tmp_path / "out.jsonl")) == 6


@pytest.mark.parametrize(
    ("out", "folder"),
    [
        ("data/clean.csv", "data/clean.csv.run"),
        ("clean/", "clean.run"),
        ("sqlite:///notes.db?table=clean", "notes.db-table-clean.run"),
        ("sqlite:///data/notes.db?table=clean", "data/notes.db-table-clean.run"),
        ("postgresql+psycopg://me:s3cret@host/base?table=clean", "host-base-table-clean.run"),
    ],
)
def test_the_records_lie_beside_the_output(out: str, folder: str) -> None:
    assert folder_of(out) == Path(folder)


def test_time_left_is_told_from_what_passed() -> None:
    progress = Progress(100, before=20, passed=40)
    assert progress.share == 0.6
    assert progress.left == pytest.approx(progress.seconds, rel=0.1)
