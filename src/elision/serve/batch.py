"""A stream of notes, one a line, and the stream of answers in the same order.

No more than `AT_ONCE` notes are at work, and no more is read until the client takes the answers. A line that is no note
is answered with an error, and the stream goes on. The last line counts the others; without it, the answer is not whole.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from elision.serve.logs import internal
from elision.serve.notes import ERROR, Note
from elision.serve.refused import RefusedError, invalid, written
from elision.serve.service import Service

AT_ONCE = 32
NAMES = frozenset(Note.model_fields)
Work = Callable[[Note], Awaitable[dict[str, Any]]]
Line = bytes | None  # None: one that is too long


class Lines(Response):
    """An answer that is sent while the request is still read, as no response of Starlette is."""

    media_type = "application/x-ndjson"

    def __init__(self, lines: AsyncIterator[bytes], status_code: int = 200) -> None:
        super().__init__(status_code=status_code)
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for line in self._lines:
            await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


async def lines(chunks: AsyncIterator[bytes], most: int) -> AsyncIterator[Line]:
    """The lines of a stream that are not empty; of one that is too long nothing is kept."""
    kept: list[bytes] = []
    size = 0
    async for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            size += len(part)
            line = b"".join((*kept, part)) if size <= most else None
            kept, size = [], 0
            if line is None or line.strip():
                yield line
        size += len(rest)
        if size <= most:
            kept.append(rest)
        else:
            kept.clear()
    if size > most:
        yield None
    elif (last := b"".join(kept)).strip():
        yield last


async def answers(service: Service, chunks: AsyncIterator[bytes], work: Work) -> AsyncIterator[bytes]:
    """The answers to a stream of notes, as lines."""
    at_work: asyncio.Queue[asyncio.Task[dict[str, Any]] | RefusedError | None] = asyncio.Queue(AT_ONCE)
    tasks: set[asyncio.Task[dict[str, Any]]] = set()
    counts: Counter[str] = Counter()
    number = 0

    async def read() -> None:
        nonlocal number
        end: RefusedError | None = None
        try:
            async for line in lines(chunks, service.limits.body):
                service.check_count(number + 1)
                number += 1
                task = asyncio.create_task(_answer(service, number, line, work))
                tasks.add(task)
                await at_work.put(task)
        except RefusedError as error:
            end = error
        except ClientDisconnect:
            end = RefusedError("too-slow", "send the whole body")
        except asyncio.CancelledError:
            if not service.stopping:
                raise
            end = RefusedError("shutting-down", "send the notes that have no answer again")
        except Exception as error:
            end = internal(error)
        await at_work.put(end)

    reader = asyncio.create_task(read())
    service.readers.add(reader)
    try:
        while isinstance(task := await at_work.get(), asyncio.Task):
            row = await task
            tasks.discard(task)
            counts[str(row["status"])] += 1
            yield written(row) + b"\n"
        if task:
            yield written({"status": ERROR, **task.row()}) + b"\n"
        else:
            yield written({"end": True, "rows": number, **counts}) + b"\n"
    finally:
        service.readers.discard(reader)
        for one in (reader, *tasks):
            one.cancel()


async def _answer(service: Service, number: int, line: Line, work: Work) -> dict[str, Any]:
    """What is answered to a line."""
    try:
        return {"row": number, **await work(_note(line))}
    except Exception as error:
        refused = error if isinstance(error, RefusedError) else internal(error)
        service.count_error()
        return {"row": number, "status": ERROR, **refused.row()}


def _note(line: Line) -> Note:
    if line is None:
        raise RefusedError("too-large", "send shorter notes, or start the service with a larger --max-mb")
    try:
        return Note.model_validate_json(line)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        raise invalid([{**one} for one in problems], NAMES) from None
