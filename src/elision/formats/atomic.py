"""Files that are there whole or not at all: the one way in which elision writes a file."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from elision.errors import FormatError


@contextmanager
def told(where: str | Path) -> Iterator[None]:
    """What the system says when something cannot be written, and what next."""
    try:
        yield
    except OSError as error:
        number = error.errno or 0
        full = number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        why = os.strerror(number) if number else type(error).__name__
        todo = "make room" if full else "put that right"
        raise FormatError(f"{where}: cannot be written: {why}; {todo}, then give the same command again") from None


@contextmanager
def writing(file: Path, *, private: bool = False, synced: bool = False) -> Iterator[IO[bytes]]:
    """A binary stream into a temporary neighbour that takes the file's place when all went well.

    `private`: for its owner's eyes only. `synced`: it is on the disk before it counts, so that it outlives a power cut.
    """
    temporary = file.with_name(f".{file.name}.{os.getpid()}.part")
    with told(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with _for_the_owner(temporary) if private else temporary.open("wb") as stream:
                yield stream
                if synced:
                    stream.flush()
                    os.fsync(stream.fileno())
            temporary.replace(file)
            if synced:
                sync_folder(file.parent)
        finally:
            temporary.unlink(missing_ok=True)


def _for_the_owner(file: Path) -> IO[bytes]:
    """A new file that nobody else may read, not even for a moment."""
    file.unlink(missing_ok=True)
    return os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600), "wb")


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk; some systems have no way to ask for it."""
    if os.name != "posix":
        return
    where = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(where)
    finally:
        os.close(where)


def write_bytes(file: Path, data: bytes, *, private: bool = False) -> None:
    with writing(file, private=private) as stream:
        stream.write(data)


def write_text(file: Path, text: str, *, private: bool = False) -> None:
    write_bytes(file, text.encode(), private=private)


def write_jsonl(file: Path, rows: Iterable[dict[str, Any]]) -> None:
    with writing(file) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
