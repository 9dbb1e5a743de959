"""`elision labels`."""

from __future__ import annotations

from typing import Annotated

import typer

from elision.cli.tables import print_table
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
    if not name:
        known = canonical().values()
        cells = [(label.name, label.parent, label.safe_harbor, label.note) for label in known]
        print_table(("label", "parent", "Safe Harbor", "note"), cells)
        typer.echo(f"\ntag sets: {', '.join(tag_set_names())}")
        return
    source, target = tag_set(name), tag_set(to)
    ways = mapping(source, target)
    subset = any(tag.hipaa for tag in source.tags.values())
    rows: list[list[str]] = []
    for tag in source.tags.values():
        way = ways.get(tag.name)
        row = [tag.name, way.label if way else "(no way)", way.lossy if way else ""]
        rows.append([*row, "yes" if tag.hipaa else ""] if subset else row)
    print_table([source.name, target.name, "loses", *(["in its HIPAA subset"] if subset else [])], rows)
