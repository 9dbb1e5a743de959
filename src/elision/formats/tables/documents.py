"""Notes in the formats of corpora, annotation tools and hospital systems, as rows: id, text, patient, language, and
what is known of the patient as JSON. Spans that a file brings are not looked at: a run finds its own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from elision.formats.catalogue import format_named
from elision.formats.convert import read
from elision.formats.files import walk
from elision.formats.format import Reading
from elision.formats.tables.source import (
    Cells,
    Onward,
    Options,
    Shard,
    batches_of,
    chosen_fields,
    of_files,
    strings,
    whole,
)

NAMES = ("id", "text", "patient", "language", "known")


@dataclass(frozen=True)
class Documents:
    """The documents at a path. They are read from the beginning on, so a shard is a stretch of numbers."""

    where: str
    root: Path
    format: str
    options: Options
    _onward: Onward = field(default_factory=Onward, repr=False, compare=False)

    @property
    def schema(self) -> Any:
        return strings(NAMES)

    @cached_property
    def _counted(self) -> tuple[int, list[str]]:
        how = self._reading()
        return sum(1 for _ in read(self.where, self.format, how)), how.remarks.lines()

    @property
    def rows(self) -> int:
        return self._counted[0]

    @property
    def remarks(self) -> list[str]:
        """What was not read, or not as it stands."""
        return self._counted[1]

    def _reading(self) -> Reading:
        return Reading(self.options.encoding, self.options.max_bytes)

    @cached_property
    def fingerprint(self) -> str:
        path = Path(self.where)
        files = walk(path) if path.is_dir() else [path]
        return of_files(self.root, files, self.format, self.options.encoding)

    def shards(self, rows: int) -> list[Shard]:
        return [{"start": start, "rows": min(rows, self.rows - start)} for start in range(0, self.rows, rows)]

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        schema = chosen_fields(self.schema, names)
        rows = self._onward.stretch(self.where, shard["start"], shard["rows"], self._documents)
        return whole(batches_of(rows, schema, self.where), shard, self.where)

    def _documents(self) -> Iterator[Cells]:
        for document in read(self.where, self.format, self._reading()):
            known = {kind: list(values) for kind, values in document.known.items()}
            yield {
                "id": document.id or None,
                "text": document.text,
                "patient": document.patient or None,
                "language": document.language or None,
                "known": json.dumps(known, ensure_ascii=False) if known else None,
            }


def open_documents(where: str, root: Path, format: str, options: Options) -> Documents:
    return Documents(where, root, format_named(format).name, options)
