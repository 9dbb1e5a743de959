"""What all routes share: settings, threads, metrics, and whether the service is about to end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from elision.pipeline import Cleaned
from elision.run.cells import Cell
from elision.run.engine import Engine
from elision.serve.metrics import Metrics
from elision.serve.notes import DONE, ERROR, FOUND, HELD, TIMEOUT, Note, as_cell, cleaned_row, found_row, held_row
from elision.serve.refused import RefusedError
from elision.serve.settings import Settings
from elision.serve.work import Found, Workers


class Service:
    """One service: all that its routes need."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.how, self.limits = settings.how, settings.limits
        self.engine = Engine(settings.how)
        self.metrics = Metrics()
        self.workers = Workers(self.engine, self.limits.threads, self.limits.seconds)
        self.metrics.waiting = self.workers.waiting
        self.stopping = False
        self.readers: set[asyncio.Task[None]] = set()  # of streams

    def start(self) -> None:
        self.workers.load()
        self.workers.start()

    def end(self) -> None:
        """Take nothing more. What is at work is still answered, and streams end and say that they are not whole."""
        self.stopping = True
        for reader in self.readers:
            reader.cancel()

    def stop(self) -> None:
        self.workers.stop()

    @property
    def ready(self) -> bool:
        return self.workers.well and not self.stopping

    async def cleaned(self, cells: Sequence[Cell]) -> list[Cleaned] | None:
        """What becomes of these notes; None if that takes too long."""
        try:
            done = await self.workers.cleaned(cells)
        except TimeoutError:
            self._timed_out(cells)
            return None
        for cell, one in zip(cells, done, strict=True):
            self.metrics.note(HELD if one.document is None else DONE, len(cell.document.text))
        return done

    async def found(self, cells: Sequence[Cell]) -> list[Found] | None:
        """What would be replaced in these notes; None if that takes too long."""
        try:
            done = await self.workers.found(cells)
        except TimeoutError:
            self._timed_out(cells)
            return None
        for cell, one in zip(cells, done, strict=True):
            self.metrics.note(HELD if one.why else FOUND, len(cell.document.text))
        return done

    def _timed_out(self, cells: Sequence[Cell]) -> None:
        for cell in cells:
            self.metrics.note(TIMEOUT, len(cell.document.text))

    async def deidentified(self, note: Note) -> dict[str, Any]:
        """The answer of our contract about a note that is to be de-identified."""
        done = await self.cleaned([as_cell(self.how, note)])
        return cleaned_row(note, done[0]) if done else held_row(note, TIMEOUT)

    async def detected(self, note: Note) -> dict[str, Any]:
        """The answer of our contract about a note that is to be looked at."""
        done = await self.found([as_cell(self.how, note)])
        return found_row(note, done[0]) if done else held_row(note, TIMEOUT)

    def check_count(self, notes: int) -> None:
        if notes > self.limits.notes:
            raise RefusedError("too-many-notes", f"send at most {self.limits.notes:,} notes a request")

    def count_error(self) -> None:
        self.metrics.note(ERROR, 0)
