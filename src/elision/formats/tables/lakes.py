"""Folders that are tables of a lakehouse: Delta, Iceberg, Hudi. Their files also have rows that the table lost."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from elision.errors import FormatError

DELTA, HUDI, ICEBERG = "_delta_log", ".hoodie", "metadata"
_ICEBERG_ENDING = ".metadata.json"
Names = Callable[[str], Iterable[str]]  # of what is in a folder; none if it is not there


def refuse_lakes(where: str, folders: Iterable[str], names: Names) -> None:
    """An error if one of the folders of files is of such a table: a note that was deleted would come out again."""
    for folder in sorted({each for one in folders for each in _homes(one)}):
        if kind := _kind(folder, names):
            raise FormatError(
                f"{where}: is or has a table of {kind}, and its files also hold rows that were deleted or changed; "
                "read it as a table of Spark's catalogue (elision run table:NAME --on spark), or write the rows that "
                "it has now to Parquet elsewhere and give that"
            )


def _homes(folder: str) -> Iterator[str]:
    """The folder and, of a partition (year=2024) or of Iceberg's data, those above to which it belongs."""
    folder = folder.rstrip("/")
    yield folder
    above, slash, name = folder.rpartition("/")
    while slash and ("=" in name or name == "data"):
        yield above
        above, slash, name = above.rpartition("/")


def _kind(folder: str, names: Names) -> str:
    there = set(names(folder))
    if DELTA in there:
        return "Delta"
    if HUDI in there:
        return "Hudi"
    if ICEBERG in there and any(name.endswith(_ICEBERG_ENDING) for name in names(f"{folder}/{ICEBERG}")):
        return "Iceberg"
    return ""


def names_in(folder: str) -> list[str]:
    """What is in a folder of this machine, as far as it may be seen."""
    try:
        return [each.name for each in Path(folder).iterdir()]
    except OSError:  # what is in it may be asked for by name
        return [mark for mark in (DELTA, HUDI, ICEBERG) if os.access(f"{folder}/{mark}", os.F_OK)]
