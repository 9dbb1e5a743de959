"""True dates beside dates that moved: one pair gives the shift of all notes of a patient away, so it is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pyarrow as pa

from elision.errors import RunError
from elision.formats.tables.columns import Columns
from elision.formats.tables.operators import SHIFT
from elision.languages.base import DEFAULT, languages
from elision.policy import Policy
from elision.replace.dates import date_of, month_year

LOOKED_AT = 200  # different values of a column
_SHARE = 0.1  # of values that are dates, from which on a column holds dates
_LONGEST = 60  # characters; what is longer is no date alone
_TEXTS = ("string", "large_string", "string_view", "binary", "large_binary", "binary_view")
_COMPACT = re.compile(r"((?:19|20)\d{6})(?:[T ]?\d{4}(?:\d{2})?(?:\.\d+)?)?(?:Z|[+-]\d{4})?")
_TIME = re.compile(
    r"(?i)[T ,]{1,2}\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?: ?[ap]\.?m\b\.?)?"
    r"(?: ?(?:Z|[+-]\d{2}:?\d{2}|[A-Z]{3,4}\b|\[[\w/]+\]))*"
)
_CALLED = re.compile(r"(?i)date|timestamp|epoch|(?<![a-z])(?:dob|dod)(?![a-z])|fecha|datum|日期")
_DAY_FIRST = "GB"  # a country with the day first
_DAYS = 10_000  # since 1970: what is called a date and is no smaller a number counts days, seconds or less


def refuse_true_dates(batch: pa.RecordBatch, columns: Columns, policy: Policy) -> None:
    """An error if a column that goes out as it is holds dates, and the policy moves those of the notes, or an operator
    those of another column."""
    moved = [column for column, operator in columns.changed.items() if operator.do == SHIFT]
    if policy.moves_dates or moved:
        which = (
            f"policy {policy.name} moves the dates of the notes" if policy.moves_dates else "another column is moved"
        )
        for number, name in enumerate(columns.keep, 1):
            _refuse(batch, name, f"--keep: column {number} named there", which)
        if columns.id not in columns.keep:
            _refuse(batch, columns.id, "--id: its column", which)


def _refuse(batch: pa.RecordBatch, name: str, which: str, why: str) -> None:
    at = batch.schema.get_field_index(name) if name else -1
    if at >= 0 and holds_dates(batch.column(at), name):
        raise RunError(
            f"{which} holds true dates, and {why}; both beside each other give the shift away; say --column "
            "NAME=shift, leave the column out, or choose a policy that moves none"
        )


def holds_dates(column: pa.Array, name: str) -> bool:
    """Whether a column of this name holds dates, or lists of them."""
    return any(_holds_dates(each, name) for each in _simple(column))


def _simple(column: pa.Array) -> Iterator[pa.Array]:
    """A column without the dictionary, lists and structs around what it holds."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        yield from _simple(column.dictionary)
    elif pa.types.is_struct(kind):
        for part in column.flatten():
            yield from _simple(part)
    elif pa.types.is_map(kind):
        yield from _simple(column.keys)
        yield from _simple(column.items)
    elif pa.types.is_nested(kind):
        yield from _simple(column.flatten())
    else:
        yield column


def _holds_dates(column: pa.Array, name: str) -> bool:
    kind = column.type
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return bool(column.null_count < len(column))
    number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    if not number and str(kind) not in _TEXTS:
        return False
    values = column.drop_null().unique()[:LOOKED_AT].to_pylist()
    if number:
        dates = [_CALLED.search(name) if value >= _DAYS else None for value in values]
        return any(dates) or _share([str(int(value)) for value in values if value == value // 1], compact=True)
    return _share([value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in values])


def _share(values: Sequence[str], *, compact: bool = False) -> bool:
    texts = [text for value in values if (text := value.strip())]
    return sum(_is_date(text, compact=compact) for text in texts) > _SHARE * len(texts)


def _is_date(text: str, *, compact: bool = False) -> bool:
    """Whether a text says a day, with a time or without, or a month of a year. A number is one as 20200503 is."""
    if len(text) > _LONGEST or not any(map(str.isdigit, text)):
        return False
    if found := _COMPACT.fullmatch(text):
        return date_of(found[1], DEFAULT) is not None
    if compact or text.isdigit():
        return False
    day = _TIME.sub("", text)
    return any(date_of(day, language) or _month(day, language) for language in _ways())


def _ways() -> Iterator[str]:
    """The languages, and those with the month first as countries with the day first have them."""
    for code, language in languages().items():
        yield code
        if language.dates.month_first:
            yield f"{code}-{_DAY_FIRST}"


def _month(text: str, language: str) -> str | None:
    return month_year(text, language) if re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text) else None
