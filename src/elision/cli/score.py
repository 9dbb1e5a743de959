"""`elision score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    Encoding,
    Force,
    Lenient,
    MaxMegabytes,
    check_outputs,
    exit_if_left_out,
    read_all,
    reading,
    say,
    tell_learnt,
)
from elision.cli.scoring import (
    GoldFormat,
    Html,
    Labels,
    Replicates,
    Scheme,
    Seed,
    Sentences,
    SystemFormat,
    SystemLabels,
    TagSet,
    Without,
    keys_of,
    refuse_scheme,
    sentence_counts,
    with_labels,
)
from elision.cli.tables import show_tables
from elision.formats.atomic import write_text


def score(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The gold standard, in any format.")],
    system: Annotated[Path, typer.Argument(metavar="SYSTEM", help="What the system found, in any format.")],
    scheme: Scheme = "span",
    gold_format: GoldFormat = "",
    system_format: SystemFormat = "",
    labels: Labels = "",
    system_labels: SystemLabels = "",
    tag_set: TagSet = "",
    without: Without = None,
    sentences: Sentences = None,
    model: Annotated[
        list[str] | None,
        typer.Option("--model", metavar="MODEL", help="Say how many notes of GOLD this model learnt from. Repeatable."),
    ] = None,
    html: Html = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers as CSV.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Print every block, error tables and the confusion matrix.")
    ] = False,
    seed: Seed = 0,
    replicates: Replicates = 2_000,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Score what a system found against a gold standard.

    `elision detect GOLD SYSTEM` writes what elision finds. This prints what the official program of the scheme would
    print, bugs included, and beside it the corrected scores: every note counts, with 95 % intervals by note, notes
    fully clean, leaks and over-redaction. The HTML report also shows every error in its context; keep it as you keep
    the notes. `elision compare` tells whether one system is better than another.

    Example:

        elision score examples/notes/gold examples/notes/system --html report.html

        elision score gold/ found.jsonl --model model/

        elision score gold/ run1/ --scheme i2b2-2014 --json
    """
    from elision.evaluate import Options, as_csv, as_json, evaluate, tables
    from elision.taggers.named import model_named

    refuse_scheme(scheme)
    check_outputs({"--html": html, "--csv": csv}, (gold, system, sentences), force=force)
    cards = {name: model_named(name, "--model").card for name in model or ()}
    gold_how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    gold_kind, golds = read_all(gold, gold_format, gold_how, "gold", "--gold-format")
    for name, card in cards.items():
        tell_learnt(name, card, golds, "gold notes")
    texts = {document.id: document.text for document in golds}
    how = reading(encoding, max_mb, lenient=lenient, texts=texts, leave_out=True)
    system_kind, systems = read_all(system, system_format, how, "system", "--system-format")
    options = Options(
        scheme=scheme,
        tag_set=tag_set,
        sentences=sentence_counts(sentences),
        keys=keys_of(gold_kind, system_kind),
        without=tuple(without or ()),
        replicates=replicates,
        seed=seed,
    )
    found = evaluate(
        with_labels(golds, labels, gold_kind), with_labels(systems, system_labels or labels, system_kind), options
    )
    if json:
        typer.echo(as_json(found))
    else:
        show_tables(tables(found, full=full))
    if csv:
        write_text(csv, as_csv(found))
    if html:
        from elision.evaluate.report import write_report

        write_report(found, html, gold_name=str(gold), system_name=str(system))
    for file in filter(None, (csv, html)):
        say(f"wrote {file}" + (" (it quotes the notes: keep it as you keep them)" if file == html else ""))
    exit_if_left_out(gold_how, how)
