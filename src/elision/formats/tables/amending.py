"""An output that is there, with some of its rows or notes replaced: what held notes became when they were tried again.

All other rows stay byte for byte as they are, and all comes out as if the notes had come out at once.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from elision.document import Document
from elision.errors import FormatError
from elision.formats.catalogue import format_named
from elision.formats.convert import read, write
from elision.formats.files import file_for
from elision.formats.format import Reading, Remarks
from elision.formats.tables.placing import files_in
from elision.formats.tables.writers import read_ipc

Item = TypeVar("Item")
STAYS, NEW, AGAIN, NONE = "o", "n", "r", "-"
_MOST = 1 << 40  # bytes of a note that was written before: no limit


@dataclass(frozen=True)
class Amendment:
    """`rows`: the numbers of the rows that are replaced, in order. `total`: how many rows there are. `notes`: a letter
    for each note of the output, in order: it stays, is new, comes again, or is held."""

    rows: tuple[int, ...]
    total: int
    notes: str


def gone(target: object) -> FormatError:
    return FormatError(
        f"{target}: is not as the run left it (rows or notes are missing or added), so nothing can be put into it; "
        "bring it back, or begin anew with --force and without --retry-held"
    )


def amended(old: Iterable[Item], new: Iterable[Item], change: Amendment, target: object) -> Iterator[Item]:
    """The items of an output with those of the changed rows taken from elsewhere."""
    changed, number = dict(zip(change.rows, new, strict=False)), 0
    for item in old:
        yield changed.get(number, item)
        number += 1
    if number != change.total:
        raise gone(target)


def records(file: Path, *, quoted: bool) -> Iterator[bytes]:
    """The lines of a file, or rows of CSV, in which an end of line may stand in quotes."""
    with file.open("rb") as stream:
        whole: list[bytes] = []
        quotes = 0
        for line in stream:
            whole.append(line)
            quotes += line.count(b'"') if quoted else 0
            if quotes % 2 == 0:
                yield b"".join(whole)
                whole, quotes = [], 0
        if whole:
            yield b"".join(whole)


def amend_lines(
    stream: IO[bytes], target: Path, parts: Sequence[Path], change: Amendment, *, header: bool, quoted: bool
) -> None:
    """Rows of text: the old file with some of its rows replaced by those of the parts."""
    with _readable(target):
        old = records(target, quoted=quoted)
        if header:
            stream.write(next(old, b""))
        new = (row for part in parts for row in records(part, quoted=quoted))
        stream.writelines(amended(old, new, change, target))


def amend_batches(target: Path, parts: Sequence[Path], schema: Any, change: Amendment) -> Iterator[Any]:
    """The same of a Parquet file, as batches."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with _readable(target), parquet.ParquetFile(target) as file:
            if file.metadata.num_rows != change.total or file.schema_arrow.names != schema.names:
                raise gone(target)
            new = (batch.slice(at, 1) for part in parts for batch in read_ipc(part) for at in range(len(batch)))
            rows, begins = list(change.rows), 0
            for batch in file.iter_batches(use_threads=False):
                here, at = [row - begins for row in rows if begins <= row < begins + len(batch)], 0
                for row in here:
                    if at < row:
                        yield batch.slice(at, row - at).cast(schema)
                    yield next(new).cast(schema)
                    at = row + 1
                if at < len(batch):
                    yield batch.slice(at).cast(schema)
                begins += len(batch)
    except pa.ArrowInvalid:
        raise gone(target) from None


def amend_texts(
    target: Path, made: Path, documents: Iterable[Document], suffix: Callable[[str], str], notes: str
) -> None:
    """A folder of plain text: the old files, and the new ones beside them."""
    made.mkdir()
    for name in files_in(target) if target.exists() else ():
        file, beside = target / name, made / name
        beside.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, beside)
        except OSError:  # some disks have no such thing
            shutil.copy2(file, beside)
    letters = (letter for letter in notes if letter in (NEW, AGAIN))
    for document, letter in zip(documents, letters, strict=True):
        file = file_for(made, document.id, suffix(document.id))
        if file.exists() != (letter == AGAIN):
            raise gone(target)
        file.unlink(missing_ok=True)  # it is another name of the old file, which stays until the end
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(document.text, "utf-8", newline="")


def amend_documents(target: Path, made: Path, documents: Iterable[Document], format: str, notes: str) -> None:
    """Documents of a format: those that are there, and the new ones where they belong."""
    write(_in_order(target, documents, format, notes), made, format_named(format), Remarks())


def _in_order(target: Path, documents: Iterable[Document], format: str, notes: str) -> Iterator[Document]:
    there = STAYS in notes or AGAIN in notes
    old, new = read(target, format, Reading(max_bytes=_MOST)) if there else iter(()), iter(documents)
    with _readable(target):
        for letter in notes:
            one = next(old, None) if letter in (STAYS, AGAIN) else None
            if letter in (STAYS, AGAIN) and one is None:
                raise gone(target)
            if letter in (NEW, AGAIN):
                yield next(new)
            elif one is not None:
                yield one
        if next(old, None) is not None:
            raise gone(target)


@contextmanager
def _readable(target: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise gone(target) from None
