"""The page of a review on a free port of this machine, and a client that may reach it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from time import sleep
from typing import Any

from elision.document import Document, Span
from elision.review.desk import Desk
from elision.review.gate import ENTER, Door
from elision.review.learning import Learning
from elision.review.replacing import replacer
from elision.review.server import HOST, listening, server
from elision.review.store import Store
from tests.serve.client import Answer, Loopback

HOSTILE = "<script>alert(1)</script></textarea>\0\u202etxt.exe & \"'`\r\nRoe 👩‍⚕️ Roe"
NOTES = [
    Document(
        "Seen by Dr. Roe on 3 May. Roe is well.", "one", "p1", "en", (Span(12, 15, "NAME_CLINICIAN", 0.8, "crf"),)
    ),
    Document("Roe came.\r\nשלום 王小明 Roe", "two", "p1", "en", (Span(0, 3, "NAME_PATIENT", 0.7),)),
    Document(HOSTILE, "<b>three", "p2", "en", (Span(0, 8, "<i>ODD"),)),
]


def store_at(path: Path, notes: list[Document] | None = None) -> Store:
    store = Store.open(path / "notes.review")
    store.add(NOTES if notes is None else notes)
    return store


@dataclass
class Page:
    """Asks a running page as its own script does."""

    door: Door
    desk: Desk
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return f"{HOST}:{self.door.port}"

    def raw(self, method: str, path: str, headers: Mapping[str, str], body: bytes | None = None) -> Answer:
        connection = HTTPConnection(HOST, self.door.port)
        connection.sock = Loopback()
        connection.sock.settimeout(20)
        connection.sock.connect((HOST, self.door.port))
        connection.request(method, path, body, dict(headers))
        got = connection.getresponse()
        answer = Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())
        connection.close()
        return answer

    def enter(self) -> Answer:
        answer = self.raw("GET", f"{ENTER}?token={self.door.token}", {})
        self.cookie = answer.headers.get("set-cookie", "").partition(";")[0]
        return answer

    def get(self, path: str, **headers: str) -> Answer:
        return self.raw("GET", path, {"Cookie": self.cookie, **headers})

    def post(self, path: str, body: object, **headers: str) -> Answer:
        usual = {"Cookie": self.cookie, "Origin": f"http://{self.host}", "Content-Type": "application/json"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.raw("POST", path, {**usual, **given}, json.dumps(body).encode())

    def do(self, position: int, do: str, **more: Any) -> Answer:
        version = more.pop("version", None)
        if version is None:
            version = self.get(f"/api/note/{position}").json["version"]
        return self.post(f"/api/note/{position}", {"do": do, "version": version, **more})


@contextmanager
def serving(store: Store, reviewer: str = "ann", *, adjudicates: bool = False, policy: str = "tag") -> Iterator[Page]:
    """A page at work, into which nobody has entered."""
    with listening(0) as listener:
        door = Door(listener.getsockname()[1])
        desk = Desk(store, reviewer, replacer(policy, None), "given", 0, adjudicates)
        learning = Learning(store, "en", "fast")
        running = server(desk, door, learning)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not running.started:
            sleep(0.01)
        try:
            yield Page(door, desk)
        finally:
            running.should_exit = True
            thread.join(20)
            learning.stop()
