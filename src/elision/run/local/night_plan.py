"""What a night must do: which rows are new or changed, which are gone, and of which others more is known now.

A row of the input is the same as last time if the number of its id and the hash of its cells are. An older note comes
out anew if its patient's notes tell other values than before, if a stand-in that it has has become somebody's known
value, or if it moved among the others.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from elision.errors import FormatError
from elision.formats.tables.columns import Columns
from elision.formats.tables.source import UNREADABLE_ROW, Shard, Source
from elision.keys import Secret
from elision.run.column_types import values_of
from elision.run.local.night_store import NightStore, Old, Whole, half, numbers_in
from elision.run.local.shards import Expected
from elision.run.patient_store import patient_number
from elision.showing import place as place_of

STAYS, LOOK, COMPARE, ANEW = range(4)  # as it is; detect; clean if memory finds other values; clean
Kinds = npt.NDArray[np.uint8]


@dataclass
class Night:
    """The rows of the input, by number, and what is done with each."""

    keys: Whole
    hashes: npt.NDArray[np.uint64]
    patients: Whole
    was: Whole  # where the row stands in the output that is there; -1: nowhere
    do: Kinds
    gone: Whole  # places of rows that are no longer in the input
    new: int = 0
    changed: int = 0
    starts: list[int] = field(default_factory=list)  # of the shards

    def of_shards(self, chosen: npt.NDArray[np.bool_]) -> Iterator[tuple[int, Whole]]:
        """Shards that have chosen rows, and these rows by their number in the input."""
        edges = [*self.starts, len(self.keys)]
        for shard, (start, end) in enumerate(pairwise(edges)):
            rows = start + np.flatnonzero(chosen[start:end])
            if len(rows):
                yield shard, rows.astype(np.int64)

    def expected(self, shard: int, rows: Whole, remembered: Mapping[int, bytes]) -> dict[int, Expected]:
        """What is asked of a worker, by number in the shard."""
        asked = {}
        for row in rows.tolist():
            key = int(self.keys[row])
            before = remembered.get(key, b"") if self.do[row] == COMPARE else b""
            asked[row - self.starts[shard]] = Expected(key, self.hashes[row].tobytes(), before)
        return asked


def key_of(secret: Secret, id: str) -> int:
    return half(secret.number("row", id))


def patient_of(secret: Secret, patient: str) -> int:
    return half(patient_number(secret, patient)) if patient else 0


def hashes_of(batch: pa.RecordBatch, columns: Columns, secret: Secret) -> list[bytes]:
    """A hash of all that is read of each row, and of nothing else: not of its number."""
    cells = [list(map(_word, values_of(batch.column(name)))) for name in columns.read]
    for name in columns.read:
        if pa.types.is_timestamp(batch.schema.field(name).type):  # of which only the days are values
            ticks = batch.column(name).cast(pa.int64()).to_pylist()
            cells.append(list(map(_word, ticks)))
    if UNREADABLE_ROW in batch.schema.names:
        cells.append([_word(why and why.rpartition(" ")[0]) for why in batch.column(UNREADABLE_ROW).to_pylist()])
    return [secret.digest("cells", *row)[:16] for row in zip(*cells, strict=True)]


def _word(cell: Any) -> str:
    return f"s{cell}" if isinstance(cell, str) else "unreadable" if type(cell) is object else repr(cell)


def scan(source: Source, columns: Columns, shards: Sequence[Shard], secret: Secret, old: Old) -> Night:
    """Compare the input with the rows of the nights before."""
    keys, patients, hashes = array("q"), array("q"), bytearray()
    row = 0
    for shard in shards:
        row = int(shard["start"])
        for batch in source.read(shard, columns.read):
            ids = values_of(batch.column(columns.id))
            theirs = values_of(batch.column(columns.patient)) if columns.patient else [None] * len(batch)
            for id, patient in zip(ids, theirs, strict=True):
                keys.append(key_of(secret, str(id)) if id else half(secret.number("row without id", str(row))))
                patients.append(patient_of(secret, "" if patient is None else str(patient)))
                row += 1
            for one in hashes_of(batch, columns, secret):
                hashes += one
    night = Night(
        np.array(keys, np.int64),
        np.frombuffer(bytes(hashes), np.uint64).reshape(-1, 2),
        np.array(patients, np.int64),
        np.full(len(keys), -1, np.int64),
        np.full(len(keys), LOOK, np.uint8),
        np.arange(len(old.keys)),
        starts=[int(shard["start"]) for shard in shards],
    )
    if len(np.unique(night.keys)) < len(night.keys):
        raise FormatError(f"{place_of(source.where)}: two ids cannot be told apart; give these notes other ids")
    return _compared(night, old)


def _compared(night: Night, old: Old) -> Night:
    if not len(old.keys):
        night.new = len(night.keys)
        return night
    order = np.argsort(old.keys)
    at = np.minimum(np.searchsorted(old.keys[order], night.keys), len(order) - 1)
    place = order[at]
    there = old.keys[place] == night.keys
    same = there & (old.hashes[place] == night.hashes).all(axis=1)
    night.was = np.where(there, place, -1)
    night.do = np.where(same & (old.held[place] == 0), STAYS, LOOK).astype(np.uint8)
    seen = np.zeros(len(old.keys), bool)
    seen[night.was[there]] = True
    night.gone = np.flatnonzero(~seen)
    night.new, night.changed = int((~there).sum()), int((there & ~same).sum())
    return night


@dataclass
class Looked:
    """What the look at new rows told: of each, by number, what it tells of its patient; and all known values."""

    told: dict[int, bytes] = field(default_factory=dict)
    known: list[npt.NDArray[np.uint64]] = field(default_factory=list)


def settle(night: Night, old: Old, store: NightStore, looked: Looked, *, memory: bool) -> npt.NDArray[np.uint64]:
    """Find the rows that cannot stay as they are. All known values, by number."""
    goes = set(night.gone.tolist()) | set(night.was[(night.do == LOOK) & (night.was >= 0)].tolist())
    if memory:
        others = np.array(sorted(_of_others(night, old, store, looked, goes)), np.int64)
        night.do[(night.do == STAYS) & np.isin(night.patients, others)] = COMPARE
    stays = np.zeros(len(old.keys), bool)
    stays[[place for place in range(len(old.keys)) if place not in goes]] = True
    was, is_now = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)]
    for place, known in store.all_of("known"):
        was.append(known)
        if stays[place]:
            is_now.append(known)
    is_now += looked.known
    known_now = np.unique(np.concatenate(is_now))
    others = np.setxor1d(np.unique(np.concatenate(was)), known_now)
    anew = np.zeros(len(old.keys) + 1, bool)  # the last one: of rows that were nowhere
    for place, asked in store.all_of("asked") if len(others) and len(old.keys) else ():
        anew[place] = bool(np.isin(asked, others).any())
    anew[_moved(night.was[night.do != LOOK])] = True
    night.do[(night.do != LOOK) & anew[night.was]] = ANEW
    return known_now


def _of_others(night: Night, old: Old, store: NightStore, looked: Looked, goes: set[int]) -> Iterator[int]:
    """Patients of whom the notes tell other values than before."""
    touched = set(night.patients[night.do == LOOK].tolist())
    touched.update(old.patients[list(goes)].tolist() if goes else ())
    now: dict[int, set[int]] = {}
    for row, told in looked.told.items():
        now.setdefault(int(night.patients[row]), set()).update(numbers_in(told).tolist())
    before: dict[int, set[int]] = {}
    for patient, place, told in store.told(touched - {0}):
        values = numbers_in(told).tolist()
        before.setdefault(patient, set()).update(values)
        if place not in goes:
            now.setdefault(patient, set()).update(values)
    for patient in touched - {0}:
        if before.get(patient, set()) != now.get(patient, set()):
            yield patient


def _moved(places: Whole) -> list[int]:
    """The fewest places without which the others are in order."""
    if not len(places) or bool((np.diff(places) > 0).all()):
        return []
    ends: list[int] = []  # of the best run of each length
    of_end: list[int] = []  # the number of that place
    before: list[int] = []
    listed = places.tolist()
    for number, place in enumerate(listed):
        at = bisect_left(ends, place)
        before.append(of_end[at - 1] if at else -1)
        ends[at : at + 1] = [place]
        of_end[at : at + 1] = [number]
    stay, number = set[int](), of_end[-1]
    while number >= 0:
        stay.add(number)
        number = before[number]
    return [place for number, place in enumerate(listed) if number not in stay]
