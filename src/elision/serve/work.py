"""Threads that work on notes. Whatever waits when a thread is free is looked at together; what comes back is the same
as alone: only detection is shared, and memory and stand-ins are those of one request."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from elision.detect.safely import Detected, held_by
from elision.document import Document, Span
from elision.errors import HeldError, PolicyError
from elision.languages.base import with_model
from elision.pipeline import Cleaned
from elision.run.cells import Cell
from elision.run.engine import Engine

Result = TypeVar("Result")
TOGETHER = 50_000  # characters that are looked at together
STUCK = 3.0  # times the limit after which a thread counts as stuck


class Found(NamedTuple):
    """What would be replaced in a note, or why it is held."""

    document: Document
    spans: tuple[Span, ...]
    why: str = ""


class Job:
    """The notes of one request, what is wanted of them, and who waits."""

    def __init__(self, cells: Sequence[Cell], do: Callable[..., list[Any]]) -> None:
        self.cells, self.do = cells, do
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[list[Any]] = self.loop.create_future()
        self.size = sum(len(cell.document.text) for cell in cells)

    def tell(self, result: list[Any] | Exception) -> None:
        def told() -> None:
            if self.future.done():  # nobody waits any more
                return
            if isinstance(result, Exception):
                self.future.set_exception(result)
            else:
                self.future.set_result(result)

        self.loop.call_soon_threadsafe(told)


class Workers:
    """Threads over one engine, whose models are loaded once."""

    def __init__(self, engine: Engine, threads: int, seconds: float) -> None:
        self.engine, self._seconds = engine, seconds
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._began: dict[int, float] = {}
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]

    def load(self) -> None:
        """Load what the service needs: the models of its language, or of all."""
        how = self.engine.how
        for code in [how.language] if how.language else with_model():
            self.engine.of(code)

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        for _ in self._threads:
            self._jobs.put(None)

    def waiting(self) -> int:
        return self._jobs.qsize()

    @property
    def well(self) -> bool:
        """Whether the threads work, and none of them hangs."""
        late = time.monotonic() - STUCK * self._seconds
        return all(thread.is_alive() for thread in self._threads) and all(at > late for at in [*self._began.values()])

    async def cleaned(self, cells: Sequence[Cell]) -> list[Cleaned]:
        """What becomes of the notes of a request; a TimeoutError if that takes too long."""
        return await self._done(cells, clean)

    async def found(self, cells: Sequence[Cell]) -> list[Found]:
        """What would be replaced in the notes of a request; a TimeoutError if that takes too long."""
        return await self._done(cells, find)

    async def _done(self, cells: Sequence[Cell], do: Callable[..., list[Result]]) -> list[Result]:
        if not cells:
            return []
        job = Job(cells, do)
        self._jobs.put(job)
        return await asyncio.wait_for(job.future, self._seconds)

    def _work(self) -> None:
        me = threading.get_ident()
        while (job := self._jobs.get()) is not None:
            jobs = self._together(job)
            self._began[me] = time.monotonic()
            try:
                self._do([job for job in jobs if not job.future.done()])
            except Exception as error:
                for job in jobs:
                    job.tell(error)
            del self._began[me]

    def _together(self, first: Job) -> list[Job]:
        """The first job, and what waits behind it, up to a size."""
        jobs, size = [first], first.size
        while size < TOGETHER:
            try:
                job = self._jobs.get_nowait()
            except queue.Empty:
                break
            if job is None:  # the end is for another round
                self._jobs.put(None)
                break
            jobs.append(job)
            size += job.size
        return jobs

    def _do(self, jobs: Sequence[Job]) -> None:
        cells = [cell for job in jobs for cell in job.cells]
        with self._lock:  # what is not loaded yet is loaded once
            self.engine.prepare(cells)
        found = self.engine.found(cells)
        at = 0
        for job in jobs:
            theirs = found[at : at + len(job.cells)]
            at += len(job.cells)
            try:
                job.tell(job.do(self.engine, job.cells, theirs))
            except Exception as error:
                job.tell(error)


def clean(engine: Engine, cells: Sequence[Cell], found: Sequence[Detected]) -> list[Cleaned]:
    """What becomes of the notes of one request."""
    return engine.cleaned(cells, found=found)


def find(engine: Engine, cells: Sequence[Cell], found: Sequence[Detected]) -> list[Found]:
    """What would be replaced in the notes of one request, each by itself."""
    return [_found(engine, cell, spans) for cell, spans in zip(cells, found, strict=True)]


def _found(engine: Engine, cell: Cell, spans: Detected) -> Found:
    document = cell.document
    if isinstance(spans, HeldError):
        return Found(document, (), str(spans))
    deidentifier = engine.of(document.language, document.also)
    try:
        (spans,) = deidentifier.remember([document], [spans])
        if isinstance(spans, HeldError):
            raise spans
        return Found(document, deidentifier.settled(document, spans).document.spans)
    except HeldError as held:
        return Found(document, (), str(held))
    except PolicyError:
        return Found(document, (), "label-without-rule")
    except Exception as error:
        return Found(document, (), str(held_by("detect", error)))
