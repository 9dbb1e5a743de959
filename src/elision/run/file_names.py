"""Names of files and folders that go out with a layout: refused where they seem to tell of people.

A folder of a partition, `year=2024`, has a column in its name. A column is dropped unless somebody says what becomes of
it, so a folder that is called after a patient's column or a date goes out only if somebody says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from elision.detect.kinds import kind_of
from elision.errors import FormatError
from elision.policy import Policy
from elision.run.column_checks import dates_left
from elision.run.column_roles import PATIENT_NAMES, PERSON_NAMES, RECORD_NAMES, plain_name
from elision.showing import tells

_OF_TIME = re.compile(r"month|day|date|week|hour|time|mes|dia|fecha|maand|dag|datum|(?:^|_)(?:dt|ym|ymd)(?:$|_)")


def refuse_telling(names: Iterable[str], policy: Policy, *, ids: str) -> None:
    """An error if names tell of people, unless it was said that they may."""
    found: dict[str, int] = {}
    for part in {part for name in names for part in PurePosixPath(name).parts if ids != "keep"}:
        if told := _told(part, policy):
            found[told] = found.get(told, 0) + 1
    if found:
        kinds = ", ".join(f"{what} {count:,}" for what, count in sorted(found.items()))
        raise FormatError(
            f"{sum(found.values()):,} names of files or folders seem to tell of people ({kinds}), and the output would "
            "have the same: give OUT as one file (clean.parquet), name them otherwise, or say --ids keep if they may "
            "go out"
        )


def _told(part: str, policy: Policy) -> str:
    column, is_partition, _ = part.partition("=")
    if not is_partition:
        return tells(part)
    plain = plain_name(column)
    if plain in (*PATIENT_NAMES, *PERSON_NAMES, *RECORD_NAMES):
        return "a patient"
    if _OF_TIME.search(plain):
        return "" if dates_left(policy) else "a date"
    return tells(part) or ("a known value" if kind_of(column).label != "OTHER" else "")
