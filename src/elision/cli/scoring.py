"""What `elision score` and `elision compare` share: how to score, and both sides with their labels taken over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal

import typer

from elision.cli.common import map_all, say, tell
from elision.document import Document
from elision.errors import ScoreError
from elision.formats import Format, Remarks
from elision.formats.atomic import write_text
from elision.labels import mapping_named

XML = ("i2b2-2014", "meddocan-xml")

Scheme = Annotated[str, typer.Option(metavar="NAME", help="i2b2-2014, i2b2-2006, meddocan, nedap, binary or span.")]
GoldFormat = Annotated[str, typer.Option(metavar="FORMAT", help="The format of the gold standard; else it is guessed.")]
SystemFormat = Annotated[str, typer.Option(metavar="FORMAT", help="The format of what systems found; else guessed.")]
Labels = Annotated[str, typer.Option(metavar="A:B", help="Map the labels of all sides from tag set A to B first.")]
SystemLabels = Annotated[
    str, typer.Option(metavar="A:B", help="Map the labels that systems found by this in place of --labels.")
]
TagSet = Annotated[str, typer.Option(metavar="SET", help="The tag set whose parents count; else guessed.")]
Without = Annotated[
    list[str] | None, typer.Option(metavar="LABEL", help="Leave LABEL out of the mean over labels. Repeatable.")
]
Sentences = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Sentence counts for MEDDOCAN's leak: a folder or a TSV.")
]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report that opens in any browser.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="The seed of intervals and tests.", min=0)]
Replicates = Annotated[int, typer.Option(metavar="N", help="Draws for the intervals.", min=1)]


def refuse_scheme(scheme: str) -> None:
    from elision.evaluate import SCHEMES

    if scheme not in SCHEMES:
        raise ScoreError(f"--scheme {scheme[:20]}: no such scheme; there are: {', '.join(SCHEMES)}")


def keys_of(gold: Format, system: Format) -> Literal["brat", "xml"]:
    """What MEDDOCAN's program compares."""
    return "xml" if gold.name in XML and system.name in XML else "brat"


def with_labels(documents: Sequence[Document], labels: str, format: Format) -> list[Document]:
    """Documents with their labels taken over, and told what that loses."""
    if not labels:
        return list(documents)
    remarks = Remarks()
    mapped = list(map_all(documents, mapping_named(labels, format.tag_set), f"--labels {labels}", remarks))
    tell(remarks)
    return mapped


def sentence_counts(path: Path | None) -> Mapping[str, int] | None:
    """Sentences by note: lines of the files in a folder (sentence_splitted/*.ann), or a TSV of id and count."""
    if path is None:
        return None
    try:
        if path.is_dir():
            return {file.stem: len(file.read_text("utf-8").splitlines()) for file in sorted(path.glob("*.ann"))}
        rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {row[0]: int(row[-1]) for row in rows if row[-1].isdecimal() and len(row[-1]) < 10}
    except (OSError, UnicodeDecodeError) as error:
        raise ScoreError(f"--sentences {path}: cannot read the sentence counts: {type(error).__name__}") from None


def write_doubts(documents: Sequence[Document], path: Path) -> None:
    """A CSV of the places to look at again, without their words."""
    from elision.evaluate.adjudication import doubts
    from elision.evaluate.corpus_tables import doubts_csv

    found = doubts(documents)
    write_text(path, doubts_csv(found))
    say(f"wrote {path}: {len(found):,} places to look at again")
