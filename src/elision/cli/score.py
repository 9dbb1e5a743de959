"""`elision score`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    map_all,
    read_all,
    reading,
    say,
    show_tables,
    tell,
)
from elision.document import Document
from elision.errors import ScoreError
from elision.formats import Format, Remarks
from elision.formats.atomic import write_text
from elision.labels import mapping_named

XML = ("i2b2-2014", "meddocan-xml")


def score(
    gold: Annotated[Path, typer.Argument(metavar="GOLD", help="The gold standard, in any format.")],
    system: Annotated[Path, typer.Argument(metavar="SYSTEM", help="What the system found, in any format.")],
    scheme: Annotated[
        str,
        typer.Option(metavar="NAME", help="i2b2-2014, i2b2-2006, meddocan, nedap, binary or span."),
    ] = "span",
    versus: Annotated[
        Path | None, typer.Option(metavar="PATH", help="A second system, to compare with the first.")
    ] = None,
    gold_format: Annotated[str, typer.Option(metavar="FORMAT", help="The format of GOLD; else it is guessed.")] = "",
    system_format: Annotated[str, typer.Option(metavar="FORMAT", help="The format of SYSTEM; else guessed.")] = "",
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map the labels of all sides from tag set A to B first.")
    ] = "",
    system_labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map the labels of SYSTEM (and --versus) in place of --labels.")
    ] = "",
    tag_set: Annotated[str, typer.Option(metavar="SET", help="The tag set whose parents count; else guessed.")] = "",
    without: Annotated[
        list[str] | None, typer.Option(metavar="LABEL", help="Leave LABEL out of the mean over labels. Repeatable.")
    ] = None,
    sentences: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Sentence counts for MEDDOCAN's leak: a folder or a TSV.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report that opens in any browser.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers as JSON.")] = None,
    csv: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all numbers as CSV.")] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Print every block, error tables and the confusion matrix.")
    ] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of intervals and tests.", min=0)] = 0,
    replicates: Annotated[int, typer.Option(metavar="N", help="Draws for the intervals.", min=1)] = 2_000,
    shuffles: Annotated[int, typer.Option(metavar="N", help="Shuffles for the comparison.", min=1)] = 9_999,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
    force: Force = False,
) -> None:
    """Score a system against a gold standard.

    Prints what the official program of the scheme would print, bugs included, and beside it the corrected
    scores: every note counts, with 95 % intervals by note, notes fully clean, leaks and over-redaction. The
    HTML report also shows every error in its context; keep it as you keep the notes.

    Example:

        elision score examples/notes/gold examples/notes/system --html report.html

        elision score gold/ run1/ --scheme i2b2-2014 --versus run2/ --json scores.json
    """
    from elision.evaluate import SCHEMES, Options, as_csv, as_json, evaluate, tables

    if scheme not in SCHEMES:
        raise ScoreError(f"no scheme {scheme!r}; there are: {', '.join(SCHEMES)}")
    check_outputs({"--html": html, "--json": json, "--csv": csv}, (gold, system, versus, sentences), force=force)
    gold_how = reading(encoding, max_mb, lenient=lenient, leave_out=True)
    gold_kind, golds = read_all(gold, gold_format, gold_how, "gold")
    texts = {document.id: document.text for document in golds}
    how = reading(encoding, max_mb, lenient=lenient, texts=texts, leave_out=True)
    system_kind, systems = read_all(system, system_format, how, "system")
    others = read_all(versus, system_format, how, "second system")[1] if versus else None
    golds = _mapped(golds, labels, gold_kind)
    systems = _mapped(systems, system_labels or labels, system_kind)
    options = Options(
        scheme=scheme,
        tag_set=tag_set,
        sentences=_sentences(sentences) if sentences else None,
        keys="xml" if gold_kind.name in XML and system_kind.name in XML else "brat",
        without=tuple(without or ()),
        replicates=replicates,
        shuffles=shuffles,
        seed=seed,
    )
    second = None if others is None else _mapped(others, system_labels or labels, system_kind)
    found = evaluate(golds, systems, options, second)
    show_tables(tables(found, full=full))
    if json:
        write_text(json, as_json(found))
    if csv:
        write_text(csv, as_csv(found))
    if html:
        from elision.evaluate.report import write_report

        write_report(found, html, gold_name=str(gold), system_name=str(system), versus_name=str(versus or ""))
    for file in filter(None, (json, csv, html)):
        say(f"wrote {file}" + (" (it quotes the notes: keep it as you keep them)" if file == html else ""))
    exit_if_left_out(gold_how, how)


def _mapped(documents: Sequence[Document], labels: str, format: Format) -> list[Document]:
    if not labels:
        return list(documents)
    remarks = Remarks()
    mapped = list(map_all(documents, mapping_named(labels, format.tag_set), f"--labels {labels}", remarks))
    tell(remarks)
    return mapped


def _sentences(path: Path) -> Mapping[str, int]:
    """Sentences by note: lines of the files in a folder (sentence_splitted/*.ann), or a TSV of id and count."""
    try:
        if path.is_dir():
            return {file.stem: len(file.read_text("utf-8").splitlines()) for file in sorted(path.glob("*.ann"))}
        rows = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.strip()]
        return {row[0]: int(row[-1]) for row in rows if row[-1].isdecimal() and len(row[-1]) < 10}
    except (OSError, UnicodeDecodeError) as error:
        raise ScoreError(f"{path}: cannot read the sentence counts: {type(error).__name__}") from None
