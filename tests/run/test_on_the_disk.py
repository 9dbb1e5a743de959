"""What is said to be written is on the disk before anything says so: after a power cut, too.

Each call to the system is written down as it comes: what was brought to the disk, and what then took its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.keys import Key
from elision.run.how import How
from elision.run.local import shards
from elision.run.local.manifest import Manifest
from elision.run.local.shards import CLEAN, LOOK, Job, Task
from elision.run.rows import schema_out
from tests.run.containers import Given
from tests.run.small import COLUMNS, a_key, rows, write_rows

Event = tuple[str, int]  # what was done, and the number of the file, or of the folder, that it was done to


class Disk:
    """What the program asks of the disk, in its order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.events: list[Event] = []
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, self._synced(getattr(os, name)))
        for holder, name in ((os, "replace"), (os, "rename"), (Path, "replace"), (Path, "rename")):
            monkeypatch.setattr(holder, name, self._moved(getattr(holder, name)))

    def _synced(self, real: Callable[[int], None]) -> Callable[[int], None]:
        def sync(where: Any) -> None:
            number = where if isinstance(where, int) else where.fileno()
            self.events.append(("synced", os.fstat(number).st_ino))
            real(where)

        return sync

    def _moved(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def move(old: Any, new: Any, **options: Any) -> Any:
            self.events.append(("moved", Path(old).stat().st_ino))
            return real(old, new, **options)

        return move

    def when(self, what: str, path: Path) -> int:
        """When this was last done to what stands at a path; -1 for never."""
        return max((at for at, event in enumerate(self.events) if event == (what, path.stat().st_ino)), default=-1)

    def is_safe(self, path: Path, folder: bool = True) -> bool:
        """Whether the bytes were on the disk before the name, and the name, where asked for, before all went on."""
        synced, moved = self.when("synced", path), self.when("moved", path)
        if synced < 0 or (0 <= moved < synced):
            return False
        return not folder or self.when("synced", path.parent) > max(synced, moved)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_a_key_is_on_the_disk_before_anything_is_done_with_it(tmp_path: Path, disk: Disk) -> None:
    """What it has replaced can be opened with it alone: a key that is lost is lost for ever."""
    Key.new().write(tmp_path / "project.key")
    assert disk.is_safe(tmp_path / "project.key", folder=False)


FORMATS = ["csv", "tsv", "jsonl", "parquet", "text", "brat"]


@pytest.mark.parametrize("format", FORMATS)
def test_a_shard_is_on_the_disk_before_it_counts(tmp_path: Path, disk: Disk, format: str) -> None:
    source = Given([{"id": f"n{at}", "text": "She was well."} for at in range(4)])
    staging = tmp_path / "staging"
    schema = pa.schema([("id", pa.string()), ("text", pa.string())])
    sink = open_sink(tmp_path / "out", source, COLUMNS, schema, format=format, staging=staging)
    for number, shard in enumerate(source.shards(2)):
        sink.put(number, source.read(shard))
        (part,) = (staging / "parts").glob(f"*{number}.*")
        assert disk.is_safe(part)
    sink.finish()
    if format in ("csv", "tsv", "jsonl", "parquet"):
        assert disk.is_safe(tmp_path / "out")
    else:
        assert disk.when("synced", tmp_path) > disk.when("moved", tmp_path / "out")


def job(folder: Path, keyed: bool = True) -> tuple[Job, list[Task]]:
    source = open_source(write_rows(folder / "in.jsonl", rows(4)))
    how = How(COLUMNS, key=a_key(folder) if keyed else "", effort="rules", language="en")
    schema = schema_out(source.schema, COLUMNS)
    schema = schema.remove(schema.get_field_index("elision_receipts"))
    staging = folder / "staging"
    (staging / "looked").mkdir(parents=True)
    sink = open_sink(folder / "out.jsonl", source, COLUMNS, schema, staging=staging)
    return Job(source, sink, how, staging), [Task("", at, shard) for at, shard in enumerate(source.shards(4))]


def test_a_mark_comes_last_and_all_that_it_speaks_for_is_on_the_disk(tmp_path: Path, disk: Disk) -> None:
    """Whoever finds a mark does not do the shard again: so all of it must be there."""
    made, (task,) = job(tmp_path)
    shards.perform(made, task._replace(do=LOOK), lambda *_: None)
    mark = shards.mark(made.staging, LOOK, 0)
    assert disk.is_safe(mark, folder=False)
    kept = list(made.first_pass.iterdir())
    assert {path.name.partition("-")[0] for path in kept} == {"spans", "records", "places", "patients", "known"}
    for file in kept:
        assert 0 <= disk.when("synced", file) < disk.when("moved", mark), file
    from elision.run import patient_store

    patient_store.merge(made.first_pass, 1)
    shards.perform(made, task._replace(do=CLEAN), lambda *_: None)
    mark = shards.mark(made.staging, CLEAN, 0)
    assert disk.is_safe(mark, folder=False)
    receipts = shards.receipts_of(made.staging, 0)
    (part,) = (made.staging / "parts").iterdir()
    assert disk.is_safe(receipts, folder=False)
    assert max(disk.when("moved", part), disk.when("moved", receipts)) < disk.when("moved", mark)


def test_a_manifest_is_on_the_disk_before_it_takes_the_place_of_the_last(tmp_path: Path, disk: Disk) -> None:
    for state in ("work", "finish"):
        Manifest({"input": "in"}, [], state=state).write(tmp_path)
        assert disk.is_safe(tmp_path / "manifest.json", folder=False)


@pytest.mark.parametrize("do", [LOOK, CLEAN])
def test_a_shard_that_fails_has_no_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: str) -> None:
    made, (task,) = job(tmp_path)
    monkeypatch.setattr(shards, "engine_for", lambda _: None)
    with pytest.raises((AttributeError, OSError)):
        shards.perform(made, task._replace(do=do), lambda *_: None)
    assert shards.done(made.staging, do) == set()
