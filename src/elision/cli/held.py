"""`elision held`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import say
from elision.cli.tables import print_table
from elision.errors import FormatError
from elision.showing import column as shown_column
from elision.showing import ident

MOST = 50  # rows of a list that are shown; --json has all


def held(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run's records (OUT.run), or its OUT.")],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="WHAT", help="Group by why, label, column or file (its folder); may be repeated."),
    ] = None,
    notes: Annotated[
        bool, typer.Option("--notes", help="Name each note, with the place over which it is held.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each held note.")] = False,
) -> None:
    """List the notes that a run holds: which, why, and what to do next. No word of a note is shown.

    Places are offsets in the text of the input, counted in characters from 0. The exit status is 1 if any note is held.

    Example:

        elision held clean.csv.run

        elision held clean.csv.run --notes --by label
    """
    from elision.run.local.held import BY, as_json, folder_of_run, grouped, held_notes, tried_again

    chosen = tuple(by or ("why", "label", "column"))
    if odd := [one for one in chosen if one not in BY]:
        raise FormatError(f"--by {odd[0][:20]}: there are {', '.join(BY)}")
    folder = folder_of_run(run)
    count = 0
    if json:
        for note in held_notes(folder):
            typer.echo(as_json(note))
            count += 1
    else:
        groups = grouped(held_notes(folder), chosen)
        count = sum(len(group) for _, group in groups)
        if groups:
            rows = [
                (*(shown_column(one) if name == "column" else one for name, one in zip(chosen, key, strict=True)),
                 f"{len(group):,}", group[0].next if "why" in chosen else "")
                for key, group in groups
            ]  # fmt: skip
            print_table((*chosen, "notes", "what to do next"), rows[:MOST])
        if notes:
            print_table(
                ("note", "row", "column", "why", "label", "from", "to"),
                [
                    (ident(one.note), f"{one.row + 1}", shown_column(one.column), one.why, one.label,
                     f"{one.start}" if one.end else "", f"{one.end}" if one.end else "")
                    for _, group in groups for one in group
                ][:MOST],
            )  # fmt: skip
        if count > MOST and notes:
            say(f"{count - MOST:,} notes more: --json lists all")
        notes_held = "1 held note" if count == 1 else f"{count:,} held notes"
        say(f"{folder}: {notes_held}" + (f"; {tried_again(folder)}" if count else ""))
    if count:
        raise typer.Exit(1)
