"""Where notes go: the same containers that they come from. Shards are staged, and the output is there when all are.

sink = open_sink("clean.parquet", source, columns, schema, staging=Path("clean.parquet.run"))
sink.put(0, batches)
sink.finish()
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from elision.document import Document
from elision.errors import FormatError, UnsureError
from elision.formats.apart import check_out
from elision.formats.atomic import write_text
from elision.formats.catalogue import FILES_OF_TABLES, FORMATS, TABLE_OF_ENDING, TABLES, TEXT, format_named
from elision.formats.convert import write
from elision.formats.files import file_for, is_url
from elision.formats.format import Remarks
from elision.formats.tables.amending import Amendment, amend_documents, amend_texts
from elision.formats.tables.columns import Columns
from elision.formats.tables.file_sink import FileSink
from elision.formats.tables.layout import LayoutSink, Part
from elision.formats.tables.placing import Placing
from elision.formats.tables.record_sink import RecordSink
from elision.formats.tables.record_sink import is_folder as folder_of_records
from elision.formats.tables.source import Source
from elision.formats.tables.sql_sink import open_table_sink
from elision.formats.tables.staged import StagedSink
from elision.formats.tables.text_files import TextFiles, suffix_of
from elision.formats.tables.writers import read_ipc
from elision.showing import ident


class Sink(Protocol):
    """A sink can be pickled to a worker. Shards may come in any order and more than once: the last one counts."""

    @property
    def format(self) -> str: ...

    def put(self, number: int, batches: Iterator[Any]) -> None:
        """A shard, whole or not at all."""

    def done(self) -> set[int]:
        """The shards that are there."""

    def finish(self, change: Amendment | None = None) -> None:
        """Make the output of all shards in their order and put it in its place; then take the shards away. With a
        change, the shards have only the new rows, and the others stay from the output that is there."""

    def failed(self) -> str:
        """After a failure: what stays elsewhere than in the staging folder, in words; the rest is taken away."""


def open_sink(
    where: str | Path,
    source: Source,
    columns: Columns,
    schema_out: Any,
    *,
    format: str = "",
    staging: Path,
    force: bool = False,
    neutral: bool = True,
    layout: Sequence[Part] = (),
) -> Sink:
    """A sink for rows of this schema. The staging folder lies in the run's folder. Something that is there already is
    refused without `force`, unless this very run put it there. With a layout, tables go into a folder of such files."""
    if is_url(where):
        return open_table_sink(str(where), source, columns, schema_out, staging, force=force)
    check_out(source.where, str(where))
    target, chosen = Path(where), format or format_of(Path(where), source)
    records = format_named(chosen).records if columns.record else None
    if records:
        is_folder = folder_of_records(target, records, source.where)
    else:
        is_folder = bool(layout) or (chosen not in FILES_OF_TABLES and format_named(chosen).folder)
    place = Placing(target, staging, is_folder, force)
    _check_target(target)
    place.check()
    if records:
        return RecordSink(place, schema_out, chosen, columns)
    if layout:
        return LayoutSink(place, schema_out, chosen, neutral, tuple(layout))
    if chosen in FILES_OF_TABLES:
        return FileSink(place, schema_out, chosen, neutral)
    # Keyed ids are no names of files that are there.
    root = source.root if isinstance(source, TextFiles) and chosen == TEXT else None
    return NotesSink(place, schema_out, chosen, columns, root)


def format_of(target: Path, source: Source) -> str:
    """The format that OUT's ending asks for, else that of IN."""
    records = FORMATS[source.format].records if source.format in FORMATS else None
    if records and target.suffix.lower() in records.endings:
        return source.format
    if (chosen := TABLE_OF_ENDING.get(target.suffix.lower(), "")) and not target.is_dir():
        return chosen
    if source.format not in TABLES:
        return source.format
    if target.is_dir() or str(target).endswith("/"):
        return TEXT
    names = ", ".join(dict.fromkeys((*FILES_OF_TABLES, *FORMATS)))
    raise UnsureError(f"{target}: cannot tell from the name in which format to write; say it with --to: {names}")


def _check_target(target: Path) -> None:
    above = next((folder for folder in target.absolute().parents if folder.exists()), Path("/"))
    if not above.is_dir() or not os.access(above, os.W_OK):
        raise FormatError(f"{target}: cannot be written: {above} is no folder, or a read-only one")


@dataclass(frozen=True)
class NotesSink(StagedSink):
    """Files of notes: plain text with the layout of the folder it comes from, or another format of documents.

    A row without a text is no file. Of several texts in a row each is a file, called after the column."""

    columns: Columns
    root: Path | None = None  # of the files that are read, whose names those that are written have

    def _make(self, made: Path, change: Amendment | None) -> None:
        documents, old = self._documents(self._parts.files()), self.place.target
        if change and self.format == TEXT:
            amend_texts(old, made, documents, lambda name: suffix_of(name, self.root), change.gone)
        elif change:
            amend_documents(old, made, documents, self.format, change)
        elif self.format == TEXT:
            made.mkdir()
            self._write_texts(documents, made)
        else:
            write(documents, made, format_named(self.format), Remarks())

    def _write_texts(self, documents: Iterable[Document], made: Path) -> None:
        for document in documents:
            file = file_for(made, document.id, suffix_of(document.id, self.root))
            if file.exists():
                raise FormatError(
                    f"the id {ident(document.id)} comes twice, and each note is a file; give the notes other ids"
                )
            write_text(file, document.text)

    def _documents(self, parts: Sequence[Path]) -> Iterator[Document]:
        out = set(self.schema.names)
        id, texts = self.columns.id, [name for name in self.columns.texts if name in out]
        patient = self.columns.patient if self.columns.patient in out else ""
        language = self.columns.language if self.columns.language in out else ""
        for batch in (batch for part in parts for batch in read_ipc(part)):
            for row in batch.to_pylist():
                if all(row[name] is None for name in texts):
                    continue
                if id not in row or row[id] is None:
                    raise FormatError("a note without an id cannot be a file; say which column has the ids (--id)")
                for name in texts:
                    if row[name] is not None:
                        yield Document(
                            row[name],
                            f"{row[id]}/{name}" if len(texts) > 1 else str(row[id]),
                            patient=str(row[patient] or "") if patient else "",
                            language=str(row[language] or "") if language else "",
                        )
