"""The PhysioNet nursing notes: records in one file, their spans in a second one, offsets within the record.

    START_OF_RECORD=7||||2||||
    Pt's wife Jane called at 10.
    ||||END_OF_RECORD

`id.text` holds the notes of all patients. `id-phi.phrase` beside it holds a span on each line: patient, record, start,
end, type, and the words. `id.deid` (and `id.phi`, which the deid program writes) has offsets without types. elision
reads it where there is no `id-phi.phrase`, and calls all such spans PHI. PhysioNet keeps the notes with its data and
the spans with its deid software: put both in one folder.

The id of a note is PATIENT-RECORD (`7-2`). A note without a patient is written with the patient `-`. The line break
before the end mark is not part of the note. elision writes `id.text`, `id-phi.phrase` and `id.deid`. The program's
output `id.res` has other texts than `id.text`: it is read, without spans, if you name the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats.atomic import writing
from elision.formats.files import files_below, read_lines
from elision.formats.format import MEGABYTE, Format, Holds, Reading, Remarks, Sample
from elision.formats.offsets import explain, fits
from elision.formats.standoff import LINE_ENDS
from elision.showing import ident

START, END = "START_OF_RECORD=", "||||END_OF_RECORD"
HEADER = re.compile(r"START_OF_RECORD=([^|\s]+)\|\|\|\|([^|\s]+)\|\|\|\|\s*")
PHRASE = re.compile(
    r"([^|\s]+)[ \t]+([^|\s]+)[ \t]+([0-9]{1,15})[ \t]+([0-9]{1,15})[ \t]+(\S+)(?:[ \t](.*))?", re.DOTALL
)
LISTED = re.compile(r"\s*Patient[ \t]+([^|\s]+)[ \t]+Note[ \t]+([^|\s]+)\s*")
PLACE = re.compile(r"\s*([0-9]{1,15})[ \t]+([0-9]{1,15})[ \t]+([0-9]{1,15})\s*")
NOBODY = "-"  # stands for a patient who is not known
BLIND = "PHI"  # the label of spans without a type

Key = tuple[str, str]  # patient, record


class _Mark(NamedTuple):
    """A span as a line says it, before the note is known. `words` is None where the file has none."""

    where: str
    start: int
    end: int
    label: str
    words: str | None


Marks = dict[Key, list[_Mark]]


def read(path: Path, how: Reading) -> Iterator[Document]:
    if path.is_file() and path.name.endswith(("-phi.phrase", ".deid", ".phi")):
        raise FormatError(f"{path}: holds offsets, no notes; give the .text file that lies beside it, or the folder")
    for file in files_below(path, ".text"):
        marks, listed = _reference(file, how)
        for key, text in _records(file, how):
            id = _id(*key)
            if listed is not None and key not in listed and key not in marks:
                how.remarks.add(f"records that {file.stem}.deid does not list, read without spans", f"note {ident(id)}")
            spans = _spans(text, marks.pop(key, []), how)
            yield Document(text, id, patient="" if key[0] == NOBODY else key[0], spans=spans)
        for rows in marks.values():
            if not how.lenient:
                raise FormatError(
                    f"{rows[0].where}: {file.name} has no record of this patient and number; is it the .text file of "
                    "these spans? --lenient skips such lines"
                )
            how.remarks.add("skipped: spans of records that are not there", rows[0].where, len(rows))


def _id(patient: str, record: str) -> str:
    return f"{patient}-{record}" if patient != NOBODY and re.fullmatch("[0-9]+", record) else record


# -- the notes


def _records(file: Path, how: Reading) -> Iterator[tuple[Key, str]]:
    """The text of every record."""
    key: Key | None = None
    opened, size = 0, 0
    lines: list[str] = []
    for number, line in read_lines(file, how, exact=True):
        where = f"{file}:{number}"
        line = line.removeprefix("\ufeff") if number == 1 else line
        if line.startswith(START):
            if key:
                raise FormatError(f"{where}: a record begins before the one of line {opened} has ended; {_LOST}")
            match = HEADER.fullmatch(line)
            if not match:
                raise FormatError(f"{where}: a record begins with {START}PATIENT||||NUMBER||||, without blanks in it")
            key, opened, size = (match[1], match[2]), number, 0
            lines = []
        elif END in line:
            if line.strip() != END:
                raise FormatError(f"{where}: the end mark {END} must stand alone on its line; {_LOST}")
            if not key:
                raise FormatError(f"{where}: an end mark without a record before it; {_LOST}")
            yield key, "".join(lines).removesuffix("\n")
            key = None
        elif key:
            size += len(line)
            if size > how.max_bytes:
                raise FormatError(
                    f"{file}:{opened}: the record is larger than the limit of {how.max_bytes / MEGABYTE:,.3g} MB for "
                    "one note; raise it if that is meant (--max-mb)"
                )
            lines.append(line)
        elif line.strip():
            raise FormatError(f"{where}: text outside of the records; {_LOST}")
    if key:
        raise FormatError(f"{file}: ends within the record that begins in line {opened}; {_LOST}")


_LOST = "is a part of the file missing? Copy it again"


# -- the spans


def _reference(file: Path, how: Reading) -> tuple[Marks, set[Key] | None]:
    """The spans of a file's records, and the records that were read for spans, if a file says which."""
    if file.suffix.lower() != ".text":
        return {}, None
    phrases, *blind = (file.with_name(file.stem + ending) for ending in ("-phi.phrase", ".deid", ".phi"))
    found = next((other for other in blind if other.exists()), None)
    places, listed = _places(found, how) if found else ({}, None)
    if phrases.exists():
        marks = _phrases(phrases, how)
        if listed is not None and found and found.suffix == ".deid":
            _compare(marks, places, found.name, how)
        else:
            listed = None
        return marks, listed
    if found is None:
        how.remarks.add(f"no {phrases.name} beside the notes, so they have no spans; it comes with PhysioNet's deid "
                        "software", str(file))  # fmt: skip
    return places, listed


def _phrases(file: Path, how: Reading) -> Marks:
    marks: Marks = {}
    for number, line in read_lines(file, how):
        where = f"{file}:{number}"
        match = PHRASE.fullmatch(line.rstrip("\r\n"))
        if match:
            patient, record, start, end, label, words = match.groups()
            marks.setdefault((patient, record), []).append(_Mark(where, int(start), int(end), label, words))
        else:
            _skip("needs patient, record, start, end, type and words, with blanks between", where, how)
    return marks


def _places(file: Path, how: Reading) -> tuple[Marks, set[Key]]:
    """Spans without types: a line for each record, and below it `start start end`."""
    marks: Marks = {}
    listed: set[Key] = set()
    key: Key | None = None
    for number, line in read_lines(file, how):
        where = f"{file}:{number}"
        if match := LISTED.fullmatch(line):
            key = match[1], match[2]
            listed.add(key)
        elif (match := PLACE.fullmatch(line)) and key and match[1] == match[2]:
            marks.setdefault(key, []).append(_Mark(where, int(match[2]), int(match[3]), BLIND, None))
        else:
            _skip("needs `Patient 1 Note 1`, or below that the start, the start again and the end", where, how)
    return marks, listed


def _compare(marks: Marks, places: Marks, name: str, how: Reading) -> None:
    for key in {**marks, **places}:
        one, other = ({(mark.start, mark.end) for mark in side.get(key, [])} for side in (marks, places))
        if one != other:
            how.remarks.add(
                f"records whose spans are others in {name}, which does not count", f"note {ident(_id(*key))}"
            )


def _skip(what: str, where: str, how: Reading) -> None:
    if not how.lenient:
        raise FormatError(f"{where}: {what}; --lenient skips such lines")
    how.remarks.add("skipped: an unusable line", where)


def _spans(text: str, marks: list[_Mark], how: Reading) -> tuple[Span, ...]:
    """Spans in order. What does not fit the text, or overlaps, is an error, or skipped with a remark."""
    spans: list[Span] = []
    for mark in sorted(marks, key=lambda mark: (mark.start, mark.end)):
        place = f"{mark.start}–{mark.end}"
        last = spans[-1] if spans else None
        if last and (last.start, last.end, last.label) == mark[1:4]:
            how.remarks.add("the same span twice, read once", mark.where)
        elif mark.start >= mark.end:
            _skip(f"{place}: the start is not before the end", mark.where, how)
        elif last and mark.start < last.end:
            _skip(f"{place}: overlaps the span {last.start}–{last.end} of the same record; keep one", mark.where, how)
        elif wrong := _misfit(text, mark):
            hint = "" if how.lenient else explain(text, mark.start, mark.end, mark.words or "")
            _skip(f"{place}: {wrong}; {hint}", mark.where, how)
        else:
            spans.append(Span(mark.start, mark.end, mark.label))
    return tuple(spans)


def _misfit(text: str, mark: _Mark) -> str:
    if mark.end > len(text):
        return f"reaches beyond the record, which has {len(text)} characters"
    return "" if mark.words is None or fits(text, mark.start, mark.end, mark.words) else "another text stands there"


# -- writing


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    taken: set[Key] = set()
    with (
        writing(path / "id.text") as notes,
        writing(path / "id-phi.phrase") as phrases,
        writing(path / "id.deid") as places,
    ):
        for document in documents:
            patient, record = key = _key(document, remarks)
            if key in taken:
                raise CannotHoldError(f"{document.name}: another note has the same patient and number; give other ids")
            taken.add(key)
            _check_text(document)
            notes.write(f"{START}{patient}||||{record}||||\n{document.text}\n{END}\n\n".encode())
            places.write(f"Patient {patient}\tNote {record}\n".encode())
            for span in document.spans:
                words = document.text_of(span).translate(LINE_ENDS)
                phrases.write(f"{patient} {record} {span.start} {span.end} {span.label} {words}\n".encode())
                places.write(f"{span.start} {span.start} {span.end}\n".encode())


def _key(document: Document, remarks: Remarks) -> Key:
    """The patient and the record that make up an id; an id of another form is the record itself."""
    patient, record = document.patient or NOBODY, document.id
    if document.patient and re.fullmatch("[0-9]+", rest := record.removeprefix(f"{patient}-")):
        record = rest
    for what, value in (("a patient", patient), ("an id", record)):
        if not re.fullmatch(r"[^|\s]+", value) or (value == NOBODY and document.patient == NOBODY):
            raise CannotHoldError(
                f"{document.name}: physionet cannot hold {what} that is empty or - or has white space or |; "
                "give the notes other ids"
            )
    if _id(patient, record) != document.id:
        remarks.add("ids of digits alone, which come back as PATIENT-ID", document.name)
    return patient, record


def _check_text(document: Document) -> None:
    """Refuse a text in which a reader would find the frame of a record."""
    for number, line in enumerate(document.text.split("\n"), 1):
        if line.startswith(START) or END in line:
            raise CannotHoldError(
                f"{document.name}: line {number} has a mark of physionet's own records; write another format"
            )


def sniff(sample: Sample) -> str:
    frame = re.match(r"\ufeff?\s*START_OF_RECORD=[^|\s]+\|\|\|\|", sample.head)
    if sample.path.is_file():
        return f"it begins with {START}" if frame else ""
    names = set(sample.names)
    texts = sorted(name for name in names if name.endswith(".text"))
    for name in texts:
        for ending in ("-phi.phrase", ".deid", ".phi"):
            if (beside := name.removesuffix(".text") + ending) in names:
                return f"{name} with {beside}"
    return f"{texts[0]} with records that begin with {START}" if texts and frame else ""


FORMATS = (
    Format(
        "physionet",
        "PhysioNet nursing notes (id.text, id-phi.phrase, id.deid)",
        suffix=".text",
        folder=True,
        holds=Holds(patient=True, order=False, overlaps=False, empty_spans=False, bare_labels=True),
        read=read,
        write=write,
        sniff=sniff,
        tag_set="physionet",
        reads=(".phrase", ".deid", ".phi"),
    ),
)
