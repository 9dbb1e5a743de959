"""What nights keep of each row: by what it is known again, what it told, what was found in it. No word of a note.

A row is known by numbers and hashes that nobody can make without the project's key. So are the values that it tells of
its patient: they are never kept themselves, as the notes have them. What detectors found are places and labels, sealed.
A whole new store is made each night, and takes the place of the old one at the end.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from elision.detect.safely import Detected
from elision.document import Span
from elision.errors import HeldError, RunError
from elision.keys import Secret
from elision.run.patient_store import NONCE, cipher

Whole = npt.NDArray[np.int64]
_AT_ONCE = 500
_MADE = """
CREATE TABLE row (
    key INTEGER PRIMARY KEY, place INTEGER, hash BLOB, patient INTEGER, held INTEGER, notes INTEGER,
    characters INTEGER, nulls TEXT, told BLOB, known BLOB, asked BLOB, remembered BLOB, spans BLOB
);
CREATE INDEX of_patient ON row (patient);
"""


class Kept(NamedTuple):
    """A row. `told`, `known` and `asked` are numbers: what it tells of its patient, which known values it states, and
    of which stand-ins it was asked whether they are somebody's."""

    key: int
    place: int  # in the output
    hash: bytes
    patient: int
    held: int
    notes: int
    characters: int
    nulls: str  # as JSON: how many values of which column are NULL since nothing could stand for them, and why
    told: bytes
    known: bytes
    asked: bytes
    remembered: bytes  # a hash of what was found and remembered
    spans: bytes


class Old(NamedTuple):
    """Some columns of all rows, in the order of the output."""

    keys: Whole
    hashes: npt.NDArray[np.uint64]
    patients: Whole
    held: Whole
    notes: Whole


def half(number: int) -> int:
    """A number that SQLite can hold."""
    return number >> 1


def numbers(found: Iterable[int]) -> bytes:
    return np.array(sorted(set(found)), np.uint64).tobytes()


def numbers_in(blob: bytes) -> npt.NDArray[np.uint64]:
    return np.frombuffer(blob, np.uint64)


def seal(lock: Any, found: Mapping[str, Detected], hash: bytes) -> bytes:
    """What was found in the notes of a row, by column, or why they are held; bound to what the row was."""
    told = {
        column: str(each)
        if isinstance(each, HeldError)
        else [[one.start, one.end, one.label, one.score, one.source] for one in each]
        for column, each in found.items()
    }
    nonce = secrets.token_bytes(NONCE)
    return bytes(nonce + lock.encrypt(nonce, zlib.compress(json.dumps(told).encode(), 1), hash))


def unseal(lock: Any, sealed: bytes, hash: bytes, where: Path) -> dict[str, Detected]:
    from cryptography.exceptions import InvalidTag

    try:
        told = json.loads(zlib.decompress(lock.decrypt(sealed[:NONCE], sealed[NONCE:], hash)))
    except (InvalidTag, ValueError, zlib.error):
        raise damaged(where) from None
    return {
        column: HeldError(each) if isinstance(each, str) else tuple(Span(*one) for one in each)
        for column, each in told.items()
    }


def damaged(where: Path) -> RunError:
    return RunError(
        f"{where}: is damaged, or not what the last night left; bring it back from a backup, or begin anew with --force"
    )


def digest(path: Path, secret: Secret) -> str:
    """Tells whether a store is as it was; nobody can make it without the key."""
    try:
        with path.open("rb") as stream:
            return secret.digest("store", hashlib.file_digest(stream, "sha256").hexdigest()).hex()
    except OSError:
        raise damaged(path) from None


@contextmanager
def _open(path: Path, how: str) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True)) as connection:
            yield connection
    except sqlite3.DatabaseError:
        raise damaged(path) from None


def _columns(rows: Sequence[tuple[Any, ...]]) -> Old:
    keys, hashes, *others = zip(*rows, strict=True) if rows else [()] * 5
    whole = [np.array(column, np.int64) for column in (keys, *others)]
    return Old(whole[0], np.frombuffer(b"".join(hashes), np.uint64).reshape(-1, 2), *whole[1:])


class NightStore:
    """The rows of the nights before. A store that is not there has none."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self.path = path
        self._lock: Any = None
        self._secret = secret

    def _rows(self, query: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        if self.path.exists():
            with _open(self.path, "mode=ro&immutable=1") as connection:
                yield from connection.execute(query, values)

    @classmethod
    def none(cls) -> Old:
        """No rows at all."""
        return _columns([])

    def old(self) -> Old:
        return _columns(list(self._rows("SELECT key, hash, patient, held, notes FROM row ORDER BY place")))

    def told(self, patients: Iterable[int]) -> Iterator[tuple[int, int, bytes]]:
        """Of the rows of these patients: the patient, the place, what they tell."""
        return self._of("SELECT patient, place, told FROM row WHERE patient IN ({})", list(patients))

    def remembered(self, keys: Iterable[int]) -> dict[int, bytes]:
        return dict(self._of("SELECT key, remembered FROM row WHERE key IN ({})", list(keys)))

    def taught(self, keys: Iterable[int]) -> dict[int, tuple[bytes, bytes, bytes]]:
        """Of rows, what they told, their known values and what was found in them."""
        rows = self._of("SELECT key, told, known, spans FROM row WHERE key IN ({})", list(keys))
        return {key: (told, known, spans) for key, told, known, spans in rows}

    def spans(self, wanted: Mapping[int, bytes]) -> dict[int, dict[str, Detected]]:
        """What was found in rows, by their keys and what they were."""
        self._lock = self._lock or cipher(self._secret)
        rows = self._of("SELECT key, spans FROM row WHERE key IN ({})", list(wanted))
        return {key: unseal(self._lock, sealed, wanted[key], self.path) for key, sealed in rows}

    def _of(self, query: str, values: Sequence[int]) -> Iterator[Any]:
        for first in range(0, len(values), _AT_ONCE):
            some = values[first : first + _AT_ONCE]
            yield from self._rows(query.format(", ".join("?" * len(some))), some)

    def all_of(self, column: str) -> Iterator[tuple[int, npt.NDArray[np.uint64]]]:
        """The numbers in a column of every row that has some, with its place."""
        rows = self._rows(f"SELECT place, {column} FROM row WHERE length({column}) > 0")  # noqa: S608
        return ((place, numbers_in(blob)) for place, blob in rows)

    def sums(self) -> tuple[int, dict[str, dict[str, int]]]:
        """How many characters all notes have, and what of columns is NULL."""
        characters = next(self._rows("SELECT total(characters) FROM row"), (0,))[0]
        nulls: dict[str, dict[str, int]] = {}
        for (told,) in self._rows("SELECT nulls FROM row WHERE nulls != ''"):
            for name, whys in json.loads(told).items():
                for why, count in whys.items():
                    nulls.setdefault(name, {})[why] = nulls.get(name, {}).get(why, 0) + count
        return int(characters), nulls

    def renewed(self, path: Path, goes: Iterable[int], new: Iterable[Kept], order: Whole) -> None:
        """A new store: the old one without some rows, with others, all in an order of keys."""
        path.unlink(missing_ok=True)
        path.touch(0o600)
        if self.path.exists():
            shutil.copyfile(self.path, path)
        with _open(path, "mode=rw") as connection:
            for pragma in ("journal_mode = OFF", "synchronous = OFF", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}")
            if not self.path.exists():
                connection.executescript(_MADE)
            connection.execute("BEGIN")
            connection.executemany("DELETE FROM row WHERE key = ?", ((key,) for key in goes))
            marks = ", ".join("?" * len(Kept._fields))
            connection.executemany(f"INSERT OR REPLACE INTO row VALUES ({marks})", new)  # noqa: S608
            places = ((place, key, place) for place, key in enumerate(order.tolist()))
            connection.executemany("UPDATE row SET place = ? WHERE key = ? AND place IS NOT ?", places)
            connection.commit()
        with path.open("r+b") as stream:
            os.fsync(stream.fileno())
