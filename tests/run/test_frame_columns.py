"""The columns of a frame beside its notes, and lists of words: the bytes of a run over the same table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from elision.detect.defaults import detectors_for
from elision.errors import ElisionError, FormatError, HeldError, PolicyError, RunError
from elision.formats.tables.columns import Columns
from elision.integrations.frames import deidentify_frame
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.run.local.runner import run
from elision.run.plan import RunOptions, plan

VISITS: dict[str, list[Any]] = {
    "id": ["n1", "n2", "n3"],
    "who": [7, 7, 8],
    "seen": [date(2021, 5, 3), None, date(2020, 2, 28)],
    "mrn": ["W-123456", "W-123456", None],
    "age": [34, 93, 61],
    "ward": ["A", "B", "C"],
    "born": ["1988", "1988", "1950"],
    "name": ["Ida Fenwick", "Ida Fenwick", None],
    "note": [
        "Patient name: Ida Fenwick. Seen on 3 May 2021 by Dr. Roe, W-123456.",
        "Fenwick was well on 05/09/2021. Kelp Ward.",
        "Seen by Dr. Marlowe on 28 Feb 2020.",
    ],
}
SAID: dict[str, Any] = {
    "texts": ["note"],
    "id": "id",
    "patient": "who",
    "known": {"name": "name", "mrn": "mrn"},
    "keep": ["ward"],
    "operators": {
        "who": "pseudonym", "seen": "shift", "mrn": "hash:mrn", "age": "generalise:age", "born": "drop", "ward": "keep"
    },
}  # fmt: skip
TOML = (
    'texts = ["note"]\nid = "id"\npatient = "who"\nknown = {name = "name", mrn = "mrn"}\nkeep = ["ward"]\n[operators]\n'
    + "".join(f'{name} = "{said}"\n' for name, said in SAID["operators"].items())
)
OUT = ["id", "who", "seen", "mrn", "age", "ward", "note"]
LISTS = {"allow": ["Roe"], "deny": ["Kelp Ward"]}
KEY = Key(bytes(range(32)))
KINDS = [pd.DataFrame, pl.DataFrame, pa.table]


@pytest.fixture(scope="module")
def rules() -> Deidentifier:
    return Deidentifier(detectors_for("en", effort="rules"), policy="surrogate", key=KEY)


@pytest.fixture(scope="module")
def of_a_run(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What a run makes of the same table."""
    folder = tmp_path_factory.mktemp("run")
    pq.write_table(pa.table(VISITS), folder / "notes.parquet")
    KEY.write(folder / "project.key")
    (folder / "columns.toml").write_text(TOML)
    for name, words in LISTS.items():
        (folder / f"{name}.txt").write_text("\n".join(words))
    said = RunOptions(
        columns_file=folder / "columns.toml", policy="surrogate", key=str(folder / "project.key"), language="en",
        effort="rules", workers=1, allow=str(folder / "allow.txt"), deny=str(folder / "deny.txt"),
    )  # fmt: skip
    run(plan(str(folder / "notes.parquet"), str(folder / "clean.parquet"), said))
    done: list[dict[str, Any]] = pq.read_table(folder / "clean.parquet").select(OUT).to_pylist()
    return done


def rows_of(frame: Any) -> list[dict[str, Any]]:
    if isinstance(frame, pd.DataFrame):
        cells = frame.astype(object).where(frame.notna(), None).to_dict("records")
        return json.loads(json.dumps(cells, default=_day))  # type: ignore[no-any-return]
    rows = frame.to_dicts() if isinstance(frame, pl.DataFrame) else frame.to_pylist()
    return json.loads(json.dumps(rows, default=_day))  # type: ignore[no-any-return]


def _day(cell: Any) -> str:
    return str(cell)[:10]


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_becomes_what_a_run_makes_of_its_table(
    kind: Any, rules: Deidentifier, of_a_run: list[dict[str, Any]]
) -> None:
    frame = kind(VISITS)
    out = deidentify_frame(frame, rules, columns=SAID, language="en", **LISTS)  # type: ignore[arg-type]
    assert type(out) is type(frame)
    done = rows_of(out)
    assert done == rows_of(pa.Table.from_pylist(of_a_run))
    assert list(done[0]) == OUT
    assert "Roe" in done[0]["note"]
    assert "Kelp" not in done[1]["note"]
    assert [row["age"] for row in done] == [34, 90, 61]
    assert done[0]["who"] == done[1]["who"] not in (7, done[2]["who"])
    assert done[0]["seen"] not in (None, "2021-05-03")
    assert done[2]["mrn"] is None
    assert not any(word in str(done) for word in ("Fenwick", "W-123456", "1988"))


def test_dates_stay_dates_and_row_labels_stay(rules: Deidentifier) -> None:
    frame = pd.DataFrame(
        {**VISITS, "seen": pd.to_datetime(["2021-05-03 10:20", None, "2020-02-28 09:00"])}, index=[5, 3, 9]
    )
    out = deidentify_frame(frame, rules, columns=SAID, language="en")
    assert list(out.index) == [5, 3, 9]
    assert str(out["seen"].dtype).startswith("datetime64")
    assert out["seen"].isna().tolist() == [False, True, False]
    moved = (out["seen"] - frame["seen"]).dropna()
    assert all(one.days and one.seconds == 0 for one in moved)


def test_a_patient_is_the_same_where_pandas_made_its_numbers_broken_ones(rules: Deidentifier) -> None:
    whole = deidentify_frame(pd.DataFrame(VISITS), rules, columns=SAID, language="en")
    broken = pd.DataFrame({**VISITS, "who": [7, 7, None]})
    assert str(broken["who"].dtype) == "float64"
    out = deidentify_frame(broken, rules, columns=SAID, language="en")
    assert list(out["note"][:2]) == list(whole["note"][:2])
    assert list(out["who"][:2]) == list(whole["who"][:2])


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("kind", ["Int64", "UInt8", "int64[pyarrow]", "object", "float64", "category"])
def test_whole_numbers_stay_whole_where_some_are_missing(kind: str, blank: bool, rules: Deidentifier) -> None:
    numbers = [5, None if blank else 6, 7]
    frame = pd.DataFrame({**VISITS, "who": pd.Series(numbers, dtype=kind), "ward": pd.Series(numbers, dtype=kind)})
    out = deidentify_frame(frame, rules, columns=SAID, language="en")
    expected = {"UInt8": "Int64", "category": "Int64" if blank else "int64"}.get(kind, kind)
    assert (str(out["who"].dtype), str(out["ward"].dtype)) == (expected, kind)
    in_polars = deidentify_frame(pl.DataFrame({**VISITS, "who": numbers}), rules, columns=SAID, language="en")
    assert [None if pd.isna(one) else int(one) for one in out["who"]] == in_polars["who"].to_list()


def test_a_long_number_is_no_broken_one(rules: Deidentifier) -> None:
    numbers = [4_000_000_000, None, 5_000_000_000]
    out = deidentify_frame(pd.DataFrame({**VISITS, "who": numbers}), rules, columns=SAID, language="en")
    in_polars = deidentify_frame(pl.DataFrame({**VISITS, "who": numbers}), rules, columns=SAID, language="en")
    assert [None if pd.isna(one) else one for one in out["who"]] == in_polars["who"].to_list()


@pytest.mark.parametrize("columns", ["file", "Columns"])
def test_columns_come_from_a_file_or_as_they_are(columns: str, rules: Deidentifier, tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text(TOML)
    said = tmp_path / "columns.toml" if columns == "file" else Columns.from_json(SAID)
    out = deidentify_frame(pl.DataFrame(VISITS), rules, columns=said, language="en")
    assert out.rows() == deidentify_frame(pl.DataFrame(VISITS), rules, columns=SAID, language="en").rows()


def test_an_accessor_takes_the_same(rules: Deidentifier) -> None:
    __import__("elision.integrations.accessors")
    frame: Any = pl.DataFrame(VISITS)
    assert frame.elision.deidentify(rules, columns=SAID, language="en").columns == OUT


def test_a_value_that_cannot_be_changed_is_empty_and_counted(rules: Deidentifier) -> None:
    frame = pl.DataFrame({**VISITS, "age": ["old Fenwick", "93", "61"]})
    with pytest.warns(UserWarning, match="column age: 1 values are empty now: not-an-age"):
        out = deidentify_frame(frame, rules, columns=SAID, language="en")
    assert out["age"].to_list() == [None, "90+", "61"]


def test_an_empty_frame_has_its_columns(rules: Deidentifier) -> None:
    out = deidentify_frame(pl.DataFrame(VISITS).clear(), rules, columns=SAID, language="en")
    assert out.columns == OUT
    assert out.is_empty()


def _with(**changed: str) -> dict[str, Any]:
    return {**SAID, "operators": {**SAID["operators"], **changed}}


@pytest.mark.parametrize(
    ("said", "error", "message"),
    [
        ({"columns": _with(seen="shif")}, FormatError, "shif"),
        ({"columns": _with(ward="shift")}, FormatError, "is to be kept, and to be changed by shift"),
        ({"columns": _with(wrad="hash")}, FormatError, "no column 'wrad'; did you mean ward"),
        ({"columns": _with(mrn="generalise")}, FormatError, "generalise is for ages, dates"),
        ({"columns": {**SAID, "keep": ["seen"]}}, FormatError, "to be kept, and to be changed"),
        ({"columns": {"texts": ["note"], "keep": ["seen"]}}, RunError, "holds true dates"),
        ({"columns": {"texts": ["note"], "known": {"nmae": "name"}}}, FormatError, "no such kind of value"),
        ({"columns": {**SAID, "record": "born"}}, FormatError, "a frame has texts"),
        ({"columns": SAID, "text": "note"}, FormatError, "leave out text"),
        ({"columns": SAID, "keep": ["ward"]}, FormatError, "leave out text"),
        ({}, FormatError, "no text column"),
        ({"text": "note", "allow": "nowhere.txt"}, ElisionError, "cannot read the list"),
    ],
)
def test_what_cannot_be_is_refused(said: dict[str, Any], error: type[Exception], message: str) -> None:
    deidentifier = Deidentifier(detectors_for("en", effort="rules"), policy="surrogate", key=KEY)
    with pytest.raises(error, match=message):
        deidentify_frame(pl.DataFrame(VISITS), deidentifier, language="en", **said)


def test_operators_need_a_key_as_in_a_run() -> None:
    masked = Deidentifier(detectors_for("en", effort="rules"), policy="mask")
    with pytest.raises(PolicyError, match="needs --key"):
        deidentify_frame(pl.DataFrame(VISITS), masked, columns=SAID, language="en")


def test_lists_are_given_once(rules: Deidentifier) -> None:
    listed = Deidentifier(rules.detectors[:-1], deny=["Kelp Ward"])
    with pytest.raises(FormatError, match="in one place"):
        deidentify_frame(pl.DataFrame(VISITS), listed, text="note", language="en", deny=["Rest"])
    out = deidentify_frame(pl.DataFrame(VISITS), listed, text="note", language="en")
    assert "Kelp" not in out["note"][1]


def test_a_note_that_fails_is_empty_and_its_columns_change_all_the_same(rules: Deidentifier) -> None:
    def failing(documents: Sequence[Any]) -> list[tuple[Any, ...]]:
        if any("Marlowe" in document.text for document in documents):
            raise RuntimeError("Marlowe")
        return [() for _ in documents]

    broken = Deidentifier([*rules.detectors[:-1], failing], policy="surrogate", key=KEY)
    with pytest.raises(HeldError, match=r"the first is note n3: .*failing: RuntimeError"):
        deidentify_frame(pl.DataFrame(VISITS), broken, columns=SAID, language="en")
    out = deidentify_frame(pl.DataFrame(VISITS), broken, columns=SAID, language="en", held="null")
    assert out["note"].to_list()[2] is None
    assert out["seen"].to_list()[2] not in (None, date(2020, 2, 28))


def test_half_a_character_is_refused_and_not_quoted(rules: Deidentifier) -> None:
    frame = pd.DataFrame({"note": pd.Series(["Seen.", "Roe \ud800"], dtype=object)})
    with pytest.raises(FormatError, match="row 1: half a character") as told:
        deidentify_frame(frame, rules, text="note", language="en")
    assert "Roe" not in str(told.value)


def test_a_note_in_a_language_that_nobody_speaks_is_held(rules: Deidentifier) -> None:
    swedish = "Patienten kom till mottagningen och hade ont i magen sedan flera dagar tillbaka."
    frame = pl.DataFrame({"note": [swedish, "She came to the clinic and felt well."]})
    with pytest.raises(HeldError, match="1 of 2 notes are held, the first is row 0, column note"):
        deidentify_frame(frame, rules, text="note")
    assert deidentify_frame(frame, rules, text="note", held="null")["note"].null_count() == 1


@pytest.mark.parametrize("kind", ["pandas", "polars"])
def test_categories_are_changed_as_their_texts(kind: str, rules: Deidentifier) -> None:
    plain = pl.DataFrame(VISITS)
    if kind == "pandas":
        frame: Any = pd.DataFrame(VISITS).astype({"mrn": "category", "ward": "category", "who": "category"})
    else:
        frame = plain.with_columns(pl.col("mrn", "ward").cast(pl.Categorical))
    out = deidentify_frame(frame, rules, columns=SAID, language="en")
    assert rows_of(out) == rows_of(deidentify_frame(plain, rules, columns=SAID, language="en"))


@pytest.mark.parametrize("kind", KINDS)
def test_a_column_without_a_value_stays_one(kind: Any, rules: Deidentifier) -> None:
    out = deidentify_frame(kind({**VISITS, "mrn": [None] * 3}), rules, columns=SAID, language="en")
    assert [row["mrn"] for row in rows_of(out)] == [None] * 3


def test_a_column_of_several_kinds_is_changed_as_texts(rules: Deidentifier) -> None:
    frame = pd.DataFrame({**VISITS, "seen": [date(2021, 5, 3), "soon, says Fenwick", pd.NaT]})
    with pytest.warns(UserWarning, match="column seen: 1 values are empty now: not-a-date"):
        out = deidentify_frame(frame, rules, columns=SAID, language="en")
    assert out["seen"].isna().tolist() == [False, True, True]
    assert out["seen"][0] != "2021-05-03"
