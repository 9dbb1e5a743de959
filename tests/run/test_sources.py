from __future__ import annotations

import csv
import json
import pickle
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from elision.errors import FormatError, UnsureError
from elision.formats.tables.csv import CsvTable
from elision.formats.tables.lines import Dialect, begin, lines
from elision.formats.tables.opening import open_source
from elision.formats.tables.source import MOST_BYTES, MOST_ROWS
from elision.run.ids import check_ids
from tests.run.containers import Given, read_rows, rows_of
from tests.strategies import fewer, texts

CANARY = "Zebulon Quartermain"


def write_csv(file: Path, rows: list[list[str]], encoding: str = "utf-8", **dialect: Any) -> Path:
    with file.open("w", newline="", encoding=encoding) as stream:
        csv.writer(stream, **dialect).writerows(rows)
    return file


ROWS = [["id", "text"], *([str(at), f'Line, one; "{at}"\r\nline\ttwo | ré {at}'] for at in range(7))]
AS_DICTS = [dict(zip(ROWS[0], row, strict=True)) for row in ROWS[1:]]


# --- CSV


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "latin-1"])
@pytest.mark.parametrize("delimiter", list(",;\t|"))
@pytest.mark.parametrize("quote", ['"', "'"])
def test_dialects_and_encodings(encoding: str, delimiter: str, quote: str, tmp_path: Path) -> None:
    rows = ROWS if quote == '"' else [[cell.replace('"', "'") for cell in row] for row in ROWS]
    quoting = {"quotechar": quote, "quoting": csv.QUOTE_ALL}
    file = write_csv(tmp_path / "notes.csv", rows, encoding, delimiter=delimiter, **quoting)
    expected = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
    assert read_rows(str(file), encoding=encoding) == expected


def test_quotes_that_are_escaped(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv", ROWS, doublequote=False, escapechar="\\")
    source = open_source(file)
    assert isinstance(source, CsvTable)
    assert source.dialect == Dialect(",", '"', "\\")
    assert rows_of(source) == AS_DICTS


def test_an_empty_cell_is_null_and_blank_lines_are_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1,\n\n2,x\n\n")
    assert read_rows(str(tmp_path / "a.csv")) == [{"id": "1", "text": None}, {"id": "2", "text": "x"}]


def test_a_tsv_has_tabs_whatever_its_cells_have(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("id,a;b,c\ttext\n1\tx,y\n")
    assert read_rows(str(tmp_path / "a.tsv")) == [{"id,a;b,c": "1", "text": "x,y"}]


@fewer
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=9), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_shards_of_lines_begin_where_rows_do(cells: list[tuple[str, str]], encoding: str) -> None:
    """Also where half of a character of UTF-16 looks like the end of a line."""
    rows = [["id", "text"], *([f"{at}{one}", f"{other}\u0a0a\u0a0d\u0d0a"] for at, (one, other) in enumerate(cells))]
    with tempfile.TemporaryDirectory() as folder:
        file = write_csv(Path(folder, "a.csv"), rows, encoding, quoting=csv.QUOTE_ALL)
        source = open_source(file, encoding=encoding)
        shards = source.shards(2)
        assert source.rows == len(cells) == sum(shard["rows"] for shard in shards)
        found = [
            row for shard in reversed(shards) for batch in source.read(shard) for row in reversed(batch.to_pylist())
        ]
        assert [[row["id"], row["text"]] for row in reversed(found)] == rows[1:]


def test_another_encoding_can_be_said(tmp_path: Path) -> None:
    for suffix, line in (("csv", "id,text\n1,x\n3,ré\n"), ("jsonl", '{"id": "3", "text": "ré"}\n')):
        file = tmp_path / f"a.{suffix}"
        file.write_text(line, encoding="cp1252")
        assert read_rows(str(file), encoding="cp1252")[-1]["text"] == "ré"
        with pytest.raises(FormatError, match="not an encoding"):
            read_rows(str(file), encoding="klingon")
        with pytest.raises(FormatError, match="convert the file to UTF-8"):
            read_rows(str(file), encoding="utf-32")


def test_carriage_returns_end_no_lines(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\r1,x\r", newline="")
    with pytest.raises(FormatError, match="a carriage return that is not in quotes"):
        read_rows(str(tmp_path / "a.csv"))


def test_headers_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text,id\n")
    (tmp_path / "b.csv").write_text("")
    with pytest.raises(FormatError, match=r"one name twice \(see columns 1, 3\)"):
        open_source(tmp_path / "a.csv")
    with pytest.raises(FormatError, match="the file is empty"):
        open_source(tmp_path / "b.csv")


def test_a_line_without_end_is_refused_before_it_fills_the_memory(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n1," + "x" * 5000)
    with pytest.raises(FormatError, match=r"line 2: longer than the limit"):
        read_rows(str(tmp_path / "a.csv"), max_bytes=1000)


def test_files_of_one_table_are_read_together(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_csv(tmp_path / f"{name}.csv", [["id", "text"], *([f"{name}{at}", "x"] for at in range(5))])
    for where in (tmp_path, tmp_path / "*.csv"):
        source = open_source(where)
        assert [row["id"] for row in rows_of(source, 2)] == [f"{name}{at}" for name in "ab" for at in range(5)]
        assert [shard["start"] for shard in source.shards(2)] == [0, 2, 4, 5, 7, 9]
    write_csv(tmp_path / "c.csv", [["id", "other"]])
    with pytest.raises(FormatError, match=r"c\.csv: the header is not that of the first file"):
        read_rows(str(tmp_path))


# --- JSON Lines


def test_fields_of_json_lines_have_types(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"id": 1, "text": "a", "x": [1, {"y": None}], "f": 1.5, "b": True, "mixed": 1, "n": None, "big": 2**70},
        {"id": 2, "text": None, "f": None, "mixed": "1", "late": "é", "big": 1},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = pickle.loads(pickle.dumps(open_source(tmp_path / "a.jsonl")))
    types = {field.name: (str(field.type), bool(field.metadata)) for field in source.schema}
    assert types == {
        "id": ("int64", False), "text": ("string", False), "x": ("string", True), "f": ("double", False),
        "b": ("bool", False), "mixed": ("string", True), "n": ("string", False), "big": ("string", True),
        "late": ("string", False),
    }  # fmt: skip
    first, second = read_rows(str(tmp_path / "a.jsonl"))
    assert (first["x"], first["mixed"], first["late"], first["big"]) == ('[1, {"y": null}]', "1", None, str(2**70))
    assert (second["x"], second["mixed"], second["late"]) == (None, '"1"', "é")


# --- Parquet


def parquet_of(file: Path, rows: int, group: int, cell: str = "note") -> Path:
    table = pa.table({"id": list(range(rows)), "text": [f"{cell} {at}" for at in range(rows)], "x": [{"y": 1}] * rows})
    parquet.write_table(table, file, row_group_size=group)
    return file


@pytest.mark.parametrize("group", [1, 7, 100, 1000])
@pytest.mark.parametrize("shard", [1, 10, 64, 1000])
def test_shards_of_parquet_need_not_be_row_groups(group: int, shard: int, tmp_path: Path) -> None:
    source = open_source(parquet_of(tmp_path / "a.parquet", 250, group))
    shards = source.shards(shard)
    again = pickle.loads(pickle.dumps(source))
    ids = {row["id"] for part in shards[::2] for batch in again.read(part, ["id"]) for row in batch.to_pylist()}
    ids |= {row["id"] for part in shards[1::2] for batch in again.read(part, ["id"]) for row in batch.to_pylist()}
    assert ids == set(range(250))
    assert [row["id"] for row in rows_of(source, shard)] == list(range(250))


def test_all_kinds_of_strings_are_one(tmp_path: Path) -> None:
    cells = ["a", "b", None]
    types = {"d": pa.dictionary(pa.int8(), pa.string()), "l": pa.large_string(), "s": pa.string()}
    arrays = {name: pa.array(cells, pa.string()).cast(kind) for name, kind in types.items()}
    parquet.write_table(pa.table(arrays), tmp_path / "a.parquet")
    source = open_source(tmp_path / "a.parquet")
    assert [str(field.type) for field in source.schema] == ["string"] * 3
    assert rows_of(source) == [dict.fromkeys(types, cell) for cell in cells]


def test_what_is_no_parquet_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text(CANARY)
    with pytest.raises(FormatError, match="is not a Parquet file") as error:
        open_source(tmp_path / "a.parquet")
    assert CANARY not in str(error.value)


# --- all


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_cells_of_20_megabytes_come_one_by_one(name: str, tmp_path: Path) -> None:
    cell, file = "x" * 20_000_000, tmp_path / name
    rows = [{"id": str(at), "text": cell} for at in range(3)] + [{"id": str(at), "text": "y"} for at in range(3, 2100)]
    if name == "a.parquet":
        parquet.write_table(pa.Table.from_pylist(rows), file)
    elif name == "a.csv":
        write_csv(file, [["id", "text"], *(list(row.values()) for row in rows)])
    else:
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    source = open_source(file)
    sizes = [(batch.num_rows, batch.nbytes) for shard in source.shards(5000) for batch in source.read(shard)]
    assert sum(rows for rows, _ in sizes) == len(rows)
    assert max(rows for rows, _ in sizes) <= MOST_ROWS
    assert max(size for _, size in sizes) < 20_000_000 + MOST_BYTES
    assert len(sizes) >= 5


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet", "a.txt"])
def test_a_fingerprint_changes_with_the_file(name: str, tmp_path: Path) -> None:
    def write(cell: str) -> None:
        if name == "a.parquet":
            parquet_of(tmp_path / name, 3, 3, cell)
        else:
            text = {"a.csv": f"id,text\n1,{cell}\n", "a.jsonl": f'{{"id": 1, "text": "{cell}"}}\n'}.get(name, cell)
            (tmp_path / name).write_text(text)

    write("one")
    before = open_source(tmp_path / name).fingerprint
    assert open_source(tmp_path / name).fingerprint == before
    write("longer")
    assert open_source(tmp_path / name).fingerprint != before


def test_what_is_changed_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    file = write_csv(tmp_path / "a.csv", ROWS)
    source = open_source(file)
    shards = source.shards(100)
    write_csv(file, ROWS[:3])
    with pytest.raises(FormatError, match="begin the run anew"):
        list(source.read(shards[0]))


def test_places_that_are_not_there_are_told(tmp_path: Path) -> None:
    for where, said in (("none", "no such file"), ("*.csv", "no file has such a name"), ("", "is empty")):
        with pytest.raises(FormatError, match=said):
            open_source(str(tmp_path / where))
    (tmp_path / "a.csv").write_text("id,text\n")
    (tmp_path / "a.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match="of several kinds"):
        open_source(tmp_path)
    (tmp_path / "b.doc").write_text("x")
    with pytest.raises(UnsureError):
        open_source(tmp_path / "b.doc")


def test_files_beside_the_notes_are_not_passed_over_in_silence(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    for name in ("a.txt", "deep/b.TXT", "deep/c.txt", "read.me"):
        (tmp_path / name).write_text(name)
    with pytest.raises(FormatError, match=r"files of other kinds \(\.me\)"):
        open_source(tmp_path, format="text")
    assert [row["id"] for row in read_rows(f"{tmp_path}/**/*.txt")] == ["a", "deep/c"]
    assert [row["id"] for row in read_rows(f"{tmp_path}/*.me", format="text")] == ["read.me"]


def test_documents_bring_what_is_known(tmp_path: Path) -> None:
    row = {"id": "n1", "text": "Seen.", "patient": "p1", "language": "en", "known": {"name": ["Jane Roe"]}, "spans": []}
    (tmp_path / "a.json").write_text(json.dumps(row))
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n")
    expected = {**row, "known": '{"name": ["Jane Roe"]}'}
    expected.pop("spans")
    source = open_source(tmp_path / "a.jsonl", format="doccano")
    assert list(source.schema.names) == list(expected)
    (table,) = read_rows(str(tmp_path / "a.jsonl"))
    assert {name: table[name] for name in expected} == expected


@pytest.mark.parametrize("format", ["brat", "i2b2-2014", "fhir", "hl7v2", "nedap", "conll"])
def test_every_document_format_is_read_shard_by_shard(format: str, tmp_path: Path) -> None:
    from elision.document import Document
    from elision.formats import write

    notes = [Document(f"Note number {at} .", f"{at:03}") for at in range(11)]
    target = tmp_path / ("notes" if format not in ("nedap", "conll", "i2b2-2006") else "notes.txt")
    write(notes, target, format)
    source = pickle.loads(pickle.dumps(open_source(target, format=format)))
    shards = source.shards(4)
    assert [shard["rows"] for shard in shards] == [4, 4, 3]
    found = [row["text"].strip() for shard in shards for batch in source.read(shard) for row in batch.to_pylist()]
    assert found == [note.text for note in notes]
    assert [row["text"].strip() for batch in source.read(shards[0], ["text"]) for row in batch.to_pylist()] == found[:4]


# --- ids


def test_ids_that_come_twice_or_are_missing_are_told() -> None:
    rows = [{"id": str(at), "text": "x"} for at in range(3000)]
    check_ids(Given(rows), "id", Given(rows).shards(1000))
    twice = Given([*rows, {"id": "17", "text": "x"}, {"id": "4", "text": ""}])
    with pytest.raises(FormatError, match=r"2 ids in column id come more than once \(one at rows 5, 3,002\)"):
        check_ids(twice, "id", twice.shards(1000))
    check_ids(twice, "id", twice.shards(1000), repeats=True)
    missing = Given([*rows, {"id": None, "text": "x"}, {"id": "", "text": "x"}])
    with pytest.raises(FormatError, match="2 rows have no id"):
        check_ids(missing, "id", missing.shards(1000), repeats=True)
    check_ids(Given([]), "id", [])


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a\rb\u2028c\x85d\ne", newline="")
    assert begin(tmp_path / "a", "utf8") == ("utf-8", 0)
    assert [line for _, line in lines(tmp_path / "a", "utf-8", 0, 100)] == ["a\rb\u2028c\x85d\n", "e"]
