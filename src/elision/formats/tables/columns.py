"""Which column of a table is what: the texts, the note's id, whose note it is, what is known of the patient.

All that is not named here is dropped, since a column that nobody looked at may say who somebody is. The first row of
a CSV without a header is a note, and would stand in clear wherever a column is named: in the output, the manifest, the
report, on the terminal. So it is asked whether the names of columns are names.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.formats.tables.operators import DROP, KEEP, PSEUDONYM, SHIFT, Operator, checked, parsed
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns
from elision.showing import like_data

_FEW = 2  # rows below the first one from which on a likeness is no accident


def numbered(width: int) -> tuple[str, ...]:
    """The names of the columns of a table without a header."""
    return tuple(f"column{number}" for number in range(1, width + 1))


def check_names(names: Sequence[str], where: str) -> None:
    """An error if some name reads like data; it counts and does not quote."""
    why = {number: told for number, name in enumerate(names, 1) if (told := like_data(name))}
    if why:
        which = f"{_columns(list(why))} {'has a name' if len(why) == 1 else 'have names'}"
        raise FormatError(
            f"{where}: {which} like data ({_reasons(why.values())}); names of columns go out: rename what is none"
        )


def check_header(header: Sequence[str], rows: Sequence[Sequence[str]], where: str) -> None:
    """An error if the first row of a table looks like the rows below it, or like data at all."""
    why = {number: told for number, name in enumerate(header, 1) if (told := like_data(name))}
    if not why:
        why = _alike(header, [row for row in rows if list(row) != list(header)])
    if why:
        raise FormatError(
            f"{where}: the first row looks like data, not like column names (see {_columns(list(why))}: "
            f"{_reasons(why.values())}); add a header row, or say --no-header if there is none"
        )
    places: dict[str, list[int]] = {}
    for number, name in enumerate(header, 1):
        places.setdefault(name, []).append(number)
    if twice := [numbers for numbers in places.values() if len(numbers) > 1]:
        raise FormatError(
            f"{where}: the header has one name twice (see {_columns(twice[0])}); rename one, or say --no-header if the "
            "first row is none"
        )


def _alike(header: Sequence[str], rows: Sequence[Sequence[str]]) -> dict[int, str]:
    """Columns of which the first cell is made like all others, or comes again below."""
    found: dict[int, str] = {}
    for at, name in enumerate(header):
        cells = [row[at] for row in rows if len(row) == len(header) and row[at].strip()]
        if len(cells) < _FEW or not name.strip():
            continue
        if any(map(str.isdigit, name)) and {_shape(cell) for cell in cells} == {_shape(name)}:
            found[at + 1] = "made like the cells below it"
        elif cells.count(name) > 1:
            found[at + 1] = "the same as cells below it"
    return found


def _shape(cell: str) -> str:
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "9", cell))


def _columns(numbers: Sequence[int], most: int = 5) -> str:
    shown = ", ".join(f"{number:,}" for number in numbers[:most]) + (", ..." if len(numbers) > most else "")
    return f"column{'s' * (len(numbers) > 1)} {shown}"


def _reasons(reasons: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(reasons))


def holds_json(field: Any) -> bool:
    """Whether the cells of a column are JSON of several kinds, and no texts."""
    return (field.metadata or {}).get(b"elision") == b"json"


ALL_KNOWN = "*"  # the kind of a column whose cells are JSON objects of all known values: {"name": ["Jane Roe"]}


@dataclass(frozen=True)
class Columns:
    """Columns by what they are. `known`: the kind of a known value ("name", "mrn") and its column. `operators`: what
    becomes of a column that is no text, such as "shift". `keep`: columns that go out as they are; an operator that
    says so stands there, too. `record`: the shells of messages or resources, which go out cleaned, and `joints`: where
    the pieces of their texts begin."""

    texts: tuple[str, ...] = ()
    id: str = ""
    patient: str = ""
    language: str = ""
    date: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()
    operators: Mapping[str, str] = field(default_factory=dict)
    record: str = ""
    joints: str = ""

    def __post_init__(self) -> None:
        operators = checked(self.operators, "columns")
        for column in self.keep:
            if operators.get(column, KEEP) != KEEP:
                raise FormatError(
                    f"column {shown_column(column)} is to be kept, and to be changed by {operators[column]}; say one"
                )
        kept = [column for column, said in operators.items() if said == KEEP]
        object.__setattr__(self, "keep", tuple(dict.fromkeys((*self.keep, *kept))))
        object.__setattr__(self, "operators", {name: said for name, said in operators.items() if said != KEEP})
        for column in self.operators:
            self._check_operator(column)
        both = sorted({*self.texts} & {*self.keep})
        if both:
            raise FormatError(
                f"column {shown_column(both[0])} is a text, which is cleaned, and cannot be kept as it is as well"
            )
        for column in (self.id, self.patient):
            if column and column in self.texts:
                raise FormatError(
                    f"column {shown_column(column)} is taken both for a text and for an id; name another one"
                )

    def _check_operator(self, column: str) -> None:
        said = self.operators[column]
        if column in self.texts:
            raise FormatError(
                f"column {shown_column(column)} is a text: the policy says what becomes of it, and {said} is for the "
                "columns beside it"
            )
        if column == self.id:
            raise FormatError(
                f"column {shown_column(column)} has the notes' ids, which name the files and the receipts, too; in "
                f"place of {said} say --ids keyed"
            )

    @property
    def changed(self) -> dict[str, Operator]:
        """The columns that go out with other values, each with its operator."""
        return {name: parsed(said, name, "columns") for name, said in self.operators.items() if said != DROP}

    @property
    def out(self) -> frozenset[str]:
        """All columns that go out."""
        return frozenset((self.id, *self.texts, *self.keep, *self.changed, self.record, self.joints)) - {""}

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that are looked at, each once."""
        named = (self.id, self.patient, self.language, self.date, *self.texts, *self.known.values(), *self.keep)
        named += (self.record, self.joints)
        return tuple(dict.fromkeys(column for column in (*named, *self.changed) if column))

    def fate(self, column: str) -> str:
        """What becomes of a column, in a word: an operator, or what is done with a text or an id."""
        if column in self.texts:
            return "cleaned"
        if column == self.id:
            return "id"
        if column and column in (self.record, self.joints):
            return "cleaned"
        return KEEP if column in self.keep else self.operators.get(column, DROP)

    def fates(self, names: Iterable[str]) -> dict[str, str]:
        """What becomes of each column, by names that may be shown."""
        return {shown_column(name, number): self.fate(name) for number, name in enumerate(map(str, names), 1)}

    def as_json(self) -> dict[str, Any]:
        row = {**asdict(self), "texts": list(self.texts), "known": dict(self.known), "keep": list(self.keep)}
        return {**row, "operators": dict(self.operators)}

    @classmethod
    def from_json(cls, given: Mapping[str, Any], where: str = "columns") -> Columns:
        """Columns from a mapping such as `as_json` gives and a TOML file holds; `text` is short for one text."""
        row = dict(given)
        if isinstance(row.get("text"), str) and "texts" not in row:
            row["texts"] = [row.pop("text")]
        names = [one.name for one in fields(cls)]
        for name, value in row.items():
            if name not in names:
                near = get_close_matches(name, names, n=1)
                raise FormatError(
                    f"{where}: no such field {name[:40]!r}{f' (did you mean {near[0]}?)' if near else ''}"
                )
            if name in ("texts", "keep"):
                if isinstance(value, str) or not all(isinstance(one, str) for one in value):
                    raise FormatError(f"{where}: {name} must be a list of names of columns")
                row[name] = tuple(dict.fromkeys(value))
            elif name == "known":
                if not isinstance(value, Mapping) or not all(isinstance(one, str) for one in value.values()):
                    raise FormatError(f"{where}: known must be a table of kinds and names of columns")
                row[name] = dict(value)
            elif name == "operators":
                if not isinstance(value, Mapping):
                    raise FormatError(f"{where}: operators must be a table of columns and what becomes of each")
                row[name] = checked(value, where)
            elif not isinstance(value, str):
                raise FormatError(f"{where}: {name} must be the name of a column")
        return cls(**row)

    @classmethod
    def from_toml(cls, file: str | Path) -> Columns:
        """Columns as a file says them, at its top or in a table `[columns]`."""
        try:
            with Path(file).open("rb") as stream:
                given = tomllib.load(stream)
        except OSError as error:
            raise FormatError(f"{file}: cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            raise FormatError(f'{file}: is not valid TOML; it should read like: texts = ["note_text"]') from None
        return cls.from_json(given.get("columns", given), str(file))

    def check(self, schema: Any, where: str) -> Columns:
        """The same columns, if the table has them all and texts are texts; else an error that names near ones."""
        self.check_names(list(map(str, schema.names)), where)
        for column in self.texts:
            one = schema.field(column)
            is_json = holds_json(one)
            if str(one.type) not in ("string", "large_string") or is_json:
                kind = "values of several kinds" if is_json else str(one.type)
                raise FormatError(
                    f"{where}: column {shown_column(column)} holds {kind}, not text; choose another, or cast it"
                )
        return self

    def check_names(self, names: Sequence[str], where: str) -> None:
        if not self.texts:
            raise FormatError(f"{where}: no text column; say which with --text; there are: {shown_columns(names)}")
        for column in (*self.read, *self.operators):
            if column not in names:
                near = get_close_matches(column, names, n=3, cutoff=0.5)
                lower = [name for name in names if name.lower() == column.lower()]
                hint = (
                    f"did you mean {' or '.join(map(shown_column, lower or near))}?"
                    if lower or near
                    else f"there are: {shown_columns(names)}"
                )
                raise FormatError(f"{where}: no column {shown_column(column)!r}; {hint}")


def omop(names: Iterable[str], *, keyed: bool = False, dates: str = SHIFT) -> Columns:
    """The columns of an OMOP NOTE table. Kept are those with a concept; the title is a text like any other, and what
    the source called the note is dropped. With a key, ids become pseudonyms and dates move, so that the table can be
    loaded again; without one, the person's number is kept, and dates, provider and visit are dropped."""
    by = {name.lower(): name for name in names}
    concepts = ("note_type", "note_class", "encoding", "language", "note_event_field")
    kept = [by[f"{name}_concept_id"] for name in concepts if f"{name}_concept_id" in by]
    changed = dict.fromkeys(("note_date", "note_datetime"), dates)
    changed |= dict.fromkeys(
        ("person_id", "provider_id", "visit_occurrence_id", "visit_detail_id", "note_event_id"), PSEUDONYM
    )
    return Columns(
        texts=tuple(by[name] for name in ("note_text", "note_title") if name in by),
        id=by.get("note_id", "note_id"),
        patient=by.get("person_id", "person_id"),
        language=by.get("language_concept_id", ""),
        date=by.get("note_date", ""),
        keep=tuple(kept) if keyed else (*kept, by.get("person_id", "person_id")),
        operators={by[name]: do for name, do in changed.items() if name in by} if keyed else {},
    )
