"""Runs: a system is trained, tags the test notes, and what it found is kept in a file. What is kept is not made again.

A file is named by a digest of all that decides the result: the notes, the settings, the code, and the versions of what
trains. It holds offsets, labels and times, and no word of a note. A file that is damaged is made again.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import elision
from elision.document import Document, Span
from elision.errors import ModelError
from elision.evaluate.splits import k_fold
from elision.formats.atomic import write_text
from elision.models import store as models
from elision.papers.studies.notes import Notes
from elision.papers.studies.searched import SEARCHED, SHARES, choice_of, file_of, searched
from elision.papers.studies.study import Run
from elision.papers.studies.systems import RULES, found_by_rules, in_one_thread, settings_of
from elision.papers.studies.together import side_by_side
from elision.taggers import store
from elision.taggers.base import Recipe, Watch
from elision.taggers.checkpoints import KIND, Checkpoints

FORM = "elision paper run 1"
FOLDER, CHECKPOINTS = "runs", "checkpoints"
CODE = ("bio.py", "papers", "rules", "taggers", "text")  # what decides how a system is trained and tags
APART = "studies"  # counts and tables: they train nothing
SOON = 60.0  # seconds, by estimate: runs that take less are made one after another
TRAINERS = ("numpy", "python-crfsuite", "torch")

Found = tuple[tuple[Span, ...], ...]  # by test note
Told = Callable[[str], None]


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A run with its notes and settings, and where its result is kept."""

    run: Run
    train: tuple[Document, ...] = field(repr=False)
    test: tuple[Document, ...] = field(repr=False)
    settings: Recipe | None  # None for rules
    seed: int
    file: Path
    labels: str
    trials: int = 0  # of a random search for its settings

    @property
    def trains(self) -> int:
        return self.run.folds or (0 if self.settings is None else 1)


@dataclass(frozen=True, slots=True, eq=False)
class Result:
    """What a run found in its test notes, and how long it took."""

    job: Job
    found: Found = field(repr=False)
    seconds: float


def job_of(run: Run, notes: Notes, labels: str, out: Path, seed: int, *, quick: bool, trials: int = 0) -> Job:
    train, test = notes.of(run.train), notes.of(run.test)
    settings = None if run.preset in RULES else settings_of(run, train[0].language, train, seed, quick=quick)
    trials = trials if run.preset in SEARCHED else 0
    key = {**_key(run, train, test, settings, seed, labels), **({"trials": trials} if trials else {})}
    digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode())
    name = re.sub(r"[^a-z0-9]+", "-", run.name.lower()).strip("-")
    file = out / FOLDER / f"{name}-{digest.hexdigest()[:16]}.json"
    return Job(run, train, test, settings, seed, file, labels, trials)


def kept(job: Job) -> Result | None:
    """What an earlier command found; None where there is nothing whole."""
    try:
        table = json.loads(job.file.read_text("utf-8"))
        rows, digest = table["found"], table["sha256"]
        if table["form"] != FORM or digest != _digest(rows) or len(rows) != len(job.test):
            return None
        return Result(job, tuple(tuple(Span(s, e, label) for s, e, label in row) for row in rows), table["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def do(job: Job, watch: Watch | None = None) -> Result:
    """Train, tag, and keep what was found."""
    began = time.perf_counter()
    found = _cross_validated(job, watch) if job.run.folds else _found(job, job.train, job.test, watch)
    seconds = time.perf_counter() - began
    rows = [[[span.start, span.end, span.label] for span in spans] for spans in found]
    facts = {"form": FORM, "run": job.run.name, "seconds": seconds, "units": units(job), "sha256": _digest(rows)}
    write_text(job.file, json.dumps({**facts, "found": rows}) + "\n")
    Checkpoints(_checkpoints(job), {}).remove()
    return Result(job, found, seconds)


def units(job: Job) -> float:
    """About how many seconds a run takes on a slow machine, from how much there is to learn from."""
    settings, size = job.settings, sum(len(note.text) for note in job.train)
    tagged = 2e-6 * sum(len(note.text) for note in job.test)
    if settings is None:
        return 10 * tagged
    if settings.kind == "neural":
        cost = 4e-5 * settings.epochs * max(1.0, getattr(settings, "hidden", 128) / 128)
    elif settings.trainer == "crfsuite":
        cost = 1.5e-6 * float(getattr(settings, "options", {}).get("max_iterations", 200))
    elif settings.trainer == "svm":
        cost = 3e-4 + 6e-6 * float(getattr(settings, "vectors", 0))
    else:
        cost = 2.5e-6 * settings.epochs
    return tagged + cost * size * settings.seeds * max(1, job.run.folds) * (1 + SHARES[0] * job.trials)


def seconds_left(jobs: Sequence[Job], done: Iterable[Job]) -> float:
    """An estimate for jobs to do; what was done before on this machine tells how fast it is."""
    told = [table for job in done if (table := _times(job))]
    planned = sum(table[0] for table in told)
    pace = sum(table[1] for table in told) / planned if planned > 0 else 1.0
    return pace * sum(map(units, jobs))


def _times(job: Job) -> tuple[float, float] | None:
    try:
        table = json.loads(job.file.read_text("utf-8"))
        return float(table["units"]), float(table["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _cross_validated(job: Job, watch: Watch | None) -> Found:
    """Each note tagged by a system that was trained on the other folds."""
    found: dict[str, tuple[Span, ...]] = {}
    for split in k_fold(job.test, job.run.folds, job.seed):
        spans = _found(job, split.train, split.test, watch)
        found |= {note.id: each for note, each in zip(split.test, spans, strict=True)}
    return tuple(found[note.id] for note in job.test)


def _found(job: Job, train: Sequence[Document], test: Sequence[Document], watch: Watch | None) -> Found:
    bare = [note.with_spans(()) for note in test]
    if job.settings is None:
        return found_by_rules(job.run.preset, bare, job.labels)
    settings = job.settings
    if job.trials:
        settings = searched(settings, train, job.trials, job.seed, file_of(job.file))
    checkpoints = _checkpoints(job) if settings.kind == "neural" and not job.run.folds else None
    if settings.kind == "neural":
        in_one_thread()
    tagger = store.fit(settings, train, watch=watch, checkpoints=checkpoints)
    return tuple(tuple(spans) for spans in tagger.detect(bare))


def begins_anew(job: Job) -> bool:
    """Whether what an earlier command left of this run's learning was damaged; it is taken away then."""
    folder = _checkpoints(job)
    if not folder.is_dir() or not any(folder.iterdir()):
        return False
    try:
        models.load(folder, (KIND,))
    except ModelError:
        shutil.rmtree(folder)  # named by the digest of this run: nobody else's
        return True
    return False


def _checkpoints(job: Job) -> Path:
    return job.file.parent.parent / CHECKPOINTS / job.file.stem


def _key(
    run: Run,
    train: Iterable[Document],
    test: Iterable[Document],
    settings: Recipe | None,
    seed: int,
    labels: str,
) -> Mapping[str, Any]:
    """All that decides the result."""
    return {
        "form": FORM,
        "preset": run.preset,
        "settings": getattr(settings, "as_json", dict)(),
        "train": _digest([_lines(note) for note in train]),
        "test": _digest([_lines(note) for note in test]),
        "folds": run.folds,
        "seed": seed,
        "labels": labels,
        "code": code(),
        "versions": {name: _version(name) for name in TRAINERS},
    }


def _lines(note: Document) -> list[Any]:
    return [note.id, note.patient, note.language, note.text, [[s.start, s.end, s.label] for s in note.spans]]


def _digest(what: object) -> str:
    return hashlib.sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()


@cache
def code() -> str:
    """The version of elision, and a digest of the code that trains and tags."""
    home = Path(elision.__file__).parent
    files = [file for name in CODE for file in ([home / name] if name.endswith(".py") else (home / name).rglob("*.py"))]
    digest = hashlib.sha256()
    for file in sorted(files):
        if APART not in file.parts:
            digest.update(file.relative_to(home).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{elision.__version__} {digest.hexdigest()[:16]}"


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def all_of(jobs: Sequence[Job], say: Told, watching: Callable[[Job], Any], processes: int = 1) -> dict[str, Result]:
    """The results of all jobs: kept ones, and those that are made now. `watching` shows one as it learns; where they
    take longer than SOON, some are made side by side, and nothing but their end is shown."""
    results = {job.run.name: found for job in jobs if (found := kept(job))}
    to_do = [job for job in jobs if job.run.name not in results]
    for job in to_do:
        if job.file.exists():
            say(f"{job.file}: is damaged, so this run is made again")
    if results:
        say(f"{len(results):,} of {len(jobs):,} runs are there from before")
    for job in to_do:
        if begins_anew(job):
            say(f"{job.run.name}: its checkpoint is damaged, so this run begins anew")
    long = seconds_left(to_do, jobs)
    many = min(processes, len(to_do)) if long > SOON else 1
    if to_do:
        beside = f", {many} side by side" if many > 1 else ""
        say(f"{len(to_do):,} runs to train{beside}: {about(long / many)} on a machine like this, by estimate")
    for at, result in enumerate(_made(to_do, watching, many), start=1):
        name, job = result.job.run.name, result.job
        results[name] = result
        rest = [each for each in to_do if each.run.name not in results]
        left = f"; {about(seconds_left(rest, jobs) / min(many, len(rest)))} left" if rest else ""
        say(f"{at} of {len(to_do)}: {name}, {result.seconds:.0f} s{left}")
        if chosen := choice_of(file_of(job.file)) if job.trials else "":
            say(f"{name}: {chosen}")
    return {job.run.name: results[job.run.name] for job in jobs}


def _made(jobs: Sequence[Job], watching: Callable[[Job], Any], processes: int) -> Iterator[Result]:
    if processes > 1:
        for job, result in side_by_side(do, jobs, units, processes):
            yield Result(job, result.found, result.seconds)
        return
    for job in jobs:
        with watching(job) as watch:
            result = do(job, watch)
        yield result


def about(seconds: float) -> str:
    """A time in words, as roughly as it is known."""
    if seconds < 90:
        return f"about {max(5, round(seconds / 5) * 5):.0f} seconds"
    return f"about {seconds / 60:.0f} minutes" if seconds < 5400 else f"about {seconds / 3600:.1f} hours"
