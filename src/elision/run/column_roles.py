"""What each column of a table is taken for, and why: by its name first, then by its type and the look of its cells.

Cells are only measured (how long, how many are empty, whether they read like sentences); none of them is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from elision.detect.kinds import Kind, kind_of
from elision.formats.tables.columns import ALL_KNOWN, Columns, holds_json, omop
from elision.languages.telling.deciding import is_language, language_code
from elision.text.characters import HAN_RANGES

TEXT_NAMES = frozenset((
    "text", "texts", "note", "notes", "note_text", "notetext", "body", "content", "report", "report_text",
    "narrative", "free_text", "freetext", "clinical_note", "letter", "summary", "discharge_summary", "findings",
    "impression", "comment", "comments", "remarks", "history", "hpi", "plan", "texto", "nota", "informe",
    "observaciones", "comentario", "evolucion", "evolución", "juicio", "tekst", "verslag", "notitie", "brief",
    "beloop", "opmerking", "opmerkingen", "文本", "病历", "病程", "记录", "内容", "note_title",
))  # fmt: skip
ID_NAMES = (
    "note_id", "noteid", "doc_id", "docid", "document_id", "text_id", "report_id", "row_id", "record_id", "id",
    "uuid", "guid", "key", "file", "filename", "id_nota", "id_informe", "notitie_id", "verslag_id",
)  # fmt: skip
PATIENT_NAMES = (
    "patient_id", "patientid", "person_id", "subject_id", "pat_id", "patient", "pid", "patient_number", "id_paciente",
    "paciente_id", "paciente", "patientnr", "patientnummer", "患者",
)  # fmt: skip
PERSON_NAMES = ("person", "persona", "persoon", "subject", "case")  # of a person's name, or of its number
RECORD_NAMES = ("mrn", "medical_record_number", "nhc")  # a patient's, too, where nothing better is
LANGUAGE_NAMES = ("language", "lang", "language_code", "language_concept_id", "idioma", "taal", "语言")
DATE_NAMES = (
    "note_date", "date", "note_datetime", "chartdate", "charttime", "created", "created_at", "report_date", "datetime",
    "timestamp", "fecha", "fecha_nota", "datum", "日期",
)  # fmt: skip
# Names that are kinds of known values elsewhere, but in a table of notes as often the note's own.
_NOT_KNOWN = frozenset((
    "id", "ids", "identifier", "identifiers", "date", "line", "record", "order", "visit", "encounter", "device",
    "serial", "url",
))  # fmt: skip
LONG = 200  # characters from which on a column of words is taken for a text, whatever it is called
_NAMED = 3  # words in a cell of a column with the name of a text


@dataclass(frozen=True)
class ColumnRole:
    """One column: what it is taken for, why, and what would happen to it. Lengths are of its cells, in characters."""

    column: str
    type: str
    role: str
    why: str
    fate: str
    nulls: float = 0.0
    shortest: int = 0
    median: int = 0
    longest: int = 0


def guess(schema: Any, cells: Mapping[str, Sequence[object]]) -> tuple[Columns, list[ColumnRole]]:
    """The columns of a table with this schema, and some cells of each."""
    names = [str(name) for name in schema.names]
    plain = {name: plain_name(name) for name in names}
    if {"note_id", "person_id", "note_text"} <= set(plain.values()):
        chosen = omop(names)
        reasons = dict.fromkeys(chosen.read, "the table is an OMOP NOTE table")
    else:
        chosen, reasons = _by_names(schema, cells, names, plain)
    return chosen, described(schema, cells, chosen, reasons)


def described(
    schema: Any, cells: Mapping[str, Sequence[object]], columns: Columns, reasons: Mapping[str, str] | None = None
) -> list[ColumnRole]:
    """Every column of a table with what is taken for what; without reasons, somebody has said so."""
    rows = []
    for name in map(str, schema.names):
        seen = cells.get(name, ())
        lengths = [len(str(cell)) for cell in seen if cell is not None]
        role = role_of(name, columns)
        said = (reasons or {}).get(name, "said so" if reasons is None and role else "")
        rows.append(
            ColumnRole(
                name,
                str(schema.field(name).type),
                role or "none",
                said or "neither its name nor its cells tell",
                _fate(name, role, columns),
                round(1 - len(lengths) / len(seen), 4) if seen else 0.0,
                min(lengths, default=0),
                int(median(lengths)) if lengths else 0,
                max(lengths, default=0),
            )
        )
    return rows


def role_of(name: str, columns: Columns) -> str:
    """What a column is taken for, "" if for nothing."""
    roles = ["text"] if name in columns.texts else []
    roles += [role for role in ("id", "patient", "language", "date") if getattr(columns, role) == name]
    kinds = [kind for kind, column in columns.known.items() if column == name]
    roles += ["known values" if kind == ALL_KNOWN else f"known {kind}" for kind in kinds]
    beside = ["kept"] if name in columns.keep else ["changed"] if name in columns.changed else []
    return ", ".join(roles or beside)


def _fate(name: str, role: str, columns: Columns) -> str:
    if name in columns.texts:
        return "cleaned"
    if name == columns.id or name in columns.keep:
        return "goes out as it is: see that it names nobody"
    if name in columns.changed:
        return f"changed: {columns.changed[name]}"
    return "read, then dropped" if role else "dropped"


def _by_names(
    schema: Any, cells: Mapping[str, Sequence[object]], names: list[str], plain: dict[str, str]
) -> tuple[Columns, dict[str, str]]:
    reasons: dict[str, str] = {}

    def first(wanted: Sequence[str], what: str) -> str:
        for one in wanted:
            for name in names:
                if plain[name] == one and name not in reasons:
                    reasons[name] = f"its name is usual for {what}"
                    return name
        return ""

    id = first(ID_NAMES, "a note's id")
    language = next((name for name in names if plain[name] in LANGUAGE_NAMES and _languages(cells.get(name, ()))), "")
    if language:
        reasons[language] = "its name is usual for a language, and so are its cells"
    date = first(DATE_NAMES, "a note's date")
    patient = next((name for name in patients_in(names, cells) if name not in reasons), "")
    if patient:
        codes = ", and its cells are numbers or codes" if plain[patient] in PERSON_NAMES else ""
        reasons[patient] = f"its name is usual for a patient's id{codes}"
    known = known_columns(schema, cells, {id, language, date}, reasons)
    texts = [name for name in names if name not in reasons and _is_text(schema, name, plain, cells, reasons)]
    return Columns(tuple(texts), id, patient, language, date, known), reasons


def patients_in(names: Sequence[str], cells: Mapping[str, Sequence[object]]) -> list[str]:
    """Columns that may say whose a row is, the likeliest first."""
    usual = [name for one in PATIENT_NAMES for name in names if plain_name(name) == one]
    persons = [name for name in names if plain_name(name) in PERSON_NAMES and _are_codes(cells.get(name, ()))]
    return usual + persons + [name for one in RECORD_NAMES for name in names if plain_name(name) == one]


def known_columns(
    schema: Any, cells: Mapping[str, Sequence[object]], taken: set[str], reasons: dict[str, str] | None = None
) -> dict[str, str]:
    """The columns of known values by their kinds."""
    reasons = {} if reasons is None else reasons
    names = [str(name) for name in schema.names]
    plain = {name: plain_name(name) for name in names}
    found: dict[str, str] = {}
    for name in names:
        if plain[name] in PERSON_NAMES and _are_codes(cells.get(name, ())):
            continue  # a person's number, and no name
        if name in taken or plain[name] in _NOT_KNOWN or plain[name] in TEXT_NAMES or plain[name] in found:
            continue
        kind = kind_of(name)
        if plain[name] == "known":
            found[ALL_KNOWN] = name
            reasons[name] = "its name is usual for all known values of a patient"
        elif (
            kind.label != "OTHER"
            and plain[name] not in ("patient_id", "patient_number")
            and _may_be(schema, name, kind)
        ):
            found[plain[name]] = name
            reasons.setdefault(name, f"its name is usual for known values ({kind.label})")
    return found


def _is_text(
    schema: Any, name: str, plain: dict[str, str], cells: Mapping[str, Sequence[object]], reasons: dict[str, str]
) -> bool:
    if not _is_string(schema, name):
        return False
    seen = [cell for cell in cells.get(name, ()) if isinstance(cell, str) and cell.strip()]
    words = median(map(_words, seen)) if seen else 0
    if plain[name] in TEXT_NAMES and (words >= _NAMED or not seen):
        reasons[name] = "its name is usual for a text" + (", and its cells have words" if seen else "")
    elif seen and median(map(len, seen)) >= LONG and words >= LONG / 20:
        reasons[name] = "its cells are long and have many words"
    elif words >= 2 * _NAMED:
        reasons[name] = "its cells read like sentences"
    return name in reasons


def _words(cell: str) -> int:
    """Words; Chinese has none that blanks tell apart, so there two characters count as one."""
    return len(cell[:2000].split()) + len(re.findall(f"[{HAN_RANGES}]{{2}}", cell[:2000]))


def _is_string(schema: Any, name: str) -> bool:
    return "string" in str(schema.field(name).type) and not holds_json(schema.field(name))


def _may_be(schema: Any, name: str, kind: Kind) -> bool:
    """Whether a column can hold values of a kind by its type: numbers of people may be numbers, and dates dates."""
    type = str(schema.field(name).type)
    return (
        _is_string(schema, name)
        or ("int" in type and kind.how in ("code", "phone"))
        or (type.startswith("date") and kind.how == "date")
    )


def _are_codes(cells: Sequence[object]) -> bool:
    """Whether most cells are numbers or codes, and no names."""
    seen = [str(cell).strip() for cell in cells if cell is not None]
    return sum(bool(re.fullmatch(r"\S*\d\S*", cell)) for cell in seen) * 2 > len(seen)


def _languages(cells: Sequence[object]) -> bool:
    """Whether most cells name a language, ours or not; a column without cells is believed its name."""
    seen = [cell for cell in cells if language_code(cell)]
    return not seen or sum(map(is_language, seen)) * 2 > len(seen)


def plain_name(name: str) -> str:
    return re.sub(r"[\s.-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip())).lower()
