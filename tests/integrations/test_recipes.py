"""The recipes for Airflow and dbt, without either: their commands and their SQL are run as they stand in the files."""

from __future__ import annotations

import ast
import re
import shlex
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

from elision.cli import app
from elision.keys import Key

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS: list[dict[str, Any]] = [
    {"id": 1, "person": 7, "note": "Seen by Dr. Roe on 3 May 2001 in the clinic, and she was well."},
    {"id": 2, "person": 7, "note": "Patient name: Ida Fenwick. Call 617-555-0142 for the next visit."},
    {"id": 3, "person": 8, "note": None},
    {"id": 4, "person": 8, "note": "{\\rtf1 Seen by Dr. Roe.}"},
]


def constants(file: Path) -> dict[str, str]:
    """The texts that a program gives names to."""
    found = {}
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def typed(line: str, folder: Path) -> Result:
    first, *arguments = shlex.split(line.replace("/data/", f"{folder}/").replace("/etc/elision/", f"{folder}/"))
    assert first == "elision"
    return CliRunner().invoke(app, arguments)


def test_the_command_of_airflow_goes_on_night_by_night(tmp_path: Path) -> None:
    said = constants(EXAMPLES / "airflow_dag.py")
    Key(bytes(range(32))).write(tmp_path / "project.key")
    (tmp_path / "columns.toml").write_text('texts = ["note"]\nid = "id"\npatient = "person"\n')
    for night in (ROWS[:2], ROWS):
        pq.write_table(pa.Table.from_pylist(night, ROWS_SCHEMA), tmp_path / "notes.parquet")
        done = typed(said["RUN"], tmp_path)
        assert done.exit_code == (1 if night is ROWS else 0), done.output  # what the task goes on after
    rows = pq.read_table(tmp_path / "clean.parquet").to_pylist()
    assert [row["id"] for row in rows][:3] == [1, 2, 3]
    assert not re.search("Roe|Fenwick|0142", str(rows) + done.output)
    told = typed(said["HELD"], tmp_path)
    assert "not-text" in told.output
    assert told.exit_code == 1
    assert said["OR_WITHHELD"] == " || [ $? -eq 1 ]"


ROWS_SCHEMA = pa.schema([("id", pa.int64()), ("person", pa.int64()), ("note", pa.string())])


def test_the_model_of_dbt_is_sql_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb", reason="needs elision[duckdb]")
    Key(bytes(range(32))).write(tmp_path / "project.key")
    for name in ("dbt", "dbt.adapters", "dbt.adapters.duckdb", "dbt.adapters.duckdb.plugins"):
        module: Any = ModuleType(name)
        module.BasePlugin = object
        monkeypatch.setitem(sys.modules, name, module)
    made: dict[str, Any] = {}
    exec(compile((EXAMPLES / "dbt" / "elision_plugin.py").read_text("utf-8"), "plugin", "exec"), made)
    profile = (EXAMPLES / "dbt" / "profiles.yml").read_text("utf-8")
    (row,) = re.findall(r"config: \{ (.*) \}", profile)
    config = dict(pair.split(": ") for pair in row.replace("/etc/elision", str(tmp_path)).split(", "))
    assert set(config) == {"policy", "key", "language"}
    connection = duckdb.connect()
    plugin = made["Plugin"]()
    plugin.initialize(config | {"effort": "rules"})
    plugin.configure_connection(connection)
    connection.register("notes", pa.Table.from_pylist(ROWS, ROWS_SCHEMA))
    model = (EXAMPLES / "dbt" / "models" / "clean_notes.sql").read_text("utf-8")
    rows = connection.sql(model.replace("{{ source('lake', 'notes') }}", "notes")).fetchall()
    assert [row[0] for row in rows] == [1, 2, 3, 4]
    assert [row[1] is None for row in rows] == [False, False, True, True]
    assert rows[3][2] == "not-text: rtf"
    assert not re.search("Roe|Fenwick|0142", str(rows))
