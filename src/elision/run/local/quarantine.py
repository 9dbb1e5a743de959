"""The notes that an earlier run held, to try them again."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from elision.errors import RunError
from elision.formats.tables.source import Shard
from elision.keys import digest_of
from elision.run.local import manifest
from elision.run.local.manifest import DONE

HELD_FILE = "quarantine.jsonl"


def which_held(folder: Path | None, fingerprint: str) -> str:
    """Which notes are tried again, if only those that an earlier run held; its input must be this one."""
    if folder is None:
        return ""
    old = manifest.read(folder)
    if old is None or old.state != DONE:
        raise RunError(f"{folder}: no run has ended here; give the folder of a run's records, such as OUT.run")
    if old.settings["what is in the input"] != fingerprint:
        raise RunError(f"{folder}: that run was over another input, or the input was changed since")
    return f"{folder} {digest_of((folder / HELD_FILE).read_bytes())}"


def rows_held(folder: Path | None, shards: Sequence[Shard]) -> dict[int, frozenset[int]] | None:
    """The rows of each shard that an earlier run held, None if all rows are asked for."""
    if folder is None:
        return None
    with (folder / HELD_FILE).open(encoding="utf-8") as lines:
        numbers = sorted({int(json.loads(line)["row"]) for line in lines})
    starts = [int(shard["start"]) for shard in shards]
    rows: dict[int, set[int]] = {number: set() for number in range(len(starts))}
    for number in numbers:
        shard = bisect_right(starts, number) - 1
        rows[shard].add(number - starts[shard])
    return {number: frozenset(some) for number, some in rows.items()}
