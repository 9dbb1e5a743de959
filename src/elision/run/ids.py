"""Ids that come twice, or are missing, in an input of any size: eight bytes of memory a row."""

from __future__ import annotations

import secrets
from array import array
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b

import numpy as np

from elision.errors import FormatError
from elision.run.source import Shard, Source

_SHOWN = 5


def check_ids(source: Source, column: str, shards: list[Shard], *, repeats: bool = False) -> None:
    """An error if notes have no id, or (unless `repeats` are allowed) if an id comes twice.

    First all ids are kept as short hashes under a key that nobody knows. Only ids whose hash comes twice are looked at
    themselves, so two ids with one hash are never taken for the same.
    """
    key = secrets.token_bytes(16)
    hashes = array("Q")
    missing = 0
    for value in _ids(source, column, shards):
        if value:
            hashes.append(_hash(value, key))
        else:
            missing += 1
    if missing:
        raise FormatError(
            f"{source.where}: {missing:,} rows have no id in column {column}; give every note an id, or choose another "
            "column"
        )
    twice = set() if repeats else _twice(hashes)
    if not twice:
        return
    counts = Counter(value for value in _ids(source, column, shards) if _hash(value, key) in twice)
    again = [value for value, count in counts.items() if count > 1]
    if again:
        shown = ", ".join(repr(value[:40]) for value in again[:_SHOWN]) + (", ..." if len(again) > _SHOWN else "")
        raise FormatError(
            f"{source.where}: {len(again):,} ids in column {column} come more than once: {shown}; every note needs an "
            "id of its own, or allow it (--repeated-ids)"
        )


def _twice(hashes: array[int]) -> set[int]:
    sorted_ = np.frombuffer(hashes, np.uint64) if hashes else np.zeros(0, np.uint64)
    sorted_.sort()
    return set(sorted_[1:][sorted_[1:] == sorted_[:-1]].tolist())


def _ids(source: Source, column: str, shards: list[Shard]) -> Iterator[str]:
    for shard in shards:
        for batch in source.read(shard, (column,)):
            for value in batch.column(column).to_pylist():
                yield "" if value is None else str(value)


def _hash(value: str, key: bytes) -> int:
    return int.from_bytes(blake2b(value.encode(), digest_size=8, key=key).digest(), "little")
