"""The papers' systems of lists and patterns, chosen from the rows of our packs.

Such a system knows lists of names, places and institutes, titles and initials before a name, and patterns for what
has a form. It does not know callings, departments, employers, trigger words beyond titles, checksums, or most of our
negative knowledge; so those rows are left out. None of it is the papers' code, and the lists are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from elision.detect.base import Detector, Function, Named
from elision.detect.kinds import kind_of
from elision.detect.known import KnownValues
from elision.document import Document, Span
from elision.errors import RuleError
from elision.labels import parent
from elision.merge import merge
from elision.rules.engine import Rules
from elision.rules.pack import Pack, read_pack
from elision.rules.row import Row, row_of

Choice = Mapping[str, Sequence[str]]  # file of a pack -> names of its rows

MENGER: Choice = {
    "nl/names": (
        "title", "title-caps", "title-initial", "doctor", "initials-surname", "surname-initials", "full-name-particles",
        "particle-surname", "particle-listed", "given-surname", "given", "surname-listed",
    ),
    "nl/addresses": (
        "street-number", "street-of", "postbox", "postcode-nl", "postcode-town", "town-list", "province",
    ),
    "nl/care": ("hospital-known", "hospital-prefix", "care-brand"),
    "nl/dates": ("day-month-year", "year-month-day", "date-spaced", "day-named-month"),
    "nl/ages": (
        "years-old", "jarige", "months-weeks-old", "person-of-years", "person-comma-years", "years-set-off",
        "months-set-off",
    ),
    "nl/contact": ("mobile-nl", "landline-nl", "landline-solid"),
    "nl/ids": ("bare-number",),
    "nl/harmless": ("eponym-of", "eponym-morbus", "eponym-thing", "eponym"),
    "net": ("email", "url", "url-www", "url-bare"),
}  # fmt: skip

ZHAO: Choice = {
    "zh/names": (
        "patient-field", "name-field-any", "patient-before-name", "clinician-field", "clinician-field-second",
        "role-before-name", "name-before-title", "two-names-before-title", "name-by-list",
    ),
    "zh/addresses": (
        "address-labelled", "address", "street", "province", "municipality", "city", "city-bare", "city-tw", "county",
        "county-of-four", "county-of-two", "county-long", "native-place", "not-a-city", "not-a-village",
    ),
    "zh/care": ("hospital", "hospital-short", "hospital-labelled", "not-a-hospital"),
    "zh/dates": (
        "year-month-day", "year-month-day-range", "year-month", "month-day", "month-day-range", "numbers-year-first",
        "numbers-compact", "numerals-year-month-day", "birth-year-first", "not-a-date",
    ),
    "zh/ages": ("age", "age-labelled", "age-after-sex", "age-numerals"),
    "zh/ids": (
        "record-number", "record-number-with-no", "record-number-blank", "visit-number", "resident-id",
        "resident-id-labelled", "not-an-id",
    ),
}  # fmt: skip


TOWNS = ("nl/addresses/town-list", "nl/towns/town-known")
_STREET = r"(?:\p{Lu}[\pL'-]{1,24} ){1,3}\d{1,4}(?: ?[A-Za-z]\b)?"
# What stands before a number and is no street, even before a town: "Kamer 12 Utrecht".
_NO_STREET = (
    r"(?:Kamer|Kmr|Zaal|Bed|Unit|Vleugel|Afdeling|Afd|Verdieping|Etage|Poli|Polikliniek|Gebouw|Blok|Route|Balie|Loket|Team"
    r"|Groep|Locatie|Week|Dag|Graad|Stadium|Fase|Nummer|Nr)\.? \d{1,4}(?: ?[A-Za-z]\b)?"
)
NAMED_LOCATION = {"HOSPITAL", "CARE_FACILITY", "ORGANIZATION", "DEPARTMENT", "ROOM"}


def chosen(pack: Pack, choice: Choice) -> Pack:
    """The pack with these rows alone, in its own order."""
    wanted = {f"{file}/{name}" for file, names in choice.items() for name in names}
    rows = tuple(row for row in pack.rows if row.id in wanted)
    if missing := sorted(wanted - {row.id for row in rows}):
        raise RuleError(f"{pack.name}: this pack has no rule {', '.join(missing)}, which a baseline is made of")
    return Pack(pack.name, rows)


def menger2018(institutions: Iterable[str] = (), *, known: bool = True) -> Detector:
    """A system like DEDUCE (Menger 2018), with which Trienes 2020 compares: a detector for Dutch notes.

    It has what that system has: titles, initials, particles and lists for names; the names of the patient that the
    record states (`Document.known`), misspelt too, unless `known` is false; streets with numbers, whatever they
    are called where a listed town follows; postcodes, towns and provinces; listed institutes; dates with day and
    month; ages; telephone numbers; numbers of seven digits or more; addresses on the net. Trienes adds the
    institutes of his field: give yours as `institutions`. It is made of rows of our Dutch pack (`MENGER`), not of
    DEDUCE's code or lists, which are larger; of the names it has no titles, as in Trienes. Labels are the
    canonical ones.
    """
    pack = read_pack("nl")
    rows = chosen(pack, MENGER).rows + _streets(pack)
    if listed := sorted(set(institutions)):
        rows += (_listed(listed, "institutions", "CARE_FACILITY"),)
    rules = Rules(Pack("menger2018", rows))
    return Named(_with_names(rules)) if known else rules


def zhao2018_rules() -> Rules:
    """The "rule-based" line of Zhao 2018 (text skeletons): dictionaries and patterns for Chinese records.

    The paper says no more of it than that. We take, of our Chinese pack, lists and fields for patients and doctors,
    places by list and form, hospitals, dates, ages and numbers (`ZHAO`): the paper's seven labels.
    """
    return Rules(Pack("zhao2018-rules", chosen(read_pack("zh"), ZHAO).rows))


def named_locations(documents: Iterable[Document]) -> list[Document]:
    """The notes with hospitals, care institutes, organizations and internal locations all as "Named Location".

    Trienes 2020 scores DEDUCE so, which does not tell these four apart. An internal location is our DEPARTMENT or ROOM.
    Group both the gold notes and what the system found.
    """

    def grouped(span: Span) -> Span:
        return replace(span, label="Named Location") if span.label in NAMED_LOCATION else span

    return [document.with_spans(map(grouped, document.spans)) for document in documents]


def _streets(pack: Pack) -> tuple[Row, ...]:
    """Rows for a street of any name with its number before a listed town, and for that town; a room is no street."""
    of_id = {row.id: row for row in pack.rows}
    town = "|".join(of_id[name].source for name in TOWNS)
    street = {"name": "street-number-town", "label": "STREET", "pattern": _STREET, "after": f",? (?:{town})"}
    place = {"name": "town-behind-street", "label": "CITY", "before": _STREET + ",? ", "pattern": f"(?:{town})"}
    room = {"name": "room-number", "label": "NOT", "pattern": _NO_STREET}
    rows = ({**row, "case": "exact", "score": 0.7} for row in (street, place, room))
    return tuple(row_of(row, "streets", "nl", {}) for row in rows)


def _listed(values: Sequence[str], name: str, label: str) -> Row:
    """A row that finds these phrases, the longest first."""
    if not all(value == " ".join(value.split()) and value for value in values):
        raise RuleError(f"{name}: a phrase is empty or has blanks to spare")
    phrases = "|".join(re.escape(value) for value in sorted(values, key=lambda value: (-len(value), value)))
    return row_of({"name": name, "label": label, "pattern": f"(?:{phrases})", "score": 0.9}, name, "given", {})


def _with_names(rules: Rules) -> Function:
    """Rules, and the patient's own names as the record states them; other known values are not looked at."""
    values = KnownValues()

    def detect(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        named = [replace(document, known=_names(document)) for document in documents]
        found = zip(rules.detect(documents), values.detect(named), strict=True)
        return [merge([*spans, *more]) for spans, more in found]

    return detect


def _names(document: Document) -> dict[str, tuple[str, ...]]:
    return {name: tuple(kept) for name, kept in document.known.items() if parent(kind_of(name).label) == "NAME"}
