"""The manifest of a model folder: for each other file its size and SHA-256.

Nothing in a file is looked at before it fits its manifest. The manifest itself must be as it was written, to the byte,
so that its own SHA-256 names the model.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from elision.errors import ModelError, shown
from elision.models import plain_json, swap

NAME = "manifest.json"
LIMIT = 1 << 30  # bytes of a file of a model
OWN_LIMIT = 1 << 20  # bytes of the manifest, which is read before anything is known of it
AGAIN = "copy the folder again from where the model was trained"

_FORMAT = "elision-model"
_TURNS, _PAUSE = 20, 0.005  # how often and after how many seconds to look again for a folder that is being replaced
_PICKLES = frozenset({".pkl", ".pickle", ".joblib", ".bin", ".pt", ".pth", ".ckpt"})


@dataclass(frozen=True, slots=True)
class Entry:
    """What the manifest says of a file."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    entries: Mapping[str, Entry]
    sha256: str  # of the manifest itself


def write(file: Path, pieces: Iterable[bytes | memoryview], where: str) -> Entry:
    """Write a file down to the disk."""
    digest, size = hashlib.sha256(), 0
    with file.open("xb") as stream:
        for piece in pieces:
            size += len(piece)
            if size > LIMIT:
                raise ModelError(f"{where}: {file.name} would have {_too_large()}; prune the model")
            digest.update(piece)
            stream.write(piece)
        stream.flush()
        os.fsync(stream.fileno())
    return Entry(size, digest.hexdigest())


def dump(entries: Mapping[str, Entry]) -> bytes:
    files = {name: {"size": entry.size, "sha256": entry.sha256} for name, entry in entries.items()}
    return plain_json.dump({"format": _FORMAT, "files": files}, indent=1)


def opened(folder: Path) -> IO[bytes]:
    """The folder's manifest as an open file, or what is wrong with the folder."""
    with _told(folder / NAME):
        for turn in range(_TURNS):
            try:
                status(folder / NAME)
                return (folder / NAME).open("rb")
            except (FileNotFoundError, NotADirectoryError):
                if turn and not swap.set_aside(folder):
                    break
            time.sleep(_PAUSE)  # the folder may be overwritten just now
        raise _refusal(folder)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """What the system says against reading, in the words of a message."""
    try:
        yield
    except FileNotFoundError:
        raise ModelError(f"{path}: is missing; {AGAIN}") from None
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}; look at its permissions") from None


def read(stream: IO[bytes], folder: Path) -> Manifest:
    where = f"{folder / NAME}"
    data = stream.read(OWN_LIMIT + 1)
    if len(data) > OWN_LIMIT:
        raise ModelError(f"{where}: is too large for a manifest of elision; {AGAIN}")
    try:
        about = plain_json.parse(data, where)
        plain_json.value(about, where)
    except ModelError as error:
        raise ModelError(f"{error}; the manifest is damaged or not elision's: {AGAIN}") from None
    if not isinstance(about, dict) or about.get("format") != _FORMAT:
        raise ModelError(f"{where}: is not the manifest of an elision model{_hint(folder)}")
    files = about.get("files")
    if not isinstance(files, dict) or plain_json.dump(about, indent=1) != data:
        raise ModelError(f"{where}: is damaged or was edited; {AGAIN}")
    entries = {name: _entry(name, entry, where) for name, entry in files.items()}
    return Manifest(entries, hashlib.sha256(data).hexdigest())


def _entry(name: str, entry: object, where: str) -> Entry:
    if not re.fullmatch(r"\w[\w-]*(\.[\w-]+)*", name, re.ASCII):
        raise ModelError(f"{where}: refused, as it lists a path instead of the name of a file in this folder; {AGAIN}")
    match entry:
        case {"size": int(size), "sha256": str(sha256)} if size >= 0:
            return Entry(size, sha256)
    raise ModelError(f"{where}: does not say size and SHA-256 of{shown(name)}; {AGAIN}")


def status(file: Path) -> os.stat_result:
    """How a file lies there: plain and of bounded size. A link could lead out of the folder, a pipe never end."""
    found = file.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise ModelError(f"{file}: refused, as it is not a plain file but a link, a folder or a device; {AGAIN}")
    if found.st_size > LIMIT:
        raise ModelError(f"{file}: has {_too_large()}; elision writes no such file: {AGAIN}")
    return found


def size(folder: Path, manifest: Manifest) -> int:
    """How many bytes the listed files and the manifest have."""
    total = 0
    for name in (*manifest.entries, NAME):
        with _told(folder / name):
            total += status(folder / name).st_size
    return total


def checked(folder: Path, name: str, manifest: Manifest) -> bytes:
    """The bytes of a file, if they are those that were written."""
    file, entry = folder / name, manifest.entries.get(name)
    if entry is None:
        raise ModelError(f"{folder / NAME}: does not list {name}, so this is no whole model; {AGAIN}")
    with _told(file):
        found = status(file).st_size
        if found != entry.size:
            raise ModelError(f"{file}: was changed: it has {found:,} bytes where {entry.size:,} were written; {AGAIN}")
        with file.open("rb") as stream:
            data = stream.read(found + 1)
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise ModelError(f"{file}: was changed: its SHA-256 is not that of the manifest; {AGAIN}")
    return data


def was_replaced(folder: Path, stream: IO[bytes]) -> bool:
    """Whether the folder has another manifest by now. While the old one is open, nothing else can get its identity."""
    try:
        return not os.path.samestat(os.fstat(stream.fileno()), (folder / NAME).stat())
    except OSError:
        return True


def _refusal(folder: Path) -> ModelError:
    """What there is in place of a folder with a manifest."""
    if folder.is_dir():
        return ModelError(f"{folder}: not an elision model, as it has no {NAME}{_hint(folder)}")
    if folder.exists():
        if (folder.parent / NAME).is_file():
            return ModelError(f"{folder}: is a file; a model is a folder: give {folder.parent}")
        return ModelError(f"{folder}: is a file; a model is a folder{_pickle_hint([folder])}")
    if aside := swap.set_aside(folder):
        return ModelError(
            f"{folder}: there is no such folder; it is being overwritten, or that was cut off: what stood there before "
            f"is {aside[-1]}, to be renamed back if nobody is writing"
        )
    return ModelError(f"{folder}: there is no such folder; is the path right?")


def _hint(folder: Path) -> str:
    """What may help whoever gave a folder that is no model."""
    try:
        inside = sorted(folder.iterdir())
        if models := [path for path in inside if (path / NAME).is_file()]:
            return f"; there may be one in {models[0]}"
    except OSError:
        inside = []
    return _pickle_hint(inside) or "; give a folder that elision wrote"


def _pickle_hint(files: Iterable[Path]) -> str:
    if found := sorted({file.suffix.lower() for file in files} & _PICKLES):
        return f"; elision never loads pickles ({', '.join(found)}), as they can run any program: train a model instead"
    return ""


def _too_large() -> str:
    return f"more than the {LIMIT / (1 << 20):,.0f} MiB that a file of a model may have"
