"""Breaks the code on purpose, in copies, and looks whether the tests notice: `make mutations`.

    python -m tests.mutations.run [ID …] [--jobs N]

Ends with 0 if every mutation was noticed. The cases that have noticed are then run on the code as it is: one that fails
there, too, has noticed nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tests.mutations.listed import ROOT, SOURCE, Mutation, guarantees

EXAMPLES = "100"  # of a property
PATIENCE = 300  # seconds for the tests of one mutation
NOTICED, UNNOTICED, UNUSABLE = "noticed", "NOT NOTICED", "CANNOT BE MADE"
FAILED = 1  # pytest's status if a test has failed; others say that it did not come to that


@dataclass(frozen=True)
class Outcome:
    """What came of a mutation."""

    mutation: Mutation
    verdict: str
    by: str  # the test that noticed, or what went wrong
    seconds: float = 0.0


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the source. Files are shared with the original until one is written anew."""
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCE, copy, copy_function=_link, ignore=shutil.ignore_patterns("*.egg-info"))
        yield copy


def _link(original: str, copy: str) -> None:
    try:
        os.link(original, copy)
    except OSError:  # another disk
        shutil.copy2(original, copy)


def run_tests(source: Path, tests: Iterable[str], patience: float = PATIENCE) -> tuple[int, str, str]:
    """Tests with this source in front of any other: pytest's status, the case that failed, and what was printed."""
    path = os.pathsep.join(filter(None, (str(source), str(ROOT), os.environ.get("PYTHONPATH"))))
    failed = source.with_name("failed")
    command = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-p", "no:cacheprovider", "--tb", "line"]
    done = subprocess.run(
        [*command, "-p", "tests.mutations.failed", *tests],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path, "ELISION_EXAMPLES": EXAMPLES, "FAILED": str(failed)},
        capture_output=True,
        text=True,
        timeout=patience,
    )
    return done.returncode, failed.read_text("utf-8") if failed.exists() else "", done.stdout + done.stderr


def tried(mutation: Mutation) -> Outcome:
    """Break a copy and run the tests that must notice."""
    if wrong := mutation.wrong():
        return Outcome(mutation, UNUSABLE, wrong)
    began = time.monotonic()
    with copied() as source:
        mutation.apply(source)
        try:
            status, failed, said = run_tests(source, mutation.tests)
        except subprocess.TimeoutExpired:
            return Outcome(mutation, UNUSABLE, f"its tests do not end within {PATIENCE} s", time.monotonic() - began)
    seconds = time.monotonic() - began
    if status == FAILED:
        return Outcome(mutation, NOTICED, failed, seconds)
    if status == 0:
        return Outcome(mutation, UNNOTICED, ", ".join(mutation.tests), seconds)
    return Outcome(mutation, UNUSABLE, said.strip()[-300:], seconds)


def as_it_is(outcomes: list[Outcome]) -> list[Outcome]:
    """The same, after a look at what the cases that have noticed say of the code as it is."""
    with copied() as source:
        where = "import elision; print(elision.__file__)"
        env = {**os.environ, "PYTHONPATH": str(source)}
        told = subprocess.run([sys.executable, "-c", where], env=env, cwd=ROOT, capture_output=True, text=True)
        if not told.stdout.startswith(str(source)):
            raise SystemExit(f"a copy of the source is not what is imported: {told.stdout}{told.stderr}")
        waiting = sorted({outcome.by for outcome in outcomes if outcome.verdict == NOTICED})
        broken = set()
        while waiting:
            status, failed, said = run_tests(source, waiting, PATIENCE * len(waiting))
            if status == 0:
                break
            if failed not in waiting:
                raise SystemExit(f"the tests do not run on the code as it is: {said[-2000:]}")
            broken.add(failed)
            waiting = [case for case in waiting if case != failed]
    why = "fails on the code as it is, too"
    return [replace(one, verdict=UNUSABLE, by=f"{one.by} {why}") if one.by in broken else one for one in outcomes]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*", help="only these mutations")
    parser.add_argument("--jobs", type=int, default=2, help="how many are tried at once")
    given = parser.parse_args()
    titles = {one.id: one.title for one in guarantees()}
    chosen = [m for one in guarantees() for m in one.mutations if not given.ids or m.id in given.ids]
    if strange := set(given.ids) - {mutation.id for mutation in chosen}:
        parser.error(f"no such mutation: {', '.join(sorted(strange))}")
    began = time.monotonic()
    with ThreadPoolExecutor(given.jobs) as pool:
        outcomes = []
        for outcome in pool.map(tried, chosen):
            outcomes.append(outcome)
            print(_line(titles[outcome.mutation.guarantee], outcome), flush=True)
    outcomes = as_it_is(outcomes)
    missed = [outcome for outcome in outcomes if outcome.verdict != NOTICED]
    print(f"{len(outcomes)} mutations, {len(outcomes) - len(missed)} noticed, {time.monotonic() - began:.0f} s")
    for outcome in missed:
        print(f"{outcome.mutation.id}: {outcome.verdict}: {outcome.mutation.what}: {outcome.by}")
    return 1 if missed else 0


def _line(title: str, outcome: Outcome) -> str:
    mutation = outcome.mutation
    return f"{outcome.verdict:11}  {outcome.seconds:5.1f} s  {title:32}  {mutation.id:28}  {outcome.by}"


if __name__ == "__main__":
    sys.exit(main())
