"""Spark gives what `elision run` gives on one machine, and tells nobody the key. One session serves all tests."""

from __future__ import annotations

import _socket
import base64
import json
import os
import random
import re
import shutil
import socket
import sys
import threading
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import typer
from typer.testing import CliRunner

from elision.cli import app, on_spark
from elision.errors import ElisionError, FormatError, RunError
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.run.how import How
from elision.run.spark import alone as alone_
from elision.run.spark import deidentify, write
from elision.run.spark import parts as parts_
from elision.run.spark.asking import done as asked
from elision.run.spark.frames import mapped, planned, said_of
from elision.run.spark.places import Places
from tests.run.small import a_key, by_id, done, rows, write_rows

pytest.importorskip("pyspark")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
    pytest.mark.filterwarnings("ignore"),  # Spark's own: of pandas, of sockets
    pytest.mark.xdist_group("spark"),
]

COLUMNS = Columns(("text",), "id", "patient", known={"name": "name"}, keep=("extra",))
SAID: dict[str, Any] = {"columns": COLUMNS, "policy": "surrogate", "default_language": "en", "effort": "fast"}
SCHEMA = "id string, patient string, text string, name string, extra string"
CANARY = "Zyxwvutova"
WORDS = (CANARY, "Roebuck", "Alderton", "Quimby")
DATA = [
    *rows(60, patients=9),
    {"id": "empty", "patient": "p1", "text": None, "name": "Nobody Known", "extra": "x"},
    {"id": "alone", "patient": None, "text": "Patient name: Ellen Quimby. Quimby was well.", "name": None, "extra": ""},
    {"id": "told", "patient": "p3", "text": f"Patient name: Ida {CANARY}. She was well.", "name": None, "extra": "x"},
    {"id": "recalled", "patient": "p3", "text": f"No pain. {CANARY} was told to rest.", "name": None, "extra": "x"},
    {"id": "stated", "patient": "p4", "text": "No pain.", "name": "Quilldrop Marshfen", "extra": "x"},
    {"id": "other", "patient": "p4", "text": "all well with quilldrop marshfen today.", "name": None, "extra": "x"},
    {"id": "sv", "patient": "p2", "text": "Patienten är en äldre kvinna som har ont.", "name": None, "extra": "x"},
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def spark(folder: Path) -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    (folder / "log4j2.properties").write_text(
        f"appender.file.type=File\nappender.file.name=file\nappender.file.fileName={folder}/spark.log\n"
        "appender.file.layout.type=PatternLayout\nappender.file.layout.pattern=%d %p %c: %m%n%ex\n"
        "rootLogger.level=info\nrootLogger.appenderRef.file.ref=file\n"
    )
    (folder / "events").mkdir()
    settings = {
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.eventLog.compress": "false",
        "spark.ui.port": "0",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "tables"),
        "spark.sql.shuffle.partitions": "2",
        "spark.shuffle.compress": "false",
        "spark.sql.codegen.wholeStage": "false",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={folder}/log4j2.properties"
        " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
    }
    builder = SparkSession.builder.master("local[2]").appName("elision-tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", _to_this_machine)
        patch.setattr(socket, "getaddrinfo", _socket.getaddrinfo)
        session = builder.getOrCreate()
        yield session
        _end(session)


def _to_this_machine(one: socket.socket, where: Any) -> None:
    """Python and Java speak with each other by sockets of this machine; nothing else may."""
    assert ip_address(where[0]).is_loopback, "elision must not use the network"
    _socket.socket.connect(one, where)


def _end(session: Any) -> None:
    """Stop Spark and Java, and leave no process and no open file."""
    from pyspark import SparkContext

    session.stop()
    gateway: Any = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(20)
    SparkContext._gateway = SparkContext._jvm = None


@pytest.fixture(scope="module")
def key(folder: Path) -> str:
    return a_key(folder)


@pytest.fixture(scope="module")
def expected(folder: Path, key: str) -> dict[str, Any]:
    """What one machine makes of the rows: the rows, the receipts, the held notes."""
    how = How(COLUMNS, "surrogate", key, default_language="en", effort="fast")
    done(write_rows(folder / "in.jsonl", DATA), folder / "out.jsonl", how, workers=1, rows=1000)
    own = folder / "out.jsonl.run"
    held = [json.loads(line) for line in (own / "quarantine.jsonl").read_text().splitlines()]
    return {
        "rows": by_id(folder / "out.jsonl"),
        "receipts": sorted((own / "receipts.jsonl").read_text().splitlines()[:-1]),
        "held": {one["note"]: (one["column"], one["why"], one["next"]) for one in held},
    }


def frame(spark: Any, partitions: int, seed: int = 0) -> Any:
    data = random.Random(seed).sample(DATA, len(DATA))
    return spark.createDataFrame(data, SCHEMA).repartition(partitions)


def rows_of(clean: Any) -> dict[str, Any]:
    return {row["id"]: row.asDict() for row in clean.collect()}


@pytest.mark.parametrize("partitions", [1, 3, 7])
def test_any_partitions_give_the_bytes_of_one_machine(
    spark: Any, key: str, expected: dict[str, Any], partitions: int
) -> None:
    made = deidentify(frame(spark, partitions, partitions), key=key, partitions=8 - partitions, **SAID)
    assert rows_of(made.clean) == expected["rows"]
    assert sorted(row["receipt"] for row in made.receipts.collect()) == expected["receipts"]
    held = {row["note"]: (row["column"], row["why"], row["next"]) for row in made.held.collect()}
    assert held == expected["held"]
    assert held["sv"][1].startswith("language-not-supported")
    assert CANARY not in str(rows_of(made.clean))
    assert "quilldrop" not in str(rows_of(made.clean))  # which only another row of the patient tells
    made.unpersist()


def test_known_values_come_by_a_join(spark: Any, key: str) -> None:
    notes = spark.createDataFrame([("1", 17, "Seen today, abcdefg was well."), ("2", None, "No pain.")], "id string, person int, note string")  # noqa: E501 # fmt: skip
    people = spark.createDataFrame([(17, ["Abcdefg", "Hij"]), (18, ["No"])], "person int, name array<string>")
    columns = {"texts": ["note"], "id": "id", "patient": "person", "known": {"name": "name"}, "operators": {"person": "pseudonym"}}  # noqa: E501 # fmt: skip
    made = deidentify(notes.join(people, "person", "left"), columns, "tag", key, language="en", effort="fast")
    out = rows_of(made.clean)
    assert out["1"]["note"] == "Seen today, [NAME] was well."
    assert out["1"]["person"] >= 1 << 30
    assert out["2"]["person"] is None
    made.unpersist()


def test_a_run_that_was_stopped_goes_on(
    spark: Any, key: str, folder: Path, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = folder / "clean"
    make, again = parts_._Run.make, []

    def failing(run: Any, job: Any, part: int) -> None:
        if part == 1:
            raise RunError("an executor is gone")
        make(run, job, part)

    def counted(run: Any, job: Any, part: int) -> None:
        again.append(part)
        make(run, job, part)

    with monkeypatch.context() as patch:
        patch.setattr(parts_._Run, "make", failing)
        with pytest.raises(RunError, match="executor is gone"):
            write(frame(spark, 2), str(out), key=key, parts=2, **SAID)
    assert not out.exists()
    with pytest.raises(RunError, match="policy, was surrogate, now tag"):
        write(frame(spark, 2), str(out), key=key, parts=2, **{**SAID, "policy": "tag"})
    with pytest.raises(RunError, match="what is in the input"):
        write(frame(spark, 2).where("id != 'told'"), str(out), key=key, parts=2, **SAID)
    monkeypatch.setattr(parts_._Run, "make", counted)
    ended = write(frame(spark, 5, seed=7), str(out), key=key, parts=2, **SAID)  # the order of rows is no matter
    assert again == [1]
    assert rows_of(spark.read.parquet(str(out))) == expected["rows"]
    assert sorted(row["receipt"] for row in spark.read.parquet(ended.receipts).collect()) == expected["receipts"]
    assert spark.read.parquet(ended.held).count() == ended.counts["held"] == len(expected["held"])
    assert ended.counts["rows"] == len(DATA)
    assert verified(out, key)[0] == 0
    assert not (folder / "clean.run" / "staging").exists()
    assert write(frame(spark, 1), str(out), key=key, parts=2, **SAID).before
    assert again == [1]


def verified(out: Path, key: str) -> tuple[int, str]:
    told = CliRunner().invoke(app, ["verify", str(out), "--key", key])
    assert not any(word in told.output for word in WORDS)
    return told.exit_code, told.output


def test_a_part_that_is_lost_or_there_twice_is_named(spark: Any, key: str, folder: Path) -> None:
    """Also with its receipts, so that all that is there fits together."""
    out = folder / "proved"
    said = {**SAID, "memory": False, "partitions": 1}
    write(frame(spark, 1).limit(12), str(out), key=key, parts=2, **said)
    assert verified(out, key)[0] == 0
    places = (out, out.with_name("proved.run") / "receipts")
    for place in places:
        (file,) = place.glob("part-00001-*.parquet")
        file.rename(folder / f"{place.name}.lost")
    status, told = verified(out, key)
    assert status == 1
    assert "the summary does not fit the receipts" in told
    for place in places:
        for name in ("part-00001-again.parquet", "part-00001-twice.parquet"):
            shutil.copy(folder / f"{place.name}.lost", place / name)
    assert verified(out, key)[0] == 1


def test_two_runs_do_not_write_one_output(spark: Any, key: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, said = str(folder / "one"), {**SAID, "memory": False, "partitions": 1}
    make, begun, refused = parts_._Run.make, threading.Event(), threading.Event()

    def waiting(run: Any, job: Any, part: int) -> None:
        begun.set()
        assert refused.wait(120)
        make(run, job, part)

    monkeypatch.setattr(parts_._Run, "make", waiting)
    with ThreadPoolExecutor(1) as other:
        first = other.submit(write, frame(spark, 1).limit(5), out, key=key, parts=1, **said)
        assert begun.wait(120)
        try:
            with pytest.raises(RunError, match=r"one\.run: another run is at work there; wait until it has ended"):
                write(frame(spark, 1).limit(5), out, key=key, parts=1, **said)
        finally:
            refused.set()
        assert first.result().counts["rows"] == 5
    assert verified(folder / "one", key)[0] == 0


def test_elsewhere_a_file_tells_who_is_at_work(spark: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in HDFS or an object store, where no lock ends with its process."""
    places, run = Places(spark), str(folder / "far.run")
    lock = folder / "far.run" / "run.lock"
    monkeypatch.setattr(Places, "local", lambda *_: None)
    monkeypatch.setattr(alone_, "SETTLE", 0.0)
    with alone_.alone(places, run) as still:
        still()
        said = json.loads(lock.read_text())
        assert (said["host"], said["process"]) == (socket.gethostname(), os.getpid())
        with (
            pytest.raises(
                RunError, match=rf"\(process {os.getpid()} on .*; wait .* remove {lock} and give the command"
            ),
            alone_.alone(places, run),
        ):
            pass
        assert json.loads(lock.read_text()) == said  # whoever is refused leaves the lock alone
        places.write(f"{run}/manifest.json", "{}")
        places.remove(str(lock))
        assert places.claim(str(lock), "not json")  # somebody else thought that this run was dead
        still_refused(still)
    assert lock.read_text() == "not json"
    with pytest.raises(RunError, match="it does not say which one"), alone_.alone(places, run):
        pass
    places.remove(str(lock))
    with alone_.alone(places, run) as still:
        still()
    assert not lock.exists()
    assert (folder / "far.run" / "manifest.json").exists()
    with alone_.alone(places, str(folder / "none.run")):
        pass
    assert not (folder / "none.run").exists()  # nothing was begun in it


def still_refused(still: Any) -> None:
    with pytest.raises(RunError, match="another run is at work there"):
        still()


def test_an_executor_without_memory_says_what_to_do(spark: Any, key: str) -> None:
    df = frame(spark, 1).select("id")
    job = planned(frame(spark, 1), said_of(COLUMNS, "surrogate", key, {"effort": "fast", "language": "en"}), print)

    def greedy(_: Any, batches: Any) -> Any:
        yield from (batch for batch in batches if bytearray(1 << 50))

    def ended(_: Any, batches: Any) -> Any:
        next(iter(batches))
        os._exit(137)  # as a cluster ends a process with too much memory

    for work, message in (
        (greedy, "an executor has no memory left: give Python more"),
        (ended, "was ended from outside"),
    ):
        out = mapped(df, work, job, pa.schema([("id", pa.string())]))
        with pytest.raises(RunError, match=message) as caught:
            asked(out.collect)
        assert CANARY not in str(caught.value)


def test_nothing_is_written_over(spark: Any, key: str, folder: Path) -> None:
    there = folder / "there"
    there.mkdir()
    (there / "of-others.txt").write_text("mine")
    with pytest.raises(RunError, match="is there already"):
        write(frame(spark, 1), str(there), key=key, **SAID)
    assert (there / "of-others.txt").read_text() == "mine"
    assert not (folder / "there.run").exists()


def test_the_key_and_the_notes_are_nowhere(spark: Any, key: str, folder: Path) -> None:
    """In no event, plan, page, log, or file of a shuffle; and no note in an error."""
    own = {CANARY: "Wexlerova", "Quimby": "Quarrendon"}  # what other tests shuffle has none of these
    data = [{**row, "text": row["text"] and re.sub("|".join(own), lambda m: own[m[0]], row["text"])} for row in DATA]
    before = set((folder / "local").rglob("shuffle_*"))
    made = deidentify(spark.createDataFrame(data, SCHEMA), key=key, partitions=2, **SAID)
    rows_of(made.clean)
    told = [_java(spark).PythonSQLUtils.explainString(made.rows._jdf.queryExecution(), mode) for mode in ("extended", "formatted", "codegen", "cost")]  # noqa: E501 # fmt: skip
    base = spark.sparkContext.uiWebUrl
    pages = ["environment/", "SQL/", "SQL/execution/?id=1", "stages/", "jobs/", "executors/", "storage/"]
    pages += ["api/v1/applications", f"api/v1/applications/{spark.sparkContext.applicationId}/sql?details=true"]
    for page in pages:
        with urllib.request.urlopen(f"{base}/{page}", timeout=20) as answer:
            told.append(answer.read().decode("latin-1"))
    files = [path for part in ("events", "local") for path in (folder / part).rglob("*") if path.is_file()]
    log = (folder / "spark.log").read_text("latin-1")
    assert any(path.stat().st_size > 1000 for path in (folder / "events").rglob("*") if path.is_file())
    assert "MapInArrow" in "".join(told)
    text = Path(key).read_text().strip().rpartition(":")[2]
    raw = base64.b64decode(text)
    keys = [raw, raw.hex().encode(), text.encode()]
    keys += [one for name in ("run", "names", "receipts") for one in _forms(Key.read(key).secret(name).key())]
    keys += [repr(raw).encode(), ", ".join(map(str, raw[:8])).encode()]
    for where, content in [
        *((str(path), path.read_bytes()) for path in files),
        ("plans and pages", "".join(told).encode("latin-1", "replace")),
        ("log", log.encode("latin-1", "replace")),
    ]:
        assert not any(one in content for one in keys), where
        assert not any(one.encode() in content for one in (*WORDS, *own.values())) or "/local/" in where, where
    shuffled = set((folder / "local").rglob("shuffle_*.data")) - before
    assert sum(path.stat().st_size for path in shuffled) > 5_000
    assert [word for path in shuffled for word in own.values() if word.encode() in path.read_bytes()] == []
    made.unpersist()


def _java(spark: Any) -> Any:
    return spark.sparkContext._jvm


def _forms(secret: bytes) -> list[bytes]:
    return [secret, secret.hex().encode(), base64.b64encode(secret)]


def test_what_executors_cannot_read_is_told(spark: Any, folder: Path) -> None:
    other = folder / "other"
    other.mkdir()
    made = deidentify(frame(spark, 1), key=a_key(other), cache=False, **SAID)
    (other / "project.key").chmod(0o644)
    with pytest.raises(Exception, match=r"project\.key: others may read this key"):
        made.clean.collect()
    (other / "project.key").rename(other / "gone.key")
    with pytest.raises(Exception, match=r"project\.key: no such file") as caught:
        made.clean.collect()
    assert CANARY not in str(caught.value)
    with pytest.raises(ElisionError, match=r"project\.key: no such file"):
        write(frame(spark, 1), str(folder / "never"), key=str(other / "project.key"), **SAID)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"texts": ["txt"], "id": "id"}, "no column 'txt'; did you mean text"),
        ({"texts": ["text"], "id": "id", "patient": "patients"}, "did you mean patient"),
        ({"texts": ["text"], "id": "extra"}, "rows have no id in column extra"),
        ({"texts": ["text"], "id": "name"}, "rows have no id"),
        ({"texts": ["text"], "id": "id", "known": {"nmae": "name"}}, "no such kind"),
        ({"texts": ["text"], "id": "id", "operators": {"patient": "pseudonym"}}, "needs --key"),
    ],
)
def test_wrong_columns_are_named_before_the_work(spark: Any, columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ElisionError, match=message):
        deidentify(frame(spark, 1), columns, language="en", effort="fast")


def test_ids_that_come_twice_and_odd_options_are_refused(spark: Any) -> None:
    twice = spark.createDataFrame([("1", "No pain."), ("1", "Pain.")], "id string, text string")
    with pytest.raises(FormatError, match="1 rows have an id in column id that came before"):
        deidentify(twice, {"texts": ["text"], "id": "id"}, language="en", effort="fast")
    with pytest.raises(FormatError, match="no option 'workers'"):
        deidentify(twice, {"texts": ["text"], "id": "id"}, workers=3)


def test_a_table_of_the_catalogue_is_read(
    spark: Any, key: str, folder: Path, expected: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame(spark, 2).write.saveAsTable("notes")
    monkeypatch.setattr(on_spark, "_session", lambda: spark)
    monkeypatch.setattr(spark, "stop", lambda: None)  # other tests go on with it
    others = {name: value for name, value in SAID.items() if name not in ("columns", "policy")}
    said, out = said_of(COLUMNS, "surrogate", key, others), str(folder / "from-table")
    with pytest.raises(RunError, match="TABLE_OR_VIEW_NOT_FOUND"):
        on_spark.run_on_spark("spark", "table:nots", out, said, {}, 2, json=True)
    (folder / "lake" / "_delta_log").mkdir(parents=True)
    for source in (f"file://{folder}/lake", f"{folder}/lake/year=2024/"):
        with pytest.raises(FormatError, match="table of Delta"):
            on_spark.run_on_spark("spark", source, out, said, {}, 2, json=True)
    assert not Path(out).exists()
    with pytest.raises(typer.Exit):  # some notes are held
        on_spark.run_on_spark("spark", "table:notes", out, said, {}, 2, json=True)
    assert rows_of(spark.read.parquet(out)) == expected["rows"]


def test_a_patient_with_very_many_notes(spark: Any, key: str) -> None:
    """All of them go through one task of the second step; the first note alone tells the name."""
    name = f"Ida {CANARY}"
    data = [{"id": f"m{at}", "patient": "p", "text": f"No pain. {CANARY} was told to rest.", "name": None, "extra": ""} for at in range(2000)]  # noqa: E501 # fmt: skip
    data.append({"id": "m", "patient": "p", "text": f"Patient name: {name}. She was well.", "name": None, "extra": ""})
    made = deidentify(spark.createDataFrame(data, SCHEMA).repartition(4), key=key, partitions=4, cache=False, **SAID)
    out = rows_of(made.clean)
    assert len(out) == len(data)
    assert all(row["text"] and CANARY not in row["text"] for row in out.values())
    assert len({row["text"] for id, row in out.items() if id != "m"}) == 1  # one patient, one stand-in
