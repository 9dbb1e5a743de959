"""Whole runs: the same bytes whatever the workers, the order and the container; memory over all of it."""

from __future__ import annotations

import csv
import json
import random
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elision.errors import ElisionError, RunError
from elision.evidence.receipts import Receipt, Total
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.formats.urls import without_password
from elision.keys import Key
from elision.run.how import How
from elision.run.local.locks import sole
from elision.run.local.progress import Progress
from elision.run.local.runner import run
from elision.run.plan import RunPlan
from elision.run.rows import STATUS
from tests.run.containers import find_postgres, postgres
from tests.run.small import COLUMNS, Row, a_key, by_id, done, plan, read_rows, remove, rows, write_rows

pytestmark = pytest.mark.slow  # processes, trainings: minutes together

TABLE = rows(60)


def surrogates(folder: Path) -> How:
    return How(COLUMNS, policy="surrogate", key=a_key(folder))


def test_workers_and_order_change_nothing(tmp_path: Path) -> None:
    how = surrogates(tmp_path)
    source = write_rows(tmp_path / "in.jsonl", TABLE)
    outs = [tmp_path / f"out{workers}.jsonl" for workers in (1, 2, 4)]
    for out, workers in zip(outs, (1, 2, 4), strict=True):
        done(source, out, how, workers=workers)
    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()
    receipts = [(out.with_name(f"{out.name}.run") / "receipts.jsonl").read_bytes() for out in outs]
    assert receipts[0] == receipts[1] == receipts[2]
    shuffled = random.Random(3).sample(TABLE, len(TABLE))
    out = tmp_path / "shuffled.jsonl"
    done(write_rows(tmp_path / "shuffled-in.jsonl", shuffled), out, how, workers=2, rows=13)
    assert by_id(out) == by_id(outs[0])
    assert [row["id"] for row in read_rows(out)] == [row["id"] for row in shuffled]


def write_as(kind: str, where: str, table: list[Row], folder: Path) -> None:
    """The rows as a table of this kind, all of them texts."""
    if kind == "parquet":
        pq.write_table(pa.Table.from_pylist(table), where)
    elif kind == "csv":
        with Path(where).open("w", newline="") as stream:
            writer = csv.DictWriter(stream, list(table[0]))
            writer.writeheader()
            writer.writerows(table)
    else:
        rows_file = open_source(write_rows(folder / "rows.jsonl", table))
        all_kept = Columns(texts=("text",), id="id", keep=("patient", "name", "extra"))
        sink = open_sink(where, rows_file, all_kept, rows_file.schema, staging=folder / "rows-staging")
        for number, shard in enumerate(rows_file.shards(25)):
            sink.put(number, rows_file.read(shard))
        sink.finish()


@pytest.mark.parametrize("kind", ["csv", "parquet", "sqlite", "postgres"])
def test_the_container_changes_nothing(tmp_path: Path, kind: str) -> None:
    how = surrogates(tmp_path)
    expected = tmp_path / "expected.jsonl"
    done(write_rows(tmp_path / "expected-in.jsonl", TABLE), expected, how)
    with ExitStack() as stack:
        base = f"sqlite:///{tmp_path / 'notes.db'}?"
        if kind == "postgres":
            if find_postgres() is None:
                pytest.skip("no PostgreSQL server is installed here")
            base = f"{stack.enter_context(postgres())}&"
        files = kind in ("csv", "parquet")
        where, target = (
            str(tmp_path / f"{name}.{kind}") if files else f"{base}table={name}" for name in ("before", "after")
        )
        write_as(kind, where, TABLE, tmp_path)
        source = open_source(where)
        run(plan(source, tmp_path / "out.jsonl", how, rows=13, workers=2))
        assert by_id(tmp_path / "out.jsonl") == by_id(expected)

        def sink(staging: Path, schema: Any, may: bool) -> Any:
            return open_sink(target, source, how.columns, schema, staging=staging, force=may)

        run(RunPlan(source, how, target, tmp_path / "there.run", sink, rows=7))
        back = open_source(target)
        found = [row for shard in back.shards(1000) for batch in back.read(shard) for row in batch.to_pylist()]
        assert {row["id"]: row for row in found} == by_id(expected)


def test_what_one_note_tells_is_found_in_all_notes_of_the_patient(tmp_path: Path) -> None:
    first: Row = {"id": "a", "patient": "p1", "text": "Patient name: Ada Quillfeather\nShe was seen today."}
    others: list[Row] = [
        {"id": f"b{at}", "patient": f"p{1 + at % 2}", "text": "The wound of Quillfeather was clean and she was well."}
        for at in range(8)
    ]
    for table in ([first, *others], [*others, first]):
        source = write_rows(tmp_path / "in.jsonl", table)
        out = tmp_path / "out.jsonl"
        done(source, out, How(Columns(("text",), "id", "patient"), effort="rules"), rows=2, workers=2)
        shown = {id for id, row in by_id(out).items() if "Quillfeather" in row["text"]}
        assert shown == {f"b{at}" for at in range(8) if at % 2}
        remove(out)
        done(source, out, How(Columns(("text",), "id", "patient"), effort="rules", memory=False), rows=2)
        assert all("Quillfeather" in row["text"] for id, row in by_id(out).items() if id != "a")
        remove(out)


def test_a_stand_in_is_nobodys_name_in_the_whole_input(tmp_path: Path) -> None:
    how = How(Columns(("text",), "id", known={"name": "name"}), policy="surrogate", key=a_key(tmp_path))
    table: list[Row] = [
        {"id": "a", "text": "Patient name: Ada Fenwick\nShe was seen today and was well.", "name": None}
    ]
    filler: list[Row] = [{"id": f"b{at}", "text": "She was seen today and was well.", "name": None} for at in range(9)]
    source = write_rows(tmp_path / "in.jsonl", [*table, *filler])
    out = tmp_path / "out.jsonl"
    done(source, out, how, rows=3)
    stand_in = by_id(out)["a"]["text"].removeprefix("Patient name: ").partition("\n")[0]
    assert stand_in != "Ada Fenwick"
    remove(out)
    filler[-1]["name"] = stand_in
    done(write_rows(source, [*table, *filler]), out, how, rows=3)
    other = by_id(out)["a"]["text"].removeprefix("Patient name: ").partition("\n")[0]
    assert other not in (stand_in, "Ada Fenwick")


def test_receipts_are_signed_and_add_up(tmp_path: Path) -> None:
    how = surrogates(tmp_path)
    out = tmp_path / "out.jsonl"
    ended = done(write_rows(tmp_path / "in.jsonl", TABLE), out, how, workers=2)
    *lines, last = (ended.folder / "receipts.jsonl").read_text().splitlines()
    total = Total(Key.read(how.key))
    for line in lines:
        assert total.add(Receipt.read(line)) == line
    columns = json.loads(last)["columns"]
    assert columns["id"] == "id"
    assert total.summary(columns) == json.loads(last) == ended.counts["summary"]
    assert [json.loads(line)["note"] for line in lines] == [row["id"] for row in TABLE]


def test_a_run_leaves_its_records_and_nothing_else(tmp_path: Path) -> None:
    ended = done(write_rows(tmp_path / "in.jsonl", TABLE), tmp_path / "out.jsonl")
    assert {path.name for path in tmp_path.iterdir()} == {"in.jsonl", "out.jsonl", "out.jsonl.run"}
    records = {"manifest.json", "receipts.jsonl", "quarantine.jsonl", "report.html", "run.lock"}
    assert {path.name for path in ended.folder.iterdir()} == records


def test_an_empty_table_is_a_run_too(tmp_path: Path) -> None:
    schema = pa.schema([(name, pa.string()) for name in TABLE[0]])
    pq.write_table(pa.Table.from_pylist([], schema), tmp_path / "i.parquet")
    ended = done(tmp_path / "i.parquet", tmp_path / "out.jsonl")
    assert (ended.counts["rows"], ended.held) == (0, 0)
    assert (tmp_path / "out.jsonl").read_text() == ""


def test_an_output_that_is_there_is_left_alone(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE)
    out = tmp_path / "out.jsonl"
    out.write_text("mine\n")
    with pytest.raises(ElisionError, match="something is there already"):
        done(source, out)
    assert out.read_text() == "mine\n"
    done(source, out, force=True)
    assert len(read_rows(out)) == len(TABLE)


def test_two_runs_into_one_output_refuse(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE)
    folder = tmp_path / "out.jsonl.run"
    folder.mkdir()
    with sole(folder / "run.lock", "here"), pytest.raises(RunError, match="another run is at work"):
        done(source, tmp_path / "out.jsonl")


def test_progress_reaches_its_end(tmp_path: Path) -> None:
    seen: list[tuple[float, int]] = []

    def tell(progress: Progress) -> None:
        seen.append((progress.share, progress.rows))

    run(plan(write_rows(tmp_path / "in.jsonl", TABLE), tmp_path / "out.jsonl", rows=10), tell)
    assert seen == sorted(seen)
    assert seen[-1] == (1.0, 2 * len(TABLE))


def test_status_can_be_left_out(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE)
    done(source, tmp_path / "out.jsonl", status=False)
    assert set(read_rows(tmp_path / "out.jsonl")[0]) == {"id", "text"}
    done(source, tmp_path / "with.jsonl")
    assert read_rows(tmp_path / "with.jsonl")[0][STATUS] == "cleaned"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("notes/in.csv", "notes/in.csv"),
        ("postgresql+psycopg://me:s3cret@host/base?table=note", "postgresql+psycopg://me:***@host/base?table=note"),
        ("sqlite:///notes.db?table=note", "sqlite:///notes.db?table=note"),
    ],
)
def test_passwords_are_not_written_down(url: str, shown: str) -> None:
    assert without_password(url) == shown


RULES = r"""
[[rule]]
name = "badge"
label = "MEDICAL_RECORD"
pattern = 'Badge \d{4}'
score = 0.9
hits = ["[Badge 1234]"]
misses = ["Badge"]
"""
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("policy, was surrogate, now research", {"policy": "research"}),
    ("key (its fingerprint)", {"key": "other.key"}),
    ("language, was none, now en", {"language": "en"}),
    ("longest note", {"most": 1000}),
    ("memory, was on, now off", {"memory": False}),
    ("dial, was none, now 0.1", {"dial": 0.1}),
    ("effort, was fast, now rules", {"effort": "rules"}),
    ("column for keep", {"columns": Columns(("text",), "id", "patient", keep=("extra",))}),
    ("rules", {"rules": ("ours.toml",)}),
]


@pytest.mark.parametrize(("told", "change"), CHANGES, ids=[told for told, _ in CHANGES])
def test_other_settings_do_not_go_on(tmp_path: Path, told: str, change: dict[str, Any]) -> None:
    Key.new().write(tmp_path / "other.key")
    (tmp_path / "ours.toml").write_text(RULES)
    source = write_rows(tmp_path / "in.jsonl", TABLE[:5])
    how = surrogates(tmp_path)
    done(source, tmp_path / "out.jsonl", how)
    values: dict[str, Any] = {name: getattr(how, name) for name in how.__dataclass_fields__} | change
    if change.get("key"):
        values["key"] = str(tmp_path / change["key"])
    if change.get("rules"):
        values["rules"] = (str(tmp_path / "ours.toml"),)
    with pytest.raises(RunError) as error:
        done(source, tmp_path / "out.jsonl", How(**values))
    assert told in str(error.value)
    assert str(error.value).count(";") <= 3


def test_other_lists_of_stand_ins_do_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE[:5])
    how = surrogates(tmp_path)
    done(source, tmp_path / "out.jsonl", how)
    monkeypatch.setattr("elision.run.fingerprints.lists", lambda: "f" * 64)
    with pytest.raises(RunError, match=r"stand-ins .its fingerprint"):
        done(source, tmp_path / "out.jsonl", how)


def test_an_output_that_was_taken_away_is_made_again(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE[:5])
    out = tmp_path / "out.jsonl"
    done(source, out)
    before = out.read_bytes()
    assert done(source, out).before
    out.unlink()
    assert not done(source, out).before
    assert out.read_bytes() == before


def test_another_input_does_not_go_on(tmp_path: Path) -> None:
    source = write_rows(tmp_path / "in.jsonl", TABLE[:5])
    done(source, tmp_path / "out.jsonl")
    write_rows(source, TABLE[:6])
    with pytest.raises(RunError, match="what is in the input"):
        done(source, tmp_path / "out.jsonl")
    done(source, tmp_path / "out.jsonl", force=True)
    assert len(read_rows(tmp_path / "out.jsonl")) == 6
