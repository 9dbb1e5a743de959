"""A generator of notes, runs over small files of them, and detectors that fail: for tests of the runner."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from elision.document import Document, Span
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import open_sink
from elision.keys import Key
from elision.run.how import How
from elision.run.local.progress import Ended
from elision.run.local.runner import run
from elision.run.plan import RunPlan

COLUMNS = Columns(texts=("text",), id="id", patient="patient", known={"name": "name"})
FIRST = ("Jane", "Mary", "Anna", "Ellen", "Ruth", "Clara", "Edith", "Nora", "Ida", "Hugo")
LAST = ("Roebuck", "Alderton", "Fenwick", "Marlowe", "Tillman", "Oakhurst", "Penrose", "Quimby", "Stanhope", "Winslow")
Row = dict[str, Any]


def rows(number: int, seed: int = 1, patients: int = 7) -> list[Row]:
    """Notes of invented patients. Of a name that stands in some of them, only another note says that it is one."""
    rng = random.Random(seed)
    people = [f"{rng.choice(FIRST)} {rng.choice(LAST)}" for _ in range(patients)]
    made = []
    for at in range(number):
        patient = rng.randrange(patients)
        name = people[patient]
        texts = (
            f"Patient name: {name}\nSeen on 03/0{rng.randrange(1, 9)}/2021 by Dr. {rng.choice(LAST)}. MRN: 48{at:05}.",
            f"The patient was well and had no pain. {name.split()[1]} was told to come back on May {1 + at % 28}.",
            f"Phone: (555) 010-{at % 10000:04}. She is {20 + at % 75} years old and lives with her mother.",
        )
        known = name if rng.random() < 0.3 else None
        made.append(
            {"id": f"n{at}", "patient": f"p{patient}", "text": rng.choice(texts), "name": known, "extra": "ward 3"}
        )
    return made


def write_rows(path: Path, data: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in data))
    return path


def read_rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def by_id(path: Path) -> dict[str, Row]:
    return {row["id"]: row for row in read_rows(path)}


def plan(source: Any, out: Path, how: How | None = None, **options: Any) -> RunPlan:
    """A run from a file of rows, or a source, to a file."""
    opened = open_source(source) if isinstance(source, Path) else source
    chosen = how or How(COLUMNS)

    def sink(staging: Path, schema: Any, may: bool) -> Any:
        return open_sink(out, opened, chosen.columns, schema, staging=staging, force=may)

    return RunPlan(opened, chosen, str(out), out.with_name(f"{out.name}.run"), sink, **options)


def done(source: Any, out: Path, how: How | None = None, **options: Any) -> Ended:
    return run(plan(source, out, how, **{"rows": 10, **options}))


def a_key(folder: Path) -> str:
    path = folder / "project.key"
    if not path.exists():
        Key.new().write(path)
    return str(path)


def remove(out: Path) -> None:
    out.unlink(missing_ok=True)
    shutil.rmtree(out.with_name(f"{out.name}.run"), ignore_errors=True)


class Failing:
    """A detector that finds nothing, and fails over notes with certain words."""

    name, version = "failing", "1"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        for document in documents:
            if "die here" in document.text:
                os._exit(9)
            if "die once in " in document.text:
                flag = Path(document.text.partition("die once in ")[2].split()[0])
                if not flag.exists():
                    flag.touch()
                    os._exit(9)
            if "hang here" in document.text:
                while True:
                    time.sleep(0.01)
            if "hang in C here" in document.text:
                re.match(r"(a+)+$", "a" * 60 + "b")  # holds the interpreter for years
            if "eat memory here" in document.text:
                eaten = []
                while True:
                    eaten.append(bytearray(os.urandom(1 << 20) * 8))
            if "no memory for many" in document.text and len(documents) > 1:
                raise MemoryError(document.text)
            if "no memory here" in document.text:
                raise MemoryError(document.text)
            if "fail here" in document.text:
                raise ValueError(document.text)
            if "beyond here" in document.text:
                return [(Span(0, len(document.text) + 1, "NAME"),) for document in documents]
            if "odd label here" in document.text:
                return [(Span(0, 3, "NO_SUCH_LABEL"),) for _ in documents]
        return [() for _ in documents]


def failing(_language: str) -> Failing:
    return Failing()


@dataclass(frozen=True)
class Broken:
    """A source that fails in the middle, with a note in its message; or that takes its time."""

    inner: Any
    at: int = 1 << 30
    slow: float = 0.0

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)
        return getattr(self.inner, name)

    def read(self, shard: dict[str, Any], names: Sequence[str] | None = None) -> Iterator[Any]:
        for batch in self.inner.read(shard, names):
            time.sleep(self.slow)
            if shard["start"] >= self.at and "text" in batch.schema.names:
                raise ValueError(f"cannot read {batch.to_pylist()}")
            yield batch
