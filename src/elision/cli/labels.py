"""`elision labels`."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from elision.labels import canonical, mapping, tag_set, tag_set_names


def labels(
    name: Annotated[str, typer.Argument(metavar="SET", help="A tag set, or a TOML file of your own.")] = "",
    to: Annotated[str, typer.Option("--to", metavar="SET", help="Show where the labels of SET go.")] = "canonical",
) -> None:
    """Show elision's labels, or where the labels of a tag set go and what that loses.

    Example:

        elision labels

        elision labels meddocan --to i2b2-2014
    """
    console = Console()
    if not name:
        table = Table("label", "parent", "Safe Harbor", "note", box=None, pad_edge=False)
        for label in canonical().values():
            table.add_row(label.name, label.parent, label.safe_harbor, label.note)
        console.print(table)
        console.print(f"\ntag sets: {', '.join(tag_set_names())}", highlight=False)
        return
    source, target = tag_set(name), tag_set(to)
    ways = mapping(source, target)
    table = Table(source.name, target.name, "loses", box=None, pad_edge=False)
    if subset := any(tag.hipaa for tag in source.tags.values()):
        table.add_column("in its HIPAA subset")
    for tag in source.tags.values():
        way = ways.get(tag.name)
        cells = (tag.name, way.label if way else "(no way)", way.lossy if way else "")
        table.add_row(*cells, *(["yes" if tag.hipaa else ""] if subset else []))
    console.print(table)
