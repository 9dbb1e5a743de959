"""`elision key`."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import say
from elision.keys import BYTES, Key

app = typer.Typer(
    help="Keys: what stand-ins, seals and receipts are made with.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _root() -> None:
    """Keys: what stand-ins, seals and receipts are made with."""


@app.command("new")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the key goes; nothing may be there.")],
) -> None:
    """Make a key for a project, in a file that only you may read.

    Keep it as you keep the notes, and a copy where it cannot be lost: without it no stand-in can be made again,
    no seal opened and no receipt checked.

    Example:

        elision key new project.key
    """
    key = Key.new()
    key.write(file)
    say(f"wrote {file}: a key of {8 * BYTES} bits, with the id {key.id}; keep a copy in a safe place")


@app.command("show")
def show(file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of a key.")]) -> None:
    """Show which key a file holds: its id, its size and who may read the file; never the key.

    Example:

        elision key show project.key
    """
    key = Key.read(file)
    typer.echo(f"id    {key.id}\nbits  {key.bits}\nmode  {stat.S_IMODE(file.stat().st_mode):04o}")
