"""Every command calls a file the same, those that read tables and those that read documents."""

from __future__ import annotations

import contextlib
import re
import shutil
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from elision.cli import app, common, convert, detect
from elision.errors import ElisionError, FormatError
from elision.formats import guess
from elision.formats.tables.opening import open_source
from elision.run.plan import plan
from tests.formats.canonical import SAMPLES
from tests.formats.test_all import SAMPLE_FORMATS

TABLES = {
    "notes.csv": "note_id,ward,note_text\n1,3,She was well.\n2,4,He was well.\n",
    "notes.tsv": "note_id\tnote_text\n1\tShe was well.\n2\tHe was well.\n",
    "notes.jsonl": '{"note_id": 1, "note_text": "She was well."}\n',
    "notes.ndjson": '{"note_id": 1, "note_text": "She was well."}\n',
    "notes.parquet": "",
}
NAMES = {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
_SAID = re.compile(r"as ([\w-]+): |table(?: in JSON Lines)? \(([\w-]+): ")


def name_in(said: str) -> str:
    found = _SAID.search(said)
    assert found, said
    return found[1] or found[2]


def names(path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What each command calls a file, by its own words."""
    told: dict[str, str] = {}
    lines: list[str] = []
    with contextlib.suppress(ElisionError):  # some samples have no text
        plan(str(path), str(path.with_name("out.jsonl")), warn=lines.append)
    told["run"] = name_in(lines[0])

    def enough(*_: object) -> None:
        raise FormatError("enough")

    monkeypatch.setattr(convert, "read", enough)
    monkeypatch.setattr(common, "read", enough)
    for command in (
        ["inspect", str(path)],
        ["convert", str(path), str(path.with_name("out.jsonl"))],
        ["score", str(path), str(path)],
    ):
        done = CliRunner().invoke(app, command)
        told[command[0]] = name_in(f"{done.output}\n{done.exception}")
    return told


@pytest.fixture
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    path = tmp_path / str(request.param)
    if path.suffix == ".parquet":
        parquet.write_table(pa.table({"note_id": [1], "note_text": ["She was well."]}), path)
    else:
        path.write_text(TABLES[path.name])
    return path


@pytest.mark.parametrize(("sample", "name"), SAMPLE_FORMATS.items())
def test_a_sample_has_one_name(sample: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / Path(sample).name
    if (SAMPLES / sample).is_dir():
        shutil.copytree(SAMPLES / sample, path)
    else:
        shutil.copy(SAMPLES / sample, path)
    assert set(names(path, monkeypatch).values()) == {name}


@pytest.mark.parametrize("table", TABLES, indirect=True)
def test_a_table_has_one_name(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(names(table, monkeypatch).values()) == {NAMES[table.suffix]}


@pytest.mark.parametrize("table", TABLES, indirect=True)
def test_commands_that_read_documents_say_who_reads_tables(table: Path) -> None:
    with pytest.raises(FormatError, match=r"is a .*table.*elision inspect shows .* elision run cleans"):
        guess(table)
    assert open_source(table).format == NAMES[table.suffix].replace("tsv", "csv")


def test_a_folder_of_texts_has_one_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("She was well.")
    assert set(names(tmp_path / "notes", monkeypatch).values()) == {"text"}
    assert set(names(tmp_path / "notes" / "a.txt", monkeypatch).values()) == {"text"}


def test_a_database_is_a_table_for_all(tmp_path: Path) -> None:
    for command in (["convert", "sqlite:///a.db?table=note", str(tmp_path / "out.jsonl")],):
        done = CliRunner().invoke(app, command)
        assert "is a table of a database" in str(done.exception)


def test_tag_reads_as_convert_does() -> None:
    assert vars(detect)["chosen_format"] is vars(convert)["chosen_format"] is common.chosen_format


def test_what_is_a_table_cannot_be_asked_of_documents(tmp_path: Path) -> None:
    (tmp_path / "notes.csv").write_text(TABLES["notes.csv"])
    done = CliRunner().invoke(
        app, ["convert", str(tmp_path / "notes.csv"), str(tmp_path / "o.jsonl"), "--format", "csv"]
    )
    assert "csv: a CSV table is no format of documents" in str(done.exception)


def test_all_names_are_listed() -> None:
    listed = {line.split()[0] for line in CliRunner().invoke(app, ["formats"]).stdout.splitlines() if line.strip()}
    assert {*SAMPLE_FORMATS.values(), *NAMES.values(), "text", "sql"} <= listed
