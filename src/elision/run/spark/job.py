"""What executors know of a run, and the sealed records that go between them.

Pickled into a plan is the place of the key, never the key. What a shuffle writes on disks is encrypted, under a sub-key
of the project's key for this run alone. Without a key there is a random one, which lives as long as the frames.
"""

from __future__ import annotations

import json
import secrets
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa

from elision.detect.safely import Detected, Values
from elision.document import Span
from elision.errors import HeldError, RunError
from elision.keys import Key, Secret
from elision.limits import CAN_FORK, Limits
from elision.run.cells import Cell
from elision.run.how import How
from elision.run.ids import PURPOSE, keyed_batch
from elision.run.patient_store import NONCE, cipher, known_number, patient_number

TOLD, ROWS = 0, 1  # kinds of records; what is told of a patient comes before the patient's rows
RECORDS = pa.schema([("whose", pa.int64()), ("kind", pa.int8()), ("record", pa.binary())])
NUMBERS = pa.schema([("number", pa.int64())])
_LENGTH = struct.Struct(">I")
_TOKEN = 32


@dataclass(frozen=True)
class Job:
    """All that an executor must know. `known`: a broadcast of the numbers of all known values, sorted."""

    how: How
    schema: pa.Schema  # of the rows as the engine reads them
    keyed: bool = False  # the ids are
    limits: Limits | None = field(default_factory=lambda: Limits() if CAN_FORK else None)
    token: bytes = field(default_factory=lambda: secrets.token_bytes(_TOKEN), repr=False)
    known: Any = field(default=None, repr=False)

    @property
    def remembers(self) -> bool:
        """Whether what one note of a patient tells is looked for in the others."""
        return self.how.memory and bool(self.how.columns.patient)

    def secret(self) -> Secret:
        """Under this lies what goes between executors."""
        return _secret(self.how.key, self.token)

    def read(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Rows as Spark gives them, as the engine reads them."""
        if self.keyed:
            batch = keyed_batch(batch, self.how.columns.id, Key.read(self.how.key).secret(PURPOSE))
        return batch if batch.schema.equals(self.schema) else batch.cast(self.schema)

    def is_known(self, text: str) -> bool:
        """Whether a text is a known value of any patient."""
        numbers = _numbers(self.known)
        number = _short(known_number(self.secret(), text))
        at = int(np.searchsorted(numbers, number))
        return at < len(numbers) and bool(numbers[at] == number)


def numbers_of(job: Job, known: Values) -> set[int]:
    """The numbers of known values, as Spark holds them."""
    return {_short(known_number(job.secret(), value)) for values in known.values() for value in values}


def number_of(job: Job, patient: str, alone: str = "") -> int:
    """By this the notes of a patient find each other; a row of no patient, by all it says, is `alone`."""
    secret = job.secret()
    return _short(patient_number(secret, patient) if patient else secret.number("alone", alone))


def seal_told(job: Job, patient: str, told: Mapping[str, Sequence[str]]) -> tuple[int, bytes]:
    """What notes tell of a patient, and the patient's number."""
    number = number_of(job, patient)
    return number, _seal(job, TOLD, number, json.dumps([patient, told]).encode())


def open_told(job: Job, number: int, record: bytes) -> tuple[str, dict[str, list[str]]]:
    patient, told = json.loads(_open(job, TOLD, number, record))
    return patient, told


def seal_rows(
    job: Job, number: int, batch: pa.RecordBatch, found: Sequence[Detected], held: Mapping[int, str]
) -> bytes:
    """Rows of one patient, what was found in their notes, and which rows are held for time or memory."""
    told = [str(one) if isinstance(one, HeldError) else [_row(span) for span in one] for one in found]
    head = json.dumps([told, sorted(held.items())]).encode()
    return _seal(job, ROWS, number, _LENGTH.pack(len(head)) + head + batch.serialize().to_pybytes())


def open_rows(job: Job, number: int, record: bytes) -> tuple[pa.RecordBatch, list[Detected], dict[int, str]]:
    raw = _open(job, ROWS, number, record)
    end = _LENGTH.size + _LENGTH.unpack_from(raw)[0]
    told, held = json.loads(raw[_LENGTH.size : end])
    found: list[Detected] = [
        HeldError(one) if isinstance(one, str) else tuple(Span(*span) for span in one) for one in told
    ]
    return pa.ipc.read_record_batch(pa.py_buffer(raw[end:]), job.schema), found, dict(held)


def size_of(cell: Cell) -> int:
    return len(cell.document.text)


def _row(span: Span) -> list[Any]:
    return [span.start, span.end, span.label, span.score, span.source]


def _seal(job: Job, kind: int, number: int, raw: bytes) -> bytes:
    nonce = secrets.token_bytes(NONCE)
    sealed: bytes = _cipher(job.how.key, job.token).encrypt(nonce, zlib.compress(raw, 1), _bound(kind, number))
    return nonce + sealed


def _open(job: Job, kind: int, number: int, record: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag

    lock = _cipher(job.how.key, job.token)
    try:
        return zlib.decompress(lock.decrypt(record[:NONCE], record[NONCE:], _bound(kind, number)))
    except InvalidTag:
        raise RunError("a record of the shuffle is damaged, or executors have different keys; run it anew") from None


def _bound(kind: int, number: int) -> bytes:
    """What a record is bound to: nobody can put it in another's place."""
    return f"{kind}:{number}".encode()


def _short(number: int) -> int:
    """A number that fits into a bigint of Spark."""
    return number >> 1


@lru_cache(maxsize=4)
def _secret(key: str, token: bytes) -> Secret:
    return Secret(Key.read(key).secret("run").digest("spark", token.hex())) if key else Secret(token)


@lru_cache(maxsize=4)
def _cipher(key: str, token: bytes) -> Any:
    return cipher(_secret(key, token))


def _numbers(known: Any) -> Any:
    return np.frombuffer(known.value if known is not None else b"", np.int64)
