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
    say,
    show_tables,
    tell,
)
from elision.document import Document
from elision.errors import FormatError
from elision.formats import Format, Reading, Remarks, read, write
from elision.formats.atomic import write_text
from elision.labels import mapping_named

NUMBERED = "i2b2-2014"  # the names of its files say whose a note is


def stats(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Annotated notes, in any format.")],
    from_: Annotated[str, typer.Option("--from", metavar="FORMAT", help=FROM.replace("IN", "CORPUS"))] = "",
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map the labels of all sides from tag set A to B first.")
    ] = "",
    against: Annotated[
        Path | None, typer.Option(metavar="PATH", help="The same notes by another annotator, to count the agreement.")
    ] = None,
    against_format: Annotated[
        str, typer.Option(metavar="FORMAT", help="The format of --against; else it is guessed.")
    ] = "",
    adjudicated: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write both annotations as one, as JSON lines: what either has marked."),
    ] = None,
    doubts: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a CSV of places to look at again: see above."),
    ] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers as JSON.")] = None,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Count what a corpus holds: notes, patients, sentences, tokens, and identifiers by label.

    elision's tokens are finer than words, so papers count fewer. --against compares two annotations of the same notes:
    strict F1 of spans and Cohen's kappa of tokens, by label. No table quotes a note.

    --adjudicated makes one annotation of the two, on the safe side: what one of them marked counts. Spans that overlap
    become one, with the label of the longest. --doubts lists where the same words have another label elsewhere, and
    where words are not marked that are elsewhere: in that one annotation, or in CORPUS alone.

    Example:

        elision stats examples/notes/gold

        elision stats first/ --against second/ --labels nut:canonical --json agreement.json

        elision stats first/ --against second/ --adjudicated gold.jsonl --doubts look-again.csv
    """
    from elision.evaluate.adjudication import adjudicated as adjudicate
    from elision.evaluate.adjudication import doubts as find_doubts
    from elision.evaluate.agreement import agreement
    from elision.evaluate.corpus import describe
    from elision.evaluate.corpus_tables import corpus_json, corpus_tables, doubts_csv
    from elision.taggers.linear.sentences import sentences_in

    check_outputs({"--json": json, "--adjudicated": adjudicated, "--doubts": doubts}, (corpus, against), force=force)
    if adjudicated and against is None:
        raise FormatError("--adjudicated makes one annotation of two; give the second with --against")
    how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    mapped = Remarks()
    documents: Iterable[Document] = _notes(corpus, from_, labels, how, mapped)
    if against is None:
        documents = list(documents) if doubts else documents
        found, agreed, second = describe(documents, sentences_in), None, None
        one = documents
    else:
        documents = list(documents)
        texts = {document.id: document.text for document in documents}
        second = reading(encoding, max_mb, lenient=lenient, texts=texts, leave_out=True)
        others = list(_notes(against, against_format, labels, second, mapped))
        found, agreed = describe(documents, sentences_in), agreement(documents, others)
        one = adjudicate(documents, others) if adjudicated or doubts else ()
    for remarks in (how.remarks, *([second.remarks] if second else []), mapped):
        tell(remarks)
    show_tables(corpus_tables(found, agreed))
    if adjudicated:
        write(one, adjudicated, "jsonl", replace=force)
        say(f"wrote {adjudicated}")
    if doubts:
        there = find_doubts(list(one))
        write_text(doubts, doubts_csv(there))
        say(f"wrote {doubts}: {len(there):,} places to look at again")
    if json:
        write_text(json, corpus_json(found, agreed))
        say(f"wrote {json}")
    exit_if_left_out(how, *([second] if second else []))


def _notes(path: Path, name: str, labels: str, how: Reading, mapped: Remarks) -> Iterator[Document]:
    """The notes at a path, one at a time, with their labels taken over and their patients where names tell them."""
    from elision.evaluate.corpus import with_patient_of_id

    format: Format = chosen_format(path, name)
    documents: Iterable[Document] = progress(read(path, format, how), "notes read")
    if labels:
        documents = map_all(documents, mapping_named(labels, format.tag_set), f"--labels {labels}", mapped)
    yield from map(with_patient_of_id, documents) if format.name == NUMBERED else documents
