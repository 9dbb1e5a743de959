"""What a run wrote, read back as notes, so that its receipts can be compared with it: tables, databases, documents."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elision.document import Document
from elision.errors import RunError
from elision.evidence.verify import Finding
from elision.formats.catalogue import TABLES, TEXT, format_named
from elision.formats.convert import read, read_records
from elision.formats.files import is_url
from elision.formats.format import Reading, Remarks
from elision.formats.tables.opening import open_source
from elision.formats.tables.placing import FILES, files_in
from elision.formats.tables.record_sink import has_none
from elision.formats.tables.text_files import id_of
from elision.formats.tables.writers import FORMULA
from elision.formats.urls import HIDDEN
from elision.run.local import manifest
from elision.run.local.folder import receipts_in
from elision.run.local.manifest import DONE, Manifest
from elision.showing import column as shown_column

ROWS = "the output has other rows than the run wrote"
NOT_OURS = "the file was not written by the run"
_MOST = 1 << 40  # bytes of a note: no limit
OTHERS = "the receipts are not those that the run wrote"


@dataclass
class Output:
    """An output and how to read it. `looked` says in words what was looked at."""

    where: str
    format: str
    receipts: Path
    state: Manifest
    folder: Path
    texts: Sequence[str] = ()
    id: str = ""
    remarks: Remarks = field(default_factory=Remarks)
    rows: int = 0

    @property
    def is_table(self) -> bool:
        return self.format in TABLES

    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary of receipts that are a table, which cannot have it at their end."""
        return (self.state.counts or {}).get("summary") if self.receipts.is_dir() else None

    @property
    def looked(self) -> str:
        if self.is_table:
            columns = ", ".join(map(shown_column, self.texts))
            return f"{self.where} ({self.format}): {self.rows:,} rows, the notes in column {columns}"
        return f"{self.where} ({self.format})"

    def plain(self) -> Callable[[str], str]:
        """A cell of CSV without the mark that keeps a spreadsheet from taking it for a formula."""
        marked = self.format in ("csv", "tsv")
        return lambda text: text[1:] if marked and text[:1] == "'" and FORMULA.match(text, 1) else text

    def notes(self) -> Iterator[Document]:
        """All notes that are there."""
        if not self.is_table:
            yield from self._documents(Path(self.where))
            return
        source = open_source(self.where, format="" if self.format == "sql" else self.format, max_bytes=_MOST)
        wanted = [name for name in (self.id, *self.texts) if name]
        if missing := [name for name in wanted if name not in source.schema.names]:
            raise RunError(f"{self.where}: the column {shown_column(missing[0])} is no longer there")
        for shard in source.shards(10_000):
            for batch in source.read(shard, wanted):
                for row in batch.select(wanted).to_pylist():
                    self.rows += 1
                    yield from self._of(row)

    def _documents(self, path: Path) -> Iterator[Document]:
        if self.format == TEXT and path.is_dir():
            for name in sorted(files_in(path)):
                yield Document((path / name).read_bytes().decode("utf-8", "replace"), id_of(name))
        elif self.state.settings.get("column for record") and path.exists():
            if not has_none(path):
                how = Reading(max_bytes=_MOST, remarks=self.remarks)
                yield from (one.document for one in read_records(path, format_named(self.format), how))
        elif path.exists() and not (path.is_dir() and next(files_in(path), None) is None):
            yield from read(path, self.format, Reading(max_bytes=_MOST, remarks=self.remarks))

    def _of(self, row: dict[str, Any]) -> Iterator[Document]:
        id = "" if not self.id or row[self.id] is None else str(row[self.id])
        for name in self.texts:
            if row[name] is not None:
                yield Document(str(row[name]), f"{id}/{name}" if id and len(self.texts) > 1 else id)

    def problems(self, summary: dict[str, Any] | None) -> list[Finding]:
        """What is wrong with the output as a whole, when all of its notes were read. `summary`: of the receipts."""
        counts, found = self.state.counts or {}, []
        if summary is not None and summary != counts.get("summary"):
            found.append(Finding("", OTHERS))
        if self.is_table and self.rows != counts.get("rows"):
            found.append(Finding("", f"{ROWS}: {self.rows:,}, and it wrote {counts.get('rows', 0):,}"))
        listed = self.folder / FILES
        if listed.exists() and Path(self.where).is_dir():
            ours = {json.loads(line) for line in listed.read_text("utf-8").splitlines()[1:]}
            found += [Finding(name, NOT_OURS) for name in sorted(set(files_in(Path(self.where))) - ours)]
        return found


def output_of(records: Path, out: str = "", format: str = "") -> Output | None:
    """The output of the run whose folder, receipts or output are given. None: receipts that are no run's."""
    beside = Path(f"{records}.run")
    if (beside / manifest.NAME).is_file() and not (records / manifest.NAME).is_file():
        records, out = beside, out or str(records)
    folder = records if records.is_dir() else records.parent
    state = manifest.read(folder)
    if state is None:
        if records.is_dir():
            raise RunError(
                f"{folder}: no run has ended here; give the folder of a run, such as OUT.run, or its receipts"
            )
        return None
    if state.state != DONE:
        raise RunError(f"{folder}: the run has not ended; give its command again, then verify")
    where = (out or state.settings["output"]).removeprefix("file://")
    if is_url(where) and HIDDEN in where:
        raise RunError(f"{where}: give OUT, too: the run's folder does not have the password")
    receipts = records if records.is_file() else receipts_in(folder)
    texts = _names(state.settings.get("column for texts", ""))
    id = state.settings.get("column for id", "")
    if format and format not in TABLES:
        texts = []
    return Output(where, format or state.format or _format(where), receipts, state, folder, texts, id)


def _format(where: str) -> str:
    """The format of an output of which the manifest does not tell it."""
    return open_source(where).format


def _names(words: str) -> list[str]:
    return list(json.loads(words)) if re.match(r"\[", words) else [words] if words else []


def last_line(receipts: Path) -> dict[str, Any] | None:
    """The summary at the end of a file of receipts; None if there is none, as in a table."""
    if receipts.is_dir():
        return None
    with receipts.open(encoding="utf-8", errors="replace") as lines:
        last = deque(lines, 1)
    try:
        row = json.loads(last[0])
    except (IndexError, ValueError):
        return None
    return row if isinstance(row, dict) and "summary" in row else None
