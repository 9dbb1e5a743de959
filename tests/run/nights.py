"""Nights over small inputs, in this process: what the tests of incremental runs share."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from elision.run.local.night import nightly
from elision.run.local.progress import Ended
from elision.run.local.runner import run
from elision.run.plan import RunOptions, plan
from tests.run.small import Row, a_key, write_rows

NAMES = ("Jane Roebuck", "Mary Alderton", "Anna Fenwick")
TEXTS = (
    "Patient name: {name}\nSeen on 03/04/2021 by Dr. Oakhurst. MRN: 4810{at:02}.",
    "The patient was well and had no pain. {last} was told to come back on May 14.",
    "{last} lives with her mother and was seen by Oakhurst. Phone: (555) 010-00{at:02}.",
    "The patient slept well and has no pain. She is 71 years old.",
    "RR 120/80",  # tells no language, and is held
)
COLUMNS = {"texts": ("text",), "id": "id", "patient": "patient", "known": {"name": "name"}}
KEY = a_key(Path(tempfile.mkdtemp(prefix="elision-nights-")))  # one, as engines are made for a key
atexit.register(shutil.rmtree, Path(KEY).parent, ignore_errors=True)
Snapshot = Sequence[tuple[int, int]]  # notes by number, each with one of the texts


def rows_of(snapshot: Snapshot) -> list[Row]:
    made = []
    for at, which in snapshot:
        name = NAMES[at % 3]
        text = TEXTS[which % len(TEXTS)].format(name=name, last=name.split()[1], at=at)
        known = name if (at + which) % 5 == 0 else None
        made.append({"id": f"n{at}", "patient": f"p{at % 3}", "text": text, "name": known})
    return made


def write_input(path: Path, rows: list[Row]) -> Path:
    """Rows as what the path's ending says, or as a folder of texts."""
    path.unlink(missing_ok=True) if not path.is_dir() else shutil.rmtree(path)
    if path.suffix == ".parquet":
        schema = pa.schema([(name, pa.string()) for name in ("id", "patient", "text", "name")])
        pq.write_table(pa.Table.from_pylist(rows, schema), path)
    elif path.suffix == ".jsonl":
        write_rows(path, rows)
    else:
        path.mkdir()
        for row in rows:
            (path / f"{row['patient']}_{row['id']}.txt").write_text(row["text"])
    return path


def options(**more: Any) -> RunOptions:
    return replace(RunOptions(columns=COLUMNS, policy="surrogate", key=KEY, rows=3, workers=1, effort="rules"), **more)


def night(source: Path, out: object, **more: Any) -> Ended:
    return nightly(plan(str(source), str(out), options(**{"incremental": True, "deleted": "remove", **more})))


def once(source: Path, out: object, **more: Any) -> Ended:
    return run(plan(str(source), str(out), options(**more)))


def left_by(out: Path) -> dict[str, bytes]:
    """All that comes out, and the records of it."""
    records = out.with_name(f"{out.name}.run")
    files = {file: file.read_bytes() for file in (records / "receipts.jsonl", records / "quarantine.jsonl")}
    outs = [file for file in out.rglob("*") if file.is_file()] if out.is_dir() else [out]
    files |= {file: file.read_bytes() for file in outs}
    return {str(file.relative_to(out.parent)).replace(out.name, "OUT"): data for file, data in files.items()}
