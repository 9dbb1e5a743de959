"""`elision review export` and `elision review agree`: what comes out of a review."""

from __future__ import annotations

import json as json_
from dataclasses import asdict
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from elision.cli.common import TO, Force, check_target, say, tell
from elision.cli.convert import by_ending
from elision.cli.tables import print_table, show_tables
from elision.errors import ReviewError
from elision.formats import Remarks, format_named, write

if TYPE_CHECKING:
    from elision.review.store import Store


class OpensByDefault(TyperGroup):
    """A group of commands in which what is no command is what to open: `review notes/` is `review open notes/`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["open", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=OpensByDefault,
    help="Review what was found: mark in the browser, write what was approved, and say how far reviewers agree. "
    "`elision review notes/` is short for `elision review open notes/`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Review = Annotated[Path, typer.Argument(metavar="REVIEW", help="The folder of a review, such as notes.review.")]
OF = "Whose marks; else those of the adjudicator, or of all."


@app.command("export")
def export(
    review: Review,
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Where the notes go: a file or a folder.")],
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=TO)] = "",
    reviewer: Annotated[str, typer.Option("--reviewer", metavar="NAME", help=OF)] = "",
    force: Force = False,
) -> None:
    """Write the notes that were approved, with the spans that people marked, in any format with spans.

    Notes that nobody has approved do not come out, and no span that was only predicted does. A note that an adjudicator
    decided has her spans. Without one, a note that several approved has all that any of them marked: spans that
    overlap become one, with the label of the longest.

    Example:

        elision review export notes.review gold.jsonl

        elision review export notes.review nurse/ --to brat --reviewer nurse
    """
    goal = format_named(to) if to else by_ending(target)
    if not goal.holds.spans:
        raise ReviewError(f"--to {goal.name}: {goal.name} holds no spans, and spans are what was marked; try jsonl")
    check_target(review, target, goal, force)
    with opened(review) as store:
        if reviewer:
            known(store, reviewer)
            notes, how = tuple(store.reviewed(reviewer)), ""
        else:
            from elision.review.approved import approved_in

            found = approved_in(store)
            notes, how = found.notes, f": {found.adjudicated:,} adjudicated, {found.united:,} as several marked them"
        if not notes:
            raise ReviewError(f"{review}: no note is approved yet, so nothing is written; elision review open {review}")
        written = Remarks()
        write(notes, target, goal, written, replace=force)
        say(f"wrote {len(notes):,} of {len(store.positions()):,} notes to {target} as {goal.name}{how}")
    tell(written)


@app.command("agree")
def agree(
    review: Review,
    reviewer: Annotated[
        list[str] | None, typer.Option("--reviewer", metavar="NAME", help="Two or more of them; else all. Repeatable.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
) -> None:
    """Say how far reviewers are, and how far they agree.

    For each two of them: strict F1 of spans and Cohen's kappa of tokens, by label, on the notes that both approved.
    Nothing that is printed quotes a note.

    Example:

        elision review agree notes.review

        elision review agree notes.review --reviewer nurse --reviewer doctor --json
    """
    from elision.evaluate.agreement import agreement
    from elision.evaluate.corpus_tables import agreement_table

    with opened(review) as store:
        for name in reviewer or ():
            known(store, name)
        names = list(dict.fromkeys(reviewer or store.reviewers()))
        passes = {name: list(store.reviewed(name)) for name in names}
        whole, settled = len(store.positions()), sum(1 for _ in store.adjudicated())
    rows = [(name, len(notes), sum(len(note.spans) for note in notes)) for name, notes in passes.items()]
    pairs = [(a, b, agreement(passes[a], passes[b])) for a, b in combinations(names, 2) if passes[a] and passes[b]]
    if json:
        told = {
            "notes": whole,
            "adjudicated": settled,
            "reviewers": [{"name": name, "approved": notes, "spans": spans} for name, notes, spans in rows],
            "agreement": [{"a": a, "b": b, **asdict(found)} for a, b, found in pairs],
        }
        typer.echo(json_.dumps(told, ensure_ascii=False, indent=2))
        return
    shown = [(name, f"{notes:,} of {whole:,}", f"{spans:,}") for name, notes, spans in rows]
    print_table(("reviewer", "notes approved", "spans"), [*shown, ("adjudicated", f"{settled:,} of {whole:,}", "")])
    for a, b, found in pairs:
        if found.notes:
            typer.echo(f"\nA is {a}, B is {b}")
            show_tables([agreement_table(found)])
        else:
            say(f"{a} and {b} have approved no note in common yet")
    if len(names) < 2:
        say("agreement takes two reviewers")


def opened(review: Path) -> Store:
    """A review that is there already."""
    from elision.review.store import Store

    return Store.open(review, make=False)


def known(store: Store, reviewer: str) -> None:
    """An error if nobody of this name has reviewed anything."""
    if reviewer not in store.reviewers():
        names = ", ".join(store.reviewers()) or "nobody yet"
        raise ReviewError(f"--reviewer {reviewer[:40]}: has reviewed nothing here; who has: {names}")
