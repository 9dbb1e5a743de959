"""The service under load: requests at once over loopback, each with a mark of its own, beside Presidio's service.

    python benchmarks/serve.py [--requests 10000] [--at-once 16] [--efforts fast balanced] [--threads 2] [--rounds 10]
        [--route /v1/deidentify|/analyze] [--envs DIR] [--without-peer] [--new-words 10]
        [--texts ../shared/corpora/aci-bench/train.csv]

Starts `elision serve` for each effort, and Presidio's analyzer as a service (`peers/presidio_service.py`, installed as
`peers/run.py` does it), and asks each in turn, in rounds, the same notes. Every answer of elision must have the mark of
its request and no name; every answer of Presidio must have places in the note. Told are p50 and p95 of a request,
requests a second, the ratio to Presidio in the same run, and the memory before the first request, after half of them,
at the end, and after each round. Presidio's arithmetic takes one thread, as elision's does by itself.

The notes are short and full of names. With --texts, a text of the file's column `note` stands after each, as usual.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from string import ascii_lowercase
from threading import local
from types import MappingProxyType
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.peers.run import HERE as PEERS_HERE
from benchmarks.peers.run import MODEL, PEERS, environment

SINGLE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
NOTHING: Mapping[str, str] = MappingProxyType({})
PAGE = os.sysconf("SC_PAGE_SIZE")
PATIENCE = 180  # seconds until a service listens
WORDS = ["cough", "fever", "pain", "rash", "swelling", "fatigue", "nausea", "headache", "itching", "thirst"]
PEER = "Presidio"
NAMES = ("Quillfeather", "Roe", "Ashdown", "Tewkes", "Marlowe")


NoteOf = Callable[[int], tuple[str, str]]  # a note by its number, and its mark


class Answer(NamedTuple):
    seconds: float
    right: bool


def note(at: int, texts: Sequence[str] = (), new_words: int = 0) -> tuple[str, str]:
    """A note and its mark. `new_words` of its words are in no other note."""
    mark = " ".join(WORDS[int(digit)] for digit in f"{at:05}")
    name = NAMES[at % len(NAMES)]
    text = (
        f"Mrs. Jane {name} was seen by Dr. {name} on {at % 27 + 1} May 2001. She has {mark}. "
        f"MRN: 4711-{at % 9000 + 1000}. The lungs are clear, the abdomen is soft. "
        "She goes home with 5 mg a day and returns in two weeks."
    )
    letters = Random(at)
    text += "".join(f" {''.join(letters.choices(ascii_lowercase, k=8))}" for _ in range(new_words))
    return f"{text}\n\n{texts[at % len(texts)]}" if texts else text, mark


class Side:
    """A service that is asked, and what came of it. Each thread has a connection of its own."""

    def __init__(self, name: str, port: int, route: str, process: int, note_of: NoteOf = note) -> None:
        self.name, self._port, self._route, self._process, self._note_of = name, port, route, process, note_of
        self._local = local()
        self.answers: list[Answer] = []
        self.seconds = 0.0
        self.memory = [self._megabytes()]  # before the first request, and after each round

    def round(self, first: int, last: int, at_once: int) -> None:
        began = time.perf_counter()
        with ThreadPoolExecutor(at_once) as pool:
            self.answers += pool.map(self.ask, range(first, last))
        self.seconds += time.perf_counter() - began
        self.memory.append(self._megabytes())

    def _megabytes(self) -> float:
        return int(Path(f"/proc/{self._process}/statm").read_text("ascii").split()[1]) * PAGE / 1e6

    def ask(self, at: int) -> Answer:
        text, mark = self._note_of(at)
        ours = self._route.startswith("/v1")
        body = json.dumps({"text": text, "language": "en", **({"id": str(at)} if ours else {})}).encode()
        began = time.perf_counter()
        answer = self._ask(body)
        took = time.perf_counter() - began
        if ours:
            right = answer["id"] == str(at) and mark in answer["text"] and not any(n in answer["text"] for n in NAMES)
        else:  # it tells places alone
            right = bool(answer) and all(one["end"] <= len(text) for one in answer)
        return Answer(took, right)

    def _ask(self, body: bytes) -> Any:
        if not hasattr(self._local, "connection"):
            self._local.connection = HTTPConnection("127.0.0.1", self._port, timeout=120)
        connection: HTTPConnection = self._local.connection
        connection.request("POST", self._route, body, {"Content-Type": "application/json"})
        return json.loads(connection.getresponse().read())

    @property
    def a_second(self) -> float:
        return len(self.answers) / self.seconds

    def row(self, peer: float) -> str:
        times = sorted(answer.seconds for answer in self.answers)
        p50, p95 = times[len(times) // 2], times[int(0.95 * len(times))]
        wrong = sum(not answer.right for answer in self.answers)
        ratio = f"{self.a_second / peer:.1f}" if peer else ""
        figures = f"{p50 * 1000:.1f} | {p95 * 1000:.1f} | {self.a_second:.0f} | {ratio} | {wrong}"
        start, half, end = (self.memory[at] for at in (0, len(self.memory) // 2, -1))
        return f"| {self.name} | {figures} | {start:.0f} | {half:.0f} | {end:.0f} |"


@contextmanager
def listening(command: Sequence[str], port: int, said: Mapping[str, str] = NOTHING) -> Iterator[int]:
    """A program that listens on a port: its process."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, **said})
    try:
        until = time.monotonic() + PATIENCE
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    sys.exit(f"did not start: {' '.join(command)}")
                time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def sides(given: argparse.Namespace, stack: ExitStack) -> Iterator[Side]:
    """All services, started."""
    texts: list[str] = []

    def note_of(at: int) -> tuple[str, str]:
        return note(at, texts, given.new_words)

    if given.texts:
        with given.texts.open(encoding="utf-8") as file:
            texts = [row["note"] for row in csv.DictReader(file)]
    for effort in given.efforts:
        port = free_port()
        words = f"serve --port {port} --effort {effort} --language en --threads {given.threads}".split()
        command = [sys.executable, "-c", "from elision.cli import main; main()", *words]
        yield Side(f"elision {effort}", port, given.route, stack.enter_context(listening(command, port)), note_of)
    if not given.without_peer:
        python, port = environment(given.envs, "presidio", PEERS["presidio"].requirements), free_port()
        command = [str(python), str(PEERS_HERE / "presidio_service.py"), str(port), MODEL]
        yield Side(PEER, port, "/analyze", stack.enter_context(listening(command, port, SINGLE)), note_of)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=10_000, help="to each service")
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--efforts", nargs="+", default=["fast", "balanced"])
    parser.add_argument("--route", default="/v1/deidentify", choices=("/v1/deidentify", "/analyze"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--envs", type=Path, default=Path.home() / ".cache" / "elision-peers")
    parser.add_argument("--texts", type=Path, help="a CSV with a column `note`")
    parser.add_argument("--new-words", type=int, default=0, help="of each note, which are in no other")
    parser.add_argument("--without-peer", action="store_true")
    given = parser.parse_args()
    with ExitStack() as stack:
        asked = list(sides(given, stack))
        size = max(1, given.requests // given.rounds)
        for first in range(0, given.requests, size):
            for side in asked:
                side.round(first, min(first + size, given.requests), given.at_once)
    peer = next((side.a_second for side in asked if side.name == PEER), 0.0)
    print(f"{given.requests:,} requests to each, {given.at_once} at once, {given.route}\n")
    print("| service | p50 ms | p95 ms | requests/s | times Presidio | wrong | MB at start | half way | at the end |")
    print("|---|---|---|---|---|---|---|---|---|")
    for side in asked:
        print(side.row(peer))
    print()
    for side in asked:
        print(f"{side.name}, MB after each {size:,} requests: {' '.join(f'{each:.0f}' for each in side.memory)}")
    if any(not answer.right for side in asked if side.name != PEER for answer in side.answers):
        sys.exit("there are wrong answers")


if __name__ == "__main__":
    main()
