"""What Patient resources of FHIR state is known of the patients of notes, whatever the notes are in.

A bulk export has its patients in a file of their own, so a note alone does not say what its patient is called.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow as pa

from elision.errors import FormatError
from elision.formats.fhir_patients import Stated, patients_at
from elision.formats.files import files_below, is_glob, matching
from elision.formats.format import Reading
from elision.formats.tables.columns import ALL_KNOWN, Columns
from elision.formats.tables.source import Shard, Source, fingerprint, of_files
from elision.run.packed import Packed
from elision.run.patients import KNOWN, Added, Warn, joinable, tell_missing, unused
from elision.showing import place


@dataclass(frozen=True)
class ByResources(Added):
    """A source whose notes have what Patient resources at some places state, besides what they have already in the
    column `own`. A worker holds what is known, packed."""

    more: tuple[str, ...] = (KNOWN,)
    places: tuple[str, ...] = ()
    own: str = ""
    how: Reading = field(default_factory=Reading)

    @cached_property
    def _known(self) -> Packed:
        return Packed(one for where in self.places for one in self._stated(Path(where)))

    def _stated(self, path: Path) -> Iterator[Stated]:
        return patients_at(path, self.how)

    @property
    def fingerprint(self) -> str:
        files = [of_files(file.parent, [file]) for where in self.places for file in _files(Path(where))]
        return fingerprint([self.inner.fingerprint, self.by, self.own, *files])

    def read(self, shard: Shard, names: Sequence[str] | None = None) -> Iterator[Any]:
        if names is not None and KNOWN not in names:
            yield from self.inner.read(shard, names)
            return
        wanted = None if names is None else [name for name in names if name != KNOWN]
        needed = None if wanted is None else list(dict.fromkeys((*wanted, self.by, *filter(None, [self.own]))))
        for batch in self.inner.read(shard, needed):
            keys = [joinable(cell) for cell in batch.column(self.by).to_pylist()]
            own = batch.column(self.own).to_pylist() if self.own else [None] * len(batch)
            cells = [_both(cell, self._known.of(key)) for cell, key in zip(own, keys, strict=True)]
            if wanted is not None:
                batch = batch.drop_columns([name for name in (needed or ()) if name not in wanted])
            yield batch.append_column(KNOWN, pa.array(cells, pa.string()))

    def any(self) -> bool:
        return len(self._known) > 0


def _both(own: str | None, more: dict[str, list[str]]) -> str | None:
    """The known values of a note and those of its patient. What cannot be read stays, and holds the note."""
    if not more:
        return own
    try:
        said = json.loads(own) if own else {}
        return json.dumps(
            {kind: [*said.get(kind, []), *more.get(kind, [])] for kind in dict.fromkeys((*said, *more))},
            ensure_ascii=False,
        )
    except (ValueError, AttributeError, TypeError):
        return own


def _files(path: Path) -> list[Path]:
    return matching(path) if is_glob(path) else files_below(path, "")


def by_resources(source: Source, columns: Columns, where: str, how: Reading, warn: Warn) -> tuple[Source, Columns]:
    """A source whose notes have what Patient resources state: those in IN itself, if it is FHIR, and those at another
    place. What is joined is told."""
    places = tuple(filter(None, [source.where if source.format == "fhir" else "", where]))
    if where and not columns.patient:
        raise FormatError(f"--patients {place(where)}: the notes do not say whose they are; say it with --patient")
    if not places or not columns.patient:
        return source, columns
    own = columns.known.get(ALL_KNOWN, "")
    made = ByResources(unused(source, (KNOWN,)), columns.patient, places=places, own=own, how=how)
    if not made.any():
        if where:
            raise FormatError(f"--patients {place(where)}: there is no Patient resource in it")
        return source, columns
    told = " and ".join(str(place(one)) for one in places)
    warn(f"{told}: what Patient resources state is known of the notes that refer to them")
    tell_missing(made, KNOWN, "of whose patient no Patient resource tells", warn)
    return made, replace(columns, known={**columns.known, ALL_KNOWN: KNOWN})
