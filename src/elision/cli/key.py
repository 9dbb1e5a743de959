"""`elision key`."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import say
from elision.errors import KeyFileError
from elision.keys import BYTES, Key
from elision.showing import place

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


@app.command("id")
def id_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of a key.")],
    source: Annotated[
        str, typer.Argument(metavar="IDS", help="A file with an id a line; - reads standard input.")
    ] = "-",
) -> None:
    """Print the keyed ids of some ids, one a line, as `elision run --ids keyed` writes them.

    Example:

        elision key id project.key ids.txt
    """
    from elision.run.ids import keyed_id

    key = Key.read(file)
    try:
        text = sys.stdin.buffer.read().decode() if source == "-" else Path(source).read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise KeyFileError(f"{place(source)}: cannot read the ids; it must be a text file in UTF-8") from None
    for line in text.splitlines():
        typer.echo(keyed_id(key, line))
