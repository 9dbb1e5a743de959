"""What the commands share: options for reading, progress, and how remarks are told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from elision.document import Document
from elision.formats import Format, Reading, Remarks, format_named, guess, read
from elision.formats.format import MEGABYTE

Item = TypeVar("Item")

Encoding = Annotated[str, typer.Option(help="The encoding of text files.", metavar="NAME")]
MaxMegabytes = Annotated[float, typer.Option("--max-mb", help="The largest note, in megabytes.", metavar="N")]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip unusable annotation lines, as official scorers do.")]


def say(message: str) -> None:
    """A line for people, on standard error: standard output is for results."""
    typer.echo(message, err=True)


def reading(encoding: str, max_mb: float, *, lenient: bool = False, texts: dict[str, str] | None = None) -> Reading:
    return Reading(encoding, int(max_mb * MEGABYTE), lenient, texts or {}, Remarks())


def chosen_format(path: Path, name: str) -> Format:
    """The format by name, or guessed and stated."""
    if name:
        return format_named(name)
    format, evidence = guess(path)
    say(f"reading {path} as {format.name}: {evidence}")
    return format


def progress(items: Iterable[Item], what: str) -> Iterator[Item]:
    """Pass items on while a terminal sees how many and how fast."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} " + what), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        for item in items:
            yield item
            bar.advance(task)


def read_all(path: Path, name: str, how: Reading, what: str) -> tuple[Format, list[Document]]:
    """All documents at a path, with progress and remarks told."""
    format = chosen_format(path, name)
    documents = list(progress(read(path, format, how), f"{what} notes read"))
    tell(how.remarks)
    return format, documents


def tell(remarks: Remarks) -> None:
    for line in remarks.lines():
        say(f"  note: {line}")
