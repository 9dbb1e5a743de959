"""How fast a run is, and how much memory it needs.

    python benchmarks/run.py [NOTES ...] [--workers 2] [--policy tag] [--patients 10]

Notes of about 1.7 KB are generated (the same for the same number; nobody in them exists) and written as Parquet; then
`elision run` cleans them to Parquet with patients and known values, that is, in two looks. Told are the peak memory of
all processes together, notes and megabytes a second, and how often the speed of one engine in one process that is: of
the engine that does the same (detects, learns what each patient's notes tell, searches that, replaces, checks) on notes
that lie in memory, and of one that looks at each batch by itself. With several numbers of notes, the peak of each is
compared with that of the first.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from elision.detect import worth_remembering
from elision.detect.safely import Detected, Values
from elision.errors import HeldError
from elision.formats.tables.columns import Columns
from elision.formats.tables.opening import open_source
from elision.replace.originals import plain
from elision.run.cells import Cell, cells_of
from elision.run.engine import clean, engine_for
from elision.run.how import How
from elision.run.local.workers import GARBAGE

PIECES = "bar bel cor dan der ell fen gar hal ing ker lan mar nor oak pen quin rod sel tam ulm ver win yor"  # of names
WORDS = """
    patient stable overnight without chest pain or fever lungs clear on both sides abdomen soft no swelling of the
    legs blood pressure controlled with the present dose we continue oral treatment and repeat the laboratory tests
    wound is healing well dressing changed slept poorly appetite better walks with help plan discharge when family
    is ready
"""
SENTENCES = (
    "Seen by Dr. {other} on {day}/0{month}/202{year}. ",
    "{last} was told to call (555) 01{month}-{number:04} if the pain returns. ",
    "Her daughter, {relative}, lives at {house} {street} Street. ",
    "The {age}-year-old was admitted on {day} May 202{year}, MRN {mrn}. ",
)


def made(number: int, patients: int) -> Iterator[dict[str, str | None]]:
    """Notes, some to each patient, in an order in which they do not stand together."""
    people, words = max(1, number // patients), WORDS.split()
    for at in range(number):
        rng = random.Random(at)
        who = rng.randrange(people)
        person = random.Random(-1 - who)
        first, last = name(person), name(person)
        text = [f"Name: {first} {last}\n"]
        while sum(map(len, text)) < 1600:
            text.append(" ".join(rng.choices(words, k=rng.randrange(6, 18))).capitalize() + ". ")
            if rng.random() < 0.3:
                text.append(
                    rng.choice(SENTENCES).format(
                        other=name(rng), last=last, relative=name(rng), street=name(rng), day=rng.randrange(10, 28),
                        month=rng.randrange(1, 9), year=rng.randrange(6), number=rng.randrange(10_000),
                        house=rng.randrange(1, 200), age=rng.randrange(20, 99), mrn=rng.randrange(10**6, 10**7),
                    )
                )  # fmt: skip
        known = f"{first} {last}" if rng.random() < 0.5 else None
        yield {"note_id": f"n{at}", "person": f"p{who}", "note": "".join(text), "name": known}


def name(rng: random.Random) -> str:
    return "".join(rng.choices(PIECES.split(), k=rng.randrange(2, 4))).capitalize()


def write(path: Path, number: int, patients: int) -> float:
    """The notes as Parquet; how many megabytes of text they are."""
    rows: list[dict[str, str | None]] = []
    size = 0
    schema = pa.schema([(column, pa.string()) for column in ("note_id", "person", "note", "name")])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for row in made(number, patients):
            size += len(row["note"] or "")
            rows.append(row)
            if len(rows) == 5000:
                writer.write_table(pa.Table.from_pylist(rows, schema))
                rows = []
        if rows:
            writer.write_table(pa.Table.from_pylist(rows, schema))
    return size / 1e6


def memory(root: int) -> tuple[float, float]:
    """Megabytes of a process and all below it: resident, and with shared pages counted once."""
    below = {root}
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    resident = shared_once = 0
    for pid in below:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        sizes = {line.partition(":")[0]: int(line.split()[1]) for line in lines[1:] if line.endswith("kB")}
        resident += sizes.get("Rss", 0)
        shared_once += sizes.get("Pss", 0)
    return resident / 1e3, shared_once / 1e3


def run(source: Path, out: Path, options: list[str]) -> tuple[float, float, float]:
    """Seconds, and the peaks of memory."""
    columns = ["--text", "note", "--id", "note_id", "--patient", "person", "--known", "name=name"]
    program = [sys.executable, "-c", "from elision.cli import main; main()", "run", str(source), "-o", str(out)]
    began = time.perf_counter()
    process = subprocess.Popen([*program, *columns, "--progress", "none", *options])
    resident = shared_once = 0.0
    while process.poll() is None:
        now = memory(process.pid)
        resident, shared_once = max(resident, now[0]), max(shared_once, now[1])
        time.sleep(0.25)
    if process.returncode not in (0, 1):
        sys.exit("the run failed")
    return time.perf_counter() - began, resident, shared_once


class Told:
    """What the notes in memory tell of their patients; see `elision.run.engine.Whole`."""

    def __init__(self) -> None:
        self.values: dict[str, dict[str, dict[str, None]]] = {}
        self.known: set[str] = set()
        self.spans: dict[str, Detected] = {}

    def add(self, cells: Sequence[Cell], found: Sequence[Detected]) -> None:
        for (_, _, note, _), spans in zip(cells, found, strict=True):
            self.spans[note.id] = spans
            told = [] if isinstance(spans, HeldError) else list(worth_remembering(note, spans))
            stated = [(kind, value) for kind, values in note.known.items() for value in values]
            self.known.update(plain(value).strip() for _, value in stated)
            for kind, value in [*told, *stated]:
                self.values.setdefault(note.patient, {}).setdefault(kind, {})[value] = None

    def values_of(self, patient: str) -> Values:
        return self.values[patient]

    def is_known(self, text: str) -> bool:
        return plain(text).strip() in self.known

    def found(self, cells: Sequence[Cell]) -> list[Detected]:
        return [self.spans[cell.document.id] for cell in cells]


def alone(source: Path, how: How, most: int) -> tuple[float, float]:
    """Notes a second of the engine in this process, warm: all that a run does, and batch by batch."""
    opened = open_source(str(source))
    batches = []
    for shard in opened.shards(2000):
        batches += list(opened.read(shard, how.columns.read))
        if sum(map(len, batches)) >= most:
            break
    notes = sum(map(len, batches))
    engine, told = engine_for(how), Told()
    gc.set_threshold(*GARBAGE)  # as in a worker
    list(clean(batches[:1], how))
    began = time.perf_counter()
    for batch in batches:
        cells = cells_of(batch, how)
        told.add(cells, engine.found(cells))
    gc.freeze()  # a run has what it was told on disk
    list(clean(batches, how, told))
    whole = notes / (time.perf_counter() - began)
    began = time.perf_counter()
    list(clean(batches, how))
    return whole, notes / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", nargs="*", type=int, default=[20_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--policy", default="tag")
    parser.add_argument("--patients", type=int, default=10, help="notes a patient")
    parser.add_argument("--alone", type=int, default=20_000, help="at most so many notes for the engine alone")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        options = ["--policy", given.policy, "--workers", str(given.workers)]
        key = ""
        if given.policy != "tag":
            from elision.keys import Key

            key = str(folder / "project.key")
            Key.new().write(key)
            options += ["--key", key]
        first = 0.0
        for number in given.notes or [20_000]:
            source = folder / f"{number}.parquet"
            size = write(source, number, given.patients)
            columns = Columns(("note",), "note_id", "person", known={"name": "name"})
            speed, apart = alone(source, How(columns, given.policy, key), given.alone)
            seconds, resident, shared_once = run(source, folder / f"{number}-out.parquet", options)
            first = first or resident
            print(
                f"{number:,} notes, {size:.0f} MB, {given.workers} workers, policy {given.policy}: {seconds:.1f} s, "
                f"{number / seconds:,.0f} notes/s, {size / seconds:.2f} MB/s; one engine alone {speed:,.0f} notes/s, "
                f"so {number / seconds / speed:.2f} times that "
                f"({apart:,.0f} if it looks at each batch by itself); peak memory {resident:.0f} MB resident "
                f"({shared_once:.0f} MB with shared pages once), {resident / first:.2f} times the first "
                f"(on {os.cpu_count()} processors)"
            )
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
