"""The pure function of every run: batches of rows go in, batches of rows come out, and nothing else happens.

    for batch in clean(source.read(shard), How(Columns(texts=("note_text",), id="note_id"), policy="tag")):
        ...

A note is a cell of a text column. One that is held comes out as NULL, and its row says so. Runners over one machine or
many are built on this; what they must know of the whole input is handed in as `Whole`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, cast

import pyarrow as pa

from elision.detect.base import Detector
from elision.detect.defaults import beside, detectors_for
from elision.detect.safely import Detected, Values
from elision.effort import effort_of
from elision.errors import HeldError, PolicyError, RunError
from elision.keys import Key
from elision.languages.telling.deciding import check_codes
from elision.pipeline import Cleaned, Deidentifier
from elision.policy import Policy
from elision.replace.originals import known_values
from elision.replace.word_lists import ALLOW, DENY, word_list
from elision.run.cells import Cell, cells_of
from elision.run.column_checks import check_operators
from elision.run.column_values import Changing, IsKnown, Left
from elision.run.how import How
from elision.run.kept_dates import refuse_true_dates
from elision.run.rows import rows_out
from elision.run.shells import cleaned_shells


class Whole(Protocol):
    """What is known of the whole input."""

    def values_of(self, patient: str) -> Values: ...

    def is_known(self, text: str) -> bool: ...

    def found(self, cells: Sequence[Cell]) -> list[Detected] | None:
        """What was found in these notes earlier, or None: then they are looked at now."""


class Engine:
    """Deidentifiers of one `How`, one for each language, made when the first note asks for it."""

    def __init__(self, how: How) -> None:
        if how.agreed and how.fingerprints() != how.agreed:
            raise RunError("policy, key, rules, models or lists were changed while the run was going on; start it anew")
        check_codes(how.language, how.default_language, encoded=effort_of(how.effort).encoded)
        self.how = how
        self.policy = Policy.named(how.policy)
        self.key = Key.read(how.key) if how.key else None
        check_operators(how.columns, self.policy, keyed=self.key is not None)
        self._lists = {kind: word_list(file or None, kind) for kind, file in ((ALLOW, how.allow), (DENY, how.deny))}
        self._changing = _changing(how, self.policy, self.key)
        self._by_language: dict[str, Deidentifier] = {}

    def changed(
        self, batch: pa.RecordBatch, cells: Sequence[Cell], whole: Whole | None = None
    ) -> tuple[Mapping[str, pa.Array], Left]:
        """What becomes of the columns beside the notes, and what of them is NULL since nothing could stand for it."""
        return self.changed_by(batch, cells, whole.is_known if whole else None)

    def changed_by(
        self, batch: pa.RecordBatch, cells: Sequence[Cell], is_known: IsKnown | None
    ) -> tuple[Mapping[str, pa.Array], Left]:
        """The same; `is_known` tells whether a text is a known value of somebody."""
        return changed(batch, cells, self._changing, is_known)

    def of(self, language: str, also: tuple[str, ...] = ()) -> Deidentifier:
        """That of a language, or of several that are in one note."""
        code = "+".join((language.partition("-")[0], *also))
        if also and code not in self._by_language:
            first, *others = [self.of(one).detectors[:-1] for one in (language, *also)]  # without that of known values
            further = beside(language, [one for detectors in others for one in detectors])
            self._by_language[code] = self._deidentifier([*first, *further])
        if code not in self._by_language:
            models = [Path(model) for model in self.how.models]
            own = [_named(name)(code) for name in self.how.detectors]
            shipped = detectors_for(code, self.how.rules, models, dial=self.how.dial, effort=self.how.effort)
            self._by_language[code] = self._deidentifier((*shipped, *own))
        return self._by_language[code]

    def _deidentifier(self, detectors: Sequence[Detector]) -> Deidentifier:
        how = self.how
        joints = bool(how.columns.joints)  # which a note loses without its origin
        return Deidentifier(
            detectors, policy=self.policy, key=self.key, memory=how.memory, most=how.most, origin=joints,
            allow=self._lists[ALLOW], deny=self._lists[DENY],
        )  # fmt: skip

    def prepare(self, cells: Sequence[Cell]) -> None:
        """Load what these notes need, which is none of their time."""
        for _ in self._groups(cells):
            pass

    def found(self, cells: Sequence[Cell]) -> list[Detected]:
        """What all detectors find in each note."""
        found: list[Detected] = [HeldError(cell.why) for cell in cells]
        for deidentifier, numbers in self._groups(cells):
            for at, spans in zip(numbers, deidentifier.detect([cells[at].document for at in numbers]), strict=True):
                found[at] = spans
        return found

    def cleaned(
        self, cells: Sequence[Cell], whole: Whole | None = None, found: Sequence[Detected] | None = None
    ) -> list[Cleaned]:
        """What becomes of each note; `found` is what was found in each, if they were looked at before."""
        found = found or (whole.found(cells) if whole else None) or self.found(cells)
        known = whole.is_known if whole else None
        return self.replaced(cells, self.remembered(cells, found, whole.values_of if whole else None), known)

    def remembered(
        self, cells: Sequence[Cell], found: Sequence[Detected], memories: Callable[[str], Values] | None
    ) -> list[Detected]:
        """What was found in each note, and what memory adds."""
        together = list(found)
        for deidentifier, numbers in self._groups(cells) if self.how.memory else ():
            documents = [cells[at].document for at in numbers]
            theirs = deidentifier.remember(documents, [found[at] for at in numbers], memories)
            for at, spans in zip(numbers, theirs, strict=True):
                together[at] = spans
        return together

    def replaced(
        self, cells: Sequence[Cell], found: Sequence[Detected], is_known: IsKnown | None = None
    ) -> list[Cleaned]:
        """What becomes of each note by what was found and remembered, and by nothing else."""
        cleaned: list[Cleaned | None] = [None] * len(cells)
        for deidentifier, numbers in self._groups(cells):
            documents = [cells[at].document for at in numbers]
            done = deidentifier.replace(documents, [found[at] for at in numbers], is_known)
            for at, one in zip(numbers, done, strict=True):
                cleaned[at] = one
        held = (cell for cell, one in zip(cells, cleaned, strict=True) if one is None)
        others = iter([self._held(cell) for cell in held])
        return [one or next(others) for one in cleaned]

    def _groups(self, cells: Sequence[Cell]) -> Iterator[tuple[Deidentifier, list[int]]]:
        groups: dict[tuple[str, ...], list[int]] = {}
        for at, cell in enumerate(cells):
            if not cell.why:
                spoken = (cell.document.language.partition("-")[0], *cell.document.also)
                groups.setdefault(spoken, []).append(at)
        for (language, *also), numbers in groups.items():
            yield self.of(language, tuple(also)), numbers

    def _held(self, cell: Cell) -> Cleaned:
        from elision.evidence.receipts import Receipt

        return Cleaned(None, Receipt.of(cell.document, None, why=cell.why, policy=self.policy, key=self.key))


def _changing(how: How, policy: Policy, key: Key | None) -> Changing:
    return Changing.by(how.columns, policy, key, how.language or how.default_language)


def changed(
    batch: pa.RecordBatch, cells: Sequence[Cell], changing: Changing, is_known: IsKnown | None = None
) -> tuple[Mapping[str, pa.Array], Left]:
    """The columns of a batch that an operator changes. Without `is_known`, the known values of its notes are known."""
    if not (changing.columns.changed or changing.columns.record):
        return {}, Left()
    documents = [cell.document for cell in cells]
    spoken = {cell.row: cell.document.language for cell in reversed(cells) if cell.document.language}
    made, left = changing.arrays(batch, spoken, is_known or known_values(documents))
    if record := changing.columns.record:
        made[record] = cleaned_shells(batch.column(record), changing.owners(batch, spoken), changing)
    return made, left


_ENGINES: dict[str, Engine] = {}


def engine_for(how: How) -> Engine:
    """The engine of this process for this `How`."""
    name = json.dumps(how.as_json(), sort_keys=True)
    if name not in _ENGINES:
        _ENGINES.clear()
        _ENGINES[name] = Engine(how)
    return _ENGINES[name]


def clean(batches: Iterable[pa.RecordBatch], how: How, whole: Whole | None = None) -> Iterator[pa.RecordBatch]:
    """Rows with their notes cleaned, and two columns more: what became of the row, and the receipts of its notes.

    Without `whole`, patients are remembered, and stand-ins compared with known values, within each batch."""
    engine = engine_for(how)
    for batch in batches:
        refuse_true_dates(batch, how.columns, engine.policy)
        cells = cells_of(batch, how)
        yield rows_out(batch, how, cells, engine.cleaned(cells, whole), engine.changed(batch, cells, whole)[0])


def cleaned_rows(batches: Iterable[pa.RecordBatch], how: How, deidentifier: Deidentifier) -> Iterator[pa.RecordBatch]:
    """The same with a deidentifier of one's own in place of those that `how` describes."""
    check_codes(how.language, how.default_language)
    check_operators(how.columns, deidentifier.policy, keyed=deidentifier.key is not None)
    changing = _changing(how, deidentifier.policy, deidentifier.key)
    for batch in batches:
        refuse_true_dates(batch, how.columns, deidentifier.policy)
        cells = cells_of(batch, how)
        found = deidentifier([cell.document for cell in cells])
        held = [
            deidentifier.held(cell.document, cell.why) if cell.why else one
            for cell, one in zip(cells, found, strict=True)
        ]
        yield rows_out(batch, how, cells, held, changed(batch, cells, changing)[0])


def _named(name: str) -> Callable[[str], Any]:
    """A function by "package.module:function"."""
    module, _, function = name.partition(":")
    try:
        return cast("Callable[[str], Any]", getattr(importlib.import_module(module), function))
    except (ImportError, AttributeError):
        raise PolicyError(f"{name}: no such function; name it like package.module:function") from None
