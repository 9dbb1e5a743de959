"""The server: uvicorn, that waits for nobody without end, tells nothing of requests, and ends streams when it ends."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from elision.serve import logs
from elision.serve.app import application
from elision.serve.service import Service
from elision.serve.settings import Settings, check_host

HEAD_SECONDS = 10.0  # for the head of a request
GRACE = 30  # seconds for what is at work when the service is to end
TURN = 0.0005  # seconds after which a thread that works on notes lets the others have their turn


class Patient(H11Protocol):
    """A connection on which the head of a request must come within a time."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.access_log = False  # its lines hold paths and queries, whoever has turned its logger on
        self._hurry()

    def _hurry(self) -> None:
        if self.transport.is_closing():
            return
        if self._waits:
            self._since = getattr(self, "_since", None) or self.loop.time()
            if self.loop.time() - self._since > HEAD_SECONDS:
                self.transport.close()
                return
        else:
            self._since = None
        self.loop.call_later(1.0, self._hurry)

    @property
    def _waits(self) -> bool:
        """Whether no request is at work on this connection."""
        return self.cycle is None or self.cycle.response_complete


class Server(uvicorn.Server):
    """Tells its service when it is about to end."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._service.end()
        await super().shutdown(sockets)
        self._service.stop()


def server(service: Service, host: str, port: int, **more: Any) -> Server:
    """A server over a service, which is to be started before."""
    connections = 4 * service.limits.requests + 16  # more than are answered at once: those are told to come again
    config = uvicorn.Config(
        application(service),
        host=host,
        port=port,
        http=Patient,
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=connections,
        timeout_graceful_shutdown=GRACE,
        **more,
    )
    return Server(config, service)


def serve(settings: Settings, host: str, port: int) -> None:
    """Serve until told to end."""
    check_host(host, settings.token)
    service = Service(settings)
    service.start()
    logs.start()
    sys.setswitchinterval(TURN)
    logs.tell("serving", {"host": host, "port": port, "policy": service.engine.policy.name})
    server(service, host, port).run()
