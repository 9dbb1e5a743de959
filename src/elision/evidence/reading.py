"""The lines of receipts, out of a file of lines (JSONL) or out of a table (a folder of Parquet)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from elision.errors import FormatError, ReceiptError
from elision.evidence.receipts import row_of
from elision.formats.files import read_lines
from elision.formats.format import MEGABYTE, Reading

RECEIPT = "receipt"  # the column of a table in which the lines stand
BESIDE = ("note", "status", "why")  # columns that say again what is in the line
_ROWS = 10_000


class Line(NamedTuple):
    """A line as it stands and as JSON; None for one without anything in it. `number`: in its file; 0 in a table."""

    number: int
    where: str
    text: str
    row: dict[str, Any] | None
    told: bool = True  # whether the columns beside it say what it says


def lines_of(path: Path) -> Iterator[Line]:
    """All lines; a summary at the end, too, if it is a file."""
    try:
        yield from _of_table(path) if path.is_dir() else _of_file(path)
    except FormatError as error:
        raise ReceiptError(str(error)) from None


def _of_file(path: Path) -> Iterator[Line]:
    for number, text in read_lines(path, Reading(max_bytes=MEGABYTE), exact=True):
        line, where = text.removesuffix("\n"), f"{path}:{number}"
        yield Line(number, where, line, row_of(line, where) if line.strip() else None)


def _of_table(path: Path) -> Iterator[Line]:
    from elision.formats.tables.opening import open_source

    source = open_source(path, format="parquet", max_bytes=MEGABYTE)
    names = [name for name in (RECEIPT, *BESIDE) if name in source.schema.names]
    if RECEIPT not in names:
        raise ReceiptError(f"{path}: has no column {RECEIPT}; give the receipts of a run, or its folder (OUT.run)")
    at = 0
    for shard in source.shards(_ROWS):
        for batch in source.read(shard, names):
            for cells in batch.to_pylist():
                at += 1
                where, text = f"{path}: row {at:,}", str(cells.pop(RECEIPT) or "")
                row = row_of(text, where) if text.strip() else None
                told = row is None or all(row.get(name) == (cell or "") for name, cell in cells.items())
                yield Line(0, where, text, row, told)
