"""Whether the names of a table's columns are names. The first row of a CSV without a header is a note, and would stand
in clear wherever a column is named: in the output, the manifest, the report, on the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from elision.errors import FormatError
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
