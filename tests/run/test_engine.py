"""The pure function: which notes come out how, cell by cell."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elision.errors import RunError
from elision.formats.tables.columns import Columns
from elision.run.cells import cells_of
from elision.run.engine import Engine, clean
from elision.run.how import How
from elision.run.rows import HELD, RECEIPTS, STATUS, schema_out
from tests.run.small import a_key, rows

EN = "The patient was seen by Dr. Jane Roe on 03/04/2021 and was well."
ES = "La paciente fue vista por la Dra. Ana Rojo el 3 de mayo de 2021 y no refiere dolor en el pecho."


def cleaned(table: list[dict[str, Any]], how: How, size: int = 1000) -> list[dict[str, Any]]:
    """Rows through `clean`, in batches of a size."""
    whole = pa.RecordBatch.from_pylist(table)
    batches = (whole.slice(at, size) for at in range(0, len(whole), size))
    return [row for batch in clean(batches, how) for row in batch.to_pylist()]


def how(**options: Any) -> How:
    columns = {"texts": ("text",), "id": "id", **options.pop("columns", {})}
    return How(Columns(**columns), **options)


@pytest.mark.parametrize(
    ("row", "options", "text", "status"),
    [
        ({"text": EN}, {}, "The patient was seen by Dr. [NAME] on [DATE] and was well.", "cleaned"),
        ({"text": None}, {}, None, "no-text"),
        ({"text": ""}, {}, "", "cleaned"),
        ({"text": " \n-- "}, {}, " \n-- ", "cleaned"),
        ({"text": "RR 120/80"}, {}, None, "language-not-told"),
        ({"text": "RR 120/80"}, {"default_language": "en"}, "RR 120/80", "cleaned"),
        ({"text": "RR 120/80"}, {"language": "en"}, "RR 120/80", "cleaned"),
        ({"text": "RR 120/80", "lang": "English"}, {"columns": {"language": "lang"}}, "RR 120/80", "cleaned"),
        ({"text": EN, "lang": "sv"}, {"columns": {"language": "lang"}}, None, "language-not-supported: sv"),
        ({"text": EN, "lang": None}, {"columns": {"language": "lang"}}, "[NAME]", "cleaned"),
        ({"text": EN}, {"most": 20}, None, "too-long"),
        ({"text": EN, "k": "not JSON"}, {"columns": {"known": {"*": "k"}}}, None, "known-values-unreadable"),
        ({"text": EN, "k": "[1]"}, {"columns": {"known": {"*": "k"}}}, None, "known-values-unreadable"),
    ],
)
def test_a_note_comes_out_or_says_why_not(
    row: dict[str, Any], options: dict[str, Any], text: str | None, status: str
) -> None:
    (out,) = cleaned([{"id": "a", **row}], how(**options))
    if text == "[NAME]":
        assert text in out["text"]
    else:
        assert out["text"] == text
    receipts = [json.loads(line) for line in out[RECEIPTS]]
    if status in ("cleaned", "no-text"):
        assert out[STATUS] == status
        assert [one["status"] for one in receipts] == ["done"] * len(receipts)
    else:
        assert out[STATUS] == HELD
        assert [one["why"] for one in receipts] == [status]


def test_what_the_record_states_is_found_whatever_the_rules_say() -> None:
    table = [
        {"id": "a", "text": "The wound of Quillfeather was clean and he was well.", "n": "Ada Quillfeather", "k": None},
        {"id": "b", "text": "The wound of Quillfeather was clean and he was well.", "n": None, "k": None},
        {"id": "c", "text": "The wound of Quillfeather was clean.", "n": None, "k": '{"name": ["A. Quillfeather"]}'},
    ]
    out = cleaned(table, how(columns={"known": {"name": "n", "*": "k"}}, language="en", effort="rules"))
    assert ["Quillfeather" in row["text"] for row in out] == [False, True, False]


def test_only_what_was_asked_for_goes_out_and_texts_are_cleaned_one_by_one() -> None:
    table = [{"mrn": "1", "title": "Dr. Jane Roe", "id": 7, "ward": "3", "text": EN, "note": None}]
    columns = Columns(texts=("text", "title", "note"), id="id", keep=("ward",))
    (out,) = cleaned(table, How(columns, language="en"))
    assert list(out) == ["title", "id", "ward", "text", "note", STATUS, RECEIPTS]
    assert out["title"] == "Dr. [NAME]"
    assert (out["id"], out["ward"], out["note"], out[STATUS]) == (7, "3", None, "cleaned")
    assert [json.loads(line)["note"] for line in out[RECEIPTS]] == ["7/text", "7/title"]


KEPT = [
    pa.array([date(2020, 5, 3), None]),
    pa.array([datetime(2020, 5, 3, 9, 30), None]),
    pa.array(["2020-05-03", "2020-05-04 09:30"]),
    pa.array(["05/03/2020", ""]),
    pa.array(["3 de mayo de 2020", "4 mei 2020"]),
    pa.array(["2020-05-03T09:30:00Z", "2020-05-04T09:30:00Z"]),
    pa.array([20200503, 19991231]),
    pa.array([20200503093000, None]),
    pa.array(["2020-05-03T09:30:00.5+02:00[Europe/Madrid]", "20200504093000"]),
    pa.array(["Sun May  3 09:30:00 2020", "May 4, 2020 9:30 AM"]),
    pa.array(["2020-05", "May 2020"]),
    pa.array(["unknown", "2020-05-03"]),
    pa.array(["2020-05-03", "2020-05-04"]).dictionary_encode(),
    pa.array([[date(2020, 5, 3)], None]),
    pa.array([{"at": {"first": ["2020-05-03"]}}, None]),
    pa.array([[("seen", date(2020, 5, 3))], []], pa.map_(pa.string(), pa.date32())),
    pa.array([b"2020-05-03", None]),
]


@pytest.mark.parametrize("kept", KEPT, ids=[str(each.type) + str(number) for number, each in enumerate(KEPT)])
def test_true_dates_are_refused_beside_dates_that_moved(kept: pa.Array, tmp_path: Path) -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([EN, EN]), kept], names=["text", "seen"])
    moving = How(Columns(("text",), keep=("seen",)), policy="surrogate", key=str(a_key(tmp_path)), language="en")
    with pytest.raises(RunError, match="--keep: column 1 named there holds true dates"):
        list(clean([batch], moving))
    list(clean([batch], replace(moving, policy="tag")))


@pytest.mark.parametrize("kept", [["3", "Ward 3"], ["10203", "20203"], [12345678, 3], ["120/80", "5-10"], [None, None]])
def test_what_is_no_date_may_be_kept_beside_dates_that_moved(kept: list[object], tmp_path: Path) -> None:
    batch = pa.RecordBatch.from_arrays([pa.array([EN, EN]), pa.array(kept)], names=["text", "ward"])
    moving = How(Columns(("text",), keep=("ward",)), policy="surrogate", key=str(a_key(tmp_path)), language="en")
    (out,) = clean([batch], moving)
    assert out.column("ward").to_pylist() == kept


@pytest.mark.parametrize("held", [("text",), ("title",), ("note",), ("title", "text"), ("title", "note")])
def test_a_row_of_which_one_text_is_held_is_held(held: tuple[str, ...]) -> None:
    """Whoever reads only the status must not take such a row for whole, whichever of its texts it is."""
    long = "The patient was well and had no pain. " * 20
    row = {"id": "a", **{name: long if name in held else "She was seen." for name in ("title", "text", "note")}}
    columns = Columns(texts=("text", "title", "note"), id="id")
    (out,) = cleaned([row], How(columns, language="en", most=100, effort="rules"))
    assert out[STATUS] == HELD
    assert {name for name in ("title", "text", "note") if out[name] is None} == set(held)
    assert sorted(json.loads(line)["status"] for line in out[RECEIPTS]) == sorted(
        ["held"] * len(held) + ["done"] * (3 - len(held))
    )


def test_bytes_that_are_no_text_are_held_alone() -> None:
    good, bad = EN.encode(), b"Seen by Dr. J\xe9r\xf4me Roe on the ward."
    batch = pa.RecordBatch.from_arrays(
        [pa.array(["a", "b"]), pa.array([good, bad]).cast(pa.binary()).view(pa.string())], names=["id", "text"]
    )
    (out,) = clean([batch], how())
    assert out.column(STATUS).to_pylist() == ["cleaned", HELD]
    assert out.column("text").to_pylist()[1] is None
    assert "not-utf-8" in out.column(RECEIPTS).to_pylist()[1][0]


def test_each_note_is_read_in_its_language() -> None:
    out = cleaned([{"id": "a", "text": ES}, {"id": "b", "text": EN}], how())
    assert all("[NAME]" in row["text"] and "[DATE]" in row["text"] for row in out)
    seen = [json.loads(row[RECEIPTS][0])["seen"][0]["name"] for row in out]
    assert ["rules es" in seen[0], "rules en" in seen[1]] == [True, True]


def test_a_column_of_ours_is_refused() -> None:
    with pytest.raises(RunError, match="this name is ours"):
        schema_out(pa.schema([("text", pa.string()), (STATUS, pa.string())]), Columns(("text",), keep=(STATUS,)))


@settings(max_examples=60)  # all that there are to tell apart
@given(st.integers(1, 12), st.integers(0, 5))
def test_how_rows_are_cut_into_batches_changes_nothing(size: int, seed: int) -> None:
    chosen = how(columns={"known": {"name": "name"}})
    table = rows(12, seed)
    assert cleaned(table, chosen, size) == cleaned(table, chosen)


def test_what_decides_is_plain_data_without_the_key(tmp_path: Path) -> None:
    chosen = how(policy="surrogate", key=a_key(tmp_path)).begun()
    assert pickle.loads(pickle.dumps(chosen)) == chosen
    told = json.dumps(chosen.as_json())
    secret = Path(chosen.key).read_text().strip().partition(":")[2]
    assert secret not in told
    assert chosen.agreed["key"] in told


def test_a_policy_that_changes_while_it_is_used_is_refused(tmp_path: Path) -> None:
    policy = tmp_path / "ours.toml"
    policy.write_text('[labels]\n"*" = "tag"\n')
    chosen = how(policy=str(policy)).begun()
    Engine(chosen)
    policy.write_text('[labels]\n"*" = "mask"\n')
    with pytest.raises(RunError, match="changed while the run"):
        Engine(chosen)


def test_held_rows_are_not_looked_at() -> None:
    batch = pa.RecordBatch.from_pylist([{"id": "a", "text": EN}, {"id": "b", "text": EN}])
    cells = cells_of(batch, how(), {1: "worker-died"})
    assert [cell.why for cell in cells] == ["", "worker-died"]
