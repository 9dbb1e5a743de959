"""A disk that is full at any point: no output, or the old one, is there, and with room the same command goes on.

A limit on how large a file may grow stands for the disk, since it is one that workers inherit, and C code knows, too.
"""

from __future__ import annotations

import errno
import resource
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from elision.errors import ElisionError
from elision.formats import atomic
from elision.formats.tables import sink
from elision.formats.tables.columns import Columns
from elision.run.how import How
from tests.run.containers import SCHEMA, Given, copy
from tests.run.containers import read_rows as rows_at
from tests.run.small import a_key, done, rows, write_rows

ROWS = [{"id": f"n{at}", "text": f"{at} was well and had no pain. " * 40} for at in range(30)]
OLD = b"what an earlier run has left\n"


@contextmanager
def room(most: int) -> Iterator[None]:
    """No file may be larger than this: as if the disk were full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_there_is_no_room(tmp_path: Path) -> None:
    with room(10), pytest.raises(OSError, match="File too large"):
        (tmp_path / "file").write_bytes(b"x" * 20)
    (tmp_path / "file").write_bytes(b"x" * 20)


def opened(target: Path, staging: Path, force: bool = False) -> Any:
    columns = Columns(("text",), "id")
    format = target.suffix.removeprefix(".")
    return sink.open_sink(target, Given(ROWS), columns, SCHEMA, format=format, staging=staging, force=force)


@pytest.mark.parametrize("old", [False, True], ids=["nothing there", "an old one there"])
@pytest.mark.parametrize("format", ["csv", "tsv", "jsonl", "parquet"])
def test_the_output_is_whole_or_as_it_was(tmp_path: Path, format: str, old: bool) -> None:
    """The shards have their places, but for what they are put together to there is no room, at several points of it."""
    target, staging, source = tmp_path / f"out.{format}", tmp_path / "staging", Given(ROWS)
    copy(source, str(tmp_path / f"whole.{format}"), tmp_path / "other")
    whole = (tmp_path / f"whole.{format}").read_bytes()
    if old:
        target.write_bytes(OLD)
    made = opened(target, staging, old)
    for number, shard in enumerate(source.shards(3)):
        made.put(number, source.read(shard))
    for share in (0.0, 0.4, 0.99):
        with room(int(share * len(whole))), pytest.raises(ElisionError, match="make room"):
            opened(target, staging, old).finish()
        assert (target.read_bytes() if old else target.exists()) == (OLD if old else False)
        assert {path.name for path in tmp_path.iterdir()} <= {target.name, "staging", f"whole.{format}", "other"}
    opened(target, staging, old).finish()
    assert target.read_bytes() == whole
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part")]


@pytest.mark.parametrize("format", ["csv", "jsonl", "parquet"])
def test_a_shard_is_whole_or_not_there(tmp_path: Path, format: str) -> None:
    target, staging, source = tmp_path / f"out.{format}", tmp_path / "staging", Given(ROWS)
    made = opened(target, staging)
    first, *_ = source.shards(10)
    for most in (0, 100, 300):
        with room(most), pytest.raises(ElisionError, match="make room"):
            made.put(0, source.read(first))
        assert made.done() == set()
        assert not list((staging / "parts").iterdir())
    made.put(0, source.read(first))
    assert made.done() == {0}


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_folder_of_notes_is_whole_or_not_there(tmp_path: Path, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full at one of its files."""
    target, staging, source = tmp_path / "out", tmp_path / "staging", Given(ROWS[:5])
    real, written = atomic.write_text, 0

    def full(file: Path, text: str) -> None:
        nonlocal written
        written += 1
        if written == number:
            file.write_text(text[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        real(file, text)

    columns = Columns(("text",), "id")
    made = sink.open_sink(target, source, columns, SCHEMA, format="text", staging=staging)
    for at, shard in enumerate(source.shards(2)):
        made.put(at, source.read(shard))
    with monkeypatch.context() as patch:
        patch.setattr("elision.formats.tables.sink.write_text", full)
        with pytest.raises(ElisionError, match="No space left on device; make room"):
            made.finish()
    assert not target.exists()
    made.finish()
    assert {path.name: path.read_text() for path in target.iterdir()} == {
        f"{row['id']}.txt": row["text"] for row in ROWS[:5]
    }


# How much room there is: for nothing; for the manifest, not for a shard; for shards, not for receipts; not for the end.
@pytest.mark.parametrize("most", [0, 2_000, 12_000, 40_000])
def test_a_run_goes_on_when_there_is_room(tmp_path: Path, most: int) -> None:
    table = [{**row, "text": row["text"] + " She was well and had no pain." * 60} for row in rows(40)]
    source, out = write_rows(tmp_path / "in.jsonl", table), tmp_path / "out.jsonl"
    how = How(Columns(("text",), "id", "patient"), key=a_key(tmp_path), language="en", effort="rules")
    done(source, tmp_path / "expected.jsonl", how)
    out.write_bytes(OLD)
    with room(most), pytest.raises((ElisionError, OSError)):
        done(source, out, how, force=True)
    assert out.read_bytes() == OLD
    done(source, out, how, force=True)
    assert out.read_bytes() == (tmp_path / "expected.jsonl").read_bytes()
    assert rows_at(str(out)) == rows_at(str(tmp_path / "expected.jsonl"))
    assert not [path for path in tmp_path.rglob("*") if path.name.endswith(".part") or path.name == "staging"]


def test_joining_knows_what_a_disk_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the rows are copied when the disk says that it is full: by its own words, not only by a limit's."""
    target, staging, source = tmp_path / "out.csv", tmp_path / "staging", Given(ROWS)
    made = opened(target, staging)
    for number, shard in enumerate(source.shards(10)):
        made.put(number, source.read(shard))

    def full(source: Any, stream: Any, *_: Any) -> None:
        stream.write(source.read(500))
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copyfileobj", full)
        with pytest.raises(ElisionError, match="No space left on device; make room"):
            made.finish()
    assert not target.exists()
    made.finish()
    assert [row["id"] for row in rows_at(str(target))] == [row["id"] for row in ROWS]
