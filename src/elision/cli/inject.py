"""`elision inject`."""

from __future__ import annotations

import csv
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    Counter,
    Encoding,
    Force,
    MaxMegabytes,
    check_target,
    chosen_format,
    progress,
    reading,
    say,
    tell,
)
from elision.cli.synth import MADE, Seed, Side, To
from elision.cli.tables import print_table
from elision.document import Document
from elision.errors import SynthError
from elision.formats import Remarks, format_named, read, write
from elision.languages.base import DEFAULT

_KINDS = {"patient": "name"}  # what a record calls the patient's own name


def inject(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="Notes with placeholders, or without anything about people.")
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="OUT", help="Where the notes go: a file or a folder.")],
    language: Annotated[
        str, typer.Option(metavar="CODE", help=f"The language of notes that name none: {MADE}.")
    ] = DEFAULT,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of IN; else it is guessed.")
    ] = "",
    to: To = "jsonl",
    names: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV", help="Names that stand in the notes: a column id, others such as patient and doctor."
        ),
    ] = None,
    least_score: Annotated[
        float,
        typer.Option("--least-score", metavar="X", help="A note with a name that rules find with less is left out."),
    ] = 0.5,
    insert: Annotated[
        bool, typer.Option(help="Add sentences, headers and footers, and names in place of pronouns.")
    ] = True,
    copies: Annotated[
        int, typer.Option(metavar="N", help="So many notes from each, with other people every time.")
    ] = 1,
    seed: Seed = 0,
    side: Side = "train",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    force: Force = False,
) -> None:
    """Fill invented people, dates and numbers into notes that have none, with exact spans: data to train with.

    Placeholders such as [**Last Name 12**], <PERSON>, [NOMBRE] or ___ are filled in; where there are none,
    sentences are put in. A real name that still stands in a note is replaced if --names or our rules know it;
    if they are not sure, the note is left out, and counted.

    Example:

        elision inject deidentified/ --language en --out training.jsonl --seed 3

        elision inject cases.jsonl --names people.csv --copies 3 --out training/ --to brat
    """
    from elision.languages.synth_lists import SIDES
    from elision.synth.inject import Injector

    if side not in SIDES:
        raise SynthError(f"--side {side[:20]}: there are {', '.join(SIDES)}")
    if not 0 <= least_score <= 1 or not 1 <= copies <= 1000:
        raise SynthError("--least-score lies between 0 and 1, --copies between 1 and 1,000")
    goal = format_named(to)
    check_target(source, out, goal, force)
    how, remarks, counted = reading(encoding, max_mb), Remarks(), Counter()
    notes = _with_names(read(source, chosen_format(source, format), how), _names(names) if names else {})
    injector = Injector(seed, side, language, least_score=least_score, insert=insert)
    tally: Tally[str] = Tally()
    made = _tallied(injector(progress(notes, "notes"), remarks, copies), tally)
    write(counted(made), out, goal, remarks, replace=force)
    say(f"wrote {counted.notes:,} notes with {counted.spans:,} spans to {out} as {goal.name}")
    tell(how.remarks)
    tell(remarks)
    print_table(("label", "spans"), [(label, f"{count:,}") for label, count in tally.most_common()])


def _names(path: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """The names of a CSV by note; several in a cell are divided by semicolons."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            if "id" not in (rows.fieldnames or ()):
                raise SynthError(f"{path}: has no column id; others are kinds of people: patient, doctor, relative ...")
            for row in rows:
                cells = {kind: (value or "").split(";") for kind, value in row.items() if kind and kind != "id"}
                names = {kind: tuple(name.strip() for name in cell if name.strip()) for kind, cell in cells.items()}
                found[row["id"]] = {_KINDS.get(kind, kind): values for kind, values in names.items() if values}
    except (OSError, UnicodeDecodeError, csv.Error):
        raise SynthError(f"{path}: cannot be read as a CSV file in UTF-8") from None
    return found


def _with_names(notes: Iterable[Document], names: Mapping[str, dict[str, tuple[str, ...]]]) -> Iterator[Document]:
    for note in notes:
        yield replace(note, known={**note.known, **names[note.id]}) if note.id in names else note


def _tallied(notes: Iterable[Document], tally: Tally[str]) -> Iterator[Document]:
    for note in notes:
        tally.update(span.label for span in note.spans)
        yield note
