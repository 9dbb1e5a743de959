from __future__ import annotations

import errno
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from elision.errors import FormatError, UnsureError
from elision.formats.tables import writers
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from tests.run.containers import COLUMNS, FILES, SCHEMA, Given, Rows, copy, read_rows
from tests.strategies import fewer, texts

PAIRS = list(product(FILES, FILES))
NOTES = [
    {"id": "a", "text": "One, two\r\nthree"},
    {"id": "b/c", "text": '"Quoted"; \ttab'},
    {"id": "d", "text": "=1+1 of 李明\0"},
    {"id": "e", "text": "last"},
]


@pytest.mark.slow
@fewer
@given(st.lists(st.tuples(texts, texts.filter(bool)), max_size=8), st.sampled_from(PAIRS))
def test_the_same_rows_come_out_of_every_container(pairs: list[tuple[str, str]], way: tuple[str, str]) -> None:
    """Whatever is in the cells. In a folder, ids are names of files, and here they are numbers."""
    folders = "text" in way
    rows = [{"id": str(at) if folders else f"{at}{id}", "text": text} for at, (id, text) in enumerate(pairs)]
    if not rows:
        return
    first, second = way
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        one, other = str(folder / "in" / FILES[first]), str(folder / FILES[second])
        copy(Given(rows), one, folder / "s1", format=first, neutral=False)
        copy(open_source(one), other, folder / "s2", format=second, neutral=False)
        assert read_rows(other) == rows


@pytest.mark.parametrize("format", FILES)
def test_an_output_depends_on_the_rows_alone(format: str, tmp_path: Path) -> None:
    for rows, name in ((1, "a"), (3, "b"), (100, "c")):
        copy(Given(NOTES), str(tmp_path / name), tmp_path / "run" / "staging", rows, format=format)
        shutil.rmtree(tmp_path / "run")
    one, *others = (
        {
            str(file.relative_to(root)): file.read_bytes()
            for file in ([root] if root.is_file() else root.rglob("*"))
            if file.is_file()
        }
        for root in (tmp_path / "a", tmp_path / "b", tmp_path / "c")
    )
    assert [list(one.values())] * 2 == [list(other.values()) for other in others]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b", "c"]


@pytest.mark.slow
def test_parquet_is_the_same_bytes_however_its_rows_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "GROUP_BYTES", 5000)
    monkeypatch.setattr(writers, "GROUP_ROWS", 35)
    schema = pa.schema([*SCHEMA, ("x", pa.list_(pa.int32()))])
    rows = [{"id": str(at), "text": "note " * (at % 97) or None, "x": [at] * (at % 3)} for at in range(1000)]
    outputs = set()
    for size in (1, 3, 64, 999, 1000):
        target = tmp_path / f"{size}.parquet"
        columns = Columns(("text",), "id", keep=("x",))
        copy(Given(rows, schema), str(target), tmp_path / f"s{size}", size, columns=columns)
        outputs.add(target.read_bytes())
        assert read_rows(str(target)) == rows
    assert len(outputs) == 1
    groups = parquet.ParquetFile(target).metadata
    assert groups.num_row_groups > 30
    assert max(groups.row_group(at).num_rows for at in range(groups.num_row_groups)) == 35


def test_a_shard_that_is_written_again_takes_the_place_of_what_it_was(tmp_path: Path) -> None:
    sink = open_sink(tmp_path / "out.csv", Given(NOTES), COLUMNS, SCHEMA, staging=tmp_path / "staging")
    source = Given(NOTES)
    first, second = source.shards(2)
    sink.put(0, source.read(second))
    pickle.loads(pickle.dumps(sink)).put(0, source.read(first))
    sink.put(1, source.read(second))
    again = open_sink(tmp_path / "out.csv", Given(NOTES), COLUMNS, SCHEMA, staging=tmp_path / "staging")
    assert again.done() == {0, 1}
    again.finish()
    assert [row["id"] for row in read_rows(str(tmp_path / "out.csv"))] == ["a", "b/c", "d", "e"]


def test_a_shard_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    sink = open_sink(tmp_path / "out.csv", Given(NOTES), COLUMNS, SCHEMA, staging=tmp_path / "staging")

    def broken() -> Any:
        yield from Given(NOTES).read({"start": 0, "rows": 2})
        raise FormatError("row 3 is bad")

    with pytest.raises(FormatError, match="row 3"):
        sink.put(0, broken())
    assert sink.done() == set()
    assert not any((tmp_path / "staging" / "parts").iterdir())
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("format", ["csv", "text", "brat"])
def test_finishing_can_be_stopped_anywhere(format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before each step of the end: what is done again comes to the same."""
    copy(Given(NOTES), str(tmp_path / "whole"), tmp_path / "other", format=format, neutral=False)
    steps = 0

    def stop_at(number: int) -> Any:
        def counted(real: Any) -> Any:
            def step(*args: Any, **options: Any) -> Any:
                nonlocal steps
                steps += 1
                if steps == number:
                    raise KeyboardInterrupt
                return real(*args, **options)

            return step

        return counted

    for number in range(1, 30):
        target, staging = tmp_path / f"out{number}", tmp_path / f"staging{number}"
        source = Given(NOTES)
        sink = open_sink(target, source, COLUMNS, SCHEMA, format=format, staging=staging, neutral=False)
        for at, shard in enumerate(source.shards(2)):
            sink.put(at, source.read(shard))
        steps = 0
        with monkeypatch.context() as patch:
            for name in ("rename", "replace"):
                patch.setattr(Path, name, stop_at(number)(getattr(Path, name)))
            try:
                sink.finish()
            except KeyboardInterrupt:
                pass
            else:
                break
        again = open_sink(target, source, COLUMNS, SCHEMA, format=format, staging=staging, neutral=False)
        assert again.done() == {0, 1}
        again.finish()
        again.finish()
        assert _content(target) == _content(tmp_path / "whole")
    assert 3 < number < 29


def _content(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    return {str(file.relative_to(path)): file.read_bytes() for file in files if file.is_file()}


FORMULA = [
    *"=+-@＝＋－＠﹢﹣﹦﹫−", "\t", "\r", "\n", "\n=", "\0", "\0=", "\ufeff", "\ufeff=",
    "\u200b=", "\u200e=", "\u2060+", "\x1f",
]  # fmt: skip


@pytest.mark.parametrize("start", FORMULA)
@pytest.mark.parametrize("format", ["csv", "tsv"])
def test_cells_that_begin_like_a_formula_are_made_harmless(start: str, format: str, tmp_path: Path) -> None:
    rows = [{"id": f"{start}A1", "text": f"{start}cmd|' /C calc'!A0"}]
    copy(Given(rows), str(tmp_path / "safe"), tmp_path / "s", format=format)
    copy(Given(rows), str(tmp_path / "raw"), tmp_path / "s2", format=format, neutral=False)
    assert read_rows(str(tmp_path / "safe"), format=format) == [{name: f"'{cell}" for name, cell in rows[0].items()}]
    assert read_rows(str(tmp_path / "raw"), format=format) == rows


def test_formulas_are_made_harmless_in_large_strings_too(tmp_path: Path) -> None:
    schema = pa.schema([("id", pa.large_string()), ("text", pa.large_string())])
    copy(Given([{"id": "＝A1", "text": "@x"}], schema), str(tmp_path / "o"), tmp_path / "s", format="csv")
    assert read_rows(str(tmp_path / "o"), format="csv") == [{"id": "'＝A1", "text": "'@x"}]


def test_kept_columns_keep_their_types(tmp_path: Path) -> None:
    schema = pa.schema([*SCHEMA, ("n", pa.int64()), ("x", pa.list_(pa.int32())), ("b", pa.bool_())])
    rows: Rows = [
        {"id": "1", "text": "=x", "n": -5, "x": [1, 2], "b": True},
        {"id": "2", "text": None, "n": None, "x": None, "b": None},
    ]
    columns = Columns(("text",), "id", keep=("n", "x", "b"))
    for format in ("parquet", "jsonl", "csv"):
        copy(Given(rows, schema), str(tmp_path / format), tmp_path / f"s{format}", format=format, columns=columns)
    assert read_rows(str(tmp_path / "parquet"), format="parquet") == rows
    assert read_rows(str(tmp_path / "jsonl"), format="jsonl") == [{**rows[0], "x": "[1, 2]"}, rows[1]]
    assert (tmp_path / "csv").read_text() == 'id,text,n,x,b\n1,\'=x,-5,"[1, 2]",true\n2,,,,\n'
    copy(
        open_source(str(tmp_path / "jsonl"), format="jsonl"),
        str(tmp_path / "way.parquet"),
        tmp_path / "w",
        columns=columns,
    )
    copy(
        open_source(str(tmp_path / "way.parquet")),
        str(tmp_path / "back"),
        tmp_path / "b",
        columns=columns,
        format="jsonl",
    )
    assert (tmp_path / "back").read_text() == (tmp_path / "jsonl").read_text()


def test_a_table_without_rows_is_a_table(tmp_path: Path) -> None:
    for format in ("csv", "parquet"):
        copy(Given([]), str(tmp_path / f"x.{format}"), tmp_path / f"s{format}")
        assert read_rows(str(tmp_path / f"x.{format}")) == []
        assert open_source(tmp_path / f"x.{format}").schema.names == ["id", "text"]


def test_a_folder_keeps_its_layout_and_names(tmp_path: Path) -> None:
    for name in ("a.txt", "deep/b.txt", "deep/C.TXT", "deep/x.y.txt"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text(f"note {name}\r\n", newline="")
    source = open_source(tmp_path / "in", format="text")
    copy(source, str(tmp_path / "out"), tmp_path / "staging")
    assert _content(tmp_path / "in") == _content(tmp_path / "out")
    with pytest.raises(FormatError, match="something is there already"):
        copy(source, str(tmp_path / "out"), tmp_path / "other")
    copy(source, str(tmp_path / "out"), tmp_path / "other", force=True)
    assert _content(tmp_path / "in") == _content(tmp_path / "out")


def test_notes_without_text_are_no_files_and_several_texts_are_several(tmp_path: Path) -> None:
    schema = pa.schema([*SCHEMA, ("plan", pa.string())])
    rows: Rows = [{"id": "1", "text": "t", "plan": None}, {"id": "2", "text": "u", "plan": "p"}]
    columns = Columns(("text", "plan"), "id")
    copy(Given(rows, schema), str(tmp_path / "out"), tmp_path / "s", columns=columns, format="text")
    assert _content(tmp_path / "out") == {"1/text.txt": b"t", "2/text.txt": b"u", "2/plan.txt": b"p"}


def test_documents_come_out_as_documents_of_their_format(tmp_path: Path) -> None:
    copy(Given(NOTES[:2]), str(tmp_path / "in.json"), tmp_path / "s", format="presidio")
    source = open_source(tmp_path / "in.json", format="presidio")
    columns = Columns(("text",), "id", known={"*": "known"})
    copy(source, str(tmp_path / "out.json"), tmp_path / "s2", columns=columns, schema=SCHEMA)
    assert [row["text"] for row in read_rows(str(tmp_path / "out.json"), format="presidio")] == [
        row["text"] for row in NOTES[:2]
    ]


@pytest.mark.parametrize("id", ["../up", "/root", "a\0b", "", ".", "a//b"])
def test_ids_that_lead_elsewhere_are_refused(id: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be a file name"):
        copy(Given([{"id": id, "text": "x"}]), str(tmp_path / "out"), tmp_path / "s", format="text")
    assert not (tmp_path / "out").exists()


def test_two_notes_with_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="comes twice"):
        copy(Given([{"id": "1", "text": "x"}] * 2), str(tmp_path / "out"), tmp_path / "s", format="text")


def test_places_that_cannot_be_written_are_told_first(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("x")
    source = open_source(tmp_path / "in")
    cases = [
        (tmp_path / "in", "same place"),
        (tmp_path / "in" / "out", "OUT lies inside IN"),
        (tmp_path / "in" / "a.csv", "OUT lies inside IN"),
    ]
    for target, said in cases:
        with pytest.raises(FormatError, match=said):
            copy(source, str(target), tmp_path / "s")
    (tmp_path / "f.csv").mkdir()
    with pytest.raises(FormatError, match="this is a folder"):
        copy(source, str(tmp_path / "f.csv"), tmp_path / "s", format="csv")
    with pytest.raises(UnsureError, match="--to"):
        copy(Given(NOTES), str(tmp_path / "out.xyz"), tmp_path / "s")
    (tmp_path / "file").write_text("")
    with pytest.raises(FormatError, match="is no folder, or a read-only one"):
        copy(source, str(tmp_path / "file" / "out.csv"), tmp_path / "s")


def test_a_place_that_is_read_only_is_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for root, who may write into a folder without leave, but not on a disk that is read-only."""
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path)
    with pytest.raises(FormatError, match="read-only"):
        copy(Given(NOTES), str(tmp_path / "new" / "out.csv"), tmp_path / "s")
    monkeypatch.undo()
    monkeypatch.setattr(Path, "replace", _read_only)
    with pytest.raises(FormatError, match="cannot be written: Read-only file system"):
        copy(Given(NOTES), str(tmp_path / "out.csv"), tmp_path / "s")
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def _read_only(*_: object) -> None:
    raise OSError(errno.EROFS, "Read-only file system", "Zebulon Quartermain")


def test_a_full_disk_is_told_and_nothing_is_half_written(tmp_path: Path) -> None:
    """In a process of its own, whose files may not grow."""
    script = f"""
import resource, signal, sys
from pathlib import Path
from tests.run.containers import Given, copy
from elision.errors import FormatError
rows = [{{"id": str(at), "text": "x%d" % at * 500}} for at in range(100)]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
try:
    copy(Given(rows), {str(tmp_path / "out.csv")!r}, Path({str(tmp_path / "s")!r}), 50)
except FormatError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert "cannot be written: File too large; make room" in done.stdout
    assert "x1" not in done.stdout
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_the_runs_folder_may_be_on_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The output is made beside its place, so nothing is ever moved between disks."""
    real = os.replace

    def replace(one: Any, other: Any, **options: Any) -> None:
        if Path(one).is_relative_to(tmp_path / "far") != Path(other).is_relative_to(tmp_path / "far"):
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        real(one, other, **options)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "rename", replace)
    for format in ("csv", "text"):
        copy(Given(NOTES), str(tmp_path / "deep" / format), tmp_path / "far" / format / "s", format=format)
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {"csv", "text"}


def test_parquet_is_small_and_its_row_groups_depend_on_rows_alone(tmp_path: Path) -> None:
    rows = [{"id": str(at), "text": "the same words " * 20} for at in range(1000)]
    copy(Given(rows), str(tmp_path / "out.parquet"), tmp_path / "s", 10)
    file = parquet.ParquetFile(tmp_path / "out.parquet")
    assert file.metadata.num_row_groups == 1
    assert file.metadata.row_group(0).column(1).compression == "ZSTD"
    assert (tmp_path / "out.parquet").stat().st_size < 20_000
