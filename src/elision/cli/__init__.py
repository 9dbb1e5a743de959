"""The command line: thin, over functions that a program can call as well."""

from __future__ import annotations

import sys
from importlib.metadata import version

import typer

from elision.cli import convert, formats, labels, score
from elision.errors import ElisionError

app = typer.Typer(
    name="elision",
    help="De-identify clinical notes offline, and show the evidence that it worked.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,  # a pretty traceback prints local variables: notes, that is
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("convert")(convert.convert)
app.command("score")(score.score)
app.command("formats")(formats.formats)
app.command("labels")(labels.labels)


@app.callback(invoke_without_command=True)
def _root(
    show_version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if show_version:
        typer.echo(f"elision {version('elision')}")
        raise typer.Exit


def main() -> None:
    """Run the command line; an expected error is one line on standard error and exit status 2."""
    try:
        app()
    except ElisionError as error:
        typer.echo(f"elision: {error}", err=True)
        sys.exit(2)
