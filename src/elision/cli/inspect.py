"""`elision inspect`."""

from __future__ import annotations

import json as json_
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import FROM, Encoding, MaxMegabytes, check_outputs, say
from elision.cli.tables import print_table
from elision.formats.atomic import write_text
from elision.formats.catalogue import TABLES
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
    query: Annotated[
        str, typer.Option("--query", metavar="SQL", help="What is read of a database, in place of a table.")
    ] = "",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM)] = "",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    header: Annotated[
        bool, typer.Option("--header/--no-header", help="CSV: whether the first row has the names of the columns.")
    ] = True,
    rows: Annotated[int, typer.Option(metavar="N", help="How many rows are measured.", min=1)] = ROWS,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write what is proposed into a file for `run --columns`."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over the file that is there.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show the columns of a table of notes, and what a run would take them for.

    Of the first rows it is told how long their cells are, and how many are empty, never what stands in them. Columns
    that are taken for nothing would be dropped. For each column beside the notes an operator is proposed, with the
    reason.

    Example:

        elision inspect notes.csv

        elision inspect notes.csv --out columns.toml

        elision inspect "postgresql+psycopg://reader@localhost/hospital?table=note" --json
    """
    from elision.formats.tables.columns import Columns
    from elision.formats.tables.opening import open_source
    from elision.run.column_roles import described, guess
    from elision.run.preview import cells, sample
    from elision.run.proposals import as_toml, proposed

    opened = open_source(
        source,
        format=format,
        encoding=encoding,
        max_bytes=int(max_mb * MEGABYTE),
        header=header,
        query=query,
        tell=say,
    )
    check_outputs({"--out": out}, [source, columns], force=force)
    batches = sample(opened, rows)
    seen = cells(batches, opened.schema)
    if columns:
        chosen = Columns.from_toml(columns).check(opened.schema, opened.where)
        found = described(opened.schema, seen, chosen)
    else:
        chosen, found = guess(opened.schema, seen)
    said = chosen if columns else replace(chosen, keep=())  # what is guessed to be kept is not said
    proposals = proposed(opened.schema, batches, said) if opened.format in TABLES else {}
    if out:
        write_text(out, as_toml(chosen, proposals, f"elision run {place(opened.where)} -o OUT --columns {place(out)}"))
        say(f"wrote {place(out)}: look through it, then give it to: elision run --columns")
    measured = max(map(len, seen.values()), default=0)
    if json:
        told = {
            "in": place(opened.where),
            "rows": opened.rows,
            "measured": measured,
            "columns": [asdict(one) for one in found],
            "as": chosen.as_json(),
            "proposed": {name: one._asdict() for name, one in proposals.items()},
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
    if proposals:
        print_table(
            ("column", "proposed operator", "because"),
            [(shown_column(name), one.do, one.why) for name, one in proposals.items()],
        )
    say(f"{opened.rows:,} rows; the first {measured:,} were measured" if opened.rows is not None else "")
    if not chosen.texts:
        say("no column is taken for a text: say which with --text, or in a file for --columns")
