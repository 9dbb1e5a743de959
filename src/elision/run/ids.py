"""Ids of notes: those that come twice, are missing or cannot be ids, and names made of them with the project's key.

An input may have any size: sixteen bytes of memory a row. No message quotes an id: it may name a patient. It says at
which row it stands. Whoever has the key can make the name of an id again (`elision key id`); nobody can find the id
from the name, and which is whose is written down nowhere.
"""

from __future__ import annotations

import re
import secrets
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from typing import Any

import numpy as np

from elision.errors import FormatError, RunError
from elision.formats.tables.source import UNREADABLE_ROW, Shard, Source
from elision.keys import Key, Secret
from elision.run.around import Around
from elision.showing import column as shown_column
from elision.showing import place, tells
from elision.text.characters import printable

_SHOWN = 5
_DENSE = 10  # a number in so many is an id: then they are only counted on, and tell nothing
Told = dict[str, int]  # how many ids seem to tell a date, a long number, a name


@dataclass
class _Seen:
    hashes: Any = field(default_factory=lambda: array("Q"))
    missing: int = 0
    odd: list[int] = field(default_factory=list)  # rows whose ids have control characters
    tell: Told = field(default_factory=dict)
    numbers: int = 0
    least: int = 0
    greatest: int = 0

    def add(self, row: int, value: str, key: bytes) -> None:
        self.hashes.append(_hash(value, key))
        if value.isascii() and value.isdecimal() and len(value) < 19:
            number = int(value)
            self.least = min(self.least, number) if self.numbers else number
            self.greatest = max(self.greatest, number)
            self.numbers += 1
        elif not value.isprintable() and printable(value) != value:
            self.odd.append(row)
        elif told := tells(value):
            self.tell[told] = self.tell.get(told, 0) + 1

    def told(self) -> Told:
        """With numbers of seven digits and more, unless there are about as many ids as numbers in between."""
        dense = self.greatest - self.least < _DENSE * self.numbers
        long = self.numbers if self.greatest >= 10**6 and not dense else 0
        return {**self.tell, **({"a long number": self.tell.get("a long number", 0) + long} if long else {})}


def check_ids(source: Source, column: str, shards: list[Shard], *, repeats: bool = False) -> Told:
    """How many ids seem to tell of a person. An error if notes have no id, if an id cannot be shown, or (unless
    `repeats` are allowed) if one comes twice.

    First all ids are kept as short hashes under a key that nobody knows. Only ids whose hash comes twice are looked at
    themselves, so two ids with one hash are never taken for the same.
    """
    key = secrets.token_bytes(16)
    seen = _Seen()
    for row, value, unreadable in _ids(source, column, shards):
        if value:
            seen.add(row, value, key)
        elif not unreadable:
            seen.missing += 1
    where, name = place(source.where), shown_column(column)
    if seen.missing:
        raise FormatError(
            f"{where}: {seen.missing:,} rows have no id in column {name}; give every note an id, or choose another "
            "column"
        )
    if seen.odd:
        raise FormatError(
            f"{where}: {len(seen.odd):,} ids in column {name} have line breaks or control characters "
            f"({_rows(seen.odd)}); give these notes other ids, or say --ids keyed"
        )
    twice = set() if repeats else _twice(seen.hashes)
    if twice:
        places: dict[str, list[int]] = {}
        for row, value, _ in _ids(source, column, shards):
            if value and _hash(value, key) in twice:
                places.setdefault(value, []).append(row)
        again = [rows for rows in places.values() if len(rows) > 1]
        if again:
            raise FormatError(
                f"{where}: {len(again):,} ids in column {name} come more than once (one at {_rows(again[0])}); every "
                "note needs an id of its own, or allow it (--repeated-ids)"
            )
    return seen.told()


def telling(told: Told) -> str:
    """A warning of ids that tell of people."""
    kinds = ", ".join(f"{what} {count:,}" for what, count in sorted(told.items()))
    return (
        f"{sum(told.values()):,} ids seem to tell of people ({kinds}), and ids go out: into the output, its file "
        "names, receipts and lists of held notes. Say --ids keyed for ids made with the key, "
        "or --ids keep if they may go out"
    )


def _rows(numbers: Sequence[int]) -> str:
    shown = ", ".join(f"{number:,}" for number in numbers[:_SHOWN]) + (", ..." if len(numbers) > _SHOWN else "")
    return f"row{'s' * (len(numbers) > 1)} {shown}"


def _twice(hashes: array[int]) -> set[int]:
    sorted_ = np.frombuffer(hashes, np.uint64) if hashes else np.zeros(0, np.uint64)
    sorted_.sort()
    return set(sorted_[1:][sorted_[1:] == sorted_[:-1]].tolist())


def _ids(source: Source, column: str, shards: list[Shard]) -> Iterator[tuple[int, str, bool]]:
    """The number of each row, its id, and whether the row cannot be read."""
    for shard in shards:
        row = int(shard["start"])
        for batch in source.read(shard, (column,)):
            bad = (
                batch.column(UNREADABLE_ROW).to_pylist()
                if UNREADABLE_ROW in batch.schema.names
                else [None] * len(batch)
            )
            for value, why in zip(batch.column(column).to_pylist(), bad, strict=True):
                row += 1
                yield row, "" if value is None else str(value), why is not None


def _hash(value: str, key: bytes) -> int:
    return int.from_bytes(blake2b(value.encode(), digest_size=8, key=key).digest(), "little")


PURPOSE = "ids"
# Numbers below the first have another number from it to twice as much: so none is one of the originals, and small
# numbers stay small. The second fits into what spreadsheets and JSON hold of a number, the third into 64 bits.
_SPANS = (30, 52, 62)
_WHOLE_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})")


def keyed_id(key: Key, id: str) -> str:
    """What stands for an id."""
    secret = key.secret(PURPOSE)
    return linking(secret, id) or secret.name(id)


def keyed_number(secret: Secret, number: int) -> int | None:
    """The number that stands for a number, and for no other; None for one of more than 62 bits."""
    bits = next((bits for bits in _SPANS if abs(number) < 1 << bits), 0)
    made = (1 << bits) + secret.permuted(abs(number), bits) if bits else None
    return -made if made and number < 0 else made


def linking(secret: Secret, value: str) -> str | None:
    """What stands for a value by which rows are linked: of a whole number a number, of any other text a name."""
    if not _WHOLE_NUMBER.fullmatch(value) or value == "-0":
        return secret.name(value)
    number = keyed_number(secret, int(value))
    return None if number is None else str(number)


def keyed_schema(schema: Any, column: str) -> Any:
    """The schema of rows with keyed ids: of whole numbers they are whole numbers, of anything else texts."""
    import pyarrow as pa

    at = schema.get_field_index(column)
    if at < 0:
        return schema
    whole = pa.types.is_integer(schema.field(at).type)
    return schema.set(at, pa.field(column, pa.int64() if whole else pa.string()))


def keyed_batch(batch: Any, column: str, secret: Secret) -> Any:
    """Rows with keyed ids in a column, if they have it."""
    import pyarrow as pa

    def keyed(id: object) -> object:
        if isinstance(id, int):
            return keyed_number(secret, id)
        return None if id is None else linking(secret, str(id)) or secret.name(str(id))

    at = batch.schema.get_field_index(column)
    if at < 0:
        return batch
    schema = keyed_schema(batch.schema, column)
    ids = pa.array([keyed(id) for id in batch.column(at).to_pylist()], schema.field(at).type)
    return pa.RecordBatch.from_arrays([*batch.columns[:at], ids, *batch.columns[at + 1 :]], schema=schema)


@dataclass(frozen=True)
class KeyedIds(Around):
    """A source with keyed ids. It is pickled with the place of the key, never with the key."""

    column: str
    key: str  # its file

    @property
    def schema(self) -> Any:
        return keyed_schema(self.inner.schema, self.column)

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        for batch in self.inner.read(shard, names):
            yield keyed_batch(batch, self.column, self._secret)

    @cached_property
    def _secret(self) -> Secret:
        return Key.read(self.key).secret(PURPOSE)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("inner", "column", "key")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def with_ids(source: Source, ids: str, column: str, key: str) -> Source:
    """The source as `--ids` asks for it."""
    if ids != "keyed":
        return source
    if not column:
        raise RunError("--ids keyed: the notes have no ids; say which column has them (--id)")
    if not key:
        raise RunError("--ids keyed needs --key: make a key with: elision key new FILE")
    return KeyedIds(source, column, key)
