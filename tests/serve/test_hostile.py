"""What is refused, and that neither logs nor answers nor metrics then hold anything of it."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from elision.errors import KeyFileError, RunError
from elision.serve import server as serving
from elision.serve.settings import Limits, Token, check_host
from elision.serve.work import Job, Workers
from tests.run.test_canaries import NUMBER, leaked, word
from tests.serve.client import JSON, Client, read_until, running

NOTE = {"text": "Seen by Dr. Quillfeather."}
SMALL = Limits(body=2000, notes=3, seconds=1.0, requests=4)
TOKEN = "correct-horse-battery-staple"


@pytest.fixture(scope="module")
def small() -> Iterator[Client]:
    with running(limits=SMALL) as client:
        client.service.workers.load()
        yield client


def test_large_bodies_are_refused(small: Client) -> None:
    long = {"text": "Quillfeather " * 400}
    for route in ("/v1/deidentify", "/v1/detect", "/analyze", "/anonymize", "/beta/litellm_basic_guardrail_api"):
        answer = small.post(route, long)
        assert (answer.status, answer.json["error"]) == (413, "too-large"), route
    with small.socket() as one:  # in pieces, without a word of its size
        one.sendall(b"POST /v1/detect HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        one.sendall(b"fa0\r\n" + b"x" * 4000 + b"\r\n")
        assert b" 413 " in one.recv(1000)
    row, end = small.batch([long]).rows
    assert (row["error"], end["error"]) == ("too-large", 1)


def test_many_notes_are_refused(small: Client) -> None:
    *rows, last = small.batch([NOTE] * 5).rows
    assert [row["status"] for row in rows] == ["done"] * 3
    assert (last["status"], last["error"]) == ("error", "too-many-notes")
    assert small.post("/analyze", {"text": ["a"] * 4, "language": "en"}).json["error"] == "too-many-notes"
    body = {"input_type": "request", "texts": ["a"] * 4}
    assert small.post("/beta/litellm_basic_guardrail_api", body).json["error"] == "too-many-notes"


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"text":' * 20_000,
        b'{"text": "Quillfeather"',
        b'{"text": "\xff\xfeQuillfeather"}',
        rb'{"text": "half \ud83d Quillfeather"}',
        b'{"text": 17}',
        b'{"text": null}',
        b'{"text": ["Quillfeather"]}',
        b'{"text": "a", "Quillfeather": 1}',
        b'{"text": "a", "offsets": "Quillfeather"}',
        b'{"text": "a", "known": {"Quillfeather": "Quillfeather"}}',
        b'{"text": "a", "id": "' + b"Quillfeather" * 40 + b'"}',
        b'"Quillfeather"',
        b"\x00",
        b"",
        b"1" * 5000,
    ],
    ids=range(16),
)
@pytest.mark.parametrize("route", ["/v1/deidentify", "/analyze"])
def test_bodies_that_are_none_are_refused(client: Client, route: str, body: bytes) -> None:
    answer = client.ask("POST", route, body, JSON, raw=True)
    assert answer.status == 400
    assert answer.json["error"] == "invalid-request"
    assert b"Quillfeather" not in answer.body
    assert client.get("/ready").json == {"ready": True}


@pytest.mark.parametrize(
    "path",
    [
        "/Quillfeather", "//v1/detect", "/v1/../v1/detect", "/v1/%2e%2e/etc/passwd", "/v1/detect/", "/v1/detect%00",
        "/..%2f..%2fetc/Quillfeather", "/v1/Detect", "/redoc",
    ],
)  # fmt: skip
def test_paths_that_are_none_are_refused(client: Client, path: str) -> None:
    before = len(client.lines)
    answer = client.post(f"{path}?who=Quillfeather", NOTE)
    assert answer.status in (400, 404)
    assert b"Quillfeather" not in answer.body
    assert client.line_of("other", before)["status"] == answer.status
    assert "Quillfeather" not in client.log


def test_no_path_is_logged_by_the_server_whoever_turned_its_logger_on(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("uvicorn.access"), "propagate", True)
    with caplog.at_level(logging.INFO):
        assert client.post("/Quillfeather", NOTE).status == 404
    assert "Quillfeather" not in caplog.text


def test_a_slow_client_is_told_so(small: Client) -> None:
    with small.socket() as one:
        one.sendall(b"POST /v1/detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        assert b" 408 " in one.recv(1000)
    with small.socket() as one:
        one.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        read = read_until(one, b"0\r\n\r\n")
        assert b'"error":"too-slow"' in read
        assert b'"end"' not in read


def test_a_head_that_does_not_come_ends_the_connection(small: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEAD_SECONDS", 0.5)
    with small.socket() as one:
        one.sendall(b"POST /v1/detect HTTP/1.1\r\nX-Slow: ")
        assert one.recv(1000) == b""


def test_work_that_takes_too_long_is_held(small: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Workers._do

    def slow(self: Workers, jobs: Sequence[Job]) -> None:
        time.sleep(1.5)
        work(self, jobs)

    monkeypatch.setattr(Workers, "_do", slow)
    answer = small.post("/v1/deidentify", NOTE)
    assert (answer.status, answer.json["why"]) == (422, "timeout")
    assert small.post("/analyze", {**NOTE, "language": "en"}).json["why"] == "timeout"


def test_more_requests_than_are_taken_are_told_to_come_again(small: Client) -> None:
    waiting = [small.socket() for _ in range(SMALL.requests)]
    for one in waiting:
        one.sendall(b"POST /v1/detect HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
    time.sleep(0.2)
    answer = small.post("/v1/detect", NOTE)
    assert (answer.status, answer.json["error"], answer.headers["retry-after"]) == (503, "busy", "1")
    assert small.get("/health").status == 200
    for one in waiting:
        one.recv(1000)
        one.close()
    assert small.post("/v1/detect", NOTE).status == 200


def test_a_page_of_elsewhere_cannot_ask(client: Client) -> None:
    assert client.post("/v1/detect", NOTE, Host="rebound.example:8300").json["error"] == "host"
    assert client.post("/v1/detect", NOTE, Host="localhost:8300").status == 200
    assert client.post("/v1/detect", NOTE, Host="[::1]:8300").status == 200


def test_a_token_is_asked_for() -> None:
    with running(token=TOKEN) as client:
        assert client.get("/health").status == client.get("/ready").status == 200
        for path in ("/metrics", "/docs", "/openapi.json"):
            assert client.get(path).status == 401
        assert client.post("/v1/detect", NOTE).json["error"] == "token"
        assert client.post("/v1/detect", NOTE, Authorization=f"Bearer {TOKEN}x").status == 401
        assert client.post("/v1/detect", NOTE, Authorization=f"Bearer {TOKEN}", Host="a.example").status == 200
        assert client.post("/v1/detect", NOTE, **{"x-api-key": TOKEN}).status == 200
        assert TOKEN not in client.log


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "10.0.0.1", "hospital.example", ""])
def test_others_reach_the_service_only_with_a_token(host: str) -> None:
    with pytest.raises(RunError, match="--token-file"):
        check_host(host, None)
    check_host(host, Token(TOKEN))
    for here in ("127.0.0.1", "::1", "localhost", "127.0.0.9"):
        check_host(here, None)


@pytest.mark.parametrize(
    ("text", "mode"), [("short", 0o600), (TOKEN, 0o644), ("two words of a token", 0o600), ("", 0o600)]
)
def test_a_token_that_is_none_is_refused(tmp_path: Path, text: str, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(mode)
    with pytest.raises(KeyFileError, match="--token-file"):
        Token.read(file)
    with pytest.raises(KeyFileError):
        Token.read(tmp_path / "none")


def test_a_token_is_read(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKEN + "\n")
    file.chmod(0o600)
    assert Token.read(file).is_it(TOKEN.encode())
    assert not Token.read(file).is_it(b"")


def failing(planted: str, rng: random.Random) -> list[tuple[str, bytes]]:
    """Requests with a planted word that fail, each in its own way."""
    text = f"Seen by Dr. {planted}."
    note = {"text": text, "id": planted, "patient": planted}
    raw = json.dumps(note).encode()
    cut = raw[: rng.randrange(1, len(raw))]
    bodies: list[tuple[str, object]] = [
        ("/v1/deidentify", note),
        ("/v1/detect", note),
        ("/v1/detect", {**note, planted: planted, "known": planted, "language": [planted]}),
        (f"/{planted}?who={planted}", note),
        ("/analyze", {"text": [text], "language": "en"}),
        ("/analyze", {"text": [text], "language": planted}),
        ("/anonymize", {"text": planted, "analyzer_results": [{"start": planted}]}),
        ("/anonymize", {"text": planted, "anonymizers": {planted: {"type": planted}}}),
        ("/beta/litellm_basic_guardrail_api", {"input_type": planted, "texts": [planted]}),
        ("/beta/litellm_basic_guardrail_api", {"input_type": "request", "texts": [text]}),
    ]
    more = [("/v1/detect", cut), ("/v1/detect", raw.replace(b"Dr", b"\xff")), ("/v1/batch", raw + b"\n" + cut)]
    return [*((path, json.dumps(body).encode()) for path, body in bodies), *more]


def test_no_word_of_requests_that_fail_is_logged_or_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 planted words through every way to be refused, and through errors of our own that quote them."""
    rng = random.Random(1)

    def fails(_self: Workers, jobs: Sequence[Job]) -> None:
        raise ValueError([job.cells[0].document.text for job in jobs])

    with running(limits=Limits(body=3000, seconds=5)) as client:
        monkeypatch.setattr(Workers, "_do", fails)
        said = b""
        for at in range(NUMBER):
            ways = failing(word(at), rng)
            path, body = ways[at % len(ways)]
            answer = client.ask("POST", path, body, {**JSON, "User-Agent": word(at), "X-Who": word(at)}, raw=True)
            assert answer.status in (200, 400, 404, 422, 500), path
            said += answer.body
        said += client.get("/metrics").body
        assert client.get("/ready").json == {"ready": True}
        assert "ValueError" in {line.get("error") for line in client.lines if line["event"] == "internal-error"}
        assert leaked(said + client.log.encode()) == set()


def test_logs_are_lines_of_json_with_numbers_and_our_own_words(client: Client) -> None:
    before = len(client.lines)
    client.post("/v1/detect", NOTE)
    last = client.line_of("/v1/detect", before)
    assert set(last) == {"time", "level", "event", "method", "route", "status", "ms", "bytes", "whole"}
    assert (last["method"], last["route"], last["status"], last["whole"]) == ("POST", "/v1/detect", 200, True)
