"""`elision verify` takes all that `elision run` writes, says what it looked at, and names what is not as it was."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elision.errors import ElisionError
from tests.run.small import Row, a_key, read_rows, rows, write_rows
from tests.run.test_retry import MUTE, call, options

pytestmark = pytest.mark.slow  # processes


def data() -> list[Row]:
    made = rows(6)
    made[2]["text"] = MUTE
    made[4]["text"] = "- The patient, Jane Roebuck, was well and\nhad no pain."  # a cell that CSV marks
    return made


def ran(folder: Path, name: str, *more: object) -> str:
    source = write_rows(folder / "in.jsonl", data())
    out = f"sqlite:///{folder / name}?table=clean" if name.endswith(".db") else str(folder / name)
    call("run", source, "-o", out, *options(folder, *more), "--state", folder / "records", status=1)
    return out


def verified(folder: Path, *words: object, status: int = 0) -> list[str]:
    """What `verify` prints on both ends, in lines."""
    return call("verify", folder / "records", *words, "--key", a_key(folder), status=status).splitlines()


def wrong(folder: Path, *words: object) -> dict[str, str]:
    lines = [json.loads(line) for line in verified(folder, *words, "--json", status=1) if line.startswith("{")]
    assert lines[-1]["ok"] is False
    return {line["note"]: line["found"] for line in lines[:-1] if not line["ok"]}


def _sql(statement: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with sqlite3.connect(file) as connection:
            connection.execute(statement)

    return change


def _lines(change: Callable[[list[str]], list[str]]) -> Callable[[Path], None]:
    def changed(file: Path) -> None:
        file.write_text("".join(change(file.read_text().splitlines(keepends=True))))

    return changed


def _table(change: Callable[[list[Row]], list[Row]]) -> Callable[[Path], None]:
    def changed(file: Path) -> None:
        table = pq.read_table(file)
        pq.write_table(pa.Table.from_pylist(change(table.to_pylist()), table.schema), file)

    return changed


def _written(name: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_text("x")

    return write


def _swap(made: list[Row]) -> list[Row]:
    made[0]["text"], made[1]["text"] = made[1]["text"], made[0]["text"]
    return made


CHANGED, MISSING, ROWS = "the note was changed after its receipt", "the note is missing", "the output has other rows"
PRESENT, EXTRA = "the note is there, though it was held", "the note has no receipt"
HARMS: list[tuple[str, tuple[str, ...], list[tuple[Callable[[Path], None], dict[str, str]]]]] = [
    ("o.jsonl", (), [
        (_lines(lambda some: some[1:]), {"n0": MISSING, "": ROWS}),
        (_lines(lambda some: [*some[:2], *some[3:]]), {"": ROWS}),  # the row of a held note
        (_lines(lambda some: [*some, some[0].replace("n0", "n9")]), {"n9": EXTRA, "": ROWS}),
        (_lines(lambda some: [some[0].replace('"text": "', '"text": "x'), *some[1:]]), {"n0": CHANGED}),
        (_lines(lambda some: [line.replace('"text": null', '"text": "x"') for line in some]), {"n2": PRESENT}),
    ]),
    ("o.csv", (), [(_lines(lambda some: [*some[:-1], some[-1].replace(" ", "  ", 1)]), {"n5": CHANGED})]),
    ("o.parquet", (), [(_table(_swap), {"n0": CHANGED, "n1": CHANGED})]),
    ("o.db", (), [
        (_sql("update clean set text = text || '.' where id = 'n3'"), {"n3": CHANGED}),
        (_sql("delete from clean where id = 'n3'"), {"n3": MISSING, "": ROWS}),
    ]),
    ("o", ("--to", "text"), [
        (_written("n0.txt"), {"n0": CHANGED}),
        (_written("more.md"), {"n0": CHANGED, "more.md": EXTRA}),
        (lambda out: (out / "n1.txt").unlink(), {"n0": CHANGED, "more.md": EXTRA, "n1": MISSING}),
    ]),
    ("o.json", ("--to", "fhir"), []),
    ("o.hl7", ("--to", "hl7v2"), []),
    ("brat", ("--to", "brat"), [(_written("n0.txt"), {"n0": CHANGED})]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "more", "harms"), HARMS, ids=[name for name, _, _ in HARMS])
def test_all_that_a_run_writes_is_verified(
    name: str, more: tuple[str, ...], harms: list[tuple[Callable[[Path], None], dict[str, str]]], tmp_path: Path
) -> None:
    out = ran(tmp_path, name, *more)
    told = verified(tmp_path)
    assert [line for line in told if line.startswith(("ok", "looked"))][1:] == ["ok: 5", "ok: held: 1"]
    assert any(line.startswith(f"looked at {out}") for line in told)
    assert told == verified(tmp_path, out)
    for harm, expected in harms:
        file = tmp_path / name
        before = file.read_bytes() if file.is_file() else b""
        harm(file)
        found = wrong(tmp_path)
        assert set(expected) <= set(found), found
        if name not in ("o", "brat"):
            assert set(found) == set(expected)
        assert all(found[note].startswith(what) for note, what in expected.items() if note != "more.md")
        if before:
            file.write_bytes(before)
    assert MUTE not in str(told)


def test_what_cannot_be_read_is_refused(tmp_path: Path) -> None:
    out = Path(ran(tmp_path, "o.parquet"))
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ElisionError, match="not a Parquet file, or it breaks off"):
        verified(tmp_path)
    out.unlink()
    with pytest.raises(ElisionError, match="no such file"):
        verified(tmp_path)
    out.write_bytes(whole)
    table = pq.read_table(out)
    pq.write_table(table.drop_columns(["text"]), out)
    with pytest.raises(ElisionError, match="column text is no longer there"):
        verified(tmp_path)
    out.write_bytes(whole)
    (tmp_path / "other").mkdir()
    with pytest.raises(ElisionError, match="was not signed with this key"):
        call("verify", tmp_path / "records", "--key", a_key(tmp_path / "other"))
    file = tmp_path / "records" / "manifest.json"
    usual = file.read_text()
    for text, told in ((usual.replace('"version": 1', '"version": 9'), "of this version"),
                       (usual.replace('"state": "done"', '"state": "work"'), "has not ended")):  # fmt: skip
        file.write_text(text)
        with pytest.raises(ElisionError, match=told):
            verified(tmp_path)
    with pytest.raises(ElisionError, match="no run has ended here"):
        call("verify", tmp_path, "--key", a_key(tmp_path))


def test_receipts_of_another_run_with_the_same_key_do_not_pass(tmp_path: Path) -> None:
    ran(tmp_path, "o.jsonl")
    source = write_rows(tmp_path / "less.jsonl", data()[:4])
    call("run", source, "-o", tmp_path / "less.out.jsonl", *options(tmp_path), status=1)
    (tmp_path / "records" / "receipts.jsonl").write_bytes(
        (tmp_path / "less.out.jsonl.run" / "receipts.jsonl").read_bytes()
    )
    assert "the receipts are not those that the run wrote" in str(wrong(tmp_path))


def test_notes_without_ids_or_with_ids_that_come_again_are_verified_in_order(tmp_path: Path) -> None:
    made = [{"text": row["text"]} for row in data()]
    source, out = write_rows(tmp_path / "in.jsonl", made), tmp_path / "o.jsonl"
    usual = ("--text", "text", *options(tmp_path)[8:])
    call("run", source, "-o", out, *usual, "--state", tmp_path / "records", status=1)
    assert "ok: 5" in verified(tmp_path)
    some = read_rows(out)
    write_rows(out, [some[1], some[0], *some[2:]])
    assert wrong(tmp_path) == {"": CHANGED}


def test_a_retry_is_verified_with_the_rest(tmp_path: Path) -> None:
    ran(tmp_path, "o.csv")
    more = ("--state", tmp_path / "records", "--default-language", "en", "--retry-held")
    call("run", tmp_path / "in.jsonl", "-o", tmp_path / "o.csv", *options(tmp_path), *more)
    assert "ok: 6" in verified(tmp_path)
