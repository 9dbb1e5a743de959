"""The server: on this machine alone, without a log of requests."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from elision.errors import ReviewError
from elision.review.desk import Desk
from elision.review.gate import ENTER, Door
from elision.review.learning import Learning
from elision.review.web import application
from elision.serve import logs
from elision.serve.server import Patient

HOST = "127.0.0.1"


def listening(port: int) -> socket.socket:
    """A place to listen on this machine; with 0, one that is free."""
    one = socket.socket()
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind((HOST, port))
    except OSError as error:
        one.close()
        raise ReviewError(
            f"--port {port}: cannot listen there: {error.strerror}; give another, or leave it out"
        ) from None
    return one


class Server(uvicorn.Server):
    """Says when it listens: an address that is told before may be opened too early."""

    def __init__(self, config: uvicorn.Config, listens: Callable[[], object]) -> None:
        super().__init__(config)
        self._listens = listens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._listens()


def server(desk: Desk, door: Door, learning: Learning, listens: Callable[[], object] = lambda: None) -> Server:
    config = uvicorn.Config(
        application(desk, door, learning), http=Patient, ws="none", loop="asyncio", lifespan="off", log_config=None,
        access_log=False, server_header=False, proxy_headers=False, limit_concurrency=64, timeout_graceful_shutdown=5,
    )  # fmt: skip
    return Server(config, listens)


def address(door: Door) -> str:
    """Where the page is, with the token that opens it once."""
    return f"http://{HOST}:{door.port}{ENTER}?token={door.token}"


def serve(desk: Desk, door: Door, learning: Learning, listener: socket.socket, listens: Callable[[], object]) -> None:
    """Serve until told to end; `listens` is called once the page can be opened."""
    logs.start()
    try:
        server(desk, door, learning, listens).run(sockets=[listener])
    finally:
        learning.stop()
