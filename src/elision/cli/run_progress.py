"""How a run tells what it will do, and how far it is: a bar for a terminal, lines for a log, JSON for a program."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from elision.cli.common import say
from elision.cli.tables import print_table
from elision.run.local.progress import Progress
from elision.run.plan import RunPlan
from elision.showing import column as shown_column

EVERY = 5.0  # seconds between two lines
KINDS = ("auto", "bar", "plain", "json", "none")
Tell = Callable[[Progress], None]


@contextmanager
def progress_as(kind: str) -> Iterator[Tell]:
    if kind == "auto":
        kind = "bar" if sys.stderr.isatty() else "plain"
    if kind == "bar":
        with _bar() as tell:
            yield tell
    else:
        yield _lines(kind)


def _lines(kind: str) -> Tell:
    last = time.monotonic()

    def tell(progress: Progress) -> None:
        nonlocal last
        if kind == "none" or time.monotonic() - last < EVERY:
            return
        last = time.monotonic()
        say(json.dumps(_row(progress)) if kind == "json" else _line(progress))

    return tell


def _row(progress: Progress) -> dict[str, float]:
    return {
        "share": round(progress.share, 4),
        "rows": progress.passed,
        "rows_a_second": round(progress.passed / progress.seconds, 1),
        "mb_a_second": round(progress.characters / 1e6 / progress.seconds, 3),
        "held": progress.held,
        "seconds_left": round(progress.left, 1),
    }


def _line(progress: Progress) -> str:
    row = _row(progress)
    return f"{row['share']:.0%}  {_speed(progress)}  {progress.held:,} held  {duration(progress.left)} left"


def _speed(progress: Progress) -> str:
    row = _row(progress)
    return f"{row['rows_a_second']:,.0f} rows/s  {row['mb_a_second']:.2f} MB/s"


def duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


@contextmanager
def _bar() -> Iterator[Tell]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"))
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0)

        def tell(progress: Progress) -> None:
            words = f"{_speed(progress)}  {progress.held:,} held  {duration(progress.left)} left"
            bar.update(task, completed=progress.share, description=words)

        yield tell


def show_plan(plan: RunPlan) -> None:
    """What would happen, for `--dry-run`."""
    seen = plan.preview()
    print_table(
        ("column", "taken for", "what becomes of it"),
        [(shown_column(one.column), one.role, one.fate) for one in plan.columns()],
    )
    languages = ", ".join(f"{language} {count:,}" for language, count in seen.languages)
    workers = f"{plan.workers} worker{'s' * (plan.workers > 1)}"
    print_table(
        ("", ""),
        [
            ("rows", f"{seen.rows:,}"),
            ("looked at", f"{seen.sample:,} rows: {languages or 'none'}; {seen.held:,} would be held"),
            ("speed", f"about {seen.speed:,.0f} rows a second for a worker"),
            ("time", f"about {duration(seen.seconds)} with {workers}"),
        ],
    )
    say("nothing was written")
