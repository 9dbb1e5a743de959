"""Health, metrics, the page about the contract, and how a service ends."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from operator import attrgetter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from elision.cli import app
from elision.errors import KeyFileError, LabelError, MissingExtraError, ModelError, PolicyError, RuleError, RunError
from elision.languages.base import with_model
from elision.run.how import How
from elision.serve import server as serving
from elision.serve.batch import AT_ONCE
from elision.serve.metrics import Metrics
from elision.serve.service import Service
from elision.serve.settings import COLUMNS, Settings
from elision.serve.work import Workers
from elision.taggers.named import shipped_models
from tests.serve.client import HOST, Client, Loopback, read_until, running

ROOT = Path(__file__).parents[2]
NOTE = {"text": "Seen by Dr. Quillfeather on 3 May 2001."}
SAMPLE = re.compile(r'[a-z_]+(?:\{[a-z]+="[^"]*"(?:,[a-z]+="[^"]*")*\})? [0-9.e+-]+')


def test_metrics_hold_counts_and_times_only(client: Client) -> None:
    client.post("/v1/detect", NOTE)
    client.post("/Quillfeather", NOTE)
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    told = answer.body.decode()
    assert all(SAMPLE.fullmatch(line) for line in told.splitlines() if not line.startswith("# "))
    for wanted in (
        'elision_requests_total{route="/v1/detect",status="200"}',
        'elision_requests_total{route="other",status="404"}',
        'elision_request_seconds{route="/v1/detect",quantile="0.95"}',
        'elision_request_seconds_count{route="/v1/detect"}',
        'elision_notes_total{outcome="found"}',
    ):
        assert wanted in told


def test_quantiles_are_of_the_latest_requests() -> None:
    metrics = Metrics()
    for at in range(3000):
        metrics.request("/v1/detect", 200, float(at))
    told = metrics.text()
    assert 'quantile="0.5"} 2488.000000' in told
    assert 'quantile="0.95"} 2948.000000' in told
    assert 'elision_request_seconds_count{route="/v1/detect"} 3000' in told


def test_a_service_of_which_a_thread_hangs_is_not_ready(client: Client) -> None:
    assert client.get("/ready").status == 200
    client.service.workers._began[-1] = time.monotonic() - 1000
    try:
        assert (client.get("/ready").status, client.get("/health").status) == (503, 200)
    finally:
        del client.service.workers._began[-1]


def test_the_page_about_the_contract_needs_nothing_from_elsewhere(client: Client) -> None:
    answer = client.get("/docs")
    page = answer.body.decode()
    assert not re.search(r"https?:|//|<script|<img|<link", page.replace("<!doctype html>", ""))
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'")
    (style,) = re.findall("<style>(.*?)</style>", page, re.DOTALL)
    assert base64.b64encode(hashlib.sha256(style.encode()).digest()).decode() in policy
    contract = client.get("/openapi.json").json
    for path in ("/v1/deidentify", "/v1/detect", "/v1/batch", "/analyze", "/beta/litellm_basic_guardrail_api"):
        assert path in contract["paths"]
        assert path in page
    assert client.get("/redoc").status == 404


def test_answers_are_not_kept_by_anybody(client: Client) -> None:
    headers = client.post("/v1/deidentify", NOTE).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_no_more_is_read_than_is_at_work(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a client sends and does not take its answers, the service waits, and keeps little."""
    at_work = 0
    work = Workers._do

    def slow(self: Workers, jobs: list[object]) -> None:
        nonlocal at_work
        at_work = max(at_work, len(jobs))
        time.sleep(0.05)
        work(self, jobs)  # type: ignore[arg-type]

    monkeypatch.setattr(Workers, "_do", slow)
    *rows, end = client.batch([NOTE] * 300).rows
    assert end["done"] == len(rows) == 300
    assert at_work <= AT_ONCE + 2


def test_the_end_of_a_service_ends_a_batch_that_goes_on() -> None:
    with running() as client:
        one = client.socket()
        one.sendall(b"POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        line = json.dumps(NOTE).encode() + b"\n"
        one.sendall(b"%x\r\n%b\r\n" % (len(line), line))
        read = read_until(one, b"receipt")
    with one:
        while more := one.recv(65536):
            read += more
    assert b'"shutting-down"' in read
    assert b'"end":true' not in read
    assert read.endswith(b"0\r\n\r\n")


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_the_command_serves_and_ends_when_it_is_told_to(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    words = [
        "serve",
        "--port",
        str(port),
        "--effort",
        "rules",
        "--language",
        "en",
        "--max-mb",
        "0.001",
        "--policy",
        "mask",
    ]
    command = [sys.executable, "-c", "from elision.cli import main; main()", *words]
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=tmp_path) as process:
        body = json.dumps(NOTE).encode()
        head = b"POST /v1/deidentify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        head += b"Content-Length: %d\r\n\r\n"
        for _ in range(400):
            with Loopback() as one:
                try:
                    one.connect((HOST, port))
                except OSError:
                    time.sleep(0.1)
                    continue
                one.sendall(head % len(body) + body)
                answer = read_until(one, b'"receipt"')
                one.sendall(head % 5000)
                assert b" 413 " in one.recv(1000)
            break
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=30)
    assert b"Seen by Dr. ************ on * *** ****." in answer
    assert process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    assert b"Quillfeather" not in said
    assert [json.loads(line)["event"] for line in said.splitlines()[1:]].count("request") == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--host", "0.0.0.0"], RunError),
        (["--max-mb", "0"], RunError),
        (["--seconds", "nan"], RunError),
        (["--dial", "-1"], ModelError),
        (["--token-file", "none"], KeyFileError),
        (["--policy", "surrogate"], PolicyError),
        (["--language", "xx"], LabelError),
        (["--key", "none"], KeyFileError),
        (["--rules", "none"], RuleError),
        (["--model", "none"], ModelError),
    ],
)
def test_what_cannot_be_served_is_told(
    words: list[str], error: type[Exception], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serving, "server", None)
    done = CliRunner().invoke(app, ["serve", "--effort", "rules", "--language", "en", *words])
    assert isinstance(done.exception, error)
    assert words[0].removeprefix("--") in str(done.exception) or words[1] in str(done.exception)


def chosen(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[Settings, str, int]:
    """What the command would serve."""
    given: list[tuple[Settings, str, int]] = []
    monkeypatch.setattr(serving, "serve", lambda *what: given.append(what))
    done = CliRunner().invoke(app, ["serve", *words])
    assert done.exit_code == 0, done.output
    return given[0]


@pytest.mark.parametrize(
    ("words", "where", "wanted"),
    [
        (["--policy", "mask"], "how.policy", "mask"),
        (["-P", "mask"], "how.policy", "mask"),
        (["--key", "project.key"], "how.key", "project.key"),
        (["--language", "nl"], "how.language", "nl"),
        (["--default-language", "nl"], "how.default_language", "nl"),
        (["--rules", "a.toml", "--rules", "b.toml"], "how.rules", ("a.toml", "b.toml")),
        (["--model", "nl"], "how.models", (str(shipped_models()["nl"]),)),
        (["--allow", "drugs.txt"], "how.allow", "drugs.txt"),
        (["--deny", "names.txt"], "how.deny", "names.txt"),
        (["--dial", "0.03"], "how.dial", 0.03),
        (["--effort", "most"], "how.effort", "most"),
        (["--max-mb", "0.5"], "limits.body", 500_000),
        (["--max-notes", "7"], "limits.notes", 7),
        (["--seconds", "2.5"], "limits.seconds", 2.5),
        (["--concurrent", "5"], "limits.requests", 5),
        (["--threads", "3"], "limits.threads", 3),
    ],
)
def test_options_reach_the_service(
    words: list[str], where: str, wanted: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = attrgetter(where)
    assert read(chosen(monkeypatch, *words)[0]) == wanted
    assert read(chosen(monkeypatch)[0]) != wanted


def test_it_listens_on_this_machine_unless_told_otherwise(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    settings, host, port = chosen(monkeypatch)
    assert (settings.token, host, port) == (None, "127.0.0.1", 8300)
    (tmp_path / "token").write_text("correct-horse-battery-staple")
    (tmp_path / "token").chmod(0o600)
    words = ["--host", "10.0.0.1", "--port", "81", "--token-file", str(tmp_path / "token")]
    settings, host, port = chosen(monkeypatch, *words)
    assert settings.token
    assert settings.token.is_it(b"correct-horse-battery-staple")
    assert (host, port) == ("10.0.0.1", 81)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "elision.serve.server", None)
    done = CliRunner().invoke(app, ["serve"])
    assert isinstance(done.exception, MissingExtraError)
    assert "elision[serve]" in str(done.exception)


def test_all_languages_are_loaded_before_notes_come_or_the_one_that_is_said() -> None:
    service = Service(Settings(How(COLUMNS, effort="rules", language="en")))
    service.workers.load()
    assert list(service.engine._by_language) == ["en"]
    service = Service(Settings(How(COLUMNS, effort="rules")))
    loaded: list[str] = []
    service.engine.of = lambda code, also=(): loaded.append(code)  # type: ignore[method-assign,assignment,return-value]
    service.workers.load()
    assert loaded == with_model()


def test_help_has_an_example() -> None:
    assert "Example:\n\n      elision serve" in CliRunner().invoke(app, ["serve", "--help"]).output


def test_the_recipe_of_the_image_is_small_and_safe() -> None:
    lines = [line.strip() for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines()]
    steps = [line.split(maxsplit=1) for line in lines if line and not line.startswith(("#", "&&", "--"))]
    words = [step[0] for step in steps]
    assert words.count("FROM") == 2  # what builds is not what runs
    assert [step[1] for step in steps if step[0] == "ARG"] == ["BASE=python:3.13-slim-bookworm"]
    assert all(re.fullmatch(r"\${BASE}( AS \w+)?", step[1]) for step in steps if step[0] == "FROM")
    last = words[len(words) - 1 - words[::-1].index("FROM") :]
    assert "ADD" not in words
    users = [step[1] for step in steps if step[0] == "USER"]
    assert users
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", users[-1])
    assert last.index("USER") < last.index("ENTRYPOINT")
    assert not any("curl" in line or "wget" in line or "--privileged" in line for line in lines)
    text = "\n".join(lines)
    assert "PYTHONDONTWRITEBYTECODE=1" in text  # a root that cannot be written to
    assert 'ENTRYPOINT ["elision", "serve"]' in text
    assert "/health" in next(step[1] for step in steps if step[0] == "HEALTHCHECK")
    kept = [step[1].lower() for step in steps if step[0] in ("ENV", "ARG", "COPY", "RUN")]
    assert not any(word in one for one in kept for word in ("token", "secret", "password", ".key"))
    ignored = [line for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert ignored[0] == "*"  # a builder sees neither notes nor keys, whatever lies here
    seen = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = [step[1].split()[:-1] for step in steps if step[0] == "COPY" and not step[1].startswith("--from")]
    assert seen == {name for names in copied for name in names}
    assert {"**/*.so", "**/__pycache__"} <= set(ignored)  # what was built here was not built for there
