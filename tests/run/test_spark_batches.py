"""What Spark's executors do, without Spark: functions from batches to batches, over any partitions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from elision.document import Span
from elision.errors import HeldError, KeyFileError, RunError
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.limits import CAN_FORK, TIMEOUT, Limits
from elision.run.cells import cells_of
from elision.run.detecting import Patients
from elision.run.engine import engine_for
from elision.run.how import How
from elision.run.rows import RECEIPTS, rows_out
from elision.run.spark import cleaning, looking
from elision.run.spark.cleaning import HELD_NOTES, Memories, clean_alone, clean_records, schema_of
from elision.run.spark.failing import guarded, in_words
from elision.run.spark.job import RECORDS, TOLD, Job, number_of, open_rows, open_told, seal_rows, seal_told
from elision.run.spark.looking import known_numbers, look
from tests.run.small import COLUMNS, a_key, rows

SCHEMA = pa.schema([(name, pa.string()) for name in ("id", "patient", "text", "name")])
Rows = Sequence[dict[str, Any]]


class Sent:
    """What a broadcast is to an executor."""

    def __init__(self, value: bytes) -> None:
        self.value = value


def batch(data: Rows) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([dict(row) for row in data], schema=SCHEMA)


def job_of(folder: Path, data: Rows, **more: Any) -> Job:
    how = How(COLUMNS, "surrogate", a_key(folder), default_language="en", effort="fast")
    job = Job(how, SCHEMA, limits=None, **more)
    texts = [row for row in data if row["text"] is not None]
    names = pa.RecordBatch.from_pydict({"name": pa.array([row["name"] for row in texts], pa.string())})
    numbers = sorted(set(chain.from_iterable(one.column(0).to_pylist() for one in known_numbers(job, [names]))))
    return replace(job, known=Sent(pa.array(numbers, pa.int64()).to_numpy().tobytes()))


def shuffled(records: Iterable[pa.RecordBatch], partitions: int) -> Iterator[list[pa.RecordBatch]]:
    """What Spark does between the two looks."""
    table = pa.Table.from_batches(records, RECORDS)
    for partition in range(partitions):
        here = [row for row in table.to_pylist() if row["whose"] % partitions == partition]
        here.sort(key=lambda row: (row["whose"], row["kind"]))
        yield pa.Table.from_pylist(here, RECORDS).to_batches(max_chunksize=7)


def over(job: Job, parts: Sequence[Rows], partitions: int) -> dict[str, dict[str, Any]]:
    records = [one for part in parts for one in look(job, [batch(part)])]
    out = [row for some in shuffled(records, partitions) for one in clean_records(job, some) for row in one.to_pylist()]
    return {row["id"]: row for row in out}


def at_once(job: Job, data: Rows) -> dict[str, dict[str, Any]]:
    """What the engine makes of all rows together."""
    engine, whole = engine_for(job.how), batch(data)
    cells = cells_of(whole, job.how)
    found = engine.found(cells)
    patients = Patients(cells, found)
    done = engine.cleaned(cells, patients, found)
    out = rows_out(whole, job.how, cells, done, engine.changed(whole, cells, patients)[0])
    return {row["id"]: row for row in out.to_pylist()}


DATA = [
    *rows(40, patients=5),
    {"id": "empty", "patient": "p1", "text": None, "name": "Nobody Known"},
    {"id": "alone", "patient": None, "text": "Patient name: Ellen Quimby. Quimby was well.", "name": None},
    {"id": "stated", "patient": "p3", "text": "No pain.", "name": "Quilldrop Marshfen"},
    {"id": "recalled", "patient": "p3", "text": "all well with quilldrop marshfen today.", "name": None},
    {"id": "swedish", "patient": "p2", "text": "Patienten är en äldre kvinna som har ont i magen.", "name": None},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("job")


@settings(max_examples=8)
@given(st.integers(1, 4), st.integers(1, 3), st.integers(0, 1 << 30))
def test_any_partitions_give_the_same_rows(folder: Path, parts: int, partitions: int, seed: int) -> None:
    data = random.Random(seed).sample(DATA, 9)
    job = job_of(folder, data)
    want = at_once(job, data)
    got = over(job, [data[part::parts] for part in range(parts)], partitions)
    assert {id: {name: row[name] for name in want[id]} for id, row in got.items()} == want


def test_a_patient_is_remembered_over_partitions_and_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "PIECE", 3)
    monkeypatch.setattr(cleaning, "PIECE", 2)
    job = job_of(folder, DATA)
    got = over(job, [DATA[part::7] for part in range(7)], 3)
    want = at_once(job, DATA)
    assert {id: {name: row[name] for name in want[id]} for id, row in got.items()} == want
    assert got["recalled"]["text"].startswith("all well with ")
    assert "quilldrop" not in got["recalled"]["text"]  # which only the patient's other row tells


def test_held_notes_say_why_and_what_next(folder: Path) -> None:
    got = over(job_of(folder, DATA), [DATA], 1)
    assert got["swedish"]["text"] is None
    (held,) = got["swedish"][HELD_NOTES]
    assert (held["note"], held["column"], held["why"]) == ("swedish", "text", "language-not-supported: sv?")
    assert "--language" not in held["why"]
    assert held["next"]
    assert got["empty"][HELD_NOTES] == []


def test_rows_whose_patients_are_not_remembered_are_cleaned_at_once(folder: Path) -> None:
    job = job_of(folder, DATA)
    job = replace(job, how=replace(job.how, memory=False))
    out = [row for one in clean_alone(job, [batch(DATA)]) for row in one.to_pylist()]
    want = at_once(job, DATA)
    assert [{name: row[name] for name in want[row["id"]]} for row in out] == [want[row["id"]] for row in out]
    assert len(out) == len(DATA)


def test_what_waits_of_other_patients_is_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many patients a partition has, the values of few are held."""
    monkeypatch.setattr(cleaning, "PIECE", 5)
    most = 0

    class Counted(Memories):
        def add(self, patient: str, told: dict[str, list[str]]) -> None:
            nonlocal most
            super().add(patient, told)
            most = max(most, len(self.values))

    monkeypatch.setattr(cleaning, "Memories", Counted)
    data = rows(60, patients=40)
    over(job_of(folder, data), [data], 1)
    assert 1 < most <= 8


def test_records_are_sealed_and_bound(folder: Path) -> None:
    job = job_of(folder, DATA)
    records = [row for one in look(job, [batch(DATA)]) for row in one.to_pylist()]
    for row in records:
        assert not any(word in row["record"] for word in (b"Roebuck", b"Patient", b"Alderton", b"Quimby"))
    first = next(row for row in records if row["kind"] == TOLD)
    raw = bytearray(first["record"])
    raw[-1] ^= 1
    for number, record in ((first["whose"], bytes(raw)), (first["whose"] + 1, first["record"])):
        with pytest.raises(RunError, match="damaged"):
            open_told(job, number, record)
    with pytest.raises(RunError, match="damaged"):
        open_told(replace(job, token=b"x" * 32), first["whose"], first["record"])  # of another run
    assert len({row["record"][:12] for row in records}) == len(records)


def test_nothing_that_is_pickled_or_shown_has_the_key(folder: Path) -> None:
    import pickle

    job = job_of(folder, DATA)
    raw = Path(job.how.key).read_text().partition("elision-key-1:")[2].strip()
    secret = Key.read(job.how.key).secret("run").key()
    job.secret()
    assert raw.encode() not in pickle.dumps(replace(job, known=None))
    assert secret not in pickle.dumps(replace(job, known=None))
    without = Job(replace(job.how, key="", policy="tag"), SCHEMA)
    assert str(without.token) not in repr(without)
    assert without.token.hex() not in repr(without)


@settings(max_examples=20)
@given(st.text(), st.lists(st.tuples(st.integers(0, 9), st.floats(0, 1)), max_size=3), st.booleans())
def test_rows_and_finds_come_back(folder: Path, text: str, spans: list[tuple[int, float]], held: bool) -> None:
    job = Job(How(COLUMNS), SCHEMA)
    one = batch([{"id": "1", "patient": "p", "text": text.encode("utf-8", "replace").decode(), "name": None}])
    found = [HeldError("too-long")] if held else [tuple(Span(at, at + 2, "NAME", score, "x") for at, score in spans)]
    number = number_of(job, "p")
    back, again, late = open_rows(job, number, seal_rows(job, number, one, found, {0: TIMEOUT} if held else {}))
    assert back == one
    assert list(map(str, again)) == list(map(str, found))
    assert late == ({0: TIMEOUT} if held else {})
    assert open_told(job, *seal_told(job, "p", {"NAME": ["Roe"]})) == ("p", {"NAME": ["Roe"]})


@pytest.mark.skipif(not CAN_FORK, reason="no fork here")
def test_a_note_that_hangs_is_held_as_on_one_machine(folder: Path) -> None:
    data = [
        {"id": "good", "patient": "p1", "text": "Seen by Dr. Roebuck.", "name": None},
        {"id": "bad", "patient": "p1", "text": "hang here, Dr. Roebuck.", "name": None},
    ]
    job = job_of(folder, data)
    how = replace(job.how, detectors=("tests.run.small:failing",), default_language="", language="en")
    job = replace(job, how=how, limits=Limits(seconds=1))
    got = over(job, [data], 1)
    assert [got[id]["elision_status"] for id in ("good", "bad")] == ["cleaned", "held"]
    assert got["bad"][HELD_NOTES][0]["why"] == TIMEOUT
    (want,) = engine_for(how).cleaned([cells_of(batch(data[1:]), how, {0: TIMEOUT})[0]])
    assert got["bad"][RECEIPTS] == [want.receipt.line()]


def _raised(error: Exception) -> Iterator[Any]:
    raise error


@pytest.mark.parametrize("error", [ValueError("Jane Roebuck was seen"), MemoryError("Jane Roebuck was seen")])
def test_errors_of_executors_quote_nothing(error: Exception) -> None:
    import traceback

    def work(_: Any) -> Iterator[pa.RecordBatch]:
        yield from _raised(error)

    with pytest.raises(RunError) as caught:
        list(guarded(work, []))
    assert "Roebuck" not in "".join(traceback.format_exception(caught.value))
    assert caught.value.__context__ is None


def test_our_own_errors_keep_their_words(folder: Path) -> None:
    def work(_: Any) -> Iterator[pa.RecordBatch]:
        Key.read(folder / "no-such.key")
        yield

    with pytest.raises(RunError, match=r"no-such\.key: no such file"):
        list(guarded(work, []))
    assert issubclass(KeyFileError, Exception)


def test_what_spark_says_is_put_in_words() -> None:
    long = 'Traceback\n  File "x", line 1\nelision.errors.RunError: key: others may read this key\n at java.lang'
    assert str(in_words(Exception(long))) == "key: others may read this key"
    assert "lacks pyarrow" in str(in_words(Exception("x\nModuleNotFoundError: No module named 'pyarrow'\n")))
    assert "Roebuck" not in str(in_words(ValueError("Jane Roebuck")))


def test_what_goes_out_has_the_columns_that_were_named(folder: Path) -> None:
    job = job_of(folder, DATA)
    assert schema_of(job).names == ["id", "text", "elision_status", "elision_receipts", "elision_held", "elision_nulls"]
    kept = replace(job, how=replace(job.how, columns=Columns(("text",), "id", "patient", keep=("name",))))
    assert "name" in schema_of(kept).names
