"""`elision formats`."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from elision.formats import FORMATS, Format


def formats() -> None:
    """List the formats that elision reads and writes, and what each can hold.

    Example:

        elision formats
    """
    table = Table("name", "what it is", "written as", "besides text and spans it holds", box=None, pad_edge=False)
    for format in FORMATS.values():
        place = "a folder" if format.folder else f"a {format.suffix} file"
        table.add_row(*map(Text, (format.name, format.title, place, holdings(format))))
    Console().print(table)


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
