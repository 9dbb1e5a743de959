"""Locks that end with the process that holds them, however it ends."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from elision.errors import RunError

PATIENCE = 60.0  # seconds that workers of a run that was killed have to notice it


@contextmanager
def sole(path: Path, what: str) -> Iterator[None]:
    """Held by one process; another one gets an error at once."""
    with path.open("ab") as stream:
        if not _take(stream, exclusive=True):
            raise RunError(f"{what}: another run is at work there; wait until it has ended")
        yield


@contextmanager
def shared(path: Path) -> Iterator[None]:
    """Held by many."""
    with path.open("ab") as stream:
        _take(stream, exclusive=False)
        yield


def wait_for_all(path: Path) -> None:
    """Until nobody holds it any more."""
    until = time.monotonic() + PATIENCE
    with path.open("ab") as stream:
        while not _take(stream, exclusive=True):
            if time.monotonic() > until:
                raise RunError(f"{path}: workers of an earlier run are still there; end them, then go on")
            time.sleep(0.02)


if sys.platform == "win32":
    import msvcrt

    def _take(stream: IO[bytes], *, exclusive: bool) -> bool:
        if not exclusive:  # there is no such thing; workers end with their run
            return True
        try:
            stream.seek(0)
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _take(stream: IO[bytes], *, exclusive: bool) -> bool:
        try:
            fcntl.flock(stream, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
