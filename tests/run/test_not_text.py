"""Runs over what is no text: its row is held with the reason, and the others go on."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from elision.errors import FormatError
from elision.formats.tables.opening import open_source
from tests.formats.test_kinds import FILES, HTML, NOTE, PDF, RTF
from tests.test_cli import elision

KINDS = dict(FILES)


def _reasons(folder: Path) -> dict[str, str]:
    rows = map(json.loads, (folder / "quarantine.jsonl").read_text().splitlines())
    return {row["note"]: row["why"] for row in rows}


def test_a_folder_goes_on_without_what_is_no_text(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, data in KINDS.items():
        (folder / f"{name}.txt").write_bytes(data)
    (folder / "note.txt").write_text(NOTE, "utf-8")
    done = elision("run", folder, "-o", tmp_path / "out", "--effort", "rules", "--workers", "1")
    assert done.returncode == 1, done.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["note.txt"]
    assert _reasons(tmp_path / "out.run") == {name: f"not-text: {name}" for name in KINDS}
    assert "Quill" not in done.stdout + done.stderr


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_cell_that_is_no_text_is_held(encoding: str, tmp_path: Path) -> None:
    cells = {"1": NOTE, "2": RTF, "3": HTML, "4": PDF.decode("latin-1"), "5": NOTE}
    with (tmp_path / "in.csv").open("w", encoding=encoding, newline="") as stream:
        csv.writer(stream).writerows([("id", "note"), *cells.items()])
    done = elision(
        "run", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "--effort", "rules", "--workers", "1",
        "--id", "id", "--text", "note", "--encoding", encoding,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert _reasons(tmp_path / "out.csv.run") == {"2": "not-text: rtf", "3": "not-text: html", "4": "not-text: pdf"}
    assert (tmp_path / "out.csv").read_text("utf-8").count("[NAME]") == 2


@pytest.mark.parametrize("name", ["xlsx", "gzip", "utf-16-le", "parquet", "pdf"])
@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_table_that_is_none_is_refused(name: str, suffix: str, tmp_path: Path) -> None:
    (tmp_path / f"notes{suffix}").write_bytes(KINDS[name])
    for encoding in ("utf-8", "latin-1"):
        with pytest.raises(FormatError) as caught:
            list(open_source(tmp_path / f"notes{suffix}", encoding=encoding).shards(10))
        assert f"notes{suffix}: is " in str(caught.value)
        assert "cp1252" not in str(caught.value)
