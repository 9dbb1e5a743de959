"""What sinks share: rows wait in the staging folder, a part for each shard, and all is made from them at the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from elision.formats.atomic import writing
from elision.formats.tables.amending import Amendment
from elision.formats.tables.placing import Placing
from elision.formats.tables.source import batches_selected
from elision.formats.tables.writers import Parts, write_ipc


@dataclass(frozen=True)
class StagedSink(ABC):
    """Rows that become one file or folder at the end. Until then they are Arrow."""

    place: Placing
    schema: Any
    format: str

    @property
    def _parts(self) -> Parts:
        return Parts(self.place.staging, ".arrow")

    def put(self, number: int, batches: Iterator[Any]) -> None:
        with writing(self._parts.file(number), synced=True) as stream:
            self._write_part(stream, batches_selected(batches, self.schema))

    def _write_part(self, stream: IO[bytes], batches: Iterator[Any]) -> None:
        write_ipc(stream, batches, self.schema)

    def done(self) -> set[int]:
        return self._parts.done()

    def finish(self, change: Amendment | None = None) -> None:
        parts = self._parts
        if parts.finished() is None or parts.numbers():
            self.place.put(lambda made: self._make(made, change))
        parts.finish()

    def failed(self) -> str:
        return ""

    @abstractmethod
    def _make(self, made: Path, change: Amendment | None) -> None:
        """All of it, at a place that nobody sees yet."""
