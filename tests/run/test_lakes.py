"""A folder of a lakehouse's table is refused: its files have rows that were deleted."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elision.errors import FormatError
from elision.formats.tables.lakes import names_in, refuse_lakes
from elision.formats.tables.opening import open_source

# the kind, what tells it, and where the rows lie
TABLES = [
    ("Delta", "lake/t/_delta_log/00000000000000000000.json", "lake/t/part-0.parquet"),
    ("Delta", "lake/t/_delta_log/00000000000000000000.json", "lake/t/year=2024/month=05/part-0.parquet"),
    ("Hudi", "lake/t/.hoodie/hoodie.properties", "lake/t/part-0.parquet"),
    ("Iceberg", "lake/t/metadata/v1.metadata.json", "lake/t/data/part-0.parquet"),
    ("Iceberg", "lake/t/metadata/v1.metadata.json", "lake/t/data/year=2024/part-0.parquet"),
]


def made(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".parquet"):
            pq.write_table(pa.table({"note": ["Seen by Dr. Jane Roebuck."], "id": ["a"]}), root / name)
        else:
            (root / name).write_text("{}")


@pytest.mark.parametrize(("kind", "mark", "rows"), TABLES)
def test_a_table_is_known_however_its_files_are_named(tmp_path: Path, kind: str, mark: str, rows: str) -> None:
    made(tmp_path, mark, rows)
    for where in (tmp_path / "lake", tmp_path / "lake" / "t", (tmp_path / rows).parent / "*.parquet"):
        with pytest.raises(FormatError, match=rf"is or has a table of {kind}, .*elision run table:NAME --on spark"):
            open_source(where, format="parquet")
    with pytest.raises(FormatError, match=kind):
        refuse_lakes("in", [(tmp_path / rows).parent.as_posix() + "/"], names_in)


def test_a_folder_that_cannot_be_listed_is_looked_at_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, "t/_delta_log/0.json", "t/year=2024/part-0.parquet")

    def refused(folder: Path) -> None:
        raise PermissionError(folder)

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(FormatError, match="Delta"):
        refuse_lakes("in", [f"{tmp_path}/t/year=2024"], names_in)


@pytest.mark.parametrize("beside", ["lake/t/metadata/notes.json", "lake/_delta_log/0.json", "lake/t/data.txt"])
def test_other_folders_are_read(tmp_path: Path, beside: str) -> None:
    made(tmp_path, "lake/t/year=2024/part-0.parquet", beside)
    assert open_source(tmp_path / "lake" / "t" / "year=2024", format="parquet").rows == 1
