"""`elision stats`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    FROM,
    Encoding,
    Force,
    Lenient,
    MaxMegabytes,
    check_outputs,
    chosen_format,
    exit_if_left_out,
    map_all,
    progress,
    reading,
    tell,
)
from elision.cli.scoring import write_doubts
from elision.cli.tables import show_tables
from elision.document import Document
from elision.formats import Format, Reading, Remarks, read
from elision.labels import mapping_named

NUMBERED = "i2b2-2014"  # the names of its files say whose a note is


def stats(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Annotated notes, in any format.")],
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM.replace("IN", "CORPUS"))] = "",
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map labels from tag set A to B (names, or TOML files) first.")
    ] = "",
    doubts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a CSV of places to look at again: see above.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Count what a corpus holds: notes, patients, sentences, tokens, and identifiers by label.

    elision's tokens are finer than words, so papers count fewer. No output quotes a note. `elision compare` tells how
    far two annotations of the same notes agree.

    --doubts lists where the same words have another label elsewhere, and where words are not marked that are elsewhere.

    Example:

        elision stats examples/notes/gold

        elision stats corpus/ --labels nut:canonical --json

        elision stats corpus/ --doubts look-again.csv
    """
    from elision.evaluate.corpus import describe
    from elision.evaluate.corpus_tables import corpus_json, corpus_tables
    from elision.taggers.linear.sentences import sentences_in

    check_outputs({"--doubts": doubts}, (corpus,), force=force)
    how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    mapped = Remarks()
    documents: Iterable[Document] = _notes(corpus, format, labels, how, mapped)
    if doubts:
        documents = list(documents)
        write_doubts(documents, doubts)
    found = describe(documents, sentences_in)
    tell(how.remarks)
    tell(mapped)
    if json:
        typer.echo(corpus_json(found))
    else:
        show_tables(corpus_tables(found))
    exit_if_left_out(how)


def _notes(path: Path, name: str, labels: str, how: Reading, mapped: Remarks) -> Iterator[Document]:
    """The notes at a path, one at a time, with their labels taken over and their patients where names tell them."""
    from elision.evaluate.corpus import with_patient_of_id

    format: Format = chosen_format(path, name)
    documents: Iterable[Document] = progress(read(path, format, how), "notes read")
    if labels:
        documents = map_all(documents, mapping_named(labels, format.tag_set), f"--labels {labels}", mapped)
    yield from map(with_patient_of_id, documents) if format.name == NUMBERED else documents
