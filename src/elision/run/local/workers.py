"""Processes that work on shards, and what to do when one dies.

A worker reads its shard itself and writes what comes of it itself; between it and the run go only numbers. A worker
that takes longer than its notes may, or more memory, is ended. A shard over which a worker died is done again when
nobody else works. If the worker dies again, or had to be ended, the shard's rows are tried one by one, and those over
which one dies are held. So one note that nobody can bear costs that note, and no other.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from types import ModuleType, TracebackType
from typing import Any

import pyarrow

from elision import threads
from elision.errors import ElisionError, RunError
from elision.limits import DIED, MEMORY, TIMEOUT, WATCH, Limits, Watch
from elision.run.failures import place_of, told
from elision.run.local.locks import shared
from elision.run.local.shards import Counts, Job, Task, perform

WORKERS_LOCK = "workers.lock"  # all workers of a run hold it together
GARBAGE = 50_000, 20, 100  # look for it seldom: notes make many small things and no circles
DEATHS = 20  # rows of a shard that are found one by one; then the rest of the shard is held
Passed = Callable[..., None]  # rows, characters, held


class DiedError(Exception):
    """A worker is gone; at which row it was, if it told, and why."""

    def __init__(self, at: int, why: str = DIED) -> None:
        super().__init__("a worker died")
        self.at, self.why = at, why


class Worker:
    """One process, and the pipe to it."""

    def __init__(self, job: Job, limits: Limits) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, job), daemon=True)
        with _without_main(), _one_thread():
            self.process.start()
        theirs.close()
        self.watch = Watch(self.process.pid or 0, limits)
        self.task: Task | None = None
        self.at = -1

    def give(self, task: Task) -> None:
        self.task, self.at = task, -1
        with contextlib.suppress(OSError):  # if it is gone, it is noticed when it does not answer
            self.pipe.send(task)

    def hear(self, passed: Passed) -> Counts | None:
        """What it says, if it does: the counts of a task that is done, else None."""
        try:
            if not self.pipe.poll():
                if why := self.watch.beyond():
                    raise DiedError(self.at, why)
                return None
            kind, *said = self.pipe.recv()
        except (EOFError, OSError):
            raise DiedError(self.at) from None
        if kind == "done":
            self.task = None
            counts: Counts = said[0]
            return counts
        if kind == "at":
            self.at = said[0]
        elif kind == "begun":
            self.watch.begin(*said)
        elif kind == "passed":
            self.watch.end()
            passed(*said)
        elif kind == "no-memory":
            raise DiedError(self.at, MEMORY)
        elif kind == "failed":
            raise RunError(said[0])
        return None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.process.close()
        self.pipe.close()


class Crew:
    """Some workers, ended when the block ends."""

    def __init__(self, job: Job, size: int, passed: Passed, limits: Limits | None = None) -> None:
        self.job, self.size, self.passed = job, size, passed
        self.limits = limits or Limits()
        self.workers: list[Worker] = []
        self.deaths = 0

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        while self.workers:
            self.workers.pop().end()

    def do(self, tasks: Iterable[Task]) -> Iterator[tuple[Task, Counts]]:
        """Tasks as they are done, with their counts."""
        waiting, fallen = deque(tasks), list[tuple[Task, str]]()
        while waiting or any(worker.task for worker in self.workers):
            self._give(waiting)
            busy = [(worker, worker.task) for worker in self.workers if worker.task]
            wait([worker.pipe for worker, _ in busy], WATCH)
            for worker, task in busy:
                try:
                    counts = worker.hear(self.passed)
                except DiedError as died:
                    self.deaths += 1
                    fallen.append((task, died.why))
                    self.workers.remove(worker)
                    worker.end()
                    continue
                if counts is not None:
                    self._give(waiting)  # before the caller takes its time
                    yield task, counts
        for task, why in fallen:
            self._end()
            yield task, self._again(task, why)

    def _give(self, waiting: deque[Task]) -> None:
        for worker in self.workers:
            if waiting and worker.task is None:
                worker.give(waiting.popleft())
        while waiting and len(self.workers) < self.size:
            self.workers.append(Worker(self.job, self.limits))
            self.workers[-1].give(waiting.popleft())

    def _again(self, task: Task, why: str) -> Counts:
        """Do a task over which a worker died, with more and more care."""
        careful: tuple[Callable[[], Task], ...] = (
            lambda: task,
            lambda: self._without_deadly(task),
            lambda: task._replace(held_from=0, held_why=why, single=True),
        )
        for how in careful[why == TIMEOUT :]:
            trial = how()
            try:
                return self._alone(trial)
            except DiedError as died:
                self.deaths += 1
                why = died.why
        raise RunError(f"workers die over shard {task.number} before they look at its notes; is there memory left?")

    def _without_deadly(self, task: Task) -> Task:
        """The task, its rows one by one, with those held over which a worker dies."""
        held: dict[int, str] = {}
        at, why = 0, DIED
        while len(held) < DEATHS:
            try:
                self._alone(task._replace(probe=at))
            except DiedError as died:
                self.deaths += 1
                why = died.why
                if died.at < at:
                    break
                held[died.at] = why
                at = died.at + 1
            else:
                return task._replace(held=held, single=True)
        return task._replace(held=held, held_from=at, held_why=why, single=True)

    def _alone(self, task: Task) -> Counts:
        self._end()
        worker = Worker(self.job, self.limits)
        self.workers.append(worker)
        worker.give(task)
        while True:
            worker.pipe.poll(WATCH)
            counts = worker.hear(self.passed)
            if counts is not None:
                return counts


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Have processes that begin here multiply matrices in one thread: other processors have workers of their own."""
    before = {name: os.environ.get(name) for name in threads.NAMES}
    threads.multiply_in_one()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]


# -- in the worker's process


def work(pipe: Connection, job: Job) -> None:
    """Do tasks as they come. The worker ends with its run, even if that is killed."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run gets it, too, and ends its workers
        threading.Thread(target=_end_with_parent, daemon=True).start()
        pyarrow.set_cpu_count(1)  # the other processors have workers of their own
        gc.set_threshold(*GARBAGE)
        pyarrow.set_memory_pool(pyarrow.system_memory_pool())  # gives back what it no longer needs
        _without_pandas()
        with shared(job.staging.parent / WORKERS_LOCK):
            while True:
                task = pipe.recv()
                pipe.send(_done(pipe, job, task))
    except BaseException:  # whatever it is, it must not be printed: it may quote a note
        os._exit(1)


def _done(pipe: Connection, job: Job, task: Task) -> tuple[Any, ...]:
    """What came of a task, in words that no note has written."""
    try:
        return "done", perform(job, task, lambda *said: pipe.send(said))
    except MemoryError:
        return ("no-memory",)
    except ElisionError as error:
        return "failed", str(error)
    except OSError as error:
        why = f"{error.strerror or type(error).__name__} {place_of(error)}"
        next = "put that right (of a full disk: make room), and the same command goes on"
        return "failed", f"shard {task.number}: cannot be written: {why}; {next}"
    except Exception as error:
        return "failed", f"shard {task.number}: {told(error)}"


def _without_pandas() -> None:
    """Have pyarrow find no pandas that it likes: it would load it only to ask whether a list is a series, and a worker
    would be 60 MB larger. It asks once; whoever else wants pandas can still have it."""
    if "pandas" not in sys.modules:
        sys.modules["pandas"] = none = ModuleType("pandas")
        none.__dict__["__version__"] = "0"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it says that this one is too old
                pyarrow.array([""])
        finally:
            del sys.modules["pandas"]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Start processes that do not import the caller's main module again: they need nothing of it, and a script without
    `if __name__ == "__main__"` would run twice."""
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
