"""What a run will do, put together from what somebody says and what is there; a runner does it.

made = plan("notes.csv", "clean.csv", RunOptions(policy="mask"))
elision.run.local.runner.run(made)
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from elision.effort import effort_of
from elision.errors import FormatError
from elision.formats.apart import path_of
from elision.formats.catalogue import TABLES
from elision.formats.files import is_url
from elision.formats.format import Reading
from elision.formats.tables.columns import Columns, omop
from elision.formats.tables.layout import layout_of
from elision.formats.tables.opening import JOINTS, RECORD, open_source
from elision.formats.tables.operators import KEEP, SHIFT
from elision.formats.tables.sink import Sink, format_of, open_sink
from elision.formats.tables.source import MOST_CELL, Source
from elision.formats.urls import for_a_name
from elision.languages.telling.deciding import check_codes, unpacked
from elision.limits import Limits
from elision.pipeline import MOST
from elision.policy import Policy
from elision.run.column_checks import check_kinds, check_operators, check_types, dates_left, dropped, warnings
from elision.run.column_roles import ColumnRole, described, guess
from elision.run.file_names import refuse_telling
from elision.run.how import How
from elision.run.ids import with_ids
from elision.run.patient_resources import by_resources
from elision.run.patients import by_pattern, by_table
from elision.run.preview import Preview, cells, preview, sample
from elision.showing import column as shown_column
from elision.showing import place

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
    patients: str = ""  # a table with what is known of each patient
    patient_pattern: str = ""  # of RE2, with one group: the patient, in the name of a file
    omop: bool = False  # IN and OUT are OMOP NOTE tables
    policy: str = "tag"
    key: str = ""
    language: str = ""
    default_language: str = ""
    rules: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    dial: float | None = None
    effort: str = field(default_factory=effort_of)
    allow: str = ""  # a file of words that are never removed
    deny: str = ""  # and of words that always are
    memory: bool = True
    most: int = MOST  # bytes of a note; longer ones are held
    limits: Limits = field(default_factory=Limits)
    query: str = ""  # what is read of a database, in place of a table
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
    incremental: bool = False  # new and changed notes only, into the output of the nights before
    deleted: str = ""  # if notes are no longer in IN: "remove" or "refuse"; "": removed if they are few


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
    ids: str = ""  # "keep", or "keyed" when the source has keyed ids; "": kept, and told if they tell of people
    warn: Warn = _silent  # what somebody ought to know before the work
    remarks: tuple[str, ...] = ()  # what was told of columns
    limits: Limits = field(default_factory=Limits)
    reads: tuple[str, ...] = ()  # what is read besides the source
    incremental: bool = False
    deleted: str = ""

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
        where,
        format=said.format,
        encoding=said.encoding,
        max_bytes=most,
        header=said.header,
        query=said.query,
        tell=warn,
    )
    columns = columns_of(source, said, warn)
    _refuse_record(source, columns)
    to, layout = layout_of(source, out, said.to)
    refuse_telling((part.name for part in layout), Policy.named(said.policy), ids=said.ids)
    if records := _records_of(source, out, said):
        columns = replace(columns, record=RECORD, joints=JOINTS)
    read, names = source, list(source.schema.names)
    if said.patient_pattern:
        source, columns = by_pattern(source, columns, said.patient_pattern, warn, keyed=bool(said.ids))
    table = open_source(said.patients, max_bytes=most, tell=warn) if said.patients else None
    if table and table.format != "fhir":
        source, columns = by_table(source, columns, table, warn)
    elsewhere, how = table.where if table and table.format == "fhir" else "", Reading(said.encoding, most)
    source, columns = by_resources(source, columns, elsewhere, how, warn)
    remarks = looked_at(source, columns, names, said, warn)
    if said.deleted not in ("", "remove", "refuse"):
        raise FormatError(f"--deleted {shown_column(said.deleted)}: say remove or refuse")
    if said.deleted and not said.incremental:
        raise FormatError("--deleted is for --incremental: a run by itself writes what is in IN, and nothing else")
    ids = ids_of(said, records=bool(records))
    source = with_ids(source, ids, columns.id, said.key)
    read = source if ids == "keyed" else read

    def sink(staging: Path, schema: Any, may: bool) -> Sink:
        neutral = not said.raw_cells
        made: dict[str, Any] = {"format": to or said.to, "layout": layout, "staging": staging}
        return open_sink(out, read, columns, schema, **made, force=may, neutral=neutral)

    return RunPlan(
        source,
        how_of(said, columns),
        out,
        said.folder or folder_of(out),
        sink,
        workers=said.workers or _processors(),
        rows=said.rows,
        status=said.status and not (said.omop or records),
        force=said.force,
        repeated_ids=said.repeated_ids,
        ids=ids,
        warn=warn,
        remarks=remarks,
        limits=said.limits,
        incremental=said.incremental,
        deleted=said.deleted,
        reads=(said.patients,) if said.patients and "://" not in said.patients else (),
    )


def _records_of(source: Source, out: str, said: RunOptions) -> bool:
    """Whether the messages or resources of IN are written again, and not their texts alone."""
    if RECORD not in source.schema.names or source.format in TABLES or is_url(out):
        return False
    return (said.to or format_of(Path(out), source)) == source.format


def _refuse_record(source: Source, columns: Columns) -> None:
    """An error if a column is to go out that has messages or resources as they came."""
    said = {*columns.out, *columns.known.values(), *columns.operators}
    if source.format not in TABLES and RECORD in source.schema.names and {RECORD, JOINTS} & said:
        raise FormatError(f"{place(source.where)}: column {RECORD} holds all of the original; it cannot be let out")


def looked_at(source: Source, columns: Columns, names: Sequence[str], said: RunOptions, warn: Warn) -> tuple[str, ...]:
    """Operators and languages checked, and what somebody ought to know of columns told."""
    check_kinds(columns, place(source.where))
    check_types(columns, source.schema, place(source.where))
    check_operators(columns, Policy.named(said.policy), keyed=bool(said.key))
    remarks: list[str] = []
    if columns.keep or columns.changed:
        some = sample(source, names=(*columns.keep, *columns.changed))
        remarks += warnings(columns, some, said.language or said.default_language)
    if source.format in TABLES:
        remarks += filter(None, [dropped(columns, names)])
    for remark in remarks:
        warn(remark)
    check_codes(said.language, said.default_language, encoded=effort_of(said.effort).encoded)
    for warning in unpacked(said.language, said.default_language):
        warn(warning)
    return tuple(remarks)


def ids_of(said: RunOptions, *, records: bool = False) -> str:
    """What becomes of ids: "keep", "keyed", or "" if nobody said."""
    if said.ids not in ("", "keep", "keyed"):
        raise FormatError(f"--ids {shown_column(said.ids)}: say keep or keyed")
    return said.ids or ("keyed" if (said.omop or records) and said.key else "")


def how_of(said: RunOptions, columns: Columns) -> How:
    """All that decides what comes out."""
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
        allow=said.allow,
        deny=said.deny,
    )


def columns_of(source: Source, said: RunOptions, warn: Warn) -> Columns:
    """Which column is what: as a file or the options say; else it is guessed and told."""
    named = {name: value for name, value in said.columns.items() if value}
    if said.columns_file:
        chosen = _over(Columns.from_toml(said.columns_file), named)
    elif said.omop:
        dates = KEEP if said.key and dates_left(Policy.named(said.policy)) else SHIFT
        chosen = _over(omop(source.schema.names, keyed=bool(said.key), dates=dates), named)
    elif "texts" in named:
        chosen = Columns(**named)
    else:
        guessed, roles = guess(source.schema, cells(sample(source), source.schema))
        chosen = _over(guessed, named)
        for one in roles:
            if one.role != "none":
                warn(f"column {shown_column(one.column)} is taken for: {one.role} ({one.why})")
        warn("if that is wrong, name columns with --text, --id, --patient, or --columns FILE")
    return chosen.check(source.schema, source.where)


def _over(columns: Columns, named: Mapping[str, Any]) -> Columns:
    """Columns with what is said over them; an operator takes the place of the one that the column had."""
    operators = dict(named.get("operators", {}))
    keep = named.get("keep") or tuple(name for name in columns.keep if name not in operators)
    others = {name: one for name, one in columns.operators.items() if name not in keep}
    return replace(columns, **{**named, "keep": keep, "operators": {**others, **operators}})


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder_of(out: str) -> Path:
    """The folder of a run's records: beside OUT, or the file of a database; of a server, here."""
    if "://" not in out:
        path = Path(out)
        return path.with_name(f"{path.name}.run")
    if (file := path_of(out)) is not None:
        return file.with_name(re.sub(r"[^\w.-]+", "-", f"{file.name}?{out.partition('?')[2]}").strip("-") + ".run")
    return Path(re.sub(r"[^\w.-]+", "-", for_a_name(out)).strip("-") + ".run")
