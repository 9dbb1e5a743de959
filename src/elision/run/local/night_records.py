"""What a night leaves: receipts, held notes, the store and the change of the output, made beside the old ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from elision.errors import RunError
from elision.evidence.receipts import Receipt, Total
from elision.evidence.receipts import canonical as as_line
from elision.formats.atomic import writing
from elision.formats.tables.amending import GOES, NEW, STAYS, Amendment
from elision.keys import Key
from elision.run.local import shards
from elision.run.local.folder import HELD_FILE, RECEIPTS_FILE
from elision.run.local.night_plan import LOOK, Night
from elision.run.local.night_shards import NightJob
from elision.run.local.night_store import Kept, NightStore, Old, Whole
from elision.run.local.shards import CLEAN

_IS_DONE = '"status":"done"'  # in the line of a receipt: no text in it can have these quotes


@dataclass(frozen=True)
class Order:
    """The rows of the new output: their keys, a letter for each, and one for each row of the old output."""

    keys: Whole
    new: str
    old: str


def order_of(night: Night, old: Old, emitted: Sequence[int]) -> Order:
    """The rows in the order of the input."""
    is_new = np.zeros(len(night.keys), bool)
    is_new[list(emitted)] = True
    goes = np.ones(len(old.keys), bool)
    goes[night.was[~is_new]] = False
    new = "".join(NEW if one else STAYS for one in is_new.tolist())
    return Order(night.keys, new, "".join(GOES if one else STAYS for one in goes.tolist()))


def new_receipts(
    folder: Path, job: NightJob, order: Order, old: Old, summary: dict[str, Any] | None, columns: dict[str, str]
) -> tuple[Amendment, dict[str, Any]]:
    """Write the receipts into the staging folder: old lines as they are, and new ones. What changes in the output, and
    the new summary. `summary`: the old one."""
    key = Key.read(job.how.key)
    total = Total.since(summary, key) if summary else Total(key)
    old_notes, new_notes, gone = list[str](), list[str](), list[str]()

    def stay() -> Iterator[list[str]]:
        lines = lines_of(folder / RECEIPTS_FILE)
        for letter, count in zip(order.old, old.notes.tolist(), strict=True):
            theirs = list(islice(lines, count))
            for line in theirs:
                if _IS_DONE in line:
                    old_notes.append(letter)
                if letter == GOES:
                    receipt = Receipt.read(line, str(folder / RECEIPTS_FILE))
                    total.goes(receipt)
                    gone.extend([receipt.note] if _IS_DONE in line else [])
            if letter == STAYS:
                yield theirs

    with writing(job.staging / RECEIPTS_FILE, synced=True) as stream:
        staying, fresh = stay(), _fresh(job)
        for letter in order.new:
            lines = next(staying if letter == STAYS else fresh, [])
            for line in lines:
                if letter == STAYS:
                    total.stays(line)
                else:
                    total.add(Receipt.read(line))
                if _IS_DONE in line:
                    new_notes.append(letter)
                stream.write(line.encode() + b"\n")
        for _ in staying:  # those at the end that go
            pass
        made = total.summary(columns)
        stream.write(as_line(made).encode() + b"\n")
    return Amendment(order.old, order.new, "".join(old_notes), "".join(new_notes), tuple(gone)), made


def lines_of(file: Path) -> Iterator[str]:
    """The lines of receipts."""
    try:
        with file.open(encoding="utf-8") as lines:
            yield from (line.rstrip("\n") for line in lines)
    except (OSError, UnicodeDecodeError):
        raise RunError(
            f"{file}: cannot be read, so nothing can be added; bring it back from a backup, or begin anew with --force"
        ) from None


def _fresh(job: NightJob) -> Iterator[list[str]]:
    """The receipts of each row that was cleaned."""
    for shard in sorted(shards.done(job.staging, CLEAN)):
        lines = lines_of(shards.receipts_of(job.staging, shard))
        for row in job.records("cleaned", shard):
            yield list(islice(lines, row["notes"]))


def new_held(job: NightJob) -> tuple[int, dict[str, int]]:
    """Write the list of held notes into the staging folder; how many there are, by reason."""
    kinds: dict[str, int] = {}
    with writing(job.staging / HELD_FILE, synced=True) as stream:
        for one in held_tonight(job):
            kinds[one["why"]] = kinds.get(one["why"], 0) + 1
            stream.write(json.dumps(one, ensure_ascii=False).encode() + b"\n")
    return sum(kinds.values()), kinds


def held_tonight(job: NightJob) -> Iterator[dict[str, Any]]:
    for shard in sorted(shards.done(job.staging, CLEAN)):
        yield from json.loads(shards.mark(job.staging, CLEAN, shard).read_bytes())["held"]


def new_rows(job: NightJob, night: Night, store: NightStore) -> Iterator[Kept]:
    """What is kept of the rows that were cleaned."""
    for shard in sorted(shards.done(job.staging, CLEAN)):
        start = night.starts[shard]
        looked = {row["row"]: row for row in job.records("looked", shard)}
        cleaned = job.records("cleaned", shard)
        older = store.taught(
            int(night.keys[start + row["row"]]) for row in cleaned if night.do[start + row["row"]] != LOOK
        )
        for one in cleaned:
            row = start + one["row"]
            key = int(night.keys[row])
            if night.do[row] == LOOK:
                taught = tuple(looked[one["row"]][name] for name in ("told", "known", "spans"))
            else:
                taught = older[key]
            told, known, spans = taught
            yield Kept(
                key=key,
                place=-1,
                hash=night.hashes[row].tobytes(),
                patient=int(night.patients[row]),
                held=one["held"],
                notes=one["notes"],
                characters=one["characters"],
                nulls=one["nulls"],
                told=told,
                known=known,
                asked=one["asked"],
                remembered=one["remembered"],
                spans=spans,
            )
