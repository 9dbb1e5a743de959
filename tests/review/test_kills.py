"""What was acknowledged is there after the process was killed, at whatever point that was."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from elision.document import Document
from elision.review.store import Store

WRITER = """
import sys
from pathlib import Path
from elision.review.marks import Decision, Mark
from elision.review.store import Store
store = Store.open(Path(sys.argv[1]))
n = len(list(store.log()))
while True:
    there = store.pass_of(1, "ann")
    store.decide(1, "ann", Decision("add", put=(Mark(n, n + 1, "DATE", "accepted"),)), there.version)
    print(n, flush=True)
    n += 1
"""


@pytest.mark.slow
def test_twenty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    folder = tmp_path / "n.review"
    with Store.open(folder) as store:
        store.add([Document("x" * 100_000, "n")])
    chance = random.Random(7)
    acknowledged: list[int] = []
    for _ in range(20):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            acknowledged += [int(writer.stdout.readline()) for _ in range(chance.randint(1, 6))]
            wait = chance.random() * 0.02
            try:
                writer.wait(wait)
            except subprocess.TimeoutExpired:
                writer.send_signal(signal.SIGKILL)
            acknowledged += [int(line) for line in writer.stdout.read().split("\n") if line]
    with Store.open(folder, make=False) as store:
        written = {mark.start for mark in store.pass_of(1, "ann").sheet.marks}
    assert len(acknowledged) >= 20
    assert set(acknowledged) <= written
    assert written == set(range(len(written)))  # and nothing is there by halves
