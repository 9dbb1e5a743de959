"""What the notes of each patient tell about the patient, gathered over the whole input and kept encrypted.

The first look at a shard writes, for each patient in it, one record: the values that are worth remembering and those
that the table states, under AES-GCM. The records are found again by a keyed number of the patient, in sorted columns on
disk that all workers map into memory, so neither notes nor patients are ever held as a whole.
"""

from __future__ import annotations

import json
import secrets
import shutil
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from elision.detect import worth_remembering
from elision.detect.safely import Detected, Values
from elision.document import Document
from elision.errors import HeldError, RunError
from elision.keys import Secret
from elision.labels import canonical
from elision.replace.originals import plain

Numbers = npt.NDArray[np.uint64]

PORTION = 1_000_000  # records whose place in the index is found together
KEPT = 64  # patients whose values a worker holds ready
NONCE = 12
PLACE = np.dtype([("shard", np.uint32), ("size", np.uint32), ("at", np.uint64)])


def cipher(secret: Secret) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(secret.key())


class PatientWriter:
    """The values of the patients of one shard."""

    def __init__(self, secret: Secret) -> None:
        self._secret = secret
        self._values: dict[str, dict[str, dict[str, None]]] = {}
        self._known: set[int] = set()

    def add(self, document: Document, found: Detected) -> None:
        self.add_known(document.known)
        if not document.patient:
            return
        mine = self._values.setdefault(document.patient, {})
        for kind, value in told_by(document, found):
            mine.setdefault(kind, {})[value] = None

    def add_known(self, known: Values) -> None:
        """Values that are known of somebody."""
        for values in known.values():
            self._known.update(known_number(self._secret, value) for value in values)

    def told(self) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """What is told of each patient, in an order that depends on nothing but itself."""
        for patient, mine in self._values.items():
            yield patient, {kind: sorted(values) for kind, values in sorted(mine.items())}

    def write(self, folder: Path, shard: int) -> None:
        """The records, where they are, and the numbers of the known values."""
        lock: Any = cipher(self._secret) if self._values else None
        told = dict(self.told())
        numbered = sorted((patient_number(self._secret, patient), patient) for patient in told)
        places = np.empty(len(numbered), PLACE)
        at = 0
        with (folder / f"records-{shard:06d}.bin").open("wb") as stream:
            for row, (number, patient) in enumerate(numbered):
                nonce = secrets.token_bytes(NONCE)
                sealed = lock.encrypt(nonce, json.dumps([patient, told[patient]]).encode(), _bound(shard, number))
                stream.write(nonce + sealed)
                places[row] = (shard, NONCE + len(sealed), at)
                at += NONCE + len(sealed)
        np.save(folder / f"places-{shard:06d}.npy", places)
        np.save(folder / f"patients-{shard:06d}.npy", np.array([number for number, _ in numbered], np.uint64))
        np.save(folder / f"known-{shard:06d}.npy", np.array(sorted(self._known), np.uint64))


def told_by(document: Document, found: Detected) -> Iterator[tuple[str, str]]:
    """What a note tells of its patient: kinds or labels, and values."""
    for kind, values in document.known.items():
        said = kind.lower() if kind in canonical() else kind  # no label: what the record states is not doubted
        yield from ((said, value) for value in values)
    if not isinstance(found, HeldError):
        yield from worth_remembering(document, found)


def merge(folder: Path, shards: int | Sequence[int]) -> None:
    """One sorted index of all shards' records, or of these, and one sorted column of all known values' numbers."""
    shards = range(shards) if isinstance(shards, int) else shards
    known, patients, places = (Joined(folder / f"{name}.npy") for name in ("known", "patients", "places"))
    for bounds in _ranges([folder / f"known-{shard:06d}.npy" for shard in shards]):
        known.add(np.unique(np.concatenate([part[ends] for part, ends in _parts(folder, "known", shards, bounds)])))
    for bounds in _ranges([folder / f"patients-{shard:06d}.npy" for shard in shards]):
        numbers, where = [], []
        for shard, (part, ends) in zip(shards, _parts(folder, "patients", shards, bounds), strict=True):
            numbers.append(part[ends])
            where.append(_mapped(folder / f"places-{shard:06d}.npy")[ends])
        together = np.concatenate(numbers)
        order = np.argsort(together, kind="stable")  # of one patient, by shard
        patients.add(together[order])
        places.add(np.concatenate(where)[order])
    known.close(np.dtype(np.uint64))
    patients.close(np.dtype(np.uint64))
    places.close(PLACE)


def _ranges(files: Sequence[Path]) -> Iterator[tuple[int, int]]:
    """Ranges of numbers so narrow that about PORTION entries lie in each."""
    pieces = -(-sum(_mapped(file).size for file in files) // PORTION)
    edges = [(1 << 64) * piece // max(1, pieces) for piece in range(pieces + 1)]
    for low, high in pairwise(edges):
        yield low, high - 1


def _parts(folder: Path, name: str, shards: Sequence[int], bounds: tuple[int, int]) -> Iterator[tuple[Numbers, slice]]:
    for shard in shards:
        part = _mapped(folder / f"{name}-{shard:06d}.npy")
        yield part, _ends(part, bounds)


def _ends(numbers: Numbers, bounds: tuple[int, int]) -> slice:
    """Where the numbers of a range stand, both ends in it."""
    low = np.searchsorted(numbers, np.uint64(bounds[0]), side="left")
    high = np.searchsorted(numbers, np.uint64(bounds[1]), side="right")
    return slice(int(low), int(high))


class Joined:
    """Parts that follow each other, written as one array without ever being one in memory."""

    def __init__(self, target: Path) -> None:
        self._target, self._size = target, 0
        self._stream = target.with_suffix(".raw").open("wb")

    def add(self, part: npt.NDArray[Any]) -> None:
        self._stream.write(part.tobytes())
        self._size += len(part)

    def close(self, dtype: np.dtype[Any]) -> None:
        self._stream.close()
        raw, new = self._target.with_suffix(".raw"), self._target.with_suffix(".part")
        shape = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": (self._size,)}
        with new.open("wb") as stream, raw.open("rb") as source:
            np.lib.format.write_array_header_1_0(stream, shape)
            shutil.copyfileobj(source, stream)
        raw.unlink()
        new.replace(self._target)


def _mapped(file: Path) -> npt.NDArray[Any]:
    """An array on disk; a small one is read."""
    array: npt.NDArray[Any] = np.load(file, mmap_mode="r" if file.stat().st_size > 1 << 16 else None)
    return array


class PatientStore:
    """The values of all patients, read as they are asked for."""

    def __init__(self, folder: Path, secret: Secret) -> None:
        self._folder, self._secret = folder, secret
        self._patients, self._places = _mapped(folder / "patients.npy"), _mapped(folder / "places.npy")
        self._known = _mapped(folder / "known.npy")
        self._ready: OrderedDict[str, Values] = OrderedDict()
        self._cipher: Any = cipher(secret) if len(self._patients) else None

    def is_known(self, text: str) -> bool:
        """Whether a text is a known value of any patient."""
        return self.has(known_number(self._secret, text))

    def has(self, known: int) -> bool:
        """The same by its number."""
        number = np.uint64(known)
        at = int(np.searchsorted(self._known, number))
        return at < len(self._known) and bool(self._known[at] == number)

    def values_of(self, patient: str) -> Values:
        """All that is known of a patient, in an order that depends on nothing but itself."""
        values = self._ready.get(patient)
        if values is None:
            values = self._ready[patient] = self._read(patient)
            if len(self._ready) > KEPT:
                self._ready.popitem(last=False)
        return values

    def _read(self, patient: str) -> Values:
        number = patient_number(self._secret, patient)
        together: dict[str, set[str]] = {}
        for place in self._places[_ends(self._patients, (number, number))].tolist():
            whose, told = self._record(number, *place)
            if whose == patient:  # two patients may share a number
                for kind, values in told.items():
                    together.setdefault(kind, set()).update(values)
        return {kind: sorted(values) for kind, values in sorted(together.items())}

    def _record(self, number: int, shard: int, size: int, at: int) -> tuple[str, dict[str, list[str]]]:
        from cryptography.exceptions import InvalidTag

        with (self._folder / f"records-{shard:06d}.bin").open("rb") as stream:
            stream.seek(at)
            record = stream.read(size)
        try:
            raw = self._cipher.decrypt(record[:NONCE], record[NONCE:], _bound(shard, number))
        except InvalidTag:
            raise RunError(f"{self._folder}: a record is damaged; remove the run's folder and run it anew") from None
        whose, told = json.loads(raw)
        return whose, told


def patient_number(secret: Secret, patient: str) -> int:
    return secret.number("patient", patient)


def known_number(secret: Secret, value: str) -> int:
    return secret.number("known", plain(value).strip())


def _bound(shard: int, number: int) -> bytes:
    """What a record is bound to: nobody can put it in another's place."""
    return f"{shard}:{number}".encode()
