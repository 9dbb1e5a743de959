"""Whose note each is, and what is known of the patient, from elsewhere than the table of notes.

`--patients` joins another table: by the notes' column of patients, or, if they have none, by the notes' ids. For
folders, `--patient-pattern` takes the patient from the name of a file. Both are sources with a column more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

import pyarrow as pa
import re2

from elision.errors import FormatError
from elision.formats.tables.columns import ALL_KNOWN, Columns
from elision.formats.tables.source import Shard, Source, fingerprint
from elision.run.around import Around
from elision.run.column_roles import RECORD_NAMES, known_columns, patients_in, plain_name
from elision.run.packed import Packed
from elision.run.preview import cells, sample
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns
from elision.showing import place

PATIENT, KNOWN = "elision_patient", "elision_known"  # the columns that are added
ROWS = 10_000  # of a table of patients that are read together
Warn = Callable[[str], None]


@dataclass(frozen=True)
class Added(Around):
    """A source with columns more, which are made of the cells of one of its own."""

    by: str  # the column that they are made of
    more: tuple[str, ...] = ()

    @property
    def schema(self) -> Any:
        schema = self.inner.schema
        for name in self.more:
            schema = schema.append(pa.field(name, pa.string()))
        return schema

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        wanted = None if names is None else [name for name in names if name not in self.more]
        asked = self.more if names is None else [name for name in self.more if name in names]
        hidden = wanted is not None and bool(asked) and self.by not in wanted
        for batch in self.inner.read(shard, [*wanted, self.by] if wanted is not None and hidden else wanted):
            if asked:
                made = self._made([joinable(cell) for cell in batch.column(self.by).to_pylist()])
                batch = batch.drop_columns([self.by]) if hidden else batch
                for name in asked:
                    batch = batch.append_column(name, pa.array(made[name], pa.string()))
            yield batch

    def _made(self, keys: Sequence[str]) -> dict[str, list[str | None]]:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.startswith("_")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


@dataclass(frozen=True)
class ByPattern(Added):
    """Patients by the names of files: the one group of a pattern of RE2."""

    more: tuple[str, ...] = (PATIENT,)
    pattern: str = ""

    @cached_property
    def _pattern(self) -> Any:
        return re2.compile(self.pattern)

    @property
    def fingerprint(self) -> str:
        return fingerprint([self.inner.fingerprint, self.pattern])

    def _made(self, keys: Sequence[str]) -> dict[str, list[str | None]]:
        found = [self._pattern.search(key) for key in keys]
        return {PATIENT: [match[1] or None if match else None for match in found]}


@dataclass(frozen=True)
class ByTable(Added):
    """What another table states of each patient: `key` is its column that is as `by`, `patient` whose rows they are if
    that is another one, `known` its columns by kind. A worker holds the table, packed."""

    more: tuple[str, ...] = (KNOWN,)
    table: Any = None
    key: str = ""
    patient: str = ""
    known: Mapping[str, str] | None = None

    @property
    def fingerprint(self) -> str:
        told = json.dumps([self.by, self.key, self.patient, dict(self.known or {})])
        return fingerprint([self.inner.fingerprint, self.table.fingerprint, told])

    @cached_property
    def _packed(self) -> Packed:
        return Packed(self._said())

    def _said(self) -> Iterator[tuple[str, dict[str, list[str]]]]:
        """The key of each row of the table, and what it says; under "" the patient."""
        names = dict.fromkeys((self.key, self.patient, *(self.known or {}).values()))
        kinds = {"": self.patient, **(self.known or {})} if self.patient else self.known or {}
        for shard in self.table.shards(ROWS):
            for batch in self.table.read(shard, [name for name in names if name]):
                columns = {kind: batch.column(name).to_pylist() for kind, name in kinds.items()}
                for row, key in enumerate(batch.column(self.key).to_pylist()):
                    said = {kind: [joinable(cells[row])] for kind, cells in columns.items()}
                    yield joinable(key), {kind: values for kind, values in said.items() if values[0] or not kind}

    def _made(self, keys: Sequence[str]) -> dict[str, list[str | None]]:
        found = [self._packed.of(key) for key in keys]
        patients = [said.pop("", []) for said in found]
        return {
            KNOWN: [json.dumps(said, ensure_ascii=False) if said else None for said in found],
            PATIENT: [one[0] if len(one) == 1 else None for one in patients],
        }


def joinable(cell: object) -> str:
    """A cell as it is compared: 17, "17" and 17.0 are one. Of a moment the day."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    if isinstance(cell, datetime):
        cell = cell.date()
    return "" if cell is None else str(cell).strip()


def by_pattern(
    source: Source, columns: Columns, pattern: str, warn: Warn, *, keyed: bool = False
) -> tuple[Source, Columns]:
    """A source whose notes have the patients that the pattern finds in their names."""
    if columns.patient:
        raise FormatError(
            f"--patient-pattern: column {shown_column(columns.patient)} says whose notes they are; leave one out"
        )
    if not columns.id:
        raise FormatError("--patient-pattern: the notes have no ids to look in; say which column has them (--id)")
    try:
        groups = re2.compile(pattern).groups
    except re2.error:
        raise FormatError(f"--patient-pattern {pattern[:60]}: is no pattern that RE2 can read") from None
    if groups != 1:
        raise FormatError(
            f"--patient-pattern {pattern[:60]}: has {groups} groups; put one pair of brackets around the patient, as "
            r"in '(\d+)_'"
        )
    made = ByPattern(unused(source, (PATIENT,)), columns.id, pattern=pattern)
    if not keyed:
        warn("names of notes tell their patients, and names go out: say --ids keyed for names made with the key")
    tell_missing(made, PATIENT, "names in which --patient-pattern finds no patient", warn)
    return made, replace(columns, patient=PATIENT)


def by_table(source: Source, columns: Columns, table: Source, warn: Warn) -> tuple[Source, Columns]:
    """A source whose notes have what a table of patients states. What is joined is told."""
    where, names = place(table.where), list(map(str, table.schema.names))
    if ALL_KNOWN in columns.known:
        raise FormatError(f"--patients {where}: the notes have all known values in a column already; leave one out")
    if not (columns.patient or columns.id):
        raise FormatError("--patients: the notes have neither patients nor ids to join by; say --patient or --id")
    seen = cells(sample(table), table.schema)
    usual = next(iter(patients_in(names, seen)), "")
    if columns.patient:
        by, patient = columns.patient, ""
        key = by if by in names else usual
    else:
        by, patient = columns.id, usual
        key = by if by in names and by != usual else ""
    if not key or not (columns.patient or patient):
        need = f"a column {shown_column(by)}" if columns.patient else f"columns {shown_column(by)} and patient_id"
        raise FormatError(f"--patients {where}: needs {need}, to join by; it has: {shown_columns(names)}")
    taken = {name for name in (key, patient) if plain_name(name) not in RECORD_NAMES}
    known = known_columns(table.schema, seen, taken)
    more = (PATIENT, KNOWN) if patient else (KNOWN,)
    made = ByTable(unused(source, more), by, more, table, key, patient, known)
    joined = ", ".join(f"{kind}={shown_column(name)}" for kind, name in known.items()) or "nothing"
    warn(f"{where}: joined by {shown_column(key)}; known of a patient: {joined}")
    for remark in table.remarks:
        warn(remark)
    left = [name for name in names if name not in (key, patient, *known.values())]
    if left:
        warn(f"{where}: not used: {shown_columns(left)}")
    tell_missing(made, more[0], f"whose patient {where} does not have", warn)
    chosen = replace(columns, patient=columns.patient or PATIENT, known={**columns.known, ALL_KNOWN: KNOWN})
    return made, chosen


def unused(source: Source, names: Sequence[str]) -> Source:
    """The source, if these names of columns are free."""
    taken = [name for name in names if name in source.schema.names]
    if taken:
        raise FormatError(f"{place(source.where)}: column {taken[0]}: this name is ours; rename the column")
    return source


def tell_missing(source: Source, column: str, what: str, warn: Warn) -> None:
    seen = [cell for batch in sample(source, names=(column,)) for cell in batch.column(column).to_pylist()]
    if missing := sum(cell is None for cell in seen):
        warn(f"of the first {len(seen):,} notes there are {missing:,} {what}: nothing is known of them from there")
