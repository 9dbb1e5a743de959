"""What the first look at a shard has found, kept for the second: numbers and names of labels, never text.

One record batch for each batch of the shard, one row for each note. A keyed number of the note's text says, the second
time, that it is still the same note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from elision.detect.safely import Detected
from elision.document import Span
from elision.errors import HeldError, RunError
from elision.keys import Secret
from elision.run.cells import Cell

_SCHEMA = pa.schema(
    [
        ("text", pa.uint64()),
        ("why", pa.string()),
        ("start", pa.list_(pa.int32())),
        ("end", pa.list_(pa.int32())),
        ("label", pa.list_(pa.string())),
        ("score", pa.list_(pa.float64())),
        ("source", pa.list_(pa.string())),
    ]
)


def file_of(folder: Path, shard: int) -> Path:
    return folder / f"spans-{shard:06d}.arrow"


class SpanWriter:
    """Writes what is found, batch by batch."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self._secret = secret
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        self._writer = pa.ipc.new_stream(str(path), _SCHEMA, options=options)

    def add(self, cells: Sequence[Cell], found: Sequence[Detected]) -> None:
        spans = [() if isinstance(each, HeldError) else each for each in found]
        rows = [
            [_number(self._secret, cell) for cell in cells],
            [str(each) if isinstance(each, HeldError) else None for each in found],
            [[span.start for span in each] for each in spans],
            [[span.end for span in each] for each in spans],
            [[span.label for span in each] for each in spans],
            [[span.score for span in each] for each in spans],
            [[span.source for span in each] for each in spans],
        ]
        arrays = [pa.array(row, one.type) for row, one in zip(rows, _SCHEMA, strict=True)]
        self._writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=_SCHEMA))

    def close(self) -> None:
        self._writer.close()


class SpanReader:
    """Gives back what was found, note by note, in the order in which it was written."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self._secret = secret
        self._rows = _rows(path)

    def next(self, cells: Sequence[Cell]) -> list[Detected]:
        return [self._one(cell) for cell in cells]

    def _one(self, cell: Cell) -> Detected:
        number, why, spans = next(self._rows, (-1, None, ()))
        if number != _number(self._secret, cell):
            raise RunError(
                f"{cell.document.name}: the input was changed while the run was going on; remove the run's "
                "folder and run it anew"
            )
        return HeldError(why) if why is not None else spans


def _number(secret: Secret, cell: Cell) -> int:
    return secret.number("note", cell.document.id, cell.document.patient, cell.document.text)


def _rows(path: Path) -> Iterator[tuple[int, str | None, tuple[Span, ...]]]:
    with pa.ipc.open_stream(str(path)) as reader:
        for batch in reader:
            for number, why, *columns in zip(*(column.to_pylist() for column in batch.columns), strict=True):
                yield number, why, tuple(Span(*each) for each in zip(*columns, strict=True))
