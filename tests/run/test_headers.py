"""A table without a header: its first row is a note, and stands nowhere in clear."""

from __future__ import annotations

import json
import sqlite3
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from elision.cli import app
from elision.errors import FormatError
from elision.formats.tables.columns import check_header, check_names
from elision.run.column_roles import DATE_NAMES, ID_NAMES, LANGUAGE_NAMES, PATIENT_NAMES, TEXT_NAMES
from elision.showing import column, columns, like_data
from elision.text.characters import printable
from tests.run.containers import read_rows
from tests.run.small import read_rows as read_lines

NOTE = "Mrs. Jane Quillfeather was seen on 03/05/2021 by Dr. Roebuck and was well."
HEADLESS = f'n1,p1,"{NOTE}"\nn2,p2,"She had no pain, and was told to come back."\nn3,p1,She was well and went home.\n'


def call(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, words)])
    return result.exit_code, result.output + str(result.exception or "")


@pytest.fixture
def headless(tmp_path: Path) -> Path:
    (tmp_path / "in.csv").write_text(HEADLESS)
    return tmp_path / "in.csv"


def everything(folder: Path, but: Path) -> str:
    return "".join(f"{file.name} {file.read_text()}" for file in folder.rglob("*") if file.is_file() and file != but)


@pytest.mark.parametrize(
    "options",
    [("-o", "out.csv"), ("-o", "out.csv", "--text", "note"), ("-o", "out.csv", "--dry-run"), None],
    ids=["run", "a column that is not there", "dry run", "inspect"],
)
def test_a_first_row_that_is_a_note_is_refused_and_not_shown(headless: Path, options: tuple[str, ...] | None) -> None:
    rest = [word.replace("out.csv", str(headless.parent / "out.csv")) for word in options or ()]
    status, told = call("inspect" if options is None else "run", headless, *rest)
    assert status != 0
    assert "the first row looks like data" in told
    assert "--no-header" in told
    for word in ("Quillfeather", "Jane", "03/05", "Roebuck"):
        assert word not in told + everything(headless.parent, headless)


def test_a_table_without_a_header_can_be_run(headless: Path) -> None:
    out = headless.parent / "out.jsonl"
    status, told = call("run", headless, "-o", out, "--no-header", "--workers", 1)
    assert status == 0, told
    rows = read_lines(out)
    assert [set(row) - {"elision_status"} for row in rows] == [{"column3"}] * 3
    assert "Quillfeather" not in told + everything(headless.parent, headless)
    status, told = call("run", headless, "-o", headless.parent / "o.jsonl", "--no-header", "--text", "column3",
                        "--id", "column1", "--workers", 1)  # fmt: skip
    assert [row["column1"] for row in read_lines(headless.parent / "o.jsonl")] == ["n1", "n2", "n3"]
    status, told = call("inspect", headless, "--no-header")
    assert "column3" in told


HEADERS = [
    ["id", "Dr. Roe saw her"], ["id", "Seen. No pain"], ["id", "well."], ["id", "x" * 65], ["4821", "text"],
    ["id", "48213"], ["2021-03-05", "text"], ["id", "5/3/58"], ["id", "Jane Roe"], ["id", "a note\nof two lines"],
    ["id", "\x1b[31mred"], ["id", "me@example.org"], ["id", "she was well and went home with her son"],
    ["id", "患者林淑芬，女，45岁"], ["id", "BP 120/80"], ["id", "555-010-1234"], ["mrn 4821377", "text"],
]  # fmt: skip


@pytest.mark.parametrize("header", HEADERS, ids=range(len(HEADERS)))
def test_names_that_look_like_data(header: list[str]) -> None:
    for check in (partial(check_header, header, []), partial(check_names, header)):
        with pytest.raises(FormatError) as error:
            check("in.csv")
        bad = next(name for name in header if like_data(name))
        assert bad not in str(error.value)
        assert bad not in columns(header)
        assert f"{len(bad)} characters" in columns(header)


def test_names_that_are_names() -> None:
    usual = ["Patient Name", "Note Text", "icd10", "Q1", "Name (last, first)", "Date of Birth (dd/mm/yyyy)",
             "BP sys.",
             "Fecha de nacimiento", "患者姓名", "出院小结", "2019q4", "",
             "Unnamed: 0", "Grace Period", "Hb (g/dl)"]  # fmt: skip
    for name in (*usual, *TEXT_NAMES, *ID_NAMES, *PATIENT_NAMES, *DATE_NAMES, *LANGUAGE_NAMES):
        assert like_data(name) == ""
        assert column(name) == name
    check_header(["id", "text"], [["n1", "x"], ["n2", "y"]], "in.csv")
    check_header(["q1", "text"], [["a", "x"], ["b", "y"]], "in.csv")
    check_header(["id", "text"], [["id", "text"], ["n1", "x"]], "two tables, one behind the other")


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (["n1", "p", "x"], "column 1: made like the cells below"),
        (["a", "p1", "x"], "column 2"),
        (["a", "b", "no"], "3"),
    ],
)
def test_a_first_row_like_the_others_is_data(first: list[str], told: str) -> None:
    with pytest.raises(FormatError, match="the first row looks like data") as error:
        check_header(first, [["n2", "p3", "no"], ["n3", "p2", "no"], ["n14", "p2", "yes"]], "in.csv")
    assert told in str(error.value)


def test_other_tables_have_names_too(tmp_path: Path) -> None:
    bad = "Seen by Dr. Roebuck. No pain"
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "1", bad: "x"}) + "\n")
    parquet.write_table(pa.table({"id": ["1"], bad: ["x"]}), tmp_path / "a.parquet")
    with sqlite3.connect(tmp_path / "a.db") as connection:
        connection.execute(f'CREATE TABLE note (id INTEGER PRIMARY KEY, "{bad}" TEXT)')
    connection.close()
    for where in (tmp_path / "a.jsonl", tmp_path / "a.parquet", f"sqlite:///{tmp_path / 'a.db'}?table=note"):
        with pytest.raises(FormatError, match="column 2 has a name like data") as error:
            read_rows(str(where))
        assert "Roebuck" not in str(error.value)


def test_control_characters_are_escaped_and_other_letters_are_not() -> None:
    assert printable("a\x1b[31m\n\u202e\ud800\x9b\u2028é李") == "a\\x1b[31m\\x0a\\u202e\\ud800\\x9b\\u2028é李"
    assert printable("a\n\tb\x00", lines=True) == "a\n\tb\\x00"
    assert "\x1b" not in str(FormatError("notes\x1b[2J.csv: cannot be read"))
