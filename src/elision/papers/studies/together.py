"""Jobs side by side, each in a process of its own. What one of them keeps is what it would keep alone."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from typing import TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")


def side_by_side(
    do: Callable[[Job], Result], jobs: Sequence[Job], cost: Callable[[Job], float], processes: int
) -> Iterator[tuple[Job, Result]]:
    """Jobs and their results as they come; those that cost most begin first."""
    with _pool(min(processes, len(jobs))) as pool:
        waiting = {pool.submit(do, job): job for job in sorted(jobs, key=cost, reverse=True)}
        for future in as_completed(waiting):
            yield waiting[future], future.result()


@contextmanager
def _pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once when the command is stopped or a job fails."""
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _unstopped)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):  # nothing public ends them before their job is done
            process.terminate()
        pool.shutdown(cancel_futures=True)
        raise
    pool.shutdown()


def _unstopped() -> None:
    """Ctrl-C goes to the command, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
