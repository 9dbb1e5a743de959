"""Lines of text files with the place of each in bytes, so that a shard can be read again from where it begins."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from elision.errors import FormatError
from elision.formats.format import MEGABYTE
from elision.formats.kinds import HEAD, refuse_bytes

BAD = "\udcff"  # stands for bytes that are not in the encoding; no text that can be decoded has it
_KEEP_BAD = "elision.bad"
codecs.register_error(_KEEP_BAD, lambda error: (BAD, getattr(error, "end", 0)))
_BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}


def begin(file: Path, encoding: str) -> tuple[str, int]:
    """The encoding to the letter, and where the text begins behind a byte-order mark."""
    try:
        name = codecs.lookup(encoding).name
        "\n".encode(encoding)
    except (LookupError, UnicodeEncodeError):
        raise FormatError(f"{encoding[:40]!r} is not an encoding that Python knows; try utf-8 or cp1252") from None
    try:
        with file.open("rb") as stream:
            head = stream.read(HEAD)
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None
    refuse_bytes(file, head, name)
    if name.startswith("utf-32"):
        raise FormatError(f"{file}: is not read in {name}; convert the file to UTF-8 first")
    if name == "utf-8-sig":
        name = "utf-8"
    if name == "utf-16":
        name = "utf-16-be" if head.startswith(codecs.BOM_UTF16_BE) else "utf-16-le"
    bom = _BOMS.get(name, b"")
    return name, len(bom) if bom and head.startswith(bom) else 0


def lines(
    file: Path, encoding: str, start: int, most: int, *, stop: int | None = None, first: int = 0, bad: bool = False
) -> Iterator[tuple[int, str]]:
    """(where the next one begins, line with its end) from byte `start` on, split at line feeds only. `first` is the
    number of the line before, for messages, or -1 if nobody knows. `bad`: bytes that are not in the encoding are no
    error, but `BAD`."""
    number = first
    try:
        with file.open("rb") as stream:
            stream.seek(start)
            at = start
            while (stop is None or at < stop) and (raw := _line(stream, encoding, most)):
                number += number >= 0
                at += len(raw)
                place = (
                    f"{file}, line {number:,}" if number >= 0 else f"{file}, in the {len(raw):,} bytes before {at:,}"
                )
                if len(raw) > most:
                    raise FormatError(
                        f"{place}: longer than the limit of {most / MEGABYTE:,.3g} MB; raise it if that is meant "
                        "(--max-mb)"
                    )
                try:
                    yield at, raw.decode(encoding, _KEEP_BAD if bad else "strict")
                except UnicodeDecodeError as error:
                    raise FormatError(
                        f"{place}: byte {error.start:,} of the line is not {encoding}; if the file has another "
                        "encoding, say so (--encoding cp1252, --encoding utf-16)"
                    ) from None
    except OSError as error:
        raise FormatError(f"{file}: cannot be read: {error.strerror}") from None


def _line(stream: IO[bytes], encoding: str, most: int) -> bytes:
    if not encoding.startswith("utf-16"):
        return stream.readline(most + 1)
    found = b""
    while piece := stream.readline(most + 2):
        found += piece
        if encoding == "utf-16-le" and len(found) % 2 and piece.endswith(b"\n"):
            found += stream.read(1)
            if found.endswith(b"\n\0"):
                break
        elif encoding == "utf-16-be" and len(found) % 2 == 0 and found.endswith(b"\0\n"):
            break
        if len(found) > most:
            break
    return found
