"""Where rows go that stay rows: one file, made of the parts that the shards became."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from elision.formats.atomic import writing
from elision.formats.tables.amending import Amendment, amend_batches, amend_lines
from elision.formats.tables.staged import StagedSink
from elision.formats.tables.writers import Parts, Writer, write_parquet, writer_for


@dataclass(frozen=True)
class FileSink(StagedSink):
    """One file of rows. The parts are in its format."""

    neutral: bool = True

    @cached_property
    def _writer(self) -> Writer:
        return writer_for(self.format, neutral=self.neutral)

    @property
    def _parts(self) -> Parts:
        return Parts(self.place.staging, self._writer.suffix)

    def _write_part(self, stream: IO[bytes], batches: Iterator[Any]) -> None:
        self._writer.part(stream, batches, self.schema)

    def _make(self, file: Path, change: Amendment | None) -> None:
        parts, old = self._parts.files(), self.place.target
        with writing(file, synced=True) as stream:
            if change is None:
                self._writer.join(stream, parts, self.schema)
            elif self.format == "parquet":
                write_parquet(stream, amend_batches([old], parts, self.schema, change, old), self.schema)
            else:
                is_json = self.format == "jsonl"
                amend_lines(stream, old, parts, change, header=not is_json, quoted=not is_json)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_writer"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
