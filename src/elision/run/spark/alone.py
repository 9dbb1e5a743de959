"""One run at a time writes to an output: the second is refused.

On a file system of this machine the lock is the one of local runs, which ends with its process. Elsewhere it is a file
that says who made it. It stays when its run is killed, and then somebody has to remove it.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from elision.errors import RunError
from elision.run.local.folder import LOCK
from elision.run.local.locks import sole
from elision.run.spark.asking import done
from elision.run.spark.places import Places

SETTLE = 1.0  # seconds; where a store lets two make the same file, the later one has it by then
_SHOWN = 200
Still = Callable[[], None]  # an error if the lock was taken away


@contextmanager
def alone(places: Places, folder: str) -> Iterator[Still]:
    """Have the folder of a run, and no other run beside this one. If nothing was begun in it, it goes again."""
    there = done(lambda: places.exists(folder))
    done(lambda: places.make(folder))
    with _held(places, folder) as still:
        try:
            yield still
        finally:
            if not there and not done(lambda: others(places, folder)):
                done(lambda: places.remove(folder))


def others(places: Places, folder: str) -> list[str]:
    """What is in the folder of a run, but for the lock."""
    return [name for name in places.names(folder) if name != LOCK and not name.startswith(".")]


@contextmanager
def _held(places: Places, folder: str) -> Iterator[Still]:
    file = f"{folder}/{LOCK}"
    here = done(lambda: places.local(file))
    if here is None:
        with _claimed(places, folder, file) as still:
            yield still
        return
    try:
        here.touch()
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {error.strerror}; choose another place for the output") from None
    with sole(here, folder):
        yield lambda: None


@contextmanager
def _claimed(places: Places, folder: str, file: str) -> Iterator[Still]:
    mine = json.dumps(
        {
            "host": socket.gethostname(),
            "process": os.getpid(),
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
            "run": secrets.token_hex(8),
        }
    )

    def still() -> None:
        if (now := done(lambda: places.read(file))) != mine:
            raise _refused(folder, file, now)

    if not done(lambda: places.claim(file, mine)):
        raise _refused(folder, file, done(lambda: places.read(file)))
    time.sleep(SETTLE)
    still()
    try:
        yield still
    finally:
        if done(lambda: places.read(file)) == mine:
            done(lambda: places.remove(file))


def _refused(folder: str, file: str, text: str | None) -> RunError:
    try:
        row = json.loads(text or "")
        who = f"process {int(row['process'])} on {row['host']}, since {row['since']}"
    except (ValueError, KeyError, TypeError):
        who = "it does not say which one"
    shown = "".join(one for one in who if one.isprintable())[:_SHOWN]
    return RunError(
        f"{folder}: another run is at work there ({shown}); wait until it has ended. If it was killed, "
        f"remove {file} and give the command again"
    )
