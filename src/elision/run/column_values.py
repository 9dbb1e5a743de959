"""The columns beside the notes, changed as their operators say: by the key, the patient and the shift of the notes.

A value that cannot be changed becomes NULL and is counted, with the reason; none comes out as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, NamedTuple

import pyarrow as pa

from elision.detect.kinds import kind_of
from elision.document import Document, Span
from elision.formats.tables.columns import ALL_KNOWN, Columns
from elision.formats.tables.operators import GENERALISE, HASH, PSEUDONYM, SHIFT, Operator
from elision.keys import Key, Secret
from elision.labels import parent
from elision.languages.base import DEFAULT, languages
from elision.languages.telling.deciding import language_code
from elision.policy import REST, Policy, Rule
from elision.replace.check import Done, problems
from elision.replace.dates import date_of, read, shifted
from elision.replace.operators import OPERATORS, PURPOSES, Secrets, Work
from elision.replace.originals import Originals
from elision.rewrite import rewrite
from elision.run.column_types import UNREADABLE, array_of, has_days, type_of, values_of
from elision.run.ids import PURPOSE, linking

Left = Counter[tuple[str, str]]  # a column, and why values of it are NULL now
IsKnown = Callable[[str], bool]
NOT_READABLE, NO_PATIENT, NO_DATE, NO_AGE, NO_ZIP, NO_STAND_IN, NO_NUMBER = (
    "not-readable", "no-patient", "not-a-date", "not-an-age", "not-a-zip", "no-stand-in", "not-a-whole-number",
)  # fmt: skip
LINKING = "OTHER"  # the label of values of no kind, by which rows are linked
_BY_NAME = frozenset(("MEDICAL_RECORD", "NATIONAL_ID", "HEALTH_PLAN", "ACCOUNT", "LICENSE", "AGE"))
_AGE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?")
_COMPACT = re.compile(r"(?:19|20)[0-9]{6}")
_REMEMBERED = 20_000  # values


class Owner(NamedTuple):
    """Whose row it is: its patient, or where there is none its note, and the language of its note."""

    patient: str
    note: str
    language: str


@dataclass
class Changing:
    """Changes the columns of one run."""

    columns: Columns
    policy: Policy
    secrets: Secrets | None = None
    linked: Secret | None = None
    language: str = ""  # of rows that tell none
    _known: IsKnown | None = None
    _made: dict[tuple[object, ...], tuple[Any, str]] = field(default_factory=dict)
    _days: dict[tuple[str, str], int] = field(default_factory=dict)

    @classmethod
    def by(cls, columns: Columns, policy: Policy, key: Key | None, language: str = "") -> Changing:
        secrets = {purpose: key.secret(purpose) for purpose in PURPOSES} if key else None
        return cls(columns, policy, secrets, key.secret(PURPOSE) if key else None, language_code(language))

    def arrays(
        self, batch: pa.RecordBatch, spoken: Mapping[int, str], is_known: IsKnown
    ) -> tuple[dict[str, pa.Array], Left]:
        """The columns of a batch that change, and what of them could not be changed. `spoken`: the language of the note
        of a row. `is_known` tells of a stand-in that it is a known value of somebody."""
        if is_known != self._known:
            self._made.clear()
            self._known = is_known
        owners = self.owners(batch, spoken)
        made: dict[str, pa.Array] = {}
        left: Left = Counter()
        for name, operator in self.columns.changed.items():
            column = batch.column(name)
            label = label_of(name, operator, self.columns, column.type)
            values = []
            for value, owner in zip(values_of(column), owners, strict=True):
                new, why = self._changed(value, operator, label, owner)
                if why:
                    left[name, why] += 1
                values.append(new)
            made[name] = array_of(values, type_of(column.type, operator), column, hours=operator.do != GENERALISE)
        return made, left

    def owners(self, batch: pa.RecordBatch, spoken: Mapping[int, str]) -> list[Owner]:
        """Whose each row is. Several notes in a row without a patient have a shift each, so it has none."""
        columns = self.columns
        ids, patients, said = (_strings(batch, name) for name in (columns.id, columns.patient, columns.language))
        alone = len(columns.texts) == 1
        return [
            Owner(
                patient,
                id if alone and not patient else "",
                spoken.get(row) or language_code(told) or self.language or DEFAULT,
            )
            for row, (id, patient, told) in enumerate(zip(ids, patients, said, strict=True))
        ]

    def _changed(self, value: Any, operator: Operator, label: str, owner: Owner) -> tuple[Any, str]:
        """What stands for a value; or None, and why."""
        if value is UNREADABLE:
            return None, NOT_READABLE
        if value is None or value != value or (isinstance(value, str) and not value.strip()):
            return None, ""
        if operator.do == SHIFT or (operator.do == PSEUDONYM and parent(label) == "DATE"):
            days = self.days_of(owner)
            return (None, NO_PATIENT) if days is None else _moved(value, days, operator, owner.language)
        what = operator, label, type(value), value, None if label == LINKING else owner
        if what not in self._made:
            if len(self._made) >= _REMEMBERED:
                self._made.clear()
            self._made[what] = self._other(value, operator, label, owner)
        return self._made[what]

    def _other(self, value: Any, operator: Operator, label: str, owner: Owner) -> tuple[Any, str]:
        coarse = operator.do == GENERALISE or (operator.do == PSEUDONYM and label == "AGE")
        text = _text(value, fraction=coarse)
        if text is None:
            return None, NO_NUMBER
        if coarse:
            return self._coarse(value, text, label, owner)
        if operator.do == HASH:
            return self._replaced(text, "hash", label, owner), ""
        if label == LINKING or (parent(label) == "NAME" and not re.search(r"[^\W\d_]", text)):
            assert self.linked is not None, "a pseudonym without a key"  # noqa: S101
            return _typed(linking(self.linked, text), value, NO_STAND_IN)
        if not (owner.patient or owner.note):
            return None, NO_PATIENT
        return _typed(self._replaced(text, "surrogate", label, owner), value, NO_STAND_IN)

    def _coarse(self, value: Any, text: str, label: str, owner: Owner) -> tuple[Any, str]:
        why = {"AGE": NO_AGE, "ZIP": NO_ZIP}.get(label, NO_DATE)
        if label == "AGE" and not _AGE.fullmatch(text):
            return None, why
        if why == NO_DATE:
            spoken = next((language for language in _ways(owner.language) if read(text, language)), "")
            new = self._replaced(text, "generalise", label, owner._replace(language=spoken)) if spoken else None
        else:
            new = self._replaced(text, "generalise", label, owner)
        if new is None or isinstance(value, str):
            return new, "" if new is not None else why
        number = re.match("[0-9]+", new)
        if number is None:
            return None, why
        return (value.replace(int(number[0]), 1, 1) if isinstance(value, date) else type(value)(number[0])), ""

    def _replaced(self, text: str, do: str, label: str, owner: Owner) -> str | None:
        """What the operator of notes makes of a text that is a value and nothing else, if the check lets it out."""
        is_known = self._known or (lambda _: False)
        span = Span(0, len(text), label, 1.0, "column")
        before = Document(text, owner.note, owner.patient, owner.language, (span,))
        originals = Originals([(label, text)], owner.language)
        work = Work(before, self.policy, self.secrets, originals, is_known)
        new = OPERATORS[do](work, span, self._rule(do, label))
        if new is None or do == "generalise":
            return new
        return None if problems(before, rewrite(before, [new]), [Done(do, new)], originals, is_known) else new

    def _rule(self, do: str, label: str) -> Rule:
        """The policy's rule for a label, if it says the same; else the usual one."""
        rules = self.policy.rules
        rule = rules.get(label) or rules.get(parent(label)) or rules.get(REST)
        return rule if rule and rule.do == do else Rule(do)

    def days_of(self, owner: Owner) -> int | None:
        """By how much the dates of a row move: as those of its note."""
        whose = owner.patient, owner.note
        if not any(whose):
            return None
        if whose not in self._days:
            if len(self._days) >= _REMEMBERED:
                self._days.clear()
            document = Document("", owner.note, owner.patient)
            self._days[whose] = Work(document, self.policy, self.secrets, Originals(()), lambda _: False).days
        return self._days[whose]


def _strings(batch: pa.RecordBatch, name: str) -> list[str]:
    values = values_of(batch.column(name)) if name else [None] * len(batch)
    return ["" if value is None or value is UNREADABLE else str(value) for value in values]


def label_of(name: str, operator: Operator, columns: Columns, type: Any) -> str:
    """The label of a column's values: as the operator says, as a known value has it, by the column's name or type.

    It is LINKING for those of no kind, and for patients, who must stay apart in all tables."""
    if operator.more and operator.do != SHIFT:
        return kind_of(operator.more).label
    if name == columns.patient and operator.do != GENERALISE:
        return LINKING
    kinds = [kind for kind, column in columns.known.items() if column == name and kind != ALL_KNOWN]
    kind = kind_of(kinds[0] if kinds else name)
    if kinds or kind.how not in ("code", "text") or kind.label in _BY_NAME:
        return kind.label
    return "DATE" if has_days(type) else LINKING


def _text(value: Any, *, fraction: bool) -> str | None:
    """A value as it would stand in a note; None for a number with a fraction, unless that may be."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{value:.2f}" if fraction and abs(value) < 1000 else None
    return value.isoformat() if isinstance(value, date) else str(value).strip()


def _typed(new: str | None, like: Any, why: str) -> tuple[Any, str]:
    """A stand-in as a value of the same type; NULL if there is none."""
    if new is None or isinstance(like, str):
        return new, "" if new is not None else why
    try:
        return type(like)(new), ""
    except ValueError:
        return None, why


def _ways(language: str) -> tuple[str, ...]:
    """The language of the note, and those in which a column beside it may be written all the same."""
    return tuple(dict.fromkeys((language, DEFAULT, *languages())))


def _moved(value: Any, days: int, operator: Operator, language: str) -> tuple[Any, str]:
    """A date moved by days, in its own form and type."""
    if isinstance(value, date):
        try:
            return value + timedelta(days), ""
        except OverflowError:
            return None, NO_DATE
    text = str(value).strip()
    if isinstance(value, int) and not _COMPACT.fullmatch(text):
        return None, NO_DATE
    first = operator.more == "day-first" if operator.do == SHIFT and operator.more else None
    for each in _ways(language):
        if date_of(text, each, day_first=first):
            new = shifted(text, days, each, day_first=first)
            return _typed(None if new == text else new, value, NO_DATE)
    return None, NO_DATE
