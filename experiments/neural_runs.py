"""One learning and its scores, as a JSON file that is written once: what stands there is not learnt again.

A file is named by the corpus, the model, a digest of all that decides the result, and the seed. It holds figures, the
counts of each note (so that systems can be tested against each other without their notes), all spans found, times and
versions. While a neural tagger learns, `checkpoints` beside the files keeps where it stands.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import elision
from elision.cli.choices import told
from elision.cli.train_report import progress
from elision.detect.base import Detector
from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.matching import Pair, strict
from elision.evaluate.measures import tally_measures
from elision.evaluate.tally import Tally
from elision.evaluate.token_labels import token_labels
from elision.models import store as models
from elision.papers.baselines import menger2018, zhao2018_rules
from elision.taggers import store
from elision.taggers.base import Recipe, Watch
from elision.taggers.checkpoints import Checkpoints
from elision.taggers.corpus import fingerprint
from elision.taggers.presets import preset
from experiments.neural_corpora import Corpus, labelled

FORM = "elision neural experiment 1"
RULES = "rules"  # the papers' systems of lists and patterns: Zhao 2018 for Chinese, like DEDUCE for Dutch
LEVELS = ("entity", "token", "binary token")
CHECKPOINTS, MODELS = "checkpoints", "models"


@dataclass(frozen=True, slots=True)
class Job:
    """A model to learn on a corpus."""

    corpus: Corpus
    model: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    swept: str = ""  # the setting that changes in a sweep

    def fixed(self) -> bool:
        """Whether it draws no random numbers, so that one seed is all."""
        return self.model == RULES or self.settings().trainer == "crfsuite"

    def settings(self) -> Recipe:
        """What is learnt; the skeleton's factor is the paper's for the corpus unless it is given."""
        options = {**self.options}
        if self.model == "ts-gru":
            options.setdefault("r", self.corpus.r)
        if self.corpus.words and "cut" not in options:
            options["words"] = True
        found: Recipe = preset(self.model, self.corpus.train, language=self.corpus.language, seed=self.seed, **options)
        return found

    def key(self) -> dict[str, Any]:
        """All that decides the result, as JSON."""
        settings = self.settings() if self.model != RULES else None
        options = told(self.options, settings) if settings else {}
        if folder := self.options.get("pretrained"):
            options["pretrained"] += f" {models.fingerprint(Path(folder))[:8]}"
        if self.model == "ts-gru":
            options.setdefault("r", self.corpus.r)
        notes = {"train": fingerprint(self.corpus.train), "test": fingerprint(self.corpus.test)}
        return {
            "corpus": self.corpus.name, "about": dict(self.corpus.about), "notes": notes, "model": self.model,
            "options": options, "seed": self.seed,
        }  # fmt: skip


def stem(key: Mapping[str, Any]) -> str:
    what = json.dumps({name: value for name, value in key.items() if name != "seed"}, sort_keys=True)
    digest = hashlib.sha256(what.encode()).hexdigest()[:8]
    return f"{key['corpus']}_{key['model']}_{digest}_seed{key['seed']}"


def run(job: Job, out: Path, threads: int = 1, *, keep: bool = False) -> Path:
    """Learn and score, unless that is done; the file of the results. `keep` keeps the model, too."""
    key = job.key()
    file = out / f"{stem(key)}.json"
    if file.exists():
        if result(file)["key"] != key:
            raise ScoreError(f"{file}: holds another result than its name says; remove it, and run again")
        return file
    facts, found = _rules(job) if job.model == RULES else _learnt(job, out, file.stem, threads, keep=keep)
    scored = scores(job.corpus.pairs(found), found)
    versions = {name: _version(name) for name in ("numpy", "torch", "python-crfsuite", "jieba")}
    versions = {"elision": elision.__version__, "python": platform.python_version(), **versions}
    printed = datetime.now(UTC).date().isoformat()
    about = {
        "fixed": job.fixed(),
        "swept": job.swept,
        "versions": versions,
        "threads": threads,
        "cores": os.cpu_count(),
        "printed": printed,
    }
    write_whole(file, {"form": FORM, "key": key, **facts, **about, **scored})
    _forget(out / CHECKPOINTS, file.stem)
    return file


def _rules(job: Job) -> tuple[dict[str, Any], list[Document]]:
    """The papers' rules, which learn nothing."""
    known: dict[str, Callable[[], Detector]] = {"zh": zhao2018_rules, "nl": partial(menger2018, known=False)}
    corpus = job.corpus
    if corpus.language not in known:
        raise ScoreError(f"{RULES}: no paper has rules for {corpus.name}; leave {RULES} out of --models")
    detector = known[corpus.language]()
    began = time.perf_counter()
    found = _found(detector.detect(_bare(corpus.test)), corpus)
    found = labelled(found, corpus.ways) if corpus.ways else found
    return {"seconds": {"learn": 0.0, "tag": time.perf_counter() - began}, "network": {}}, found


def _learnt(job: Job, out: Path, name: str, threads: int, *, keep: bool) -> tuple[dict[str, Any], list[Document]]:
    settings, corpus = job.settings(), job.corpus
    _limit(threads)
    folder = out / CHECKPOINTS
    clock = Clock(folder / f"{name}.json")
    neural = settings.kind == "neural"
    with progress(settings.epochs * settings.seeds, settings.epochs, settings.trainer) as shown:
        tagger = store.fit(
            settings, corpus.train, watch=clock.watching(shown), checkpoints=folder / name if neural else None
        )
    learn = clock.seconds()
    began = time.perf_counter()
    found = _found(tagger.detect(_bare(corpus.test)), corpus)
    tag = time.perf_counter() - began
    if keep:
        tagger.noting(preset=job.model).save(out / MODELS / name, overwrite=True)
    return {
        "settings": getattr(settings, "as_json", dict)(),
        "network": tagger.card.get("network", {}),
        "tokens": tagger.card["training"]["tokens"],
        "seconds": {"learn": learn[0], "learn, processor": learn[1], "tag": tag},
    }, found


def _limit(threads: int) -> None:
    try:
        import torch
    except ImportError:
        return  # linear taggers need none, and neural ones say that they do
    torch.set_num_threads(threads)


def _bare(notes: Sequence[Document]) -> list[Document]:
    return [note.with_spans(()) for note in notes]


def _found(spans: Sequence[Sequence[Span]], corpus: Corpus) -> list[Document]:
    return [note.with_spans(found) for note, found in zip(corpus.test, spans, strict=True)]


def scores(pairs: Sequence[Pair], found: Sequence[Document]) -> dict[str, Any]:
    """Figures, those by category at the level of tokens, and what they follow from, note by note."""
    tokens = token_labels(pairs)
    tallies = dict(zip(LEVELS, (strict(pairs).all(), tokens.tally().all(), tokens.binary()), strict=True))
    by_label = tokens.tally()
    return {
        "figures": {level: _figures(tally) for level, tally in tallies.items()},
        "categories": {
            label: {"gold": int(by_label.of(label).gold.sum()), **_figures(by_label.of(label))}
            for label in by_label.labels
        },
        "counts": {level: tally.columns().astype(int).tolist() for level, tally in tallies.items()},
        "patients": [gold.patient or gold.id for gold, _ in pairs],
        "spans": {note.id: [[span.start, span.end, span.label] for span in note.spans] for note in found},
    }


def _figures(tally: Tally) -> dict[str, float]:
    return {measure.name.removeprefix("."): measure.value for measure in tally_measures("", tally)}


class Clock:
    """Seconds of a learning, by the wall and of the processor, with those of before it was stopped."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.before = (0.0, 0.0)
        if file.exists():
            wall, processor = json.loads(file.read_text("utf-8"))
            self.before = (wall, processor)
        self.began = (time.perf_counter(), time.process_time())

    def seconds(self) -> tuple[float, float]:
        now = (time.perf_counter(), time.process_time())
        return (
            self.before[0] + now[0] - self.began[0],
            self.before[1] + now[1] - self.began[1],
        )

    def watching(self, shown: Watch | None) -> Watch:
        def watch(seed: int, epoch: int, loss: float, f1: float | None) -> None:
            write_whole(self.file, self.seconds())
            if shown:
                shown(seed, epoch, loss, f1)

        return watch


def write_whole(file: Path, what: object) -> None:
    """JSON that is there whole or not at all; seeds may be learnt side by side, in threads."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}")
    part.write_text(json.dumps(what, ensure_ascii=False, allow_nan=False) + "\n", "utf-8")
    part.replace(file)


def result(file: Path) -> dict[str, Any]:
    """What a file of results holds."""
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("form") != FORM:
        raise ScoreError(f"{file}: is no result of these experiments; remove it, or give another folder")
    return found


def results(folder: Path) -> Iterator[dict[str, Any]]:
    """All results of a folder, by name."""
    return (result(file) for file in sorted(folder.glob("*.json")))


def _forget(checkpoints: Path, name: str) -> None:
    """What stands of a learning that is done."""
    Checkpoints(checkpoints / name, {}).remove()
    (checkpoints / f"{name}.json").unlink(missing_ok=True)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
