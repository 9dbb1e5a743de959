"""How long a note may take, and how much memory: a note beyond that is held, whatever a detector does.

A process cannot stop itself where a detector hangs in compiled code, so notes are worked on in another one: in a run by
its workers (`elision.run.local.workers`), and here by a child of this process that ends with the call.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, TypeVar

from elision.errors import ElisionError

TIMEOUT, MEMORY, DIED = "timeout", "memory", "worker-died"
SECONDS, MEGABYTES = 60.0, 2048.0
WATCH = 0.2  # seconds between two looks at what a process needs
CAN_FORK = hasattr(os, "fork")
_MEGABYTE = 1 << 20
_MILLION = 1_000_000
_BACKSTOP = 5.0  # seconds after which a child ends by itself, should its parent not be there to end it
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Limits:
    """What a note may need: time once more for each 100,000 characters, which an encoder reads in half a minute, and
    memory once more for each million."""

    seconds: float = SECONDS
    megabytes: float = MEGABYTES

    def __post_init__(self) -> None:
        if not (self.seconds > 0 and self.megabytes > 0):  # false for nan, too
            raise ValueError("limits of time and memory are more than 0")

    def time_for(self, characters: int) -> float:
        """Seconds."""
        return self.seconds * (1 + 10 * characters / _MILLION)

    def memory_for(self, characters: int) -> float:
        """Bytes."""
        return self.megabytes * _MEGABYTE * (1 + characters / _MILLION)


class BeyondError(ElisionError):
    """Work was ended: its message is `timeout`, `memory` or, where the process ended by itself, `worker-died`."""


class Watch:
    """A process at work, and whether it is beyond its limits. Work that did not begin has no limit of time."""

    def __init__(self, process: int, limits: Limits) -> None:
        self._process, self._limits = process, limits
        self._until = float("inf")
        self._most = limits.memory_for(0)
        self._next = 0.0

    def begin(self, characters: int) -> None:
        self._until = time.monotonic() + self._limits.time_for(characters)
        self._most = memory_of(self._process) + self._limits.memory_for(characters)

    def end(self) -> None:
        self._until = float("inf")

    def beyond(self) -> str:
        """Why it must be ended, "" if it need not."""
        now = time.monotonic()
        if now > self._until:
            return TIMEOUT
        if now >= self._next:
            self._next = now + WATCH
            if memory_of(self._process) > self._most:
                return MEMORY
        return ""


def memory_of(process: int) -> int:
    """The bytes that a process holds; 0 where the system does not tell, as all but Linux do not."""
    try:
        return int(Path(f"/proc/{process}/statm").read_bytes().split()[1]) * _page()
    except (OSError, IndexError, ValueError):
        return 0


def _page() -> int:
    return int(os.sysconf("SC_PAGE_SIZE"))


def each_within(
    limits: Limits,
    items: Sequence[Item],
    size: Callable[[Item], int],
    work: Callable[[Sequence[Item]], list[Result]],
    held: Callable[[Item, str], Result],
) -> list[Result]:
    """What `work` gives for all items, done by a child process. If that is too much, each is tried by itself, and what
    is too much then is `held`, with the reason; the others are done together."""

    def tried(some: Sequence[Item]) -> list[Result] | str:
        try:
            return within(limits, sum(map(size, some)), lambda: work(some)) if some else []
        except BeyondError as error:
            return str(error)

    done = tried(items)
    if not isinstance(done, str):
        return done
    if len(items) == 1:
        return [held(items[0], done)]
    reasons = [why if isinstance(why := tried([item]), str) else "" for item in items]
    done = tried([item for item, why in zip(items, reasons, strict=True) if not why])
    if isinstance(done, str):
        return [held(item, why or done) for item, why in zip(items, reasons, strict=True)]
    others = iter(done)
    return [held(item, why) if why else next(others) for item, why in zip(items, reasons, strict=True)]


def within(limits: Limits, characters: int, work: Callable[[], Result]) -> Result:
    """What `work` gives, done by a child of this process; a BeyondError if that had to be ended, or ended by itself."""
    ours, theirs = Pipe(duplex=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: numpy's wait for work, and hold no lock
        child = os.fork()
    if not child:
        ours.close()
        _work(theirs, limits.time_for(characters) + _BACKSTOP, work)
    theirs.close()
    try:
        told = _heard(ours, child, limits, characters)
    finally:
        os.kill(child, signal.SIGKILL)  # it is still ours, as nobody has waited for it
        os.waitpid(child, 0)
        ours.close()
    if isinstance(told, BaseException):
        raise told
    result: Result = told[0]
    return result


def _heard(pipe: Connection, child: int, limits: Limits, characters: int) -> Any:
    watch = Watch(child, limits)
    watch.begin(characters)
    try:
        while not pipe.poll(WATCH):
            if why := watch.beyond():
                raise BeyondError(why)
        return pipe.recv()
    except EOFError:
        raise BeyondError(DIED) from None


def _work(pipe: Connection, backstop: float, work: Callable[[], object]) -> None:
    """In the child: work, tell, and end without anything that the parent meant to do at its end."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it, too
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, backstop)
        threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
        try:
            told: object = (work(),)
        except Exception as error:
            told = error
        sys.stdout.flush()
        pipe.send(told)
    finally:
        os._exit(0)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(1)
