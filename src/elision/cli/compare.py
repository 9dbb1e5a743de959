"""`elision compare`."""

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
)
from elision.cli.scoring import (
    GoldFormat,
    Html,
    Labels,
    Replicates,
    Scheme,
    Seed,
    SystemFormat,
    SystemLabels,
    TagSet,
    Without,
    keys_of,
    refuse_scheme,
    with_labels,
    write_doubts,
)
from elision.cli.tables import show_tables
from elision.errors import ScoreError
from elision.formats import write


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="What one system found, or one annotator, in any format.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="What another found in the same notes.")],
    gold: Annotated[
        Path | None, typer.Option(metavar="GOLD", help="The gold standard; without it, A and B are two annotations.")
    ] = None,
    scheme: Scheme = "span",
    gold_format: GoldFormat = "",
    system_format: SystemFormat = "",
    labels: Labels = "",
    system_labels: SystemLabels = "",
    tag_set: TagSet = "",
    without: Without = None,
    html: Html = None,
    adjudicated: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write both annotations as one, as JSON lines: what either has marked."),
    ] = None,
    doubts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a CSV of places to look at again: see above.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print all numbers as JSON.")] = False,
    seed: Seed = 0,
    replicates: Replicates = 2_000,
    shuffles: Annotated[int, typer.Option(metavar="N", help="Shuffles for the test.", min=1)] = 9_999,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Compare two systems on the same notes, or two annotations of them.

    With --gold: each measure of A and B, the difference with its 95 % interval, and how often systems that are alike
    would differ as much by chance (p, by approximate randomisation over notes). Without: how far A and B agree, as
    strict F1 of spans and Cohen's kappa of tokens, by label. Nothing that is printed quotes a note; --html does.

    --adjudicated makes one annotation of the two, on the safe side: what one of them marked counts. Spans that overlap
    become one, with the label of the longest. --doubts lists where the same words have another label elsewhere in it,
    and where words are not marked that are elsewhere.

    Example:

        elision compare run1/ run2/ --gold gold/

        elision compare nurse/ doctor/ --labels nut:canonical --json

        elision compare nurse/ doctor/ --adjudicated gold.jsonl --doubts look-again.csv
    """
    if gold is None and (html or gold_format or scheme != "span"):
        raise ScoreError("--html, --gold-format and --scheme need --gold; without it, A and B are two annotations")
    if gold and (adjudicated or doubts):
        raise ScoreError(
            "--adjudicated and --doubts make one annotation of two, of which neither is --gold; leave it out"
        )
    refuse_scheme(scheme)
    outputs = {"--html": html, "--adjudicated": adjudicated, "--doubts": doubts}
    check_outputs(outputs, (first, second, gold), force=force)
    how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    if gold:
        kind, golds = read_all(gold, gold_format, how, "gold", "--gold-format")
    else:
        kind, golds = read_all(first, system_format, how, "A's", "--system-format")
    texts = {document.id: document.text for document in golds}
    others = reading(encoding, max_mb, lenient=lenient, texts=texts, leave_out=True)
    golds = with_labels(golds, labels if gold else system_labels or labels, kind)
    second_kind, theirs = read_all(second, system_format, others, "B's", "--system-format")
    theirs = with_labels(theirs, system_labels or labels, second_kind)
    if gold is None:
        from elision.evaluate.agreement import agreement
        from elision.evaluate.corpus_tables import agreement_json, agreement_table

        agreed = agreement(golds, theirs)
        if json:
            typer.echo(agreement_json(agreed))
        else:
            show_tables([agreement_table(agreed)])
        if adjudicated or doubts:
            from elision.evaluate.adjudication import adjudicated as adjudicate

            one = adjudicate(golds, theirs)
            if adjudicated:
                write(one, adjudicated, "jsonl", replace=force)
                say(f"wrote {adjudicated}")
            if doubts:
                write_doubts(one, doubts)
    else:
        from elision.evaluate import Options, as_json, evaluate
        from elision.evaluate.tables import comparison

        first_kind, ours = read_all(first, system_format, others, "A's", "--system-format")
        options = Options(
            scheme=scheme,
            tag_set=tag_set,
            keys=keys_of(kind, first_kind),
            without=tuple(without or ()),
            replicates=replicates,
            shuffles=shuffles,
            seed=seed,
        )
        found = evaluate(golds, with_labels(ours, system_labels or labels, first_kind), options, theirs)
        if json:
            typer.echo(as_json(found))
        else:
            show_tables(comparison(found))
        if html:
            from elision.evaluate.report import write_report

            write_report(found, html, gold_name=str(gold), system_name=str(first), versus_name=str(second))
            say(f"wrote {html} (it quotes the notes: keep it as you keep them)")
    exit_if_left_out(how, others)
