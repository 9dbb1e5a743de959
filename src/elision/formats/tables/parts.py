"""The staging of what goes out: a file for each shard, there whole or not at all, and one file or folder in the end."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

from elision.formats.atomic import told, writing

TABLES_FILE = "tables.json"  # names the tables of a database that belong to the staging
_FINISHED = "finished.json"


class Parts:
    """The files of the shards below a staging folder."""

    def __init__(self, staging: Path, suffix: str) -> None:
        self.staging, self.suffix = staging, suffix
        self.folder = staging / "parts"

    def file(self, number: int) -> Path:
        return self.folder / f"{number:08}{self.suffix}"

    def numbers(self) -> list[int]:
        if not self.folder.is_dir():
            return []
        names = (file.name.removesuffix(self.suffix) for file in self.folder.iterdir() if file.suffix == self.suffix)
        return sorted(int(name) for name in names if name.isdecimal())

    def files(self) -> list[Path]:
        return [self.file(number) for number in self.numbers()]

    def done(self) -> set[int]:
        """The shards that are there, or were when the output was put in its place."""
        return set(self.numbers()) or set(self.finished() or ())

    def finished(self) -> list[int] | None:
        """The shards of an output that is in its place; None before."""
        file = self.staging / _FINISHED
        return None if not file.exists() else list(json.loads(file.read_text()))

    def finish(self, done: Iterable[int] | None = None) -> None:
        """Take the parts away, all at once, and say that they are not needed. Who gave the staging folder takes it away
        when it has noted that all is done."""
        with writing(self.staging / _FINISHED, synced=True) as stream:
            stream.write(json.dumps(sorted(self.done() if done is None else done)).encode())
        with told(self.staging):
            gone = self.staging / "parts-not-needed"
            if self.folder.exists():
                self.folder.rename(gone)
            shutil.rmtree(gone, ignore_errors=True)


def write_ipc(stream: IO[bytes], batches: Iterator[Any], schema: Any) -> None:
    """Batches as an Arrow stream: fast to write and read, and it holds all types."""
    import pyarrow as pa

    with pa.ipc.new_stream(stream, schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        for batch in batches:
            writer.write_batch(batch)


def read_ipc(file: Path) -> Iterator[Any]:
    import pyarrow as pa

    with file.open("rb") as stream, pa.ipc.open_stream(stream) as reader:
        yield from reader
