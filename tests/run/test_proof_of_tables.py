"""`elision verify` over what a run in Spark writes: rows and receipts in Parquet, and a summary beside them."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from elision.cli import app
from elision.document import Document
from elision.evidence.receipts import Receipt
from elision.evidence.unordered import UnorderedTotal
from elision.evidence.verify import CHANGED, EXTRA, MISSING, PRESENT, TWICE, UNFIT
from elision.keys import Key
from elision.policy import Policy
from elision.run.local.finished import finished
from elision.run.local.proof import ROWS
from tests.run.small import a_key, rows, write_rows

POLICY = Policy.named("mask")
WORD = "Quilldrop"
TEXTS: Mapping[str, str | None] = {**{f"n{at}": f"{WORD} was well on day {at}." for at in range(6)}, "h": None}
Change = Callable[[Path], None]


def receipt(note: str, text: str | None, key: Key) -> Receipt:
    before = Document(text or WORD, note, language="en")
    after = None if text is None else before
    return Receipt.of(before, after, policy=POLICY, key=key, why="" if after else "too-long")


def written(folder: Path, notes: Sequence[tuple[str, str | None]]) -> Path:
    """An output of two parts, as Spark writes it."""
    key, out = Key.read(a_key(folder)), folder / "clean"
    records = Path(f"{out}.run")
    total = UnorderedTotal(key)
    for part in range(2):
        some = notes[part::2]
        lines = [receipt(note, text, key) for note, text in some]
        total.add_part(_added(lines, key))
        rows = [{"id": note, "text": text, "elision_status": one.status} for (note, text), one in zip(some, lines, strict=True)]  # noqa: E501 # fmt: skip
        table = [{"note": one.note, "status": one.status, "why": one.why, "receipt": one.line()} for one in lines]
        random.Random(part).shuffle(table)
        for place, content in ((out, rows), (records / "receipts", table)):
            place.mkdir(parents=True, exist_ok=True)
            pq.write_table(pa.Table.from_pylist(content), place / f"part-{part:05d}.parquet")
    state = {
        "version": 1,
        "settings": {"output": str(out), "column for texts": '["text"]', "column for id": "id", "policy": "mask"},
        "shards": [],
        "format": "parquet",
        "state": "done",
        "counts": {"rows": len(notes), "summary": total.summary()},
    }
    (records / "manifest.json").write_text(json.dumps(state))
    return out


def _added(receipts: Sequence[Receipt], key: Key) -> dict[str, Any]:
    total = UnorderedTotal(key)
    for one in receipts:
        total.add(one)
    return total.part()


def verified(folder: Path, *words: object, status: int = 0) -> dict[str, list[str]]:
    said = [str(word) for word in words] or [str(folder / "clean.run")]
    told = CliRunner().invoke(app, ["verify", *said, "--key", a_key(folder), "--json"])
    assert told.exit_code == status, (told.output, told.exception)
    assert WORD not in told.output
    found: dict[str, list[str]] = {}
    for line in told.stdout.splitlines():
        row = json.loads(line)
        if "note" in row and not row["ok"]:
            found.setdefault(row["note"], []).append(row["found"])
    return found


def test_what_is_as_it_was_passes(tmp_path: Path) -> None:
    out = written(tmp_path, [*TEXTS.items()])
    for words in ((f"{out}.run",), (out,), (f"{out}.run", out)):  # the folder of the run, its output, or both
        assert verified(tmp_path, *words) == {}
    moved = out.rename(tmp_path / "moved")
    assert verified(tmp_path, f"{out}.run", moved) == {}
    run = finished(f"{out}.run")
    assert run is not None
    assert sorted(one.note for one in run.receipts()) == sorted(TEXTS)


def _file(place: str, part: int = 1) -> str:
    return f"{place}/part-{part:05d}.parquet"


def _gone(place: str) -> Change:
    return lambda folder: (folder / _file(place)).unlink()


def _copied(place: str) -> Change:
    def copy(folder: Path) -> None:
        shutil.copy(folder / _file(place), folder / _file(place, 7))

    return copy


def _rows(place: str, change: Callable[[list[dict[str, Any]]], Any], part: int = 1) -> Change:
    def changed(folder: Path) -> None:
        file = folder / _file(place, part)
        table = pq.read_table(file)
        made = table.to_pylist()
        change(made)
        pq.write_table(pa.Table.from_pylist(made, table.schema), file)

    return changed


def _both(*changes: Change) -> Change:
    def all_(folder: Path) -> None:
        for change in changes:
            change(folder)

    return all_


def _forged(made: list[dict[str, Any]]) -> None:
    row = json.loads(made[0]["receipt"])
    made[0]["receipt"] = json.dumps({**row, "policy": "keep"}, sort_keys=True, separators=(",", ":"))


def _summary(name: str, value: object) -> Change:
    def change(folder: Path) -> None:
        file = folder / "clean.run" / "manifest.json"
        state = json.loads(file.read_text())
        state["counts"]["summary"][name] = value
        file.write_text(json.dumps(state))

    return change


OUT, RECEIPTS = "clean", "clean.run/receipts"
SECOND = ("n1", "n3", "n5")  # the notes of the second part
HARMS: dict[str, tuple[Change, dict[str, str]]] = {
    "a part of the rows is gone": (_gone(OUT), {**dict.fromkeys(SECOND, MISSING), "": ROWS}),
    "a part of the receipts is gone": (_gone(RECEIPTS), {**dict.fromkeys(SECOND, EXTRA), "": UNFIT}),
    "a part is gone from both": (_both(_gone(OUT), _gone(RECEIPTS)), {"": UNFIT}),
    "a part of the rows is there twice": (_copied(OUT), {**dict.fromkeys(SECOND, EXTRA), "": ROWS}),
    "a part of the receipts is there twice": (_copied(RECEIPTS), {**dict.fromkeys(SECOND, TWICE), "": UNFIT}),
    "a part is there twice in both": (_both(_copied(OUT), _copied(RECEIPTS)), {"": UNFIT}),
    "a note was changed": (_rows(OUT, lambda made: made[0].update(text="other")), {"n1": CHANGED}),
    "two notes were swapped": (
        _rows(OUT, lambda made: (made[0].update(id="n3"), made[1].update(id="n1"))),
        {"n1": CHANGED, "n3": CHANGED},
    ),
    "a held note is there": (_rows(OUT, lambda made: made[-1].update(text="x"), 0), {"h": PRESENT}),
    "a receipt was changed": (_rows(RECEIPTS, _forged), {"": UNFIT}),
    "a column says another thing than its receipt": (
        _rows(RECEIPTS, lambda made: [one.update(status="held") for one in made]),
        dict.fromkeys(SECOND, "the receipt was altered"),
    ),
    "a row and its receipt are gone": (
        _both(_rows(OUT, lambda made: made.pop(0), 1), _rows(RECEIPTS, lambda made: made.remove(next(one for one in made if one["note"] == "n1")))),  # noqa: E501
        {"": UNFIT},
    ),
    "the summary was changed": (_summary("done", 4), {"": UNFIT}),
    "the summary is that of a part": (_summary("signature", ""), {"": UNFIT}),
}  # fmt: skip


@pytest.mark.parametrize("harm", HARMS, ids=[*HARMS])
def test_harm_is_named(tmp_path: Path, harm: str) -> None:
    written(tmp_path, [*TEXTS.items()])
    change, expected = HARMS[harm]
    change(tmp_path)
    found = verified(tmp_path, status=1)
    for note, what in expected.items():
        assert any(one.startswith(what) for one in found.get(note, ())), found
    assert set(found) - {""} <= set(expected) | set(TEXTS)
    if "" not in expected:
        assert set(found) - {""} == set(expected)


@pytest.mark.parametrize("ids", [("same", "same", "same"), ("", "", "")])
def test_notes_with_one_id_are_found_by_their_texts(tmp_path: Path, ids: tuple[str, ...]) -> None:
    texts = ("One is well.", "Two is well.", "Two is well.")
    written(tmp_path, [*zip(ids, texts, strict=True), ("other", None)])
    assert verified(tmp_path) == {}
    _rows(OUT, lambda made: made[0].update(text="Three is well."))(tmp_path)
    assert verified(tmp_path, status=1) == {ids[0]: [CHANGED]}
    _rows(OUT, lambda made: made.pop(0))(tmp_path)
    assert verified(tmp_path, status=1)[ids[0]][0] == MISSING


def test_a_run_on_one_machine_leaves_the_records_of_spark_alone(tmp_path: Path) -> None:
    out = written(tmp_path, [*TEXTS.items()])
    source = write_rows(tmp_path / "in.jsonl", rows(2))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    words = [
        "run",
        str(source),
        "-o",
        str(tmp_path / "new.jsonl"),
        "--state",
        f"{out}.run",
        "--text",
        "text",
        "--force",
    ]
    told = CliRunner().invoke(app, words)
    assert told.exit_code != 0
    assert "a run in Spark has made this folder" in str(told.exception)
    assert {path: path.read_bytes() for path in before} == before
    told = CliRunner().invoke(app, ["held", str(out)])
    assert "its held notes are Parquet" in str(told.exception)


def test_receipts_of_a_table_need_the_summary_of_their_run(tmp_path: Path) -> None:
    out = written(tmp_path, [*TEXTS.items()])
    (tmp_path / "other").mkdir()
    receipts = (tmp_path / RECEIPTS).rename(tmp_path / "other" / "receipts")
    told = CliRunner().invoke(app, ["verify", str(receipts), str(out), "--key", a_key(tmp_path)])
    assert told.exit_code != 0
    assert "no run has ended here" in str(told.exception)


KEY = Key(b"k" * 32)
LINES = [receipt(f"n{at}", f"Text {at}.", KEY) for at in range(5)]


@given(st.lists(st.sampled_from(LINES), max_size=8), st.randoms(), st.integers(0, 8))
def test_the_sum_is_of_the_lines_in_any_order_and_parts(some: list[Receipt], rng: random.Random, cut: int) -> None:
    whole, other = UnorderedTotal(KEY), UnorderedTotal(KEY)
    whole.add_part(_added(some, KEY))
    again = rng.sample(some, len(some))
    for part in (again[:cut], again[cut:]):
        other.add_part(_added(part, KEY))
    assert whole.summary() == other.summary()
    more = UnorderedTotal(KEY)
    more.add_part(_added([*some, LINES[0]], KEY))
    assert more.summary()["sum"] != whole.summary()["sum"]
    assert _added(some, KEY)["signature"] == "" != whole.summary()["signature"]
    assert _added(some, Key(b"x" * 32))["sum"] != whole.summary()["sum"] or not some
