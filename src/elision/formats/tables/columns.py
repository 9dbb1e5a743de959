"""Which column of a table is what: the texts, the note's id, whose note it is, what is known of the patient.

All that is not named here is dropped, since a column that nobody looked at may say who somebody is.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from elision.errors import FormatError
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns

ALL_KNOWN = "*"  # the kind of a column whose cells are JSON objects of all known values: {"name": ["Jane Roe"]}


@dataclass(frozen=True)
class Columns:
    """Columns by what they are. `known`: the kind of a known value ("name", "mrn") and its column. `keep`: columns that
    go out as they are."""

    texts: tuple[str, ...] = ()
    id: str = ""
    patient: str = ""
    language: str = ""
    date: str = ""
    known: Mapping[str, str] = field(default_factory=dict)
    keep: tuple[str, ...] = ()

    def __post_init__(self) -> None:
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

    @property
    def read(self) -> tuple[str, ...]:
        """All columns that are looked at, each once."""
        named = (self.id, self.patient, self.language, self.date, *self.texts, *self.known.values(), *self.keep)
        return tuple(dict.fromkeys(column for column in named if column))

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "texts": list(self.texts), "known": dict(self.known), "keep": list(self.keep)}

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
            is_json = (one.metadata or {}).get(b"elision") == b"json"
            if str(one.type) not in ("string", "large_string") or is_json:
                kind = "values of several kinds" if is_json else str(one.type)
                raise FormatError(
                    f"{where}: column {shown_column(column)} holds {kind}, not text; choose another, or cast it"
                )
        return self

    def check_names(self, names: Sequence[str], where: str) -> None:
        if not self.texts:
            raise FormatError(f"{where}: no text column; say which with --text; there are: {shown_columns(names)}")
        for column in self.read:
            if column not in names:
                near = get_close_matches(column, names, n=3, cutoff=0.5)
                lower = [name for name in names if name.lower() == column.lower()]
                hint = (
                    f"did you mean {' or '.join(map(shown_column, lower or near))}?"
                    if lower or near
                    else f"there are: {shown_columns(names)}"
                )
                raise FormatError(f"{where}: no column {shown_column(column)!r}; {hint}")


def omop(names: Iterable[str]) -> Columns:
    """The columns of an OMOP NOTE table. Kept are those with a concept or a number of the database itself; a date, a
    provider, a visit and what the source called the note are dropped, and the title is a text like any other."""
    by = {name.lower(): name for name in names}
    concepts = ("note_type", "note_class", "encoding", "language", "note_event_field")
    kept = [by[f"{name}_concept_id"] for name in concepts if f"{name}_concept_id" in by]
    return Columns(
        texts=tuple(by[name] for name in ("note_text", "note_title") if name in by),
        id=by.get("note_id", "note_id"),
        patient=by.get("person_id", "person_id"),
        language=by.get("language_concept_id", ""),
        date=by.get("note_date", ""),
        keep=(*kept, by.get("person_id", "person_id")),
    )
