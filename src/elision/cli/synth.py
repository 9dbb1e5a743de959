"""`elision synth`."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import Counter, Force, check_target, progress, say, tell
from elision.cli.tables import print_table
from elision.document import Document
from elision.errors import SynthError
from elision.formats import Format, Remarks, format_named, write
from elision.languages.base import in_words, shipped

MADE = in_words([code for code, one in shipped().items() if one.has("synth_notes.py")], "or")
Seed = Annotated[int, typer.Option(metavar="N", help="The same seed gives the same notes, on every machine.")]
Side = Annotated[
    str,
    typer.Option(metavar="SIDE", help="train, held_out or both: names, lists and grammars never stand on two sides."),
]
To = Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format of OUT (see: elision formats).")]


def synth(
    profile: Annotated[
        str, typer.Argument(metavar="PROFILE", help=f"What the notes are like: a name, a TOML file, or {MADE}.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Where the notes go: a file or a folder.")
    ] = None,
    notes: Annotated[int, typer.Option("--notes", metavar="N", help="How many notes.")] = 1000,
    first: Annotated[
        int, typer.Option(metavar="N", help="The number of the first note: make parts of a set in several runs.")
    ] = 0,
    seed: Seed = 0,
    to: To = "jsonl",
    side: Side = "train",
    ocr: Annotated[
        float | None,
        typer.Option(metavar="X", help="How bad a scanner: 0 (none) to 1 (hardly readable); else as the profile says."),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Leave out origin and gender of names, which formats other than JSONL lose.")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="Show the profiles and stop.")] = False,
    force: Force = False,
) -> None:
    """Make annotated notes from grammars: no real person, no real note, exact spans.

    Notes are made one by one, so there may be any number. Note 17 of a profile and seed is always the same.
    At the end stands how often each label came, beside what the profile asks for.

    Example:

        elision synth i2b2-2014-like --notes 10000 --seed 1 --out notes.jsonl

        elision synth au-pathology --ocr 0.5 --to brat --out scanned/
    """
    from elision.languages.synth_lists import SIDES
    from elision.synth.generate import Maker
    from elision.synth.profiles import profile_names, read_profile

    if not list_ and not profile:
        raise SynthError(f"no profile; give one, such as {profile_names()[0]}, or --list to see them")
    if list_:
        for name in profile_names():
            typer.echo(name)
        return
    if out is None:
        raise SynthError("no place for the notes; say it with --out, such as --out notes.jsonl")
    if notes < 1 or first < 0:
        raise SynthError(f"--notes {notes}, --first {first}: at least one note, and numbers from 0 on")
    if side not in SIDES:
        raise SynthError(f"--side {side[:20]}: there are {', '.join(SIDES)}")
    maker = Maker(read_profile(profile), seed, side, _strength(ocr))
    tally: Tally[str] = Tally()
    made = maker.notes(range(first, first + notes))
    _write((_plain(note) for note in made) if plain else made, out, format_named(to), tally, force)
    _report(tally, maker.profile.labels)


def _strength(ocr: float | None) -> float | None:
    if ocr is not None and not 0 <= ocr <= 1:
        raise SynthError(f"--ocr {ocr:g}: the strength lies between 0 (no errors) and 1 (hardly readable)")
    return ocr


def _plain(document: Document) -> Document:
    from dataclasses import replace

    return document.with_spans(replace(span, info={}) if span.info else span for span in document.spans)


def _write(notes: Iterable[Document], out: Path, goal: Format, tally: Tally[str], force: bool) -> None:
    check_target(Path("synthetic notes"), out, goal, force)
    counted, remarks = Counter(), Remarks()
    write(counted(progress(_tallied(notes, tally), "notes")), out, goal, remarks, replace=force)
    say(f"wrote {counted.notes:,} notes with {counted.spans:,} spans to {out} as {goal.name}")
    tell(remarks)


def _tallied(notes: Iterable[Document], tally: Tally[str]) -> Iterator[Document]:
    for note in notes:
        tally.update(span.label for span in note.spans)
        yield note


def _report(tally: Tally[str], asked: Mapping[str, float]) -> None:
    """How often each label came, beside what was asked for."""
    total = sum(tally.values()) or 1
    labels = sorted({*tally, *asked}, key=lambda label: -tally[label])
    rows = [
        (label, f"{tally[label]:,}", f"{tally[label] / total:.1%}", f"{asked[label]:.1%}" if label in asked else "")
        for label in labels
    ]
    print_table(("label", "spans", "share", "asked"), rows)
