"""What a run would replace in notes, as spans of the notes as they are; or why a run would withhold a note.

    for at, found in detect(documents, How(COLUMNS)):
        documents[at].with_spans(found)  # found may be a HeldError

The whole pipeline works, to the check of the new note, so that what is told here is what becomes of the note there.
`alone` asks one detector only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from elision.detect.base import Detector
from elision.detect.memory import worth_remembering
from elision.detect.safely import Detected, Values, found_by_all
from elision.document import Document, Span
from elision.effort import effort_of
from elision.errors import HeldError
from elision.formats.kinds import reason as not_text
from elision.formats.tables.columns import Columns
from elision.labels import canonical
from elision.languages.base import COMMON, code_of, known
from elision.languages.telling.deciding import decide
from elision.limits import CAN_FORK, Limits, each_within
from elision.replace.originals import plain
from elision.rules import Rules
from elision.run.cells import Cell
from elision.run.engine import Engine
from elision.run.how import How
from elision.text.portions import portions, size_of

COLUMNS = Columns(("text",), "id", "patient", "language")  # of notes that are no rows
PORTION = 1 << 16  # characters that are looked at together, so that it can be told how far it is

Find = Callable[[Sequence[Cell]], list[Detected]]
Numbered = Iterator[tuple[int, Detected]]


def detect(documents: Sequence[Document], how: How, limits: Limits | None = None) -> Numbered:
    """What a run replaces in each note, with the number of the note; the notes of a patient come together."""
    engine = Engine(how)

    def find(cells: Sequence[Cell]) -> list[Detected]:
        found = engine.found(cells)
        cleaned = engine.cleaned(cells, Patients(cells, found))
        return [HeldError(one.receipt.why) if one.before is None else one.before.spans for one in cleaned]

    return _each([_cell(document, how) for document in documents], find, limits, engine.prepare)


def alone(
    documents: Sequence[Document],
    how: How,
    detector: Detector | None = None,
    limits: Limits | None = None,
) -> Numbered:
    """What one detector finds by itself, else the rules of each note's language: no memory, no sweep, nothing grown."""
    kept: dict[str, Detector] = {}

    def barred(cell: Cell) -> str:
        return cell.why or ("too-long" if len(cell.document.text) > how.most else "")

    def prepare(cells: Sequence[Cell]) -> None:
        for language in {cell.document.language for cell in cells if not barred(cell)} - kept.keys():
            kept[language] = detector or Rules(code if known(code := code_of(language)) else COMMON, *how.rules)

    def find(cells: Sequence[Cell]) -> list[Detected]:
        found: list[Detected] = [HeldError(barred(cell)) for cell in cells]
        for language, detector in kept.items():
            at = [n for n, cell in enumerate(cells) if cell.document.language == language and not barred(cell)]
            theirs = found_by_all([detector], [cells[n].document for n in at], lambda _: "")
            for n, spans in zip(at, theirs, strict=True):
                found[n] = spans
        return found

    asked = (lambda note: Cell(0, "text", note, not_text(note.text))) if detector else (lambda note: _cell(note, how))
    return _each(list(map(asked, documents)), find, limits, prepare)


def _each(
    cells: Sequence[Cell], find: Find, limits: Limits | None, prepare: Callable[[Sequence[Cell]], None]
) -> Numbered:
    """What is found in each note, the notes of some patients at a time."""
    patients: dict[str, list[int]] = {}
    for at, cell in enumerate(cells):
        patients.setdefault(f"p{whose}" if (whose := cell.document.patient) else f"n{at}", []).append(at)

    def size(numbers: Sequence[int]) -> int:
        return sum(size_of(cells[at].document.text) for at in numbers)

    for portion in portions(patients.values(), size, PORTION):
        numbers = [at for theirs in portion for at in theirs]
        some = [cells[at] for at in numbers]
        prepare(some)
        yield from zip(numbers, _within(limits, some, find), strict=True)


def _within(limits: Limits | None, cells: Sequence[Cell], find: Find) -> list[Detected]:
    if limits is None or not CAN_FORK:
        return find(cells)
    return each_within(limits, cells, lambda cell: len(cell.document.text), find, lambda _, why: HeldError(why))


def _cell(document: Document, how: How) -> Cell:
    spoken = decide(
        document.text,
        stated=document.language,
        language=how.language,
        default=how.default_language,
        encoded=effort_of(how.effort).encoded,
    )
    note = replace(document, language=spoken.language, sure=spoken.sure, also=spoken.also, spans=())
    return Cell(0, "text", note, not_text(document.text) or spoken.why)


class Patients:
    """What notes tell of their patients, for these same notes: a `Whole` of the engine."""

    def __init__(self, cells: Sequence[Cell], found: Sequence[Detected]) -> None:
        self._found = list(found)
        self._values: dict[str, dict[str, set[str]]] = {}
        self._known: set[str] = set()
        for cell, spans in zip(cells, found, strict=True):
            self._add(cell.document, () if isinstance(spans, HeldError) else spans)

    def _add(self, document: Document, spans: Iterable[Span]) -> None:
        mine = self._values.setdefault(document.patient, {})
        for kind, values in document.known.items():
            self._known.update(plain(value).strip() for value in values)
            said = kind.lower() if kind in canonical() else kind  # no label: what the record states is not doubted
            mine.setdefault(said, set()).update(values)
        for label, value in worth_remembering(document, spans):
            mine.setdefault(label, set()).add(value)

    def values_of(self, patient: str) -> Values:
        theirs: Mapping[str, set[str]] = self._values.get(patient, {})
        return {kind: sorted(values) for kind, values in sorted(theirs.items())}

    def is_known(self, text: str) -> bool:
        return plain(text).strip() in self._known

    def found(self, _: Sequence[Cell]) -> list[Detected]:
        return self._found
