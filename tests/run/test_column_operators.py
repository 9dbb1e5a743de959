"""Columns beside the notes: changed by the key, the patient and the shift of the notes, in every container."""

from __future__ import annotations

import json
import re
import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from elision.errors import ElisionError, FormatError, PolicyError, RunError
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.run.cells import cells_of
from elision.run.engine import clean, engine_for
from elision.run.how import How
from elision.run.ids import keyed_number, linking
from elision.run.local.runner import run
from elision.run.plan import RunOptions, RunPlan, plan
from tests.run.small import a_key

KEY = Key(bytes(range(32)))
FIRST = date(2019, 12, 20)
PEOPLE = [("Jane Roebuck", "4800017"), ("Hugo Fenwick", "4800018"), ("Nora Quimby", "4800019")]
OPERATORS = {"day": "shift", "at": "shift", "person": "pseudonym", "name": "pseudonym", "mrn": "pseudonym"}
COLUMNS = {"texts": ("note",), "id": "note_id", "patient": "person", "known": {"name": "name", "mrn": "mrn"}}
TEXT = "Patient name: {name}. Seen on {day}, and again on {next}. MRN: {mrn}. She was well and had no pain."


def rows(number: int) -> list[dict[str, Any]]:
    """Visits of three people; each note says the day of its row, and one 40 days later. Of some, cells are NULL."""
    made = []
    for at in range(number):
        name, mrn = PEOPLE[at % 3]
        day = FIRST + timedelta(11 * at)
        text = TEXT.format(name=name, mrn=mrn, day=day.isoformat(), next=(day + timedelta(40)).isoformat())
        row = {"note_id": f"n{at}", "person": 700 + at % 3, "name": name, "mrn": mrn, "day": day, "ward": "x"}
        made.append({**row, "at": datetime(day.year, day.month, day.day, 10, 20, at % 60), "note": text})
        if at % 7 == 6:
            made[-1] |= {"name": None, "day": None, "at": None, "mrn": None}
    return made


def written(folder: Path, kind: str, table: list[dict[str, Any]]) -> str:
    """The rows in a container, as `run` is told of it."""
    path = folder / f"in.{kind}"
    if kind == "parquet":
        parquet.write_table(pa.Table.from_pylist(table), path)
    elif kind == "jsonl":
        path.write_text("".join(json.dumps(row, default=str) + "\n" for row in table))
    elif kind == "csv":
        lines = [",".join('"' + str("" if cell is None else cell) + '"' for cell in row.values()) for row in table]
        path.write_text("\n".join([",".join(table[0]), *lines]) + "\n")
    else:
        with sqlite3.connect(path) as database:
            database.execute(
                "CREATE TABLE visit (note_id TEXT PRIMARY KEY, person INTEGER, name TEXT, mrn TEXT, day DATE, ward "
                "TEXT, at TIMESTAMP, note TEXT)"
            )
            values = [[str(cell) if isinstance(cell, date) else cell for cell in row.values()] for row in table]
            database.executemany("INSERT INTO visit VALUES (?,?,?,?,?,?,?,?)", values)
        database.close()
        return f"sqlite:///{path}?table=visit"
    return str(path)


def out_of(folder: Path, kind: str) -> tuple[str, Any]:
    path = folder / f"out.{kind}"
    return (f"sqlite:///{path}?table=visit" if kind == "db" else str(path)), path


def read(path: Path, kind: str) -> list[dict[str, Any]]:
    if kind == "parquet":
        return list(parquet.read_table(path).to_pylist())
    if kind == "jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    if kind == "csv":
        import csv

        with path.open(newline="") as stream:
            return [{name: cell or None for name, cell in row.items()} for row in csv.DictReader(stream)]
    database = sqlite3.connect(path)
    database.row_factory = sqlite3.Row
    found = [dict(row) for row in database.execute("SELECT * FROM visit")]
    database.close()
    return found


def ran(
    folder: Path, kind: str, table: list[dict[str, Any]], warn: Any = print, **options: Any
) -> list[dict[str, Any]]:
    assert not run(planned(folder, kind, table, warn, **options)).held
    return sorted(read(out_of(folder, kind)[1], kind), key=lambda row: int(row["note_id"][1:]))


def planned(folder: Path, kind: str, table: list[dict[str, Any]], warn: Any = print, **options: Any) -> RunPlan:
    columns = {**COLUMNS, "operators": OPERATORS, **options.pop("columns", {})}
    said = {"policy": "surrogate", "key": a_key(folder), "language": "en", "effort": "rules", "workers": 1, **options}
    return plan(written(folder, kind, table), out_of(folder, kind)[0], RunOptions(columns=columns, **said), warn)


@pytest.mark.parametrize("kind", ["parquet", "csv", "jsonl", "db"])
def test_intervals_are_exact_and_nothing_true_comes_out(kind: str, tmp_path: Path) -> None:
    table = rows(60)
    out = ran(tmp_path, kind, table, rows=25)
    true = {name for name, _ in PEOPLE} | {mrn for _, mrn in PEOPLE} | {"700", "701", "702", "Roebuck", "Quimby"}
    stand_ins: dict[int, set[Any]] = {}
    for before, after in zip(table, out, strict=True):
        said = after["note"].split("Seen on ")[1]
        first, second = date.fromisoformat(said[:10]), date.fromisoformat(said.partition("again on ")[2][:10])
        assert second - first == timedelta(40)
        days = (first - date.fromisoformat(before["note"].partition("Seen on ")[2][:10])).days
        assert days
        if before["day"] is None:
            assert (after["day"], after["at"], after["name"], after["mrn"]) == (None,) * 4
        else:
            assert date.fromisoformat(str(after["day"])) == first
            moved = datetime.fromisoformat(str(after["at"]))
            assert moved == before["at"] + timedelta(days)
            assert f"name: {after['name']}." in after["note"]
            assert f"MRN: {after['mrn']}." in after["note"]
            stand_ins.setdefault(before["person"], set()).add((after["name"], after["mrn"], str(after["person"]), days))
        shown = " ".join(str(cell) for name, cell in after.items() if name != "note_id")
        assert not [one for one in true if one in shown.split() or (len(one) > 4 and one in shown)]
        assert "ward" not in after
    assert [len(found) for found in stand_ins.values()] == [1, 1, 1]
    assert len({one[2] for found in stand_ins.values() for one in found}) == 3
    if kind == "parquet":
        schema = parquet.read_schema(tmp_path / "out.parquet")
        types = [str(schema.field(name).type) for name in ("person", "name", "mrn", "day", "at")]
        assert types == ["int64", "string", "string", "date32[day]", "timestamp[us]"]


def test_the_number_of_workers_and_a_stop_change_no_byte(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        folder.mkdir()
        (folder / "project.key").write_bytes(Path(a_key(tmp_path)).read_bytes())
        (folder / "project.key").chmod(0o600)
    table = rows(12)
    ran(one, "csv", table, rows=3)
    source = written(other, "csv", table)
    said: dict[str, Any] = {"policy": "surrogate", "key": a_key(other), "language": "en", "effort": "rules", "rows": 3}
    options = RunOptions(columns={**COLUMNS, "operators": OPERATORS}, workers=2, **said)
    made = plan(source, str(other / "out.csv"), options)

    class StopError(Exception):
        pass

    def stop(_: Any) -> None:
        raise StopError

    with pytest.raises(StopError):
        run(made, stop)
    run(made)
    assert (one / "out.csv").read_bytes() == (other / "out.csv").read_bytes()
    changed = {**COLUMNS, "operators": {**OPERATORS, "day": "generalise:date"}}
    with pytest.raises(RunError, match="column for operators"):
        run(plan(source, str(other / "out.csv"), RunOptions(columns=changed, workers=2, **said)))


def values(
    value: Any,
    do: str,
    *,
    name: str = "x",
    type: Any = None,
    language: str = "en",
    patient: str | None = "p",
    **more: Any,
) -> tuple[Any, dict[str, int]]:
    """What becomes of one value, and why it is NULL if it is."""
    array = pa.array([value], type)
    batch = pa.RecordBatch.from_arrays(
        [array, pa.array(["n1"]), pa.array([patient], pa.string()), pa.array(["The patient was seen and is well."])],
        [name, "id", "p", "note"],
    )
    columns = Columns(("note",), more.pop("id", "id"), "p", operators={name: do}, **more)
    how = How(columns, policy="surrogate", key=str(_KEY[0]), language=language, effort="rules")
    made, left = engine_for(how).changed(batch, cells_of(batch, how))
    return made[name].to_pylist()[0], {why: number for (_, why), number in left.items()}


_KEY: list[Path] = []


@pytest.fixture(autouse=True, scope="module")
def _a_key(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("key") / "project.key"
    KEY.write(path)
    _KEY[:] = [path]


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("2021-03-04", "%Y-%m-%d"), ("03/04/2021", "%m/%d/%Y"), ("20210304", "%Y%m%d"), ("04-Mar-2021", "%d-%b-%Y"),
        ("2021-03-04T23:59:58Z", "%Y-%m-%dT%H:%M:%SZ"), ("2021-03-04 10:20", "%Y-%m-%d %H:%M"),
        ("March 04, 2021", "%B %d, %Y"), (" 2021-03-04 ", "%Y-%m-%d"),
    ],
)  # fmt: skip
def test_dates_of_all_forms_move_by_the_same_days(value: str, form: str) -> None:
    days = values(date(2021, 3, 4), "shift")[0] - date(2021, 3, 4)
    new, why = values(value, "shift")
    assert (datetime.strptime(new, form), why) == (datetime.strptime(value.strip(), form) + days, {})


def test_the_order_of_a_date_can_be_said() -> None:
    days = values(date(2021, 3, 4), "shift")[0] - date(2021, 3, 4)
    for do, form in (("shift:day-first", "%d/%m/%Y"), ("shift:month-first", "%m/%d/%Y")):
        new, _ = values("03/04/2021", do, language="nl")
        assert datetime.strptime(new, form) == datetime.strptime("03/04/2021", form) + days


@pytest.mark.parametrize(
    ("value", "do", "why"),
    [
        ("soon", "shift", "not-a-date"), ("2021", "shift", "not-a-date"), ("yesterday", "shift", "not-a-date"),
        ("Seen by Jane Roe on 2021-03-04", "shift", "not-a-date"), ("9999-12-31", "shift", "not-a-date"),
        ("2021-02-30", "shift", "not-a-date"), (1614816000, "shift", "not-a-date"), ("March", "shift", "not-a-date"),
        (date.max, "shift", "not-a-date"), ("Jane, 45", "generalise:age", "not-an-age"),
        ("Utrecht", "generalise:zip", "not-a-zip"), ("Jane Roe", "generalise:date", "not-a-date"),
        ("1912-05-05", "generalise:date_of_birth", "not-a-date"), (12.5, "pseudonym", "not-a-whole-number"),
        (-(2**63), "pseudonym", "no-stand-in"), ("--", "pseudonym:name", None),
    ],
)  # fmt: skip
def test_what_cannot_be_changed_is_null_and_counted(value: Any, do: str, why: str | None) -> None:
    new, told = values(value, do)
    if why:
        assert (new, told) == (None, {why: 1})
    assert new != value


@pytest.mark.parametrize("value", [None, "", "  "])
@pytest.mark.parametrize("do", ["shift", "pseudonym", "generalise:age", "hash"])
def test_nothing_stays_nothing(value: str | None, do: str) -> None:
    assert values(value, do, type=pa.string()) == (None, {})


@pytest.mark.parametrize(
    ("value", "do", "new"),
    [
        (93, "generalise:age", 90), (45, "generalise:age", 45), ("93", "generalise:age", "90+"),
        (93.5, "generalise:age", 90.0), ("02139", "generalise:zip", "021"), ("03/04/2021", "generalise:date", "2021"),
        (date(2021, 3, 4), "generalise", date(2021, 1, 1)), (20210304, "generalise:date", 2021),
        (datetime(2021, 3, 4, 10, 20), "generalise", datetime(2021, 1, 1)),
    ],
)  # fmt: skip
def test_what_is_coarse_keeps_its_type(value: Any, do: str, new: Any) -> None:
    assert values(value, do) == (new, {})


def test_days_of_a_clock_elsewhere_move_by_that_clock() -> None:
    kind = pa.timestamp("ms", "Europe/Amsterdam")
    late = datetime(2021, 1, 31, 22, 30, tzinfo=UTC)  # there, half an hour before midnight
    new, _ = values(late, "shift", type=kind)
    day, _ = values(date(2021, 1, 31), "shift")
    assert (new.date(), new.hour, new.minute) == (day, 23, 30)


def test_a_row_without_a_patient_moves_with_its_note() -> None:
    moved, other = values("2021-03-04", "shift", patient=None)[0], values("2021-03-04", "shift")[0]
    assert moved != other
    how = How(Columns(("note",), "id", "p"), policy="surrogate", key=str(_KEY[0]), language="en", effort="rules")
    batch = pa.RecordBatch.from_pylist([{"id": "n1", "p": None, "note": "She was seen on 2021-03-04 and was well."}])
    (out,) = clean([batch], how)
    assert moved in out.column("note").to_pylist()[0]
    assert values("2021-03-04", "shift", patient=None, id="") == (None, {"no-patient": 1})
    assert values("Jane Roe", "pseudonym:name", patient=None, id="") == (None, {"no-patient": 1})


@given(st.lists(st.integers(-(2**62) + 1, 2**62 - 1), unique=True, max_size=50))
@settings(max_examples=50, deadline=None)
def test_no_two_numbers_have_one_pseudonym(numbers: list[int]) -> None:
    made = [keyed_number(KEY.secret("ids"), number) for number in numbers]
    assert len(set(made)) == len(numbers)
    assert not [one for one, number in zip(made, numbers, strict=True) if one is None or one == number]
    small = [one for one, number in zip(made, numbers, strict=True) if one and 0 <= number < 2**30]
    assert all(2**30 <= one < 2**31 for one in small)
    assert [linking(KEY.secret("ids"), str(number)) for number in numbers] == [str(one) for one in made]


@pytest.mark.parametrize("bits", [2, 8, 10])
def test_a_permutation_has_each_number_once(bits: int) -> None:
    made = [KEY.secret("ids").permuted(number, bits) for number in range(1 << bits)]
    assert sorted(made) == list(range(1 << bits))
    assert made != [Key(bytes(32)).secret("ids").permuted(number, bits) for number in range(1 << bits)]


def test_patients_are_linked_in_all_containers() -> None:
    number, _ = values(700, "pseudonym", name="person")
    text, _ = values("700", "pseudonym", name="person", known={})
    assert (str(number), len(values("p-700", "pseudonym")[0])) == (text, 32)
    assert values("0700", "pseudonym")[0] != text


def test_hashes_tell_codes_apart_and_link_rows() -> None:
    made = {values(code, "hash:mrn")[0] for code in ("AB123", "AB124", "ab-123")}
    assert len(made) == 2
    assert values("AB123", "hash:mrn", patient="q")[0] in made
    assert len({values(code, "hash")[0] for code in ("1-11", "11-1")}) == 2


@pytest.mark.parametrize(
    ("columns", "options", "said"),
    [
        ({"operators": {"day": "shfit"}}, {}, "did you mean shift"),
        ({"operators": {"day": "shift:last"}}, {}, "shift:day-first or shift:month-first"),
        ({"operators": {"day": "keep:x"}}, {}, "keep stands alone"),
        ({"operators": {"dya": "shift"}}, {}, "did you mean day"),
        ({"operators": {"gone": "drop"}}, {}, "no column 'gone'"),
        ({"operators": {"note": "hash"}}, {}, "is a text"),
        ({"operators": {"note_id": "hash"}}, {}, "--ids keyed"),
        ({"operators": {"day": "shift"}, "keep": ("day",)}, {}, "say one"),
        ({"operators": {"day": "pseudonym:nmae"}}, {}, "no such kind of value .did you mean name"),
        ({"known": {"foo": "name"}}, {}, "--known foo=name: no such kind of value; there are name, .*mrn"),
        ({"operators": {"ward": "generalise"}}, {}, "generalise:age, generalise:date or generalise:zip"),
        ({"operators": {"at": "hash"}}, {}, "holds timestamp.*which hash cannot change"),
        ({"operators": {"day": "shift"}}, {"key": ""}, "shift needs --key"),
        ({"operators": {"day": "shift"}}, {"policy": "limited-data-set"}, "give the shift away"),
        ({"operators": {"day": "shift", "at": "keep"}}, {"policy": "mask"}, "holds true dates, and another column"),
    ],
)
def test_what_cannot_be_asked_is_told(
    columns: dict[str, Any], options: dict[str, Any], said: str, tmp_path: Path
) -> None:
    with pytest.raises(ElisionError, match=said) as told:
        run(planned(tmp_path, "parquet", rows(7), columns=columns, **options))
    assert isinstance(told.value, (FormatError, PolicyError, RunError))
    assert not (tmp_path / "out.parquet").exists()


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("name", "known value .name."), ("person", "which patient each row is of"),
        ("who", "look like names of people"), ("family", "look like names of people"),
        ("phone", "look like numbers of people"), ("seen", "look like dates"), ("ward", ""),
        ("remark", "look like free text"),
    ],
)  # fmt: skip
def test_a_column_that_is_kept_is_told_for_what_it_gives_away(column: str, said: str, tmp_path: Path) -> None:
    more = {"who": "Ruth Marlowe", "phone": "0201234567", "seen": "03/04/2021", "remark": "Came late. Went home."}
    table = [row | more | {"family": ("Smith", "Jones", "Garcia")[at % 3]} for at, row in enumerate(rows(6))]
    told: list[str] = []
    planned(tmp_path, "jsonl", table, told.append, policy="tag", columns={"keep": (column,), "operators": {}})
    kept = [line for line in told if "goes out as it is" in line]
    assert re.search(said, kept[0]) if said else not kept


def test_the_report_names_what_a_column_gives_away_and_what_became_of_each(tmp_path: Path) -> None:
    table = [row | {"day": text} for row, text in zip(rows(2), ("2021-03-04", "soon"), strict=True)]
    operators = {"keep": ("name",), "operators": {"day": "shift"}}
    ended = run(planned(tmp_path, "jsonl", table, policy="mask", columns=operators))
    assert (ended.nulls, ended.counts["nulls"]) == (1, {"day": {"not-a-date": 1}})
    report = (tmp_path / "out.jsonl.run" / "report.html").read_text()
    assert "column name goes out as it is: it is a known value (name)" in report
    assert '<th scope="row">name</th><td>keep</td>' in report
    assert "1 values are NULL now (not-a-date 1)" in report


def test_columns_without_an_operator_are_dropped_and_named(tmp_path: Path) -> None:
    told: list[str] = []
    planned(tmp_path, "jsonl", rows(3), told.append)
    assert any("column ward does not go out" in line for line in told)
    told.clear()
    planned(tmp_path, "jsonl", rows(3), told.append, columns={"operators": {**OPERATORS, "ward": "drop"}})
    assert not any("ward" in line for line in told)


def test_dates_of_two_orders_are_told(tmp_path: Path) -> None:
    table = [row | {"day": text} for row, text in zip(rows(2), ("25/12/2021", "12/25/2021"), strict=True)]
    told: list[str] = []
    planned(tmp_path, "csv", table, told.append)
    assert any("some dates have the day first, and some the month" in line for line in told)
    told.clear()
    planned(tmp_path, "csv", table, told.append, columns={"operators": {**OPERATORS, "day": "shift:day-first"}})
    assert not any("some dates" in line for line in told)


def test_operators_stand_in_a_file_and_in_receipts(tmp_path: Path) -> None:
    (tmp_path / "columns.toml").write_text(
        'texts = ["note"]\nid = "note_id"\npatient = "person"\n[operators]\nday = "shift"\nward = "keep"\n'
    )
    said = RunOptions(
        columns={"operators": {"person": "pseudonym"}}, columns_file=tmp_path / "columns.toml", policy="mask",
        key=a_key(tmp_path), language="en", effort="rules", workers=1,
    )  # fmt: skip
    run(plan(written(tmp_path, "jsonl", rows(2)), str(tmp_path / "out.jsonl"), said))
    summary = json.loads((tmp_path / "out.jsonl.run" / "receipts.jsonl").read_text().splitlines()[-1])
    assert summary["columns"] == {
        "note_id": "id", "person": "pseudonym", "name": "drop", "mrn": "drop", "day": "shift", "ward": "keep",
        "at": "drop", "note": "cleaned",
    }  # fmt: skip
    manifest = json.loads((tmp_path / "out.jsonl.run" / "manifest.json").read_text())
    assert manifest["columns"] == summary["columns"]


@pytest.mark.parametrize(("policy", "moved"), [("surrogate", True), ("limited-data-set", False)])
def test_an_omop_table_can_be_loaded_again(policy: str, moved: bool, tmp_path: Path) -> None:
    row: dict[str, Any] = {
        "note_id": 41, "person_id": 7, "note_date": "2021-03-04", "note_datetime": "2021-03-04 10:20:00",
        "note_type_concept_id": 32831, "note_class_concept_id": 0, "note_title": "Letter of Jane Roebuck",
        "note_text": "She was seen on 2021-03-04 by Dr. Jane Roebuck.", "encoding_concept_id": 32678,
        "language_concept_id": 4180186, "provider_id": 9, "visit_occurrence_id": None, "note_source_value": "x",
    }  # fmt: skip
    table = [row, row | {"note_id": 42, "note_datetime": None}]
    said = RunOptions(omop=True, policy=policy, key=a_key(tmp_path), effort="rules", workers=1)
    told: list[str] = []
    run(plan(written(tmp_path, "csv", table), str(tmp_path / "out.csv"), said, told.append))
    assert not [line for line in told if "concept_id goes out" in line]
    out = read(tmp_path / "out.csv", "csv")
    assert list(out[0]) == [name for name in row if name != "note_source_value"]
    for after in out:
        assert all(after[name] for name in row if name.endswith("concept_id") or name in ("note_date", "note_text"))
        assert all(2**30 <= int(after[name]) < 2**31 for name in ("note_id", "person_id", "provider_id"))
        assert (after["note_date"] != "2021-03-04") is moved
        assert f"seen on {after['note_date']} by" in after["note_text"]
        assert "Roebuck" not in str(after)
        assert after["visit_occurrence_id"] is None
    assert out[0]["note_datetime"] == f"{out[0]['note_date']} 10:20:00"
    assert len({after["note_id"] for after in out}) == 2
    assert out[0]["person_id"] == out[1]["person_id"]
