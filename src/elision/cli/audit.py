"""`elision audit`."""

from __future__ import annotations

import json as json_
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.audit_figures import show
from elision.cli.audit_notes import check_place, notes_counted, promise_of, share_of
from elision.cli.audit_review import marks_of, review_made, reviewed_in
from elision.cli.common import (
    Encoding,
    Force,
    MaxMegabytes,
    check_outputs,
    progress,
    reading,
    say,
    tell,
)
from elision.cli.tables import show_tables
from elision.errors import ScoreError

app = typer.Typer(
    help="Say how much may have been missed: plan how many notes to read, draw them, and report.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Leaking = Annotated[
    str, typer.Option("--at-most-leaking", metavar="SHARE", help="To show: at most so many notes leak, such as 2%.")
]
Missed = Annotated[
    float | None,
    typer.Option("--at-most-missed", metavar="X", help="To show: at most so many identifiers are missed in a note."),
]
Confidence = Annotated[str, typer.Option(metavar="SHARE", help="How sure the bounds are.")]
By = Annotated[
    str,
    typer.Option(metavar="WHAT", help="For --design stratified: length, folder, or a column, such as type or author."),
]
Most = Annotated[
    int, typer.Option(metavar="N", min=1, help="Identifiers that are counted in a note; without a limit is no bound.")
]
Text = Annotated[
    list[str] | None, typer.Option("--text", metavar="COLUMN", help="The column of texts, if no run tells. Repeatable.")
]
Id = Annotated[str, typer.Option(metavar="COLUMN", help="The column of IDs, if no run tells.")]
NotesFormat = Annotated[
    str, typer.Option("--format", metavar="FORMAT", help="The format of the notes; else it is guessed.")
]
KeyFile = Annotated[
    Path | None, typer.Option("--key", metavar="FILE", help="The key of the project: checks receipts and signs.")
]
Source = Annotated[str, typer.Argument(metavar="RUN_OR_OUT", help="What a run wrote, or the folder of its records.")]


@app.command("plan")
def plan(
    where: Annotated[
        str, typer.Argument(metavar="[RUN_OR_OUT]", help="What a run wrote, or its folder; else very many notes.")
    ] = "",
    at_most_leaking: Leaking = "",
    at_most_missed: Missed = None,
    expect_leaking: Annotated[
        str, typer.Option(metavar="SHARE", help="How many notes you think leak; less than what is to be shown.")
    ] = "0",
    expect_missed: Annotated[
        float, typer.Option(metavar="X", help="How many identifiers you think are missed in a note.")
    ] = 0.0,
    most: Most = 10,
    confidence: Confidence = "95%",
    power: Annotated[
        str, typer.Option(metavar="SHARE", help="How often the number shall be enough, if as much leaks as expected.")
    ] = "95%",
    by: By = "length",
    text: Text = None,
    id: Id = "",
    format: NotesFormat = "",
    json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON.")] = False,
) -> None:
    """Say how many notes to read, and how to draw them.

    A bound on the notes that leak, a bound on what is missed in a note, or both. With a run, all designs are compared.

    Example:

        elision audit plan --at-most-leaking 2%

        elision audit plan clean.csv --at-most-leaking 2% --expect-leaking 0.5% --by type

        elision audit plan clean.csv.run --at-most-missed 0.1 --json
    """
    from elision.evaluate.audit import wording
    from elision.evaluate.audit.designs import SIMPLE, STRATIFIED, WEIGHTED
    from elision.evaluate.audit.planning import planned
    from elision.evaluate.audit.population import grouping_of

    promise = replace(
        promise_of(at_most_leaking, at_most_missed, most, confidence),
        expect_leaking=share_of("--expect-leaking", expect_leaking),
        expect_missed=expect_missed,
        power=share_of("--power", power),
    )
    if not where:
        plans, whole = [planned(promise, SIMPLE, "", None)], None
    else:
        _, run, notes = notes_counted(where, format, text, id, by)
        whole = len(notes)
        if run is None:
            say("no run's folder is here: risk is taken from the length of the notes")
        designs = ((SIMPLE, ""), (STRATIFIED, by), (WEIGHTED, ""))
        plans = [planned(promise, design, named, grouping_of(design, named, notes)) for design, named in designs]
    if json:
        typer.echo(json_.dumps({"promise": asdict(promise), "notes": whole, "plans": [asdict(one) for one in plans]}))
        return
    for line in wording.planned_words(promise, plans, whole):
        typer.echo(line)
    if promise.leaking is not None:
        show_tables([wording.leaks_table(plans)])


@app.command("sample")
def sample(
    where: Source,
    notes: Annotated[int, typer.Option("--notes", metavar="N", min=1, help="How many notes to draw.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="A new folder for the sample.")],
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="The same seed draws the same notes.")] = 0,
    design: Annotated[
        str, typer.Option(metavar="NAME", help="simple, stratified, or weighted to the risky.")
    ] = "simple",
    by: By = "length",
    most: Most = 10,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="In which format to annotate (see: elision formats).")
    ] = "brat",
    key: KeyFile = None,
    text: Text = None,
    id: Id = "",
    format: NotesFormat = "",
    stand_ins: Annotated[
        bool, typer.Option("--stand-ins", help="Draw from notes with stand-ins: the readers can tell them apart.")
    ] = False,
    review: Annotated[
        bool, typer.Option("--review", help="Make FOLDER/review, too, to mark in the browser: elision review open.")
    ] = False,
) -> None:
    """Draw notes to read from what a run wrote.

    FOLDER gets the notes, a table to mark in (marks.csv), how to mark (READ-ME.txt), and the plan, with which the
    report checks that nothing was swapped. The risk of a note is the number of identifiers that the run found in it.

    Example:

        elision audit sample clean.csv --notes 149 --out audit/ --seed 7 --review

        elision audit sample clean.csv.run --notes 300 --out audit/ --design weighted --to label-studio
    """
    from datetime import UTC, datetime

    from elision.document import Document
    from elision.evaluate.audit import wording
    from elision.evaluate.audit.designs import DESIGNS, STRATIFIED, WEIGHTED, draw
    from elision.evaluate.audit.population import grouping_of, names_for, notes_at
    from elision.evaluate.audit.sample import Drawn, Origin, Plan, text_hash, write_sample
    from elision.formats import format_named
    from elision.keys import Key
    from elision.run.local.finished import LIVES_ON, receipts_for

    if design not in DESIGNS:
        raise ScoreError(f"--design {design[:20]}: there are {', '.join(DESIGNS)}")
    goal, secret = format_named(to), Key.read(key) if key else None
    population, run, counted = notes_counted(
        where, format, text, id, by if design == STRATIFIED else "", design == WEIGHTED
    )
    check_place(out, population.source.where)
    if run is None:
        say("no run's folder is here: the sample has no receipts" + ", and risk is length" * (design == WEIGHTED))
    elif (living := run.done_by(*LIVES_ON)) and not stand_ins:
        raise ScoreError(
            f"{run.folder}: this run put stand-ins for {', '.join(living)}, which a reader cannot tell from what was "
            "missed; run over the same notes with --policy tag and draw from that, or say --stand-ins if readers can"
        )
    grouping = grouping_of(design, by, counted)
    strata = grouping.strata(notes)
    places = draw(grouping, strata, seed)
    drawn = notes_at(population, places, lambda some: progress(some, "notes looked through"))
    receipts = receipts_for(run, [Document(one.text, one.id) for one in drawn], secret) if run else []
    summary = run.summary if run else {}
    made = Plan(
        design=design,
        by=by,
        seed=seed,
        most=most,
        origin=Origin(
            where=str(population.source.where),
            policy=run.policy if run else "",
            key=summary.get("key", ""),
            chain=summary.get("chain", ""),
            signature=summary.get("signature", ""),
            verified=bool(run and secret),
        ),
        strata=strata,
        notes=tuple(
            Drawn(name, one.id, int(grouping.codes[place]), text_hash(one.text), receipts[at].signature if run else "")
            for at, (name, one, place) in enumerate(zip(names_for(notes), drawn, places, strict=True))
        ),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
    ).sealed(secret)
    write_sample(out, made, [one.text for one in drawn], goal, run.done_by("keep") if run else ())
    show_tables([wording.groups_table(strata, f"{design} sample, seed {seed}")])
    if review:
        review_made(out, made, [one.text for one in drawn])
    say(f"wrote {notes:,} of {len(counted):,} notes to {out}: begin with {out / 'READ-ME.txt'}")


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of elision audit sample.")],
    marks: Annotated[
        list[Path] | None,
        typer.Option("--marks", metavar="PATH", help="What a reader marked; twice for two. Else FOLDER/marks.csv."),
    ] = None,
    reviewer: Annotated[
        list[str] | None,
        typer.Option("--reviewer", metavar="NAME", help="Who marked in FOLDER/review; twice for two. Else all."),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of marks that are no table; else guessed.")
    ] = "",
    all_read: Annotated[
        bool, typer.Option("--all-read", help="All notes were read: one without marks has nothing missed.")
    ] = False,
    at_most_leaking: Leaking = "",
    at_most_missed: Missed = None,
    confidence: Confidence = "95%",
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a page; it quotes the notes.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON, without texts.")] = False,
    key: KeyFile = None,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    force: Force = False,
) -> None:
    """Say how much may have been missed, from what readers marked.

    If the sample was marked in its review, the notes that each reviewer approved are read from there: one without marks
    has nothing missed. Where an adjudicator has decided, her verdict counts. Where readers differ and nobody has
    decided, all that any of them marked counts as missed, and the report says in how many notes.

    Exact bounds on the notes that leak and on what is missed in a note, by group and label; with two readers, what both
    missed. The exit status is 1 if what was to be shown is not.

    Example:

        elision audit report audit/ --html audit.html --json

        elision audit report audit/ --reviewer nurse --reviewer doctor --at-most-leaking 2%

        elision audit report audit/ --marks first.json --marks second.json --all-read --at-most-leaking 2%
    """
    from elision.evaluate.audit.marks import marks_in, texts_of
    from elision.evaluate.audit.page import write_page
    from elision.evaluate.audit.results import as_json, audited
    from elision.evaluate.audit.sample import MARKS, read_plan
    from elision.formats.apart import same_place
    from elision.keys import Key

    in_review = not marks and (bool(reviewer) or reviewed_in(folder))
    if marks and reviewer:
        raise ScoreError("--marks and --reviewer: marks are read from files or from the review; give one of the two")
    paths = marks or ([] if in_review else [folder / MARKS])
    if len(paths) > 2:
        raise ScoreError("--marks: one reader or two; adjudicate three or more into one first")
    if len(paths) == 2 and same_place(*paths):
        raise ScoreError("--marks: is the same twice; give what each of the two readers marked")
    check_outputs({"--html": html}, [key, *paths], force=force)
    plan = read_plan(folder, Key.read(key) if key else None)
    promise = promise_of(at_most_leaking, at_most_missed, plan.most, confidence, needed=False)
    how = reading(encoding, max_mb)
    texts = texts_of(folder, plan, reading("utf-8", max_mb))
    how = replace(how, texts=texts)
    if in_review:
        readers, verdicts = marks_of(folder, plan, reviewer or ())
    else:
        verdicts = {}
        readers = [marks_in(path, plan, texts, how, format, all_read=all_read) for path in paths]
    tell(how.remarks)
    found = audited(plan, texts, readers, promise, verdicts=verdicts, signed=key is not None)
    if json:
        typer.echo(as_json(found))
    else:
        show(found)
    if html:
        write_page(found, html)
        say(f"wrote {html} (it quotes the notes: keep it as you keep them)")
    if not all(one.kept for one in found.promises):
        raise typer.Exit(1)
