"""Files that a command writes: nothing that is there is lost, least of all what the command reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from elision.errors import FormatError
from elision.formats.apart import same_place

Force = Annotated[bool, typer.Option("--force", help="Write over files that are there already.")]


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[str | Path | None], *, force: bool) -> None:
    """An error if a file that is to be written, by its option, is there already (but with `force`), or is one of the
    inputs, under whatever name: that is refused always."""
    read = [Path(one) for one in inputs if one]
    wanted = {option: path for option, path in outputs.items() if path}
    for option, path in wanted.items():
        if path.is_dir():
            raise FormatError(f"{option} {path}: is a folder; give a file to write to, such as {path / 'out'}")
        if any(same_place(path, one) for one in read):
            raise FormatError(f"{option} {path}: this file is read by the command, and would be lost; write elsewhere")
        if any(same_place(path, other) for another, other in wanted.items() if another != option):
            raise FormatError(f"{option} {path}: another option writes there, too; give each a file of its own")
        if path.exists() and not path.is_file():
            raise FormatError(f"{option} {path}: is no file that can be written over; write elsewhere")
        if path.exists() and not force:
            raise FormatError(f"{option} {path}: is there already; write elsewhere, or --force to write over it")
