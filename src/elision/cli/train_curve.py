"""What `elision train --curve` tells: how good models of fewer notes are, and how many more are worth it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

from elision.cli.common import say
from elision.cli.tables import print_table
from elision.cli.train_report import progress
from elision.cli.training import Wanted
from elision.document import Document
from elision.errors import ModelError

if TYPE_CHECKING:
    from elision.evaluate.learning_curve import Curve, Point

HEADS = ("learnt from", "strict F1", "low", "high", "")


def enough_for_curve(documents: Sequence[Document]) -> None:
    """An error if there are too few notes, before anything is learnt."""
    from elision.taggers.nested import FEWEST, patients_in

    patients = patients_in(documents)
    if patients < FEWEST:
        raise ModelError(
            f"--curve: {patients} notes, or patients, are too few for a learning curve; give {FEWEST} at least, or "
            "leave it out"
        )


def show_curve(documents: Sequence[Document], wanted: Wanted, code: str, again: Sequence[Document]) -> None:
    """Learn from parts of the notes, and print what is to be expected of more."""
    from elision.taggers.nested import curve_of, trainings

    settings = wanted.settings
    with progress(trainings() * settings.epochs, settings.epochs, settings.trainer) as watch:
        found = curve_of(documents, lambda seen: wanted.learn_from(seen, code), wanted.seed, watch, wanted.start, again)
    typer.echo("")
    print_table(HEADS, curve_rows(found))
    for line in worth(found):
        typer.echo(line)
    say("by cross-validation: each note was scored by models that had not learnt from it")


def curve_rows(found: Curve) -> list[tuple[str, ...]]:
    """What was measured, then what is to be expected."""
    now = found.expected[0]
    rows = [_row(point, "measured") for point in found.measured]
    rows.append(_row(now, "expected of all notes"))
    return [*rows, *(_row(point, f"expected, {point.f1 - now.f1:+.4f}") for point in found.expected[1:])]


def _row(point: Point, what: str) -> tuple[str, ...]:
    return f"{point.notes:,}", f"{point.f1:.4f}", f"{point.low:.4f}", f"{point.high:.4f}", what


def worth(found: Curve) -> list[str]:
    """How many more notes are worth it, in words."""
    from elision.evaluate.learning_curve import FURTHEST, STEP, WORTH

    more = f"{STEP} more notes gain less than {100 * WORTH:g} points of F1"
    if found.more == 0 and found.more_high == 0:
        return [f"No more notes are worth it: {more}."]
    high = "more than can be told" if found.more_high is None else f"{found.more_high:,}"
    if found.more is None:
        least = f"More notes are worth it, at least {found.more_low or 0:,}."
        return [f"{least} Beyond {FURTHEST} times as many as there are, nothing can be told."]
    return [f"About {found.more:,} more notes are worth it (from {found.more_low or 0:,} to {high}). Then {more}."]
