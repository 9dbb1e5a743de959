"""`elision crossval`."""

from __future__ import annotations

import json as json_
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    Encoding,
    Force,
    Lenient,
    MaxMegabytes,
    check_target,
    say,
    tell,
    tell_learnt,
)
from elision.cli.tables import print_table, show_tables
from elision.cli.train_report import progress
from elision.cli.training import (
    Epochs,
    Labels,
    Language,
    Least,
    Made,
    Preset,
    Set,
    SizeMb,
    StartFrom,
    Wanted,
    code_of_all,
    made_for,
    read_notes,
    refuse_others,
)
from elision.cli.training import Seed as ModelSeed
from elision.cli.training import Seeds as ModelSeeds
from elision.errors import ModelError
from elision.formats import Remarks, format_named, write

FIGURES = ("strict_f1", "strict_precision", "strict_recall", "character_recall", "over_redaction")
HEADS = ("strict F1", "strict precision", "strict recall", "characters covered", "over-redaction")


def crossval(
    notes: Annotated[Path, typer.Argument(metavar="NOTES", help="Notes with gold spans, in any format.")],
    preset: Preset = "",
    folds: Annotated[int, typer.Option(metavar="K", help="How many parts; each is tested on once.", min=2)] = 10,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of NOTES; else it is guessed.")
    ] = "",
    labels: Labels = "",
    language: Language = "",
    seeds: ModelSeeds = None,
    epochs: Epochs = None,
    seed: ModelSeed = None,
    least: Least = None,
    size_mb: SizeMb = None,
    settings_: Set = None,
    start_from: StartFrom = "",
    made_notes: Made = 300,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="Where the notes go with what was found in them.")
    ] = None,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format of OUT.")] = "jsonl",
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Cross-validate: train on some of the notes, score on the others, until each note was scored once.

    The notes of a patient stay in one part, and a note without a patient counts as one. Printed are the scores of each
    part, their mean and their standard deviation, and the scores of all notes together with 95 % intervals by note.
    No model is kept. With --out, what was found in each note by the model that had not learnt from it is written, for
    `elision score` and `elision compare`. The scores are those of a model by itself, without rules.

    Example:

        elision crossval corpus/ --preset elision-fast --folds 5

        elision crossval corpus/ --start-from nl --out found.jsonl --json
    """
    from elision.evaluate import Options, evaluate
    from elision.evaluate.tables import corrected, safety
    from elision.taggers.corpus import check
    from elision.taggers.crossval import crossed, mean, spread

    given = {"seed": seed, "seeds": seeds, "epochs": epochs, "least": least, "megabytes": size_mb}
    wanted = Wanted(preset, start_from, settings_ or (), given, language)
    goal = format_named(to)
    if out:
        if not goal.holds.spans:
            raise ModelError(f"--to {goal.name}: {goal.name} holds no spans, and spans are what is written; try jsonl")
        check_target(notes, out, goal, force)
    documents = read_notes(notes, format, labels, encoding, max_mb, lenient, "annotated")
    code = wanted.language or code_of_all(documents)
    check(documents)
    start, again = wanted.start, []
    if start:
        refuse_others(documents, code, start)
        again = made_for(start, made_notes, wanted.seed, code)
        tell_learnt(start_from, start.card, documents)
    passes = folds * wanted.settings.seeds * wanted.settings.epochs
    with progress(passes, wanted.settings.epochs, wanted.settings.trainer) as watch:
        found = crossed(documents, folds, wanted.seed, lambda seen: wanted.learn_from(seen, code), watch, start, again)
    together = evaluate(documents, found.system, Options(seed=wanted.seed))
    if out:
        remarks = Remarks()
        write(found.system, out, goal, remarks, replace=force)
        say(f"wrote {len(found.system):,} notes to {out} as {goal.name}")
        tell(remarks)
    if json:
        measured = {name: {"mean": mean(found, name), "spread": spread(found, name)} for name in FIGURES}
        figures = {name: [one.value, one.low, one.high] for name, one in together.figures.items()}
        told = {"folds": found.folds, "measures": measured, "together": figures}
        typer.echo(json_.dumps(told, ensure_ascii=False))
        return
    rows = [_row(str(at), str(fold["notes"]), fold) for at, fold in enumerate(found.folds, start=1)]
    rows.append(_row("mean", "", {name: mean(found, name) for name in FIGURES}))
    rows.append(_row("standard deviation", "", {name: spread(found, name) for name in FIGURES}))
    print_table(("part", "notes", *HEADS), rows)
    show_tables([corrected(together), safety(together)])


def _row(name: str, notes: str, figures: Mapping[str, float]) -> tuple[str, ...]:
    return (name, notes, *(f"{figures[each]:.4f}" for each in FIGURES))
