"""A service on a free port of this machine, and a client that may reach it: tests refuse all other connections."""

from __future__ import annotations

import _socket
import io
import json
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from typing import Any, NamedTuple

from elision.run.how import How
from elision.serve import logs
from elision.serve.server import server
from elision.serve.service import Service
from elision.serve.settings import COLUMNS, Limits, Settings, Token

HOST = "127.0.0.1"
JSON = {"Content-Type": "application/json"}
LOG = io.StringIO()  # of all services of this process: there is one place where logs go


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def rows(self) -> list[Any]:
        return [json.loads(line) for line in self.body.splitlines()]


class Loopback(socket.socket):
    """A socket that reaches this machine, and no other."""

    def connect(self, address: Any) -> None:
        assert address[0] == HOST
        _socket.socket.connect(self, address)


def read_until(one: socket.socket, wanted: bytes) -> bytes:
    """What comes over a connection, up to what is waited for."""
    read = b""
    while wanted not in read:
        more = one.recv(65536)
        assert more, "the connection ended before"
        read += more
    return read


class Client:
    """Asks a running service."""

    def __init__(self, service: Service, port: int) -> None:
        self.service, self.port = service, port

    @property
    def log(self) -> str:
        return LOG.getvalue()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.log.splitlines()]

    def line_of(self, route: str, after: int = 0) -> dict[str, Any]:
        """The log's line of a request to a route: it is written when the answer has gone out, or a moment later."""
        for _ in range(500):
            for line in self.lines[after:]:
                if line.get("route") == route:
                    return line
            time.sleep(0.01)
        raise AssertionError(f"no line of {route} in the log")

    def socket(self) -> socket.socket:
        one = Loopback(socket.AF_INET, socket.SOCK_STREAM)
        one.settimeout(20)
        one.connect((HOST, self.port))
        return one

    def ask(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, raw: bool = False
    ) -> Answer:
        connection = HTTPConnection(HOST, self.port, timeout=20)
        connection.sock = self.socket()
        data = body if raw or body is None else json.dumps(body).encode()
        connection.request(method, path, data, dict(headers if headers is not None else JSON))
        response = connection.getresponse()
        answer = Answer(response.status, dict(response.getheaders()), response.read())
        connection.close()
        return answer

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        return self.ask("POST", path, body, {**JSON, **headers})

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, headers=headers)

    def batch(self, rows: Iterable[Any], query: str = "") -> Answer:
        body = b"\n".join(row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows)
        return self.ask("POST", f"/v1/batch{query}", body, {"Content-Type": "application/x-ndjson"}, raw=True)


@contextmanager
def running(*, limits: Limits | None = None, token: str = "", **how: Any) -> Iterator[Client]:
    """A service in a thread of this process, and its client."""
    chosen = replace(How(COLUMNS, effort="rules", language="en"), **how)
    service = Service(Settings(chosen, limits or Limits(), Token(token) if token else None))
    service.workers.start()  # models are loaded as notes ask for them
    logs.start(LOG)
    listening = socket.socket()
    listening.bind((HOST, 0))
    one = server(service, HOST, 0)
    thread = threading.Thread(target=one.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not one.started:
        time.sleep(0.01)
    try:
        yield Client(service, listening.getsockname()[1])
    finally:
        one.should_exit = True
        thread.join(20)
        assert not thread.is_alive()
