"""Tables in many files, partitioned folders among them: the output has the same files, and is proved and mended."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elision.errors import ElisionError, FormatError
from elision.formats.tables.opening import open_source
from elision.run.plan import plan
from tests.run.inline import inline
from tests.run.nights import left_by, night, once, options, rows_of
from tests.run.small import Row
from tests.run.test_retry import call

FIRST = [(0, 0), (1, 1), (2, 2), (3, 1)]
SECOND = [*FIRST, (4, 2), (5, 0)]
CHANGED = [(0, 3), *SECOND[1:]]


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    inline(monkeypatch)


def write(path: Path, rows: list[Row]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        schema = pa.schema([(name, pa.string()) for name in ("id", "patient", "text", "name")])
        pq.write_table(pa.Table.from_pylist(rows, schema), path)
    else:
        lines = [",".join(f'"{row[name] or ""}"' for name in ("id", "patient", "text", "name")) for row in rows]
        path.write_text("\n".join(["id,patient,text,name", *lines, ""]))


def years(folder: Path, snapshot: list[tuple[int, int]], at: int = 2) -> Path:
    """A partitioned folder: the first rows in one year, the others in the next."""
    rows = rows_of(snapshot)
    write(folder / "in" / "year=2023" / "part-0.parquet", rows[:at])
    write(folder / "in" / "year=2024" / "part-0.parquet", rows[at:])
    return folder / "in"


def ids_in(path: Path) -> list[str]:
    return [str(id) for id in pq.ParquetFile(path).read().column("id").to_pylist()]


def test_a_partitioned_folder_stays_one_and_can_be_verified(tmp_path: Path) -> None:
    once(years(tmp_path, FIRST), tmp_path / "out")
    names = [file.relative_to(tmp_path / "out").as_posix() for file in sorted((tmp_path / "out").rglob("*.parquet"))]
    assert names == ["year=2023/part-0.parquet", "year=2024/part-0.parquet"]
    assert [ids_in(tmp_path / "out" / name) for name in names] == [["n0", "n1"], ["n2", "n3"]]
    told = call("verify", tmp_path / "out.run", "--key", options().key)
    assert "4 rows" in told
    write(tmp_path / "out" / "year=2024" / "part-1.parquet", rows_of(FIRST[:1]))
    with pytest.raises(ElisionError):
        call("verify", tmp_path / "out.run", "--key", options().key)


def test_each_file_has_the_bytes_that_a_run_over_it_alone_would_give(tmp_path: Path) -> None:
    """Of rows whose patients stand in one file."""
    source = years(tmp_path, [(0, 0), (3, 1), (1, 1)])
    once(source, tmp_path / "out")
    once(source / "year=2023" / "part-0.parquet", tmp_path / "one.parquet")
    assert (tmp_path / "out" / "year=2023" / "part-0.parquet").read_bytes() == (tmp_path / "one.parquet").read_bytes()


@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_nights_over_many_files_are_one_run_over_the_last(tmp_path: Path, ending: str) -> None:
    for at, snapshot in enumerate((FIRST, SECOND, CHANGED)):
        rows = rows_of(snapshot)
        for number in range(3):
            write(tmp_path / "in" / f"n{number}.{ending}", rows[number::3])
        night(tmp_path / "in" / f"*.{ending}", tmp_path / "out")
        once(tmp_path / "in", tmp_path / f"one{at}")
        assert left_by(tmp_path / "out") == left_by(tmp_path / f"one{at}")


def test_rows_that_are_in_another_file_now_are_so_in_the_output(tmp_path: Path) -> None:
    night(years(tmp_path, FIRST), tmp_path / "out")
    night(years(tmp_path, FIRST, at=3), tmp_path / "out")
    assert ids_in(tmp_path / "out" / "year=2023" / "part-0.parquet") == ["n0", "n1", "n2"]


def test_a_row_that_went_from_the_output_is_told(tmp_path: Path) -> None:
    night(years(tmp_path, FIRST), tmp_path / "out")
    (tmp_path / "out" / "year=2024" / "part-0.parquet").unlink()
    with pytest.raises(ElisionError, match="not as the run left it"):
        night(years(tmp_path, SECOND), tmp_path / "out")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("patient=17", "a patient"),
        ("mrn=4810", "a patient"),
        ("month=03", "a date"),
        ("note_date=2024-03-05", "a date"),
        ("Jane_Roebuck", "a name"),
        ("phone=12", "a known value"),
    ],
)
def test_names_that_tell_of_people_do_not_go_out(tmp_path: Path, name: str, told: str) -> None:
    write(tmp_path / "in" / name / "part.parquet", rows_of(FIRST))
    with pytest.raises(FormatError, match=f"{told} 1") as error:
        plan(str(tmp_path / "in"), str(tmp_path / "out"), options())
    assert name.rpartition("=")[2] not in str(error.value)
    plan(str(tmp_path / "in"), str(tmp_path / "out"), options(ids="keep"))
    plan(str(tmp_path / "in"), str(tmp_path / "out.parquet"), options())  # one file, in which no such name is


def test_files_take_the_ending_of_the_format_that_is_asked_for(tmp_path: Path) -> None:
    once(years(tmp_path, FIRST), tmp_path / "out", to="csv")
    assert open_source(tmp_path / "out", format="csv").rows == 4
    assert (tmp_path / "out" / "year=2023" / "part-0.csv").is_file()
    write(tmp_path / "two" / "a.parquet", rows_of(FIRST))
    write(tmp_path / "two" / "a.pq.parquet", rows_of(FIRST))
    (tmp_path / "two" / "a.pq.parquet").rename(tmp_path / "two" / "a.pq")
    with pytest.raises(FormatError, match="two files would have one name"):
        plan(str(tmp_path / "two"), str(tmp_path / "out2"), options(to="csv"))
