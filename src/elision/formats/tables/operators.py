"""What becomes of a column that is no text: `note_date=shift`, `person=pseudonym`, `zip=generalise`, `ward=keep`.

An operator may say more behind a colon: `shift:day-first`, `pseudonym:name`, `generalise:age`.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from elision.errors import FormatError
from elision.showing import column as shown_column

SHIFT, PSEUDONYM, GENERALISE, HASH, KEEP, DROP = "shift", "pseudonym", "generalise", "hash", "keep", "drop"
OPERATORS = (SHIFT, PSEUDONYM, GENERALISE, HASH, KEEP, DROP)
KEYED = (SHIFT, PSEUDONYM, HASH)
ORDERS = ("day-first", "month-first")
_MORE = {SHIFT: ORDERS, PSEUDONYM: (), GENERALISE: (), HASH: ()}  # what may stand behind a colon; (): a kind of value


class Operator(NamedTuple):
    """What is done with a column. `more`: the order of a date's numbers, or the kind of the values."""

    do: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.do}:{self.more}" if self.more else self.do


def parsed(said: object, column: str, where: str) -> Operator:
    """An operator as somebody says it; an error if there is none such."""
    do, colon, more = said.partition(":") if isinstance(said, str) else ("", "", "")
    if do not in OPERATORS:
        near = get_close_matches(do.lower(), OPERATORS, 1)
        meant = f" (did you mean {near[0]}?)" if near else ""
        raise FormatError(f"{where}: column {shown_column(column)}: say one of {', '.join(OPERATORS)}{meant}")
    if colon and do not in _MORE:
        raise FormatError(f"{where}: column {shown_column(column)}: {do} stands alone, with nothing behind it")
    if colon and not more:
        raise FormatError(f"{where}: column {shown_column(column)}: nothing stands behind the colon of {do}:")
    if more and _MORE[do] and more not in _MORE[do]:
        raise FormatError(f"{where}: column {shown_column(column)}: {do} is {do}:{f' or {do}:'.join(_MORE[do])}")
    return Operator(do, more)


def checked(said: Mapping[str, object], where: str) -> dict[str, str]:
    """Operators of columns, each as it is written."""
    return {column: str(parsed(one, column, where)) for column, one in said.items()}
