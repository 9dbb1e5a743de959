"""One bad byte, quote, cell or line holds its row, and no other; a piece of a note never stands in another column."""

from __future__ import annotations

import csv
import io
import json
import random
import re
from pathlib import Path
from typing import Literal

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.errors import FormatError
from elision.formats.tables.opening import open_source
from elision.formats.tables.source import UNREADABLE_ROW
from tests.run.small import Row, read_rows

NOTE = "She was seen by Dr. Jane Roebuck, and was well."


def call(*words: object) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["run", *map(str, words), "--workers", "1"])
    return result.exit_code, result.output + str(result.exception or "")


def rows_of(path: Path, **options: str) -> list[Row]:
    source = open_source(path, **options)  # type: ignore[arg-type]
    return [row for shard in source.shards(2) for batch in source.read(shard) for row in batch.to_pylist()]


def why(row: Row) -> str:
    return str(row.get(UNREADABLE_ROW) or "")


IDS = [str(at) for at in range(10, 50)]
MORE = [f"{id},x".encode() for id in IDS]
# name, the lines of a table, the ids of rows that come out whole, why the others are held
TABLES: list[tuple[str, list[bytes], list[str], list[str]]] = [
    ("a cell too many", [b"1,a", b"2,b", b"3,c,more", b"4,d"], ["1", "2", "4"], ["row-unreadable 3"]),
    ("a cell too few", [b"1,a", b"2,b", b"3", b"4", b"5,d"], ["1", "2", "5"], ["row-unreadable 3", "row-unreadable 4"]),
    ("words behind a quote", [b"1,a", b"2,b", b'3,"c" x', b"4,d"], ["1", "2", "4"], ["row-unreadable 3"]),
    ("a quote that ends at the next", [b"1,a", b'2,"b', b'3,"c"', b"4,d"], ["1", "4"], ["row-unreadable 2"]),
    ("a quote that never ends", [b"1,a", b"2,b", b'3,"c', b"4,d", b"5,e"], ["1", "2"], ["row-unreadable 3"]),
    ("cut off in a cell", [b"1,a", b"2,b", b'3,"Seen, and', b"well, that is"], ["1", "2"], ["row-unreadable 3"]),
    ("quotes turned round", [b"1,a", b'2,"b', b'3,"', b"Seen, and well", b'he said, too"', *MORE],
     ["1", *IDS], ["row-unreadable 2"]),
    ("quotes within a cell", [b"1,a", b"2,b", b'3,"she said "yes" and', b"left, then", b'came back"', *MORE],
     ["1", "2", *IDS], ["row-unreadable 3"]),
    ("a quote that ends too soon", [b"1,a", b'2,"she said", and', b"left, then", b'came back"', *MORE],
     ["1", *IDS], ["row-unreadable 2"]),
    ("a bad byte", [b"1,a", b"2,r\xe9", b"3,c"], ["1", "3"], ["not-utf-8 2"]),
    ("a bad byte in quotes", [b"1,a", b'2,"r\xe9, x', b'y"', b"3,c"], ["1", "3"], ["not-utf-8 2"]),
    ("all is well", [b"1,a", b'2,"b', b"12 tablets, then 5", b'c"', b'3,"d ""e"" f"', b"4,g"], ["1", "2", "3", "4"],
     []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "lines", "whole", "held"), TABLES, ids=[table[0] for table in TABLES])
def test_what_cannot_be_read_in_a_table(
    name: str, lines: list[bytes], whole: list[str], held: list[str], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_bytes(b"\n".join([b"id,text", *lines, b""]))
    found = rows_of(tmp_path / "a.csv")
    assert [row["id"] for row in found if not why(row)] == whole
    assert [why(row) for row in found if why(row)] == held
    assert all(row["text"] is None for row in found if why(row))


def test_a_table_whose_ids_are_no_numbers_ends_where_a_quote_is_missing(tmp_path: Path) -> None:
    """There nothing tells where a row begins again."""
    (tmp_path / "a.csv").write_text('who,text\nann,a\nbob,b\ncy,"c\ndee,"d"\neve,e\nSeen, and well\n')
    found = rows_of(tmp_path / "a.csv")
    assert [row["who"] for row in found if not why(row)] == ["ann", "bob"]
    assert [why(row) for row in found if why(row)] == ["row-unreadable 3"]


WORDS = ("seen", "well", "today,", "pain", "none\nand", '"fine",', "home", "12", "5", "then\n", "\n3,", '"no"', "2021,")


@pytest.mark.parametrize("columns", [2, 3])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
def test_no_piece_of_a_note_becomes_an_id(quoting: Literal[0, 1, 2], columns: int, tmp_path: Path) -> None:
    """A quote, a delimiter or an end of line is taken away or put in anywhere."""
    rng = random.Random(quoting)
    lost = 0
    for at in range(150):
        ids = [f"n{at}-{row}" for row in range(rng.randrange(8, 20))]
        rows = [[id, " ".join(rng.choices(WORDS, k=rng.randrange(1, 20))), f"p{id}"] for id in ids]
        stream = io.StringIO()
        csv.writer(stream, quoting=quoting, lineterminator="\n").writerows(
            row[:columns] for row in [["id", "text", "patient"], *rows]
        )
        text = stream.getvalue()
        for _ in range(rng.randrange(1, 3)):
            place = rng.randrange(text.index("\n") + 2, len(text))
            text = text[:place] + rng.choice(["", '"', ",", '"\n', ' "']) + text[place + rng.randrange(2) :]
        (tmp_path / "a.csv").write_text(text)
        found = rows_of(tmp_path / "a.csv")
        good = [row for row in found if not why(row)]
        for row in good:
            assert re.fullmatch(r"[n\d,\s\"-]{1,12}|None", str(row["id"])), (text, row)
            assert re.fullmatch(r"[pn\d,\s\"-]{1,12}|None", str(row.get("patient"))), (text, row)
        lost += len(rows) - len(good)
    assert lost < 1000


def test_a_line_that_is_no_object_is_held(tmp_path: Path) -> None:
    bad = [b'{"id": "2", "text": "Roebuck"', b'["Roebuck"]', b'{"id": "4", "id": "Roebuck"}', b'{"id": "\\ud83d"}',
           b'{"id": "6", "text": "r\xe9"}']  # fmt: skip
    good = [json.dumps({"id": id, "text": "x"}).encode() for id in ("1", "7")]
    (tmp_path / "a.jsonl").write_bytes(b"\n".join([good[0], b"", *bad, good[1], b""]))
    found = rows_of(tmp_path / "a.jsonl")
    assert [row["id"] for row in found] == ["1", None, None, None, None, None, "7"]
    whys = ["row-unreadable 2", "row-unreadable 3", "row-unreadable 4", "not-utf-8 5", "not-utf-8 6"]
    assert [why(row) for row in found if why(row)] == whys


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_run_goes_on_over_a_row_that_cannot_be_read(suffix: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    if suffix == "csv":
        lines = [b"id,text", *(b'%d,"%s"' % (at, NOTE.encode()) for at in range(6))]
        lines[3], lines[5] = lines[3][:-1] + b'" and more', lines[5].replace(b"Jane", b"Jan\xe9")
    else:
        lines = [json.dumps({"id": str(at), "text": NOTE}).encode() for at in range(6)]
        lines[2], lines[4] = lines[2][:-5], lines[4].replace(b"Jane", b"Jan\xe9")
    source.write_bytes(b"\n".join([*lines, b""]))
    status, told = call(source, "-o", out, "--text", "text", "--id", "id", "--shard-rows", 2)
    assert status == 1, told
    assert "Roebuck" not in told + out.read_text()
    rows = read_rows(out) if suffix == "jsonl" else list(csv.DictReader(io.StringIO(out.read_text())))
    assert [row["elision_status"] for row in rows] == ["cleaned", "cleaned", "held", "cleaned", "held", "cleaned"]
    assert [row["id"] or None for row in rows] == ["0", "1", None, "3", "4" if suffix == "csv" else None, "5"]
    held = read_rows(tmp_path / f"out.{suffix}.run" / "quarantine.jsonl")
    assert [(one["row"], one["why"]) for one in held] == [(2, "row-unreadable"), (4, "not-utf-8")]
    assert held[0]["note"] == "row 3"
    receipts = read_rows(tmp_path / f"out.{suffix}.run" / "receipts.jsonl")
    assert [row["status"] for row in receipts[:-1]] == ["done", "done", "held", "done", "held", "done"]
    assert "held" in told
    assert "--encoding cp1252" in told


def test_a_file_of_a_folder_that_cannot_be_read_is_held(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for name in ("a", "c"):
        (folder / f"{name}.txt").write_text(NOTE)
    (folder / "b.txt").write_bytes(NOTE.encode() + b"\xff")
    status, told = call(folder, "-o", out)
    assert status == 1, told
    assert sorted(file.name for file in out.iterdir()) == ["a.txt", "c.txt"]
    (held,) = read_rows(tmp_path / "out.run" / "quarantine.jsonl")
    assert "--encoding cp1252" in held.pop("next")
    assert held == {"note": "b", "column": "text", "why": "not-utf-8", "shard": 0, "row": 1}
    assert "Roebuck" not in told
    assert rows_of(folder)[1] == {"id": "b", "text": None, UNREADABLE_ROW: "not-utf-8 2"}


def test_a_file_that_went_away_is_held(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text(NOTE)
    source = open_source(tmp_path)
    (tmp_path / "b.txt").unlink()
    rows = [row for batch in source.read(source.shards(5)[0]) for row in batch.to_pylist()]
    assert [why(row) for row in rows] == ["", "file-unreadable 2"]


def test_a_table_that_is_read_wrongly_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,text\n" + "1,x\n" * 5 + "Seen, and well, and, so, on\n" * 30)
    (tmp_path / "a.jsonl").write_text('{"id": "1"}\n' + "Seen, and well\n" * 30)
    for name, told in (("a.csv", "30 of 35 rows do not have the 2 cells"), ("a.jsonl", "more than half of the lines")):
        with pytest.raises(FormatError, match=told):
            rows_of(tmp_path / name)


@pytest.mark.parametrize("where", ["in", "in/*.txt", "in/**/*.txt"])
def test_links_that_lead_out_are_named_and_not_followed(where: str, tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "in", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (elsewhere / "b.txt").write_text(NOTE)
    (folder / "a.txt").write_text(NOTE)
    (folder / "again.txt").symlink_to("a.txt")
    (folder / "out.txt").symlink_to(elsewhere / "b.txt")
    (folder / "deep").symlink_to(elsewhere)
    told: list[str] = []
    source = open_source(str(tmp_path / where), tell=told.append)
    ids = [row["id"] for shard in source.shards(9) for batch in source.read(shard) for row in batch.to_pylist()]
    assert ids == ["a", "again"]
    line, *_ = told
    assert "not followed" in line
    assert "out" in line
    (folder / "a.txt").unlink()
    (folder / "again.txt").unlink()
    with pytest.raises(FormatError, match="not followed"):
        open_source(str(tmp_path / where))
