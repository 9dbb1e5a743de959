"""An operator for each column beside the notes, proposed by what the column is taken for, its name and its cells.

Nothing is done by a proposal: it stands in a file that somebody looks through, and gives to a run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from elision.detect.kinds import Kind, kind_of
from elision.formats.tables.columns import ALL_KNOWN, Columns, holds_json
from elision.formats.tables.operators import DROP, GENERALISE, KEEP, PSEUDONYM, SHIFT, Operator
from elision.labels import parent
from elision.run.column_checks import CONCEPT, looks_like
from elision.run.column_types import has_days, suits


class Proposal(NamedTuple):
    """What a column could become, and why."""

    do: str
    why: str


def proposed(schema: Any, batches: Sequence[pa.RecordBatch], columns: Columns) -> dict[str, Proposal]:
    """A proposal for each column that is neither a text nor the notes' id."""
    found = {}
    for one in schema:
        if one.name in columns.texts or one.name == columns.id:
            continue
        made = _proposal(one, batches, columns)
        do, _, more = made.do.partition(":")
        label = kind_of(more or one.name).label
        cannot = do not in (KEEP, DROP) and (holds_json(one) or not suits(one.type, Operator(do, more), label))
        found[one.name] = Proposal(DROP, f"{made.why}, and {do} cannot change {one.type}") if cannot else made
    return found


def _proposal(field: Any, batches: Sequence[pa.RecordBatch], columns: Columns) -> Proposal:
    name = str(field.name)
    if name in columns.operators or name in columns.keep:
        return Proposal(columns.fate(name), "said so")
    if name == columns.language:
        return Proposal(KEEP, "it says a language, and names nobody")
    if name.lower().endswith(CONCEPT):
        return Proposal(KEEP, "it says a concept of OMOP, and names nobody")
    if name == columns.patient:
        return Proposal(PSEUDONYM, "it links the rows of a patient")
    kinds = [kind for kind, column in columns.known.items() if column == name]
    if ALL_KNOWN in kinds:
        return Proposal(DROP, "it tells of a patient what is looked for in the notes")
    kind = kind_of(kinds[0] if kinds else name)
    if kinds or kind.label in ("AGE", "ZIP", "DATE_BIRTH"):
        return _of_kind(kind, name)
    looks = looks_like(name, batches)
    if looks == "dates" or has_days(field.type):
        return Proposal(SHIFT, "its values are dates, and move as those of the notes")
    if looks.startswith("numbers"):
        return Proposal(PSEUDONYM, f"its values look like {looks}")
    if looks:
        return Proposal(DROP, f"its values look like {looks}")
    if name.lower().endswith(("_id", " id", "id_")) or name.endswith(("ID", "Id")):
        return Proposal(PSEUDONYM, "its name is usual for an id, which links tables")
    return Proposal(DROP, "nothing shows that it names nobody: if so, say keep")


def _of_kind(kind: Kind, name: str) -> Proposal:
    """By the kind of the values."""
    if kind.label == "AGE":
        return Proposal(GENERALISE, "its values are ages: those over 89 become one group")
    if kind.label == "ZIP":
        more = "" if kind_of(name).label == "ZIP" else ":zip"
        return Proposal(f"{GENERALISE}{more}", "its values are postcodes: three digits of a US one may stay")
    if parent(kind.label) == "DATE":
        return Proposal(SHIFT, "its values are dates, and move as those of the notes")
    if kind.how == "code":
        return Proposal(PSEUDONYM, f"the notes may say it ({kind.label}): it becomes what stands there instead")
    return Proposal(DROP, f"it names people or places ({kind.label}); pseudonym gives the stand-ins of the notes")


def as_toml(columns: Columns, proposals: Mapping[str, Proposal], command: str) -> str:
    """A file for `--columns`: what each column is taken for, and the proposals with their reasons."""
    lines = [
        "# What each column of a table is, and what becomes of it. Look through it, change what is wrong, and say:",
        f"# {command}",
        f"texts = {json.dumps(list(columns.texts), ensure_ascii=False)}",
    ]
    lines += [
        f"{role} = {_quoted(column)}"
        for role in ("id", "patient", "language", "date")
        if (column := getattr(columns, role))
    ]
    if columns.known:
        lines += ["", "[known]  # what the record states: looked for in the notes"]
        lines += [f"{_quoted(kind)} = {_quoted(column)}" for kind, column in columns.known.items()]
    if proposals:
        lines += ["", "[operators]  # shift, pseudonym, generalise, hash, keep or drop"]
        said = [(f"{_quoted(name)} = {_quoted(one.do)}", one.why) for name, one in proposals.items()]
        width = max(len(line) for line, _ in said)
        lines += [f"{line:{width}}  # {why}" for line, why in said]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
