"""The figures of an audit on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from elision.cli.tables import show_tables

if TYPE_CHECKING:
    from elision.evaluate.audit.results import Audit


def show(found: Audit) -> None:
    """The figures of a report, and what they say."""
    from elision.evaluate.audit import wording

    for line in wording.verdict(found):
        typer.echo(line)
    tables = [wording.figures(found)]
    tables += [wording.parts("by group", found.strata)] if len(found.strata) > 1 else []
    tables += [wording.parts("by label", found.labels)] if found.labels else []
    show_tables(tables)
    for line in wording.captured(found.capture) if found.capture else ():
        typer.echo(line)
