"""`elision formats`."""

from __future__ import annotations

from elision.cli.tables import print_table
from elision.formats import FORMATS, Format
from elision.formats.catalogue import TABLES, TableFormat


def formats() -> None:
    """List the formats that elision reads and writes, and what each can hold.

    Tables come last: elision run and elision inspect read them, since one has to say which column is what.

    Example:

        elision formats
    """
    heads = ("name", "what it is", "written as", "besides text and spans it holds")
    tables = (_table_row(name, table) for name, table in TABLES.items() if name not in FORMATS)
    print_table(heads, [*map(_row, FORMATS.values()), *tables])


def _row(format: Format) -> tuple[str, ...]:
    place = "a folder" if format.folder else f"a {format.suffix} file"
    return format.name, format.title, place, holdings(format)


def _table_row(name: str, table: TableFormat) -> tuple[str, ...]:
    place = f"a {table.endings[0]} file" if table.endings else "a table, by a URL"
    return name, table.title, place, "any columns; for elision run and elision inspect"


def holdings(format: Format) -> str:
    """What the format keeps, in words."""
    holds = format.holds
    words = [
        word
        for word in ("patient", "language", "known", "score", "source", "overlaps")
        if getattr(holds, word) and (holds.spans or word not in ("score", "source", "overlaps"))
    ]
    if not holds.spans:
        words.insert(0, "no spans")
    if holds.tokens:
        words.append("spans along tokens only")
    if format.extra:
        words.append(f"needs elision[{format.extra}]")
    return ", ".join(words)
