"""Tables on standard output. No cell is taken for markup, and in a pipe none is cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from elision.text.characters import printable

if TYPE_CHECKING:
    from elision.evaluate.tables import Table


def print_table(heads: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
    """One table, without a title."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(Text(head), overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell, lines=True)) for cell in row))
    Console(width=None if Console().is_terminal else 200).print(table)


def show_tables(tables: Iterable[Table]) -> None:
    """Tables with their titles and notes."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(width=None if Console().is_terminal else 200)
    for table in tables:
        title = Text(f"\n{table.title}")
        grid = Grid(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for at, name in enumerate(table.head):
            grid.add_column(Text(name), justify="left" if at == 0 or len(table.head) == 2 else "right", overflow="fold")
        for row in table.rows:
            grid.add_row(*map(Text, row))
        if not any(table.head):
            grid.show_header = False
        console.print(grid)
        if table.note:
            console.print(Text(table.note), style="dim", highlight=False)
