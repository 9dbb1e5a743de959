"""OMOP Common Data Model: the tables NOTE and NOTE_NLP as CSV files.

NOTE_NLP has no column for a span's end or its label. Both stand in `term_modifiers`
(`phi_type=DATE;end=23;score=0.5`). The model asks for `lexical_variant`, which repeats the span's words; elision checks
it against the note when it reads. It leaves `snippet` empty, which would repeat the words around as well. Rows are
numbered anew when written. The other columns of NOTE (a title, a date, a provider) come back as they were. elision
de-identifies only the text of a note; the owner of the database decides about those columns.

The text is written exactly. A cell that begins with = or + is not made harmless for spreadsheets, since that would
change the note. Load these files into a database; do not open them in a spreadsheet.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO
from urllib.parse import unquote

from elision.document import Document, Span
from elision.errors import CannotHoldError, FormatError
from elision.formats.atomic import writing
from elision.formats.format import Format, Holds, Reading, Remarks, Sample
from elision.formats.offsets import fits
from elision.languages.telling.deciding import concepts
from elision.showing import column as shown_column

NOTE = (
    "note_id", "person_id", "note_date", "note_datetime", "note_type_concept_id", "note_class_concept_id", "note_title",
    "note_text", "encoding_concept_id", "language_concept_id", "provider_id", "visit_occurrence_id", "visit_detail_id",
    "note_source_value", "note_event_id", "note_event_field_concept_id",
)  # fmt: skip
NOTE_NLP = (
    "note_nlp_id", "note_id", "section_concept_id", "snippet", "offset", "lexical_variant", "note_nlp_concept_id",
    "note_nlp_source_concept_id", "nlp_system", "nlp_date", "nlp_datetime", "term_exists", "term_temporal",
    "term_modifiers",
)  # fmt: skip
OURS = {"note_id", "person_id", "note_text"}
SPAN_OURS = {"note_nlp_id", "note_id", "snippet", "offset", "lexical_variant", "nlp_system", "term_modifiers"}

# What stands in a column of which the document says nothing: EHR note, no class, UTF-8; no concept; found to be there.
DEFAULTS = {"note_type_concept_id": "32831", "note_class_concept_id": "0", "encoding_concept_id": "32678"}
SPAN_DEFAULTS = {
    "section_concept_id": "0", "note_nlp_concept_id": "0", "note_nlp_source_concept_id": "0", "term_exists": "Y",
}  # fmt: skip

TableRow = dict[str, str]


def read(path: Path, how: Reading) -> Iterator[Document]:
    """The notes of a NOTE table, given as the file or its folder, with the spans of the NOTE_NLP table beside it."""
    table = _note_table(path)
    found = _spans_by_note(table, how)
    for where, row in _rows(table, OURS, how):
        rows = found.pop(row["note_id"], [])
        yield _document(row, where, rows, how)
    for rows in found.values():
        how.remarks.add("NOTE_NLP rows whose note is not in the NOTE table", rows[0][0], len(rows))


def _note_table(path: Path) -> Path:
    if path.is_file():
        if path.stem.lower().endswith("note_nlp"):
            raise FormatError(f"{path}: this is the NOTE_NLP table; give the NOTE table beside it, or their folder")
        return path
    if not path.exists():
        raise FormatError(f"{path}: there is no such file or folder")
    tables = sorted(file for file in path.iterdir() if file.name.lower() in ("note.csv", "omop_note.csv"))
    if len(tables) != 1:
        seen = " and ".join(table.name for table in tables) or "none"
        raise FormatError(f"{path}: expected one NOTE table here, note.csv; there is {seen}")
    return tables[0]


def _spans_by_note(table: Path, how: Reading) -> dict[str, list[tuple[str, TableRow]]]:
    """The rows of the NOTE_NLP table beside a NOTE table, by note. The model does not sort them, so all are held."""
    name = f"{table.stem}_nlp{table.suffix}".lower()
    found: dict[str, list[tuple[str, TableRow]]] = {}
    for file in sorted(table.parent.iterdir()):
        if file.name.lower() == name:
            for number, (where, row) in enumerate(_rows(file, SPAN_OURS - {"snippet", "nlp_system"}, how), 1):
                if row["note_nlp_id"] != str(number):
                    how.remarks.add("note_nlp_id is not kept: rows are numbered anew", where)
                if row.get("snippet"):
                    how.remarks.add("snippets of NOTE_NLP, which repeat the note, are not kept", where)
                found.setdefault(row["note_id"], []).append((where, row))
    return found


def _rows(file: Path, needed: set[str], how: Reading) -> Iterator[tuple[str, TableRow]]:
    """(where, row) for each row of a CSV file with a header, whose names count without regard to case."""
    # The csv module's own limit (128 KB a cell) is shorter than long notes are; it can only be set for all at once.
    csv.field_size_limit(max(csv.field_size_limit(), how.max_bytes))
    number = 0
    try:
        with file.open(encoding=how.encoding, newline="") as stream:
            reader = csv.reader(stream, strict=True)
            header = [name.strip().lower() for name in next(reader, [])]
            if header:
                header[0] = header[0].removeprefix("\ufeff").strip('"')
            _check_header(header, needed, file, how)
            for number, cells in enumerate(reader, 1):
                if not cells:
                    continue
                if len(cells) != len(header):
                    raise FormatError(f"{file}: row {number:,} has {len(cells)} cells for {len(header)} columns")
                yield f"{file}: row {number:,}", dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise FormatError(f"{file}: row {number + 1:,} is not valid CSV: {error}") from None
    except UnicodeDecodeError:
        raise FormatError(
            f"{file}: row {number + 1:,} or soon after: not {how.encoding}; if the file has another encoding, say so "
            "(--encoding cp1252)"
        ) from None
    except LookupError:
        raise FormatError(f"{how.encoding!r} is not an encoding that Python knows; try utf-8 or cp1252") from None
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _check_header(header: list[str], needed: set[str], file: Path, how: Reading) -> None:
    missing = [name for name in (*NOTE, *NOTE_NLP) if name in needed and name not in header]
    if missing:
        raise FormatError(f"{file}: the header lacks the columns {', '.join(dict.fromkeys(missing))}")
    if len(set(header)) < len(header):
        raise FormatError(f"{file}: the header has a column twice")
    for name in header:
        if name not in (NOTE if "note_text" in needed else NOTE_NLP):
            how.remarks.add("columns that OMOP does not have are not kept", f"{file}, {shown_column(name)}")


def _document(row: TableRow, where: str, rows: list[tuple[str, TableRow]], how: Reading) -> Document:
    language = concepts().get(row.get("language_concept_id", ""), "")
    ours = OURS | {"language_concept_id"} if language else OURS
    if not row["note_id"]:
        raise FormatError(f"{where}: the note_id is empty")
    text = row["note_text"]
    spans = [span for at, found in rows if (span := _span(text, found, at, how)) is not None]
    return Document(
        text,
        row["note_id"],
        patient=row["person_id"],
        language=language,
        spans=tuple(spans),
        info=_info(row, NOTE, ours, {**DEFAULTS, "language_concept_id": "0"}),
    )


def _info(row: TableRow, columns: tuple[str, ...], ours: set[str], defaults: Mapping[str, str]) -> dict[str, str]:
    """The columns that say more than a plain document or span would be written with."""
    return {
        f"omop:{name}": row[name]
        for name in columns
        if name in row and name not in ours and row[name] != defaults.get(name, "")
    }


def _span(text: str, row: TableRow, where: str, how: Reading) -> Span | None:
    """A span from a row of NOTE_NLP; None for a row that is about something else than PHI."""
    modifiers: dict[str, str] = {}
    others = []
    for part in filter(None, row["term_modifiers"].split(";")):
        key, equals, value = part.partition("=")
        if equals and key.strip() in ("phi_type", "end", "score"):
            modifiers[key.strip()] = unquote(value)
        else:
            others.append(part)
    if "phi_type" not in modifiers:
        how.remarks.add("NOTE_NLP rows without phi_type= in term_modifiers are not about PHI; passed over", where)
        return None
    try:
        start = int(row["offset"])
        end = int(modifiers.get("end", start + len(row["lexical_variant"])))
        score = float(modifiers.get("score", "1"))
    except ValueError:
        raise FormatError(f"{where}: offset, end= and score= must be numbers") from None
    if not (0 <= start <= end <= len(text) and fits(text, start, end, row["lexical_variant"])):
        if how.lenient:
            how.remarks.add("skipped: NOTE_NLP rows whose lexical_variant is not in the note at the offset", where)
            return None
        raise FormatError(
            f"{where}: the note has other words than the lexical_variant at {start}–{end}; "
            "are the offsets counted in code points of this note?"
        )
    info = _info(row, NOTE_NLP, SPAN_OURS, SPAN_DEFAULTS)
    if others:
        info["omop:term_modifiers"] = ";".join(others)
    return Span(start, end, modifiers["phi_type"], score, row.get("nlp_system", ""), info)


def write(documents: Iterable[Document], path: Path, remarks: Remarks) -> None:
    """Write note.csv and note_nlp.csv into a folder."""
    with ExitStack() as stack:
        notes, found = (
            csv.writer(_text(stack.enter_context(writing(path / name)), stack)) for name in ("note.csv", "note_nlp.csv")
        )
        notes.writerow(NOTE)
        found.writerow(NOTE_NLP)
        number = 0
        for document in documents:
            row = _note_row(document, remarks)
            notes.writerow(row[name] for name in NOTE)
            for span in document.spans:
                number += 1
                cells = _span_row(document, span, number, remarks)
                found.writerow(cells[name] for name in NOTE_NLP)


def _text(stream: IO[bytes], stack: ExitStack) -> io.TextIOWrapper:
    """A text stream that is flushed, and lets go of the binary one, before that is closed and put in place."""
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    stack.callback(text.detach)
    return text


def _note_row(document: Document, remarks: Remarks) -> TableRow:
    if not document.id:
        raise CannotHoldError("a note without an id: OMOP needs a note_id; give the notes ids")
    if not (document.id.isdecimal() and document.patient.isdecimal()):
        remarks.add("OMOP asks for numbers as note_id and person_id; written as they are", document.name)
    if "omop:note_date" not in document.info:
        remarks.add("OMOP asks for a note_date, which is not known; left empty", document.name)
    kept = document.info.get("omop:language_concept_id", "0")
    concept = {code: number for number, code in concepts().items()}
    if document.language and document.language not in concept:
        remarks.add(f"no OMOP concept is known for the language {document.language!r}; written as 0", document.name)
    return {
        **dict.fromkeys(NOTE, ""),
        **DEFAULTS,
        **_columns(document.info),
        "note_id": document.id,
        "person_id": document.patient,
        "note_text": document.text,
        "language_concept_id": concept.get(document.language, kept),
    }


def _span_row(document: Document, span: Span, number: int, remarks: Remarks) -> TableRow:
    if "omop:nlp_date" not in span.info:
        remarks.add("OMOP asks for an nlp_date, which is not known; left empty", document.name)
    modifiers = [f"phi_type={_quote(span.label)}", f"end={span.end}"]
    if span.score != 1.0:
        modifiers.append(f"score={span.score!r}")
    if others := span.info.get("omop:term_modifiers"):
        modifiers.append(others)
    return {
        **dict.fromkeys(NOTE_NLP, ""),
        **SPAN_DEFAULTS,
        **_columns(span.info),
        "note_nlp_id": str(number),
        "note_id": document.id,
        "offset": str(span.start),
        "lexical_variant": document.text_of(span),
        "nlp_system": span.source,
        "term_modifiers": ";".join(modifiers),
    }


def _columns(info: Mapping[str, str]) -> TableRow:
    return {key.removeprefix("omop:"): value for key, value in info.items()}


def _quote(label: str) -> str:
    return label.replace("%", "%25").replace(";", "%3B").replace("=", "%3D")


def sniff(sample: Sample) -> str:
    header = sample.head.removeprefix("\ufeff").partition("\n")[0].lower()
    columns = {name.strip().strip('"') for name in header.split(",")}
    for telling in (["note_id", "person_id", "note_text"], ["note_id", "lexical_variant", "term_modifiers"]):
        if columns.issuperset(telling):
            return f"a CSV header with {', '.join(telling)}"
    tables = [name for name in sample.names if name.lower() in ("note.csv", "omop_note.csv")]
    return f"a table {tables[0]}" if tables and sample.path.is_dir() else ""


FORMATS = (
    Format(
        name="omop",
        title="OMOP Common Data Model: NOTE and NOTE_NLP as CSV",
        suffix=".csv",
        folder=True,
        holds=Holds(
            patient=True,
            language=True,
            score=True,
            source=True,
            info=frozenset(f"omop:{name}" for name in NOTE if name not in OURS),
            span_info=frozenset(f"omop:{name}" for name in NOTE_NLP if name not in SPAN_OURS - {"term_modifiers"}),
        ),
        read=read,
        write=write,
        sniff=sniff,
        table=True,
    ),
)
