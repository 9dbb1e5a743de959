"""`elision inspect`."""

from __future__ import annotations

import json as json_
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import FROM, Encoding, MaxMegabytes, print_table, say
from elision.formats.format import MEGABYTE
from elision.showing import column as shown_column
from elision.showing import place

ROWS = 1000


def inspect(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A folder, a file, a glob, or a database: sqlite:///notes.db?table=note."),
    ],
    columns: Annotated[
        Path | None, typer.Option("--columns", metavar="FILE", help="A TOML file that says which column is what.")
    ] = None,
    format: Annotated[str, typer.Option("--from", metavar="FORMAT", help=FROM)] = "",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    header: Annotated[
        bool, typer.Option("--header/--no-header", help="CSV: whether the first row has the names of the columns.")
    ] = True,
    rows: Annotated[int, typer.Option(metavar="N", help="How many rows are measured.", min=1)] = ROWS,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show the columns of a table of notes, and what a run would take them for.

    Of the first rows it is told how long their cells are, and how many are empty, never what stands in them. Columns
    that are taken for nothing would be dropped.

    Example:

        elision inspect notes.csv

        elision inspect "postgresql+psycopg://reader@localhost/hospital?table=note" --json
    """
    from elision.formats.tables.columns import Columns
    from elision.formats.tables.opening import open_source
    from elision.run.column_roles import described, guess
    from elision.run.preview import cells, sample

    opened = open_source(
        source, format=format, encoding=encoding, max_bytes=int(max_mb * MEGABYTE), header=header, tell=say
    )
    seen = cells(sample(opened, rows), opened.schema)
    if columns:
        chosen = Columns.from_toml(columns).check(opened.schema, opened.where)
        found = described(opened.schema, seen, chosen)
    else:
        chosen, found = guess(opened.schema, seen)
    measured = max(map(len, seen.values()), default=0)
    if json:
        told = {
            "in": place(opened.where),
            "rows": opened.rows,
            "measured": measured,
            "columns": [asdict(one) for one in found],
            "as": chosen.as_json(),
        }
        typer.echo(json_.dumps(told, ensure_ascii=False, indent=2))
        return
    print_table(
        ("column", "type", "NULL", "shortest", "median", "longest", "taken for", "because", "what becomes of it"),
        [
            (
                shown_column(one.column),
                one.type,
                f"{one.nulls:.0%}",
                f"{one.shortest:,}",
                f"{one.median:,}",
                f"{one.longest:,}",
                one.role,
                one.why,
                one.fate,
            )
            for one in found
        ],
    )
    say(f"{opened.rows:,} rows; the first {measured:,} were measured" if opened.rows is not None else "")
    if not chosen.texts:
        say("no column is taken for a text: say which with --text, or in a file for --columns")
