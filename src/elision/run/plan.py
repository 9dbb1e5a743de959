"""What a run will do, put together from what somebody says and what is there; a runner does it.

made = plan("notes.csv", "clean.csv", RunOptions(policy="mask"))
elision.run.local.runner.run(made)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elision.effort import effort_of
from elision.errors import FormatError
from elision.formats.tables.columns import Columns, omop
from elision.formats.tables.opening import open_source
from elision.formats.tables.sink import Sink, open_sink
from elision.formats.tables.source import MOST_CELL, Source
from elision.languages.telling.deciding import check_codes, unpacked
from elision.limits import Limits
from elision.pipeline import MOST
from elision.run.column_roles import ColumnRole, described, guess
from elision.run.engine import How
from elision.run.ids import with_ids
from elision.run.preview import Preview, cells, preview, sample
from elision.showing import column as shown_column

ROWS = 2000  # of a shard
MakeSink = Callable[[Path, Any, bool], Sink]  # staging, the schema of what goes out, whether to replace what is there
Warn = Callable[[str], None]


def _silent(_: str) -> None:
    pass


@dataclass(frozen=True)
class RunOptions:
    """All that may be said of a run. `columns`: fields of `Columns`; what is not said is guessed, or is as here."""

    columns: Mapping[str, Any] = field(default_factory=dict)
    columns_file: Path | None = None
    omop: bool = False  # IN and OUT are OMOP NOTE tables
    policy: str = "tag"
    key: str = ""
    language: str = ""
    default_language: str = ""
    rules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    dial: float | None = None
    effort: str = field(default_factory=effort_of)
    memory: bool = True
    most: int = MOST  # bytes of a note; longer ones are held
    limits: Limits = field(default_factory=Limits)
    format: str = ""  # of IN
    to: str = ""  # of OUT
    encoding: str = "utf-8"
    header: bool = True
    raw_cells: bool = False
    status: bool = True
    workers: int = 0  # as many as there are processors
    rows: int = ROWS
    folder: Path | None = None  # of the run's records
    force: bool = False
    ids: str = ""  # "keep" or "keyed"
    repeated_ids: bool = False
    held_of: Path | None = None


@dataclass(frozen=True)
class RunPlan:
    """What is run: from where, how, to where."""

    source: Source
    how: How
    out: str
    folder: Path  # of the run
    sink: MakeSink
    workers: int = 1
    rows: int = ROWS
    status: bool = True
    force: bool = False
    repeated_ids: bool = False
    held_of: Path | None = None  # the folder of an earlier run: only the notes that it held
    ids: str = ""  # "keep", or "keyed" when the source has keyed ids; "": kept, and told if they tell of people
    warn: Warn = _silent  # what somebody ought to know before the work
    limits: Limits = field(default_factory=Limits)

    def preview(self) -> Preview:
        """What would happen, by some rows that are cleaned and thrown away."""
        return preview(self.source, self.how, self.workers)

    def columns(self) -> list[ColumnRole]:
        """What each column is taken for, and what becomes of it."""
        return described(self.source.schema, cells(sample(self.source), self.source.schema), self.how.columns)


def plan(where: str, out: str, options: RunOptions | None = None, warn: Warn = _silent) -> RunPlan:
    """A run from one place to another. What is guessed is told by `warn`; nothing is written."""
    said = options or RunOptions()
    if not 0 <= said.workers <= 512 or said.rows < 1:
        raise FormatError("--workers is a number from 1 to 512, --shard-rows at least 1")
    most = max(said.most, MOST_CELL)  # longer notes are held; what is far longer is not even read
    source = open_source(
        where, format=said.format, encoding=said.encoding, max_bytes=most, header=said.header, tell=warn
    )
    columns = _columns(source, said, warn)
    if said.ids not in ("", "keep", "keyed"):
        raise FormatError(f"--ids {shown_column(said.ids)}: say keep or keyed")
    source = with_ids(source, said.ids, columns.id, said.key)
    check_codes(said.language, said.default_language, encoded=effort_of(said.effort).encoded)
    for warning in unpacked(said.language, said.default_language):
        warn(warning)

    def sink(staging: Path, schema: Any, may: bool) -> Sink:
        neutral = not said.raw_cells
        return open_sink(out, source, columns, schema, format=said.to, staging=staging, force=may, neutral=neutral)

    return RunPlan(
        source,
        _how(said, columns),
        out,
        said.folder or folder_of(out),
        sink,
        workers=said.workers or _processors(),
        rows=said.rows,
        status=said.status and not said.omop,
        force=said.force,
        repeated_ids=said.repeated_ids,
        held_of=said.held_of,
        ids=said.ids,
        warn=warn,
        limits=said.limits,
    )


def _how(said: RunOptions, columns: Columns) -> How:
    return How(
        columns,
        said.policy,
        said.key,
        said.language,
        said.default_language,
        said.rules,
        said.models,
        most=said.most,
        memory=said.memory,
        dial=said.dial,
        effort=said.effort,
    )


def _columns(source: Source, said: RunOptions, warn: Warn) -> Columns:
    """Which column is what: as a file or the options say; else it is guessed and told."""
    named = {name: value for name, value in said.columns.items() if value}
    if said.columns_file:
        chosen = replace(Columns.from_toml(said.columns_file), **named)
    elif said.omop:
        chosen = replace(omop(source.schema.names), **named)
    elif "texts" in named:
        chosen = Columns(**named)
    else:
        guessed, roles = guess(source.schema, cells(sample(source), source.schema))
        chosen = replace(guessed, **named)
        for one in roles:
            if one.role != "none":
                warn(f"column {shown_column(one.column)} is taken for: {one.role} ({one.why})")
        warn("if that is wrong, name columns with --text, --id, --patient, or --columns FILE")
    return chosen.check(source.schema, source.where)


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder_of(out: str) -> Path:
    """The folder of a run's records: beside OUT; of a database, here."""
    if "://" not in out:
        path = Path(out)
        return path.with_name(f"{path.name}.run")
    plain = re.sub(r"//[^/@]*@", "//", out)
    return Path(re.sub(r"[^\w.-]+", "-", plain.partition("://")[2]).strip("-") + ".run")
