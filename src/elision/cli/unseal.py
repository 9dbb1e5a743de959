"""`elision unseal`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import Encoding, Force, MaxMegabytes, check_outputs, reading, say
from elision.errors import SealError
from elision.evidence.seal import PURPOSE
from elision.evidence.seal import unseal as opened
from elision.formats.atomic import write_bytes
from elision.formats.files import read_text
from elision.keys import Key


def unseal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A text with seals in it, of any format.")],
    key: Annotated[Path, typer.Option("--key", metavar="FILE", help="The key of the project.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Where the text goes; else standard output.")
    ] = None,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    force: Force = False,
) -> None:
    """Open the seals in a text: what stood there before comes back, with the project's key.

    A seal that was damaged, or made with another key, is an error, and nothing is written. The originals are put into
    the text as they were: in a file with markup or quoting of its own, look at the places.

    Example:

        elision unseal note.txt --key project.key
    """
    check_outputs({"--out": out}, (file, key), force=force)
    secret = Key.read(key).secret(PURPOSE)
    try:
        text, count = opened(read_text(file, reading(encoding, max_mb)), secret)
    except SealError as error:
        raise SealError(f"{file}: {error}") from None
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        raise SealError(f"{file}: an original has characters that {encoding} has not; try --encoding utf-8") from None
    if out:
        write_bytes(out, data, private=True)
    else:
        typer.get_binary_stream("stdout").write(data)
    say(f"opened {count:,} seals")
