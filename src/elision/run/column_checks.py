"""Before a run: whether the operators of columns can be used so, and what a kept column gives away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import pyarrow as pa

from elision.detect.kinds import is_kind, kind_of, kinds, near_kinds
from elision.errors import FormatError, PolicyError
from elision.formats.tables.columns import ALL_KNOWN, Columns, holds_json
from elision.formats.tables.operators import GENERALISE, KEYED, PSEUDONYM, SHIFT, Operator
from elision.labels import parent
from elision.languages.base import DEFAULT
from elision.policy import DATES, REST, Policy
from elision.replace.dates import date_of
from elision.replace.name_lists import is_listed
from elision.run.column_types import suits
from elision.run.column_values import LINKING, label_of
from elision.run.kept_dates import holds_dates
from elision.showing import column as shown_column
from elision.showing import columns as shown_columns
from elision.showing import like_data, tells

_PSEUDONYMS = frozenset(("NAME", "CONTACT", "ID", "LOCATION", "DATE", "AGE"))
_SHARE = 0.1  # of values from which on a column is said to hold such
_MANY = 0.5  # of single words that are names
_FREE = ("like a sentence", "many words", "long")
CONCEPT = "concept_id"  # how columns end that hold numbers of OMOP's vocabulary
_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBERS = re.compile(r"\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b")


def check_kinds(columns: Columns, where: str) -> None:
    """An error if a kind of known values, or one behind an operator's colon, is none."""
    said = {f"--known {kind}={name}": kind for kind, name in columns.known.items() if kind != ALL_KNOWN}
    said |= {f"{name}={one}": one.more for name, one in columns.changed.items() if one.more and one.do != SHIFT}
    for what, kind in said.items():
        if not is_kind(kind):
            near = near_kinds(kind)
            meant = f" (did you mean {' or '.join(near)}?)" if near else ""
            raise FormatError(
                f"{where}: {shown_column(what)}: no such kind of value{meant}; there are {', '.join(kinds())}, and the "
                "labels of `elision labels`"
            )


def check_operators(columns: Columns, policy: Policy, *, keyed: bool) -> None:
    """An error if an operator needs a key that is not there, or if a moved column tells the shift of the notes."""
    for name, operator in columns.changed.items():
        if operator.do in KEYED and not keyed:
            raise PolicyError(
                f"column {shown_column(name)}: {operator.do} needs --key: make a key with: elision key new FILE"
            )
        if operator.do == SHIFT and (left := dates_left(policy)):
            raise PolicyError(
                f"column {shown_column(name)}: shift, and policy {policy.name} leaves {left} in the notes as they are; "
                "both beside each other give the shift away; choose a policy that moves or hides dates, or another "
                "operator"
            )


def dates_left(policy: Policy) -> str:
    """The label of dates that a policy leaves in the notes, "" if it leaves none."""
    rules = {label: policy.rules.get(label) or policy.rules.get("DATE") or policy.rules.get(REST) for label in DATES}
    return next((label for label, rule in rules.items() if rule and rule.do == "keep"), "")


def check_types(columns: Columns, schema: Any, where: str) -> None:
    """An error if a column cannot be changed so, by its type or by what its values are."""
    for name, operator in columns.changed.items():
        one = schema.field(name)
        label = label_of(name, operator, columns, one.type)
        at = f"{where}: column {shown_column(name)}"
        if operator.do == GENERALISE and label not in ("AGE", "ZIP") and parent(label) != "DATE":
            raise FormatError(
                f"{at}: generalise is for ages, dates and US postcodes; say which these are, with generalise:age, "
                "generalise:date or generalise:zip, or choose another operator"
            )
        if operator.do == PSEUDONYM and label != LINKING and parent(label) not in _PSEUDONYMS:
            raise FormatError(f"{at}: there are no pseudonyms for {label}; choose another operator")
        if holds_json(one) or not suits(one.type, operator, label):
            kind = "values of several kinds" if holds_json(one) else str(one.type)
            raise FormatError(f"{at}: holds {kind}, which {operator.do} cannot change; drop it, or cast it")


def warnings(columns: Columns, batches: Sequence[pa.RecordBatch], language: str) -> Iterator[str]:
    """What somebody ought to know of columns, by the first rows of a table."""
    for name in columns.keep:
        if why := ", and ".join(_given_away(name, columns, batches)):
            yield (
                f"column {shown_column(name)} goes out as it is: {why}; give it an operator "
                f"(--column {shown_column(name)}=pseudonym, shift, generalise or hash), or leave it out"
            )
    for name, operator in columns.changed.items():
        if operator.do == SHIFT and not operator.more:
            yield from _orders(name, operator, batches, language or DEFAULT)
        is_known = name in columns.known.values()
        kind = kind_of(operator.more or name)
        if operator.do == PSEUDONYM and kind.how == "name" and not is_known and name != columns.patient:
            yield (
                f"column {shown_column(name)} gets pseudonyms, and its values are not looked for in the notes; if they "
                f"name the patient, say --known {kind.name}={shown_column(name)} as well"
            )


def dropped(columns: Columns, names: Sequence[str]) -> str:
    """A line about the columns that nobody gave an operator or anything to be, "" if there are none."""
    left = [name for name in names if name not in (*columns.read, *columns.operators)]
    if not left:
        return ""
    several = len(left) > 1
    return (
        f"column{'s' * several} {shown_columns(left)} {'do' if several else 'does'} not go out, as nobody gave "
        f"{'them' if several else 'it'} an operator (--column NAME=OPERATOR; `elision inspect` proposes one for each)"
    )


def _given_away(name: str, columns: Columns, batches: Sequence[pa.RecordBatch]) -> Iterator[str]:
    known = [kind for kind, column in columns.known.items() if column == name]
    if known:
        yield f"it is a known value ({known[0]}), which is taken out of the notes"
    if name == columns.patient:
        yield "it says which patient each row is of"
    found = looks_like(name, batches)
    if found and not known:
        yield f"its values look like {found}"


def looks_like(name: str, batches: Sequence[pa.RecordBatch]) -> str:
    """What the values of a column seem to tell of people: dates, names, or numbers; "" if nothing."""
    columns = [batch.column(name) for batch in batches]
    if any(holds_dates(column, name) for column in columns):
        return "dates"
    values = [str(value) for column in columns for value in _python(column) if value is not None]
    texts = [value.strip() for value in values if value.strip()][:1000]
    if not texts:
        return ""
    why = [like_data(text) for text in texts]
    names = sum(one == "like a person's name" for one in why)
    single = [text for text in texts if _WORD.fullmatch(text) and text[:1].isupper()]
    listed = sum(is_listed(text.lower()) for text in single)
    if names > _SHARE * len(texts) or (listed > _MANY * len(texts) and len(set(single)) > 2):
        return "names of people"
    if sum(one in _FREE for one in why) > _SHARE * len(texts):
        return "free text, which may name anybody"
    if sum(one == "an address" for one in why) > _SHARE * len(texts):
        return "e-mail addresses"
    if name.lower().endswith(CONCEPT):
        return ""
    long = sum(tells(text) == "a long number" for text in texts)
    return "numbers of people, such as record or telephone numbers" if long > _SHARE * len(texts) else ""


def _python(column: pa.Array) -> list[Any]:
    try:
        return list(column.to_pylist())
    except (ValueError, OverflowError):
        return []


def _orders(name: str, operator: Operator, batches: Sequence[pa.RecordBatch], language: str) -> Iterator[str]:
    """A line if dates of a column stand in another order than the language's, or in both."""
    found = [
        match
        for batch in batches
        for value in _python(batch.column(name))
        if isinstance(value, str) and (match := _NUMBERS.match(value))
    ]
    day_first = any(int(match[1]) > 12 for match in found)
    month_first = any(int(match[2]) > 12 for match in found)
    usual = date_of("03/04/2021", language) == date(2021, 4, 3)
    if (day_first and month_first) or (day_first and not usual) or (month_first and usual):
        yield (
            f"column {shown_column(name)}: some dates have the {'day' if day_first else 'month'} first"
            f"{', and some the month' if day_first and month_first else ''}; dates that can be read both ways are read "
            f"as {'day and month' if usual else 'month and day'}, as the language does: say {operator.do}:day-first or "
            f"{operator.do}:month-first if that is wrong"
        )
