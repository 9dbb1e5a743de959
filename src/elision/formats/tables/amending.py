"""An output that is there, with some of its rows or notes replaced, added or taken away: what held notes became when
they were tried again, or what a night brings.

All other rows stay byte for byte as they are, and all comes out as if the notes had come out at once.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
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
STAYS, NEW, GOES = "o", "n", "-"
_ENDINGS = (".txt", "")  # of a file of a note; what it had in the input is forgotten when it is gone
_MOST = 1 << 40  # bytes of a note that was written before: no limit


@dataclass(frozen=True)
class Amendment:
    """What becomes of an output, in letters. `old`: of each row that is there, whether it stays or goes. `new`: of each
    row that will be there, in order, whether it is the next one that stays, or a new one. `old_notes` and `new_notes`
    say the same of the notes that came out. `gone`: the ids of the notes that go. `ids`: of rows that go, as a database
    holds them; without them, rows with the ids of new ones go."""

    old: str
    new: str
    old_notes: str
    new_notes: str
    gone: tuple[str, ...] = ()
    ids: tuple[Any, ...] | None = None


def gone(target: object) -> FormatError:
    return FormatError(
        f"{target}: is not as the run left it (rows or notes are missing, added or changed), so nothing can be put "
        "into it; bring it back, or begin anew with --force"
    )


def amended(old: Iterable[Item], new: Iterable[Item], goes: str, comes: str, target: object) -> Iterator[Item]:
    """The items of an output that stay, and new ones, in the order that `comes` tells."""
    stay, fresh = _staying(old, goes, target), iter(new)
    for letter in comes:
        for item in islice(stay if letter == STAYS else fresh, 1):
            yield item
            break
        else:
            raise gone(target)
    for _ in stay:  # to the end, which must be where it was
        raise gone(target)


def _staying(old: Iterable[Item], goes: str, target: object) -> Iterator[Item]:
    letters = iter(goes)
    for item in old:
        letter = next(letters, "")
        if not letter:
            raise gone(target)
        if letter == STAYS:
            yield item
    if next(letters, ""):
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
    with readable(target):
        old = records(target, quoted=quoted)
        if header:
            stream.write(next(old, b""))
        new = (row for part in parts for row in records(part, quoted=quoted))
        stream.writelines(amended(old, new, change.old, change.new, target))


def amend_batches(
    files: Sequence[Path], parts: Sequence[Path], schema: Any, change: Amendment, target: Path
) -> Iterator[Any]:
    """The same of Parquet files, as batches."""
    import pyarrow as pa

    try:
        with readable(target):
            old = _filtered(_there(files, schema, len(change.old), target), change.old)
            new = (batch for part in parts for batch in read_ipc(part))
            for batch in _taken(old, new, change.new, target):
                yield batch.cast(schema)
    except pa.ArrowInvalid:
        raise gone(target) from None


def _there(files: Sequence[Path], schema: Any, rows: int, target: Path) -> Iterator[Any]:
    """The batches of Parquet files that must have so many rows."""
    from pyarrow import parquet

    heads = [parquet.read_metadata(file) for file in files]
    names = [head.schema.to_arrow_schema().names for head in heads]
    if sum(head.num_rows for head in heads) != rows or any(some != schema.names for some in names):
        raise gone(target)
    for file in files:
        with parquet.ParquetFile(file) as opened:
            yield from opened.iter_batches(use_threads=False)


def _filtered(batches: Iterable[Any], letters: str) -> Iterator[Any]:
    import pyarrow as pa

    at = 0
    for batch in batches:
        here = letters[at : at + len(batch)]
        at += len(batch)
        yield batch.filter(pa.array([letter == STAYS for letter in here])) if GOES in here else batch


def _taken(old: Iterator[Any], new: Iterator[Any], letters: str, target: Path) -> Iterator[Any]:
    """Rows of two kinds in the order that the letters tell, as few batches as may be."""
    from_each = {STAYS: old, NEW: new}
    left: dict[str, Any] = {}
    for letter, run in groupby(letters):
        wanted = sum(1 for _ in run)
        while wanted:
            batch = left.pop(letter, None) or next(from_each[letter], None)
            if batch is None:
                raise gone(target)
            piece = batch.slice(0, wanted)
            if len(piece) < len(batch):
                left[letter] = batch.slice(len(piece))
            wanted -= len(piece)
            yield piece


def amend_texts(
    target: Path, made: Path, documents: Iterable[Document], suffix: Callable[[str], str], goes: Sequence[str]
) -> None:
    """A folder of plain text: the old files but those of the notes that go, and the new ones beside them."""
    made.mkdir()
    there = set(files_in(target)) if target.exists() else set()
    for id in goes:
        name = next((id + ending for ending in (suffix(id), *_ENDINGS) if id + ending in there), "")
        if not name:
            raise gone(target)
        there.remove(name)
    for name in there:
        file, beside = target / name, made / name
        beside.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.link(file, beside)
        except OSError:  # some disks have no such thing
            shutil.copy2(file, beside)
    for document in documents:
        file = file_for(made, document.id, suffix(document.id))
        if file.exists():
            raise gone(target)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(document.text, "utf-8", newline="")


def amend_documents(target: Path, made: Path, documents: Iterable[Document], format: str, change: Amendment) -> None:
    """Documents of a format: those that are there, and the new ones where they belong."""
    old = read(target, format, Reading(max_bytes=_MOST)) if change.old_notes else iter(())
    with readable(target):
        both = amended(old, documents, change.old_notes, change.new_notes, target)
        write(both, made, format_named(format), Remarks())


@contextmanager
def readable(target: Path) -> Iterator[None]:
    """An output that is not there any more is told as one that is not as it was left."""
    try:
        yield
    except FileNotFoundError:
        raise gone(target) from None
