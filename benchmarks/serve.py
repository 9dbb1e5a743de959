"""The service under load: requests at once over loopback, each with a mark of its own, beside Presidio's service.

    python benchmarks/serve.py [--requests 10000] [--at-once 16] [--effort fast] [--route /v1/deidentify|/analyze]
        [--threads 2] [--presidio http://127.0.0.1:5002]

Starts `elision serve` on a free port and asks it. Every answer must have the mark of its request, and no other word of
it: the names. Told are p50 and p95 of a request, requests a second, and the memory of the service at the first tenth
and at the end. With --presidio, Presidio's analyzer, which somebody has started there, is asked the same in turn.
"""

from __future__ import annotations

import argparse
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from threading import local
from typing import Any, NamedTuple
from urllib.parse import urlsplit

WORDS = ["cough", "fever", "pain", "rash", "swelling", "fatigue", "nausea", "headache", "itching", "thirst"]
NAMES = ("Quillfeather", "Roe", "Ashdown", "Tewkes", "Marlowe")


class Told(NamedTuple):
    p50: float
    p95: float
    a_second: float
    wrong: int


def note(at: int) -> tuple[str, str]:
    """A note and its mark."""
    mark = " ".join(WORDS[int(digit)] for digit in f"{at:05}")
    name = NAMES[at % len(NAMES)]
    text = (
        f"Mrs. Jane {name} was seen by Dr. {name} on {at % 27 + 1} May 2001. She has {mark}. "
        f"MRN: 4711-{at % 9000 + 1000}. The lungs are clear, the abdomen is soft. "
        "She goes home with 5 mg a day and returns in two weeks."
    )
    return text, mark


class Asker:
    """Asks one service; each thread has a connection of its own."""

    def __init__(self, url: str, route: str) -> None:
        parts = urlsplit(url)
        self._place, self._route = (parts.hostname or "", parts.port or 80), route
        self._local = local()

    def __call__(self, at: int) -> tuple[float, bool]:
        text, mark = note(at)
        body = {"text": text, "language": "en", **({"id": str(at)} if self._route.startswith("/v1") else {})}
        began = time.perf_counter()
        answer = self._ask(json.dumps(body).encode())
        took = time.perf_counter() - began
        if self._route.startswith("/v1"):
            right = answer["id"] == str(at) and mark in answer["text"] and not any(n in answer["text"] for n in NAMES)
        else:  # the number at the end tells whose answer it is
            right = all(one["end"] <= len(text) for one in answer) and bool(answer)
        return took, right

    def _ask(self, body: bytes) -> Any:
        if not hasattr(self._local, "connection"):
            self._local.connection = HTTPConnection(*self._place, timeout=120)
        connection: HTTPConnection = self._local.connection
        connection.request("POST", self._route, body, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())


def asked(asker: Asker, first: int, last: int, at_once: int) -> Told:
    began = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        answers = list(pool.map(asker, range(first, last)))
    took = time.perf_counter() - began
    times = sorted(seconds for seconds, _ in answers)
    wrong = sum(not right for _, right in answers)
    return Told(times[len(times) // 2], times[int(0.95 * len(times))], len(answers) / took, wrong)


@contextmanager
def service(effort: str, threads: int) -> Iterator[tuple[str, int]]:
    """A service on a free port: its address and its process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = f"serve --port {port} --effort {effort} --language en --threads {threads}".split()
    command = [sys.executable, "-c", "from elision.cli import main; main()", *words]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None:
                    sys.exit("the service did not start; try: elision serve")
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def memory(process: int) -> str:
    try:
        return f"{int(Path(f'/proc/{process}/statm').read_text().split()[1]) * 4096 / 1e6:,.0f} MB"
    except OSError:
        return "?"


def show(name: str, told: Told) -> None:
    print(
        f"{name}: p50 {told.p50 * 1000:.1f} ms, p95 {told.p95 * 1000:.1f} ms, {told.a_second:,.0f} requests/s, "
        f"{told.wrong} wrong answers"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--effort", default="fast")
    parser.add_argument("--route", default="/v1/deidentify", choices=("/v1/deidentify", "/analyze"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--presidio", default="")
    given = parser.parse_args()
    with service(given.effort, given.threads) as (url, process):
        asker = Asker(url, given.route)
        tenth = given.requests // 10
        asked(asker, 0, tenth, given.at_once)
        before = memory(process)
        told = asked(asker, tenth, given.requests + tenth, given.at_once)
        show(f"elision {given.effort} {given.route}", told)
        print(f"memory: {before} after {tenth:,} requests, {memory(process)} at the end")
    if given.presidio:
        show("Presidio /analyze", asked(Asker(given.presidio, "/analyze"), 0, given.requests, given.at_once))
    if told.wrong:
        sys.exit(1)


if __name__ == "__main__":
    main()
