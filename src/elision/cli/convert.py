"""`elision convert`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    FROM,
    TO,
    Counter,
    Encoding,
    Force,
    Lenient,
    MaxMegabytes,
    check_target,
    chosen_format,
    exit_if_left_out,
    map_all,
    progress,
    reading,
    say,
    tell,
)
from elision.document import Document
from elision.errors import FormatError, UnsureError
from elision.formats import FORMATS, Format, Remarks, format_named, read, write
from elision.labels import mapping_named
from elision.merge import merge as merge_spans


def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A file or a folder of notes.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where the notes go: a file or a folder.")],
    to: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", help=TO),
    ] = "",
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM)] = "",
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map labels from tag set A to B (names, or TOML files).")
    ] = "",
    drop_unmapped: Annotated[
        bool, typer.Option("--drop-unmapped", help="Drop spans whose label has no way in --labels.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Make overlapping spans disjoint; nothing is uncovered.")
    ] = False,
    texts: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Notes that give the texts where IN holds spans only.")
    ] = None,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with status 1 if anything was not held.")] = False,
    force: Force = False,
) -> None:
    """Convert notes and their spans from one format to another.

    The format of IN is guessed from what is there, and stated; if that is not certain, nothing is
    written. Whatever the new format cannot hold is counted and told, never lost in silence. Of a folder, files that are
    no text are left out and told, and the exit status is 1.

    Example:

        elision convert examples/notes/gold/en notes.jsonl

        elision convert corpus/ out/ --to i2b2-2014 --labels meddocan:i2b2-2014
    """
    goal = format_named(to) if to else by_ending(target)
    check_target(source, target, goal, force)
    given = {d.id: d.text for d in read(texts, None, reading(encoding, max_mb))} if texts else {}
    how = reading(encoding, max_mb, lenient=lenient, texts=given, leave_out=True)
    kind = chosen_format(source, format)
    written = Remarks()
    documents: Iterable[Document] = progress(read(source, kind, how), "notes")
    if drop_unmapped and not labels:
        raise FormatError("--drop-unmapped says what to do where --labels has no way; give --labels too")
    if labels:
        documents = map_all(
            documents, mapping_named(labels, kind.tag_set), f"--labels {labels}", written, drop=drop_unmapped
        )
    if merge:
        documents = (document.with_spans(merge_spans(document.spans)) for document in documents)
    counted = Counter()
    write(counted(documents), target, goal, written, replace=force)
    say(f"wrote {counted.notes:,} notes with {counted.spans:,} spans to {target} as {goal.name}")
    tell(how.remarks)
    tell(written)
    if strict and (how.remarks.counts or written.counts):
        raise typer.Exit(1)
    exit_if_left_out(how)


def by_ending(target: Path) -> Format:
    """The format that OUT's ending asks for. Of the many kinds of .jsonl it is our own, which holds everything."""
    fits = [format for format in FORMATS.values() if not format.folder and target.suffix == format.suffix]
    chosen = next((format for format in fits if format.name == "jsonl"), fits[0] if len(fits) == 1 else None)
    if chosen is None:
        names = ", ".join(format.name for format in fits or FORMATS.values())
        raise UnsureError(f"{target}: cannot tell from the name in which format to write; say it with --to: {names}")
    say(f"writing {target} as {chosen.name}, by its ending")
    return chosen
