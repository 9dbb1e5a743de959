"""Runs that work in this process: in tests a worker takes longer to start than to work."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

from elision.errors import RunError
from elision.run.local import night_work, retry, runner, workers
from elision.run.local.shards import Counts, Job, Task

WITH_A_CREW = (night_work, retry, runner)


class Inline:
    """A crew that is this process."""

    def __init__(self, job: Job, _size: int, passed: Any, _limits: Any = None) -> None:
        self.job, self.passed = job, passed

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def do(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Counts]]:
        for task in tasks:
            kind, *said = workers._done(self, self.job, task)  # type: ignore[arg-type]
            if kind != "done":
                raise RunError(*said)
            yield task, said[0]

    def send(self, said: tuple[Any, ...]) -> None:
        """What a worker tells through its pipe."""
        if said[0] == "passed":
            self.passed(*said[1:])


def one_worker(patch: Any) -> None:
    """Have a run with one worker work in this process; several stay processes."""
    usual = workers.Crew

    def crew(job: Job, size: int, passed: Any, limits: Any = None) -> Any:
        return (Inline if size == 1 else usual)(job, size, passed, limits)

    for module in WITH_A_CREW:
        patch.setattr(module, "Crew", crew)


def inline(patch: Any) -> None:
    """Have all done by this process, and none of it waited for until it is on the disk."""
    for name in ("fsync", "sync"):
        patch.setattr(os, name, lambda *_: None)
    for module in WITH_A_CREW:
        patch.setattr(module, "Crew", Inline)
