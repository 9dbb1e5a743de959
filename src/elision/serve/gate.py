"""What every request passes before and after its route: who may ask, how much, how long; the log line and the metrics.

It stands around the whole application, so that nothing that goes wrong inside reaches a log or an answer with words of
a request.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from elision.serve.logs import internal, tell
from elision.serve.refused import RefusedError, answer
from elision.serve.service import Service

OPEN = frozenset(("/health", "/ready"))  # they tell nothing, and whoever watches a service has no token
STREAMS = frozenset(("/v1/batch",))
METHODS = frozenset(("GET", "HEAD", "POST"))
HERE = frozenset((b"localhost", b"127.0.0.1", b"[::1]"))
HEADERS = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
OTHER = "other"
_ESCAPED = re.compile(rb"\\u[dD][89a-fA-F]")


class Gate:
    """Around an application: admits, limits, counts, and tells what was done in words of ours."""

    def __init__(self, app: ASGIApp, service: Service, routes: frozenset[str]) -> None:
        self.app, self.service, self.routes = app, service, routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        route = scope["path"] if scope["path"] in self.routes else OTHER
        metrics = self.service.metrics
        out = _Out(send, self.service.limits.seconds)
        metrics.at_work += 1
        try:
            await self._through(scope, receive, out, route)
        except RefusedError as refused:
            await out.refuse(refused, scope, receive)
        except Exception as error:
            await out.refuse(internal(error), scope, receive)
        finally:
            metrics.at_work -= 1
            seconds = time.perf_counter() - began
            metrics.request(route, out.status, seconds)
            method = scope["method"] if scope["method"] in METHODS else OTHER
            told: dict[str, Any] = {"method": method, "route": route, "status": out.status}
            tell("request", {**told, "ms": round(seconds * 1000, 1), "bytes": out.size, "whole": out.whole})

    async def _through(self, scope: Scope, receive: Receive, out: _Out, route: str) -> None:
        headers: dict[bytes, bytes] = dict(reversed(scope["headers"]))  # of several the first
        if route not in OPEN:
            self._admit(headers)
        limits = self.service.limits
        if route in STREAMS:
            await self.app(scope, _waiting(receive, limits.seconds), out)
            return
        body = await body_of(receive, headers, limits.body, limits.seconds)
        refuse_half_characters(body)
        await self.app(scope, again(body, receive), out)

    def _admit(self, headers: Mapping[bytes, bytes]) -> None:
        token = self.service.settings.token
        if token is None:
            if name_of(headers.get(b"host", b"")) not in HERE:  # a page of elsewhere whose name leads here
                raise RefusedError("host", "ask this service by the name localhost or 127.0.0.1")
        else:
            kind, _, given = headers.get(b"authorization", b"").partition(b" ")
            given = given.strip() if kind.lower() == b"bearer" else headers.get(b"x-api-key", b"")
            if not token.is_it(given):
                raise RefusedError("token", "send the header Authorization: Bearer TOKEN")
        if self.service.stopping:
            raise RefusedError("shutting-down", "ask again soon")
        if self.service.metrics.at_work > self.service.limits.requests:
            raise RefusedError("busy", "ask again soon, with fewer requests at once")


def name_of(host: bytes) -> bytes:
    """The name in a Host header, without its port."""
    return host[: host.find(b"]") + 1] if host.startswith(b"[") else host.partition(b":")[0].lower()


class _Out:
    """Sends an answer, within a time for each piece, and remembers how it went."""

    def __init__(self, send: Send, seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self.status, self.size, self.whole = 0, 0, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
        try:
            await asyncio.wait_for(self._send(message), self._seconds)
        except TimeoutError:
            raise RefusedError("too-slow", "read the answer more quickly") from None
        if message["type"] == "http.response.body":
            self.size += len(message.get("body", b""))
            self.whole = not message.get("more_body", False)

    async def refuse(self, refused: RefusedError, scope: Scope, receive: Receive) -> None:
        """Say so, unless an answer has begun: that breaks off then."""
        if not self.status:
            await answer(refused)(scope, receive, self)


async def body_of(receive: Receive, headers: Mapping[bytes, bytes], most: int, seconds: float) -> bytes:
    """The whole body of a request, within its size and time."""
    too_large = RefusedError("too-large", f"send at most {most:,} bytes, or start the service with a larger --max-mb")
    stated = headers.get(b"content-length", b"0")
    if not stated.isdigit() or int(stated[:20]) > most:
        raise too_large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(seconds):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    raise RefusedError("too-slow", "send the whole body")
                size += len(part := message.get("body", b""))
                if size > most:
                    raise too_large
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise RefusedError("too-slow", f"send the body within {seconds:g} seconds") from None


def refuse_half_characters(body: bytes) -> None:
    """Refuse JSON with half a character (a lone surrogate): it is cut inside one, and cannot be written again."""
    if _ESCAPED.search(body):
        try:
            json.dumps(json.loads(body), ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise RefusedError(
                "invalid-request", "send whole characters: half of one (a surrogate) stands alone"
            ) from None
        except (ValueError, RecursionError):
            return  # no JSON: who parses it says so


def again(body: bytes, receive: Receive) -> Receive:
    """Gives a body that was read once more."""
    message: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def once_more() -> Message:
        return message.pop() if message else await receive()

    return once_more


def _waiting(receive: Receive, seconds: float) -> Callable[[], Any]:
    """Waits for each piece of a stream only so long."""

    async def waiting() -> Message:
        try:
            return await asyncio.wait_for(receive(), seconds)
        except TimeoutError:
            raise RefusedError("too-slow", f"send a line at least every {seconds:g} seconds") from None

    return waiting
