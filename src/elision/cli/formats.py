"""`elision formats`."""

from __future__ import annotations

from elision.cli.common import print_table
from elision.formats import FORMATS, Format


def formats() -> None:
    """List the formats that elision reads and writes, and what each can hold.

    Example:

        elision formats
    """
    heads = ("name", "what it is", "written as", "besides text and spans it holds")
    print_table(heads, map(_row, FORMATS.values()))


def _row(format: Format) -> tuple[str, ...]:
    place = "a folder" if format.folder else f"a {format.suffix} file"
    return format.name, format.title, place, holdings(format)


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
