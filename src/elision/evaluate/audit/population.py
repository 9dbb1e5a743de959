"""The notes that came out of a run, one after another: how long each is, its group, and the texts of those drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from elision.errors import FormatError, ScoreError
from elision.evaluate.audit.designs import SIMPLE, STRATIFIED, Grouping, alike, by_length, by_risk, by_value
from elision.evaluate.tally import Ints
from elision.formats.tables.columns import Columns
from elision.formats.tables.source import Source
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns
from elision.showing import place

LENGTH, FOLDER = "length", "folder"
_ROWS = 10_000  # of a shard

Risk = Mapping[str, int]  # by the note's ID
Pass = Callable[[Iterable["Note"]], Iterable["Note"]]  # shows progress


class Note(NamedTuple):
    """A note that came out: its ID, its text, and the value of the column by which notes are grouped."""

    id: str
    text: str
    group: str


@dataclass(frozen=True)
class Population:
    """Where the notes are. `by` is a column, LENGTH, FOLDER (of the note's ID), or ""."""

    source: Source
    columns: Columns
    by: str = ""

    def __post_init__(self) -> None:
        names = list(map(str, self.source.schema.names))
        self.columns.check(self.source.schema, place(self.source.where))
        if self.by not in ("", LENGTH, FOLDER, *names):
            raise FormatError(
                f"--by {shown_column(self.by)}: no such column in {place(self.source.where)}; say {LENGTH}, {FOLDER}, "
                f"or one of: {shown_columns(names)} (elision run --keep lets a column out)"
            )

    def __iter__(self) -> Iterator[Note]:
        """Notes with a text; rows whose note was held have none."""
        columns, by = self.columns, "" if self.by in (LENGTH, FOLDER) else self.by
        names = tuple(dict.fromkeys(name for name in (columns.id, *columns.texts, by) if name))
        several = len(columns.texts) > 1
        for shard in self.source.shards(_ROWS):
            for batch in self.source.read(shard, names):
                ids = batch.column(columns.id).to_pylist() if columns.id else [None] * len(batch)
                groups = batch.column(by).to_pylist() if by else [""] * len(batch)
                texts = [(name, batch.column(name).to_pylist()) for name in columns.texts]
                for row, id in enumerate(ids):
                    own = "" if id is None else str(id)
                    group = own.rpartition("/")[0] if self.by == FOLDER else groups[row]
                    for name, cells in texts:
                        text = cells[row]
                        if text is not None and str(text).strip():
                            called = f"{own}/{name}" if own and several else own
                            yield Note(called, str(text), "" if group is None else str(group))


@dataclass(frozen=True)
class Counted:
    """What was seen of all notes in one go: nothing of their texts."""

    characters: Ints
    groups: list[str]
    risk: Ints

    def __len__(self) -> int:
        return len(self.characters)


def counted(population: Population, risk: Risk | None = None, shown: Pass = lambda notes: notes) -> Counted:
    """Go through all notes once. Without `risk`, the longer a note, the more could be missed."""
    characters, groups, risks = [], [], []
    known: dict[str, str] = {}  # one copy of each value
    for note in shown(population):
        characters.append(len(note.text))
        groups.append(known.setdefault(note.group, note.group))
        risks.append(len(note.text) if risk is None else risk.get(note.id, 0))
    if not characters:
        raise ScoreError(f"{place(population.source.where)}: no note has come out here, so none can be read")
    return Counted(np.array(characters, np.int64), groups, np.array(risks, np.int64))


def grouping_of(design: str, by: str, notes: Counted) -> Grouping:
    """The groups of a design."""
    if design == SIMPLE:
        return alike(len(notes))
    if design == STRATIFIED:
        return by_length(notes.characters) if by in ("", LENGTH) else by_value(notes.groups)
    return by_risk(notes.risk)


def notes_at(population: Population, places: Ints, shown: Pass = lambda notes: notes) -> list[Note]:
    """The notes at these places, in the order of the places."""
    wanted = {place: at for at, place in enumerate(places.tolist())}
    found = {wanted[at]: note for at, note in enumerate(shown(population)) if at in wanted}
    if len(found) != len(wanted):
        raise ScoreError(f"{place(population.source.where)}: notes were taken away while they were read; draw again")
    return [found[at] for at in range(len(wanted))]


def names_for(number: int) -> list[str]:
    """The names of the notes of a sample: their place in it, with as many digits each."""
    return [f"{at:0{max(3, len(str(number)))}}" for at in range(1, number + 1)]
