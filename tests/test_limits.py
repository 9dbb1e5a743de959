"""Limits of time and memory: a note that needs more is held, alone, and nothing is left behind."""

from __future__ import annotations

import mmap
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.errors import PolicyError
from elision.limits import CAN_FORK, Limits, Watch, memory_of
from elision.pipeline import Cleaned, Deidentifier
from elision.rules import Rules
from tests.run.small import Failing

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CAN_FORK, reason="there is no fork here")]
NOTE = "Seen by Dr. Roe on 3 May 2020. Jane Roe is well."
SOON, SMALL = Limits(1.5), Limits(60, 200)


def cleaned_with(words: Sequence[str], limits: Limits) -> list[Cleaned]:
    notes = [Document(f"{NOTE} {each}", f"n{at}", language="en") for at, each in enumerate(words)]
    return Deidentifier([Rules("en"), Failing()], limits=limits)(notes)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("hang here", "timeout"),
        ("hang in C here", "timeout"),
        ("eat memory here", "memory"),
        ("die here", "worker-died"),
    ],
)
def test_a_note_beyond_its_limits_is_held_alone(how: str, why: str) -> None:
    if why == "memory" and not memory_of(os.getpid()):
        pytest.skip("this system does not tell what memory a process has")
    before = children()
    for words in ([how], ["", how, ""]):
        done = cleaned_with(words, SMALL if why == "memory" else SOON)
        assert [one.receipt.why for one in done] == [why if each else "" for each in words]
        texts = [one.document.text if one.document else None for one in done]
        assert texts == [None if each else "Seen by Dr. [NAME] on [DATE]. [NAME] is well. " for each in words]
    assert children() == before


def children() -> set[str]:
    """The processes that this one has started; none where the system does not tell."""
    return {child for task in Path("/proc/self/task").glob("*/children") for child in task.read_text().split()}


def test_memory_beyond_the_budget_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if not memory_of(os.getpid()):
        pytest.skip("this system does not tell what memory a process has")
    monkeypatch.setattr("elision.limits.WATCH", 0.0)
    for characters, why in ((0, "memory"), (9_000_000, "")):  # a long note may need more
        watch = Watch(os.getpid(), Limits(60, 8))
        watch.begin(characters)
        assert watch.beyond() == ""
        with mmap.mmap(-1, 40 << 20) as taken:  # from the system, not from what this process has to spare
            for page in range(0, len(taken), mmap.PAGESIZE):
                taken[page] = 1
            assert watch.beyond() == why


def test_notes_that_are_too_much_together_only_are_done_or_held_with_the_reason() -> None:
    slow = Limits(0.5)

    def sleeping(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        time.sleep(0.3 * len(documents))
        return [() for _ in documents]

    notes = [Document(NOTE, f"n{at}", language="en") for at in range(3)]
    done = Deidentifier([Rules("en"), sleeping], limits=slow)(notes)
    assert [one.receipt.why for one in done] == ["timeout"] * 3


def test_with_limits_and_without_the_same_comes_out() -> None:
    notes = [Document(NOTE, f"n{at}", language="en", patient="p") for at in range(3)]
    assert Deidentifier([Rules("en")], limits=Limits())(notes) == Deidentifier([Rules("en")])(notes)
    assert Deidentifier([Rules("en")], limits=Limits())([]) == []


def test_what_fails_in_the_child_fails_here() -> None:
    class Odd(Deidentifier):
        def _all(self, *_: object) -> list[Cleaned]:
            raise PolicyError("no such thing")

    with pytest.raises(PolicyError, match="no such thing"):
        Odd([Rules("en")], limits=Limits())([Document(NOTE)])


@pytest.mark.parametrize("bad", [0, -1, float("nan")])
def test_limits_are_more_than_nothing(bad: float) -> None:
    with pytest.raises(ValueError, match="more than 0"):
        Limits(bad)
    with pytest.raises(ValueError, match="more than 0"):
        Limits(1, bad)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_caller_that_is_ended_leaves_nothing_behind(tmp_path: Path, end: signal.Signals) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import os, sys\nfrom elision.limits import Limits, within\n"
        "def work():\n    print(os.getpid(), flush=True)\n    import time\n    time.sleep(60)\n"
        "within(Limits(), 0, work)\n"
    )
    caller = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert caller.stdout
    child = int(caller.stdout.readline())
    caller.send_signal(end)
    caller.communicate(timeout=20)
    until = time.monotonic() + 10
    while Path(f"/proc/{child}").exists() and _state(child) != "Z" and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists() or _state(child) == "Z"


def _state(process: int) -> str:
    try:
        found = re.search(r"State:\s+(\S)", Path(f"/proc/{process}/status").read_text())
    except OSError:
        return "Z"
    return found[1] if found else ""
