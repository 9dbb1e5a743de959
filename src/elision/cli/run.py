"""`elision run`."""

from __future__ import annotations

import json as json_
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.common import (
    FROM,
    TO,
    Allow,
    DefaultLanguage,
    Deny,
    Dial,
    EffortOption,
    Encoding,
    KeyOption,
    LanguageOption,
    MaxMegabytes,
    Megabytes,
    Memory,
    Models,
    OwnRules,
    PolicyOption,
    Seconds,
    dial_of,
    limits_of,
    reading,
    say,
)
from elision.cli.tables import print_table
from elision.errors import FormatError
from elision.formats.tables.operators import checked
from elision.limits import MEGABYTES, SECONDS
from elision.showing import column as shown_column
from elision.showing import place


def run(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A folder, a file, a glob, or a database: sqlite:///notes.db?table=note."),
    ],
    out: Annotated[
        str,
        typer.Option(
            "--out", "-o", metavar="OUT", help="Where the clean notes go: a folder, a file or a database, like IN."
        ),
    ],
    policy: PolicyOption = "tag",
    key: KeyOption = None,
    columns: Annotated[
        Path | None,
        typer.Option(
            "--columns",
            metavar="FILE",
            help="A TOML file that says what each column is.",
        ),
    ] = None,
    text: Annotated[
        list[str] | None, typer.Option("--text", metavar="COLUMN", help="A column with notes. Repeatable.")
    ] = None,
    id: Annotated[str, typer.Option("--id", metavar="COLUMN", help="The column with the notes' IDs.")] = "",
    patient: Annotated[
        str, typer.Option("--patient", metavar="COLUMN", help="The column with the patients' IDs.")
    ] = "",
    language_column: Annotated[
        str, typer.Option(metavar="COLUMN", help="The column with the notes' languages, such as en.")
    ] = "",
    patients: Annotated[
        str,
        typer.Option(
            "--patients",
            metavar="TABLE",
            help="A table of what is known of each patient, such as names: a file, or a table of a database.",
        ),
    ] = "",
    patient_pattern: Annotated[
        str,
        typer.Option(
            metavar="REGEX",
            help="For folders: a pattern (RE2) whose one group takes the patient's ID from the name of a note.",
        ),
    ] = "",
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--known",
            metavar="KIND=COLUMN",
            help="A column with a known value of the patient, and its kind, such as name=patient_name. Repeatable.",
        ),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMN", help="A column that goes out unchanged. Repeatable."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(
            "--column",
            metavar="NAME=OPERATOR",
            help="What happens to another column, such as note_date=shift: shift, pseudonym, generalise, hash, keep or "
            "drop. Repeatable.",
        ),
    ] = None,
    query: Annotated[
        str,
        typer.Option("--query", metavar="SQL", help="For databases: a query whose rows are read, in place of a table."),
    ] = "",
    omop: Annotated[bool, typer.Option("--omop", help="IN and OUT are OMOP NOTE tables.")] = False,
    language: LanguageOption = "",
    default_language: DefaultLanguage = "",
    rules: OwnRules = None,
    model: Models = None,
    dial: Dial = None,
    effort: EffortOption = None,
    allow: Allow = None,
    deny: Deny = None,
    memory: Memory = True,
    workers: Annotated[
        int, typer.Option(metavar="N", help="How many processes work. 0: as many as there are processors.")
    ] = 0,
    shard_rows: Annotated[
        int,
        typer.Option(
            metavar="N", help="How many rows are one piece of work. After a stop, the unfinished pieces are done again."
        ),
    ] = 2000,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help=FROM)] = "",
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=TO)] = "",
    encoding: Encoding = "utf-8",
    header: Annotated[
        bool,
        typer.Option("--header/--no-header", help="Whether the first row of a CSV file has the names of the columns."),
    ] = True,
    max_mb: MaxMegabytes = 32,
    seconds_per_note: Seconds = SECONDS,
    memory_per_note: Megabytes = MEGABYTES,
    status: Annotated[
        bool, typer.Option("--status/--no-status", help="Whether OUT has a column that says what became of each row.")
    ] = True,
    raw_cells: Annotated[
        bool,
        typer.Option(
            "--raw-cells",
            help="For CSV: cells that a spreadsheet takes for formulas stay as they are. Without it, ' precedes them.",
        ),
    ] = False,
    state: Annotated[
        Path | None,
        typer.Option(
            "--state",
            metavar="FOLDER",
            help="The folder of the run's receipts and report. Without it, OUT.run beside OUT.",
        ),
    ] = None,
    progress: Annotated[
        str, typer.Option(metavar="KIND", help="How progress is shown: auto, bar, plain, json or none.")
    ] = "auto",
    json: Annotated[bool, typer.Option("--json", help="Print the summary as one line of JSON.")] = False,
    log_json: Annotated[
        Path | None,
        typer.Option(
            "--log-json", metavar="FILE", help="Add what happens to a log of JSON lines. It holds no word of a note."
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over OUT, and give up an unfinished run with other settings.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and write nothing.")] = False,
    retry_held: Annotated[
        bool,
        typer.Option(
            "--retry-held",
            help="Try the notes that an earlier run withheld again, and add those that come out to the same OUT.",
        ),
    ] = False,
    incremental: Annotated[
        bool,
        typer.Option(
            "--incremental",
            help="Clean new and changed notes only, into the OUT that the same command wrote the night before.",
        ),
    ] = False,
    deleted: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="With --incremental, if notes are no longer in IN: remove them from OUT, or refuse. Without it, "
            "at most a tenth is removed.",
        ),
    ] = "",
    ids: Annotated[
        str,
        typer.Option(
            "--ids",
            metavar="HOW",
            help="keep: IDs stay. keyed: in OUT, its file names and the receipts stand IDs made with the key. "
            "Without it, IDs stay, but not those of OMOP, FHIR and HL7 with --key.",
        ),
    ] = "",
    repeated_ids: Annotated[bool, typer.Option("--repeated-ids", help="Accept IDs that come more than once.")] = False,
    on: Annotated[
        str,
        typer.Option("--on", metavar="ENGINE", help="spark: run in Spark, from Parquet or table:NAME to Parquet."),
    ] = "",
    parts: Annotated[
        int,
        typer.Option(
            "--parts",
            metavar="N",
            help="For Spark: into how many parts the work is cut. After a stop, the unfinished ones are done again.",
        ),
    ] = 16,
) -> None:
    r"""De-identify a folder, a table or a database of notes.

    A run that was stopped goes on when you give the same command again. If elision cannot verify a note, it withholds
    the note; `elision held OUT.run` lists its ID and the reason. OUT.run also has receipts and a report. The exit
    status is 0 if all notes came out, 1 if some are withheld or a column has values that could not be changed, and 2 if
    the run failed.

    Example:

        elision run notes/ -o clean/

        elision run notes.csv -o clean.csv --text note --id note_id --patient person --known name=patient_name

        elision run notes.csv -o clean.csv --column note_date=shift --column person=pseudonym --key project.key

        elision run notes.csv -o clean.csv --text note --id note_id --patient person --patients patients.csv

        elision run notes/ -o clean/ --patient-pattern '^(\d+)_' --policy surrogate --key project.key

        elision run notes.csv -o clean.csv --retry-held --max-mb 200

        elision run notes.csv -o clean.csv --id note_id --patient person --key project.key --incremental

        elision run note.parquet -o clean.parquet --omop --policy surrogate --key project.key --workers 4

        elision run hdfs:///notes -o hdfs:///clean --on spark --policy surrogate --key /etc/elision/project.key
    """
    from elision.cli.on_spark import run_on_spark
    from elision.cli.run_log import logging, stopping, summed_up
    from elision.cli.run_progress import KINDS, progress_as, show_plan
    from elision.effort import effort_of
    from elision.run.local.night import nightly
    from elision.run.local.report import facts, labels
    from elision.run.local.retry import retry
    from elision.run.local.runner import run as whole
    from elision.run.plan import RunOptions, plan
    from elision.taggers.named import model_folder

    if progress not in KINDS:
        raise FormatError(f"--progress {progress[:20]}: there are {', '.join(KINDS)}")
    named = {
        "texts": tuple(text or ()),
        "id": id,
        "patient": patient,
        "language": language_column,
        "keep": tuple(keep or ()),
        "known": dict(_pair(one) for one in known or ()),
        "operators": _operators(column or ()),
    }
    options = RunOptions(
        columns=named,
        columns_file=columns,
        patients=patients,
        patient_pattern=patient_pattern,
        omop=omop,
        policy=policy,
        key=str(key) if key else "",
        language=language,
        default_language=default_language,
        rules=tuple(rules or ()),
        models=tuple(str(model_folder(one, "--model")) for one in model or ()),
        dial=dial_of(dial),
        effort=effort_of(effort),
        allow=str(allow or ""),
        deny=str(deny or ""),
        memory=memory,
        most=reading(encoding, max_mb).max_bytes,
        limits=limits_of(seconds_per_note, memory_per_note),
        query=query,
        format=format,
        to=to,
        encoding=encoding,
        header=header,
        raw_cells=raw_cells,
        status=status,
        workers=workers,
        rows=shard_rows,
        folder=state,
        force=force,
        ids=ids,
        repeated_ids=repeated_ids,
        incremental=incremental,
        deleted=deleted,
    )
    if on:
        others = {"--dry-run": dry_run, "--retry-held": retry_held, "--log-json": log_json is not None}
        run_on_spark(on, source, out, options, others, parts, json=json)
        return
    with logging(None if dry_run else log_json, (source, out, key)) as log:
        made = plan(source, out, options, log.warned(say))
        _tell_no_spans(to or made.source.format)
        if dry_run:
            show_plan(made)
            return
        made = replace(made, warn=log.warned(say))
        with progress_as(progress) as tell, stopping(made.folder, retry_held):
            log.say("begun", folder=str(made.folder), retry=retry_held)
            work = retry if retry_held else nightly if incremental else whole
            ended = work(made, log.progress(tell))
        log.say("ended", before=ended.before, **summed_up(ended))
    if ended.before and incremental:
        say(f"{made.folder}: nothing is new in {place(source)}, so {place(out)} stays as it is")
    elif ended.before:
        what = "this run holds no note" if retry_held else "this run had ended before"
        say(f"{made.folder}: {what}; nothing was done (--force does it again)")
    if json:
        typer.echo(json_.dumps({"before": ended.before, **summed_up(ended)}))
    else:
        print_table(("", ""), facts(ended.counts))
        print_table(("label", "found", "done"), [(label, f"{n:,}", done) for label, n, done in labels(ended.counts)])
    say(f"report, receipts and held notes: {made.folder}")
    if ended.held or ended.nulls:
        raise typer.Exit(1)


def _tell_no_spans(format: str) -> None:
    """Say that a format which could hold spans gets none: they would tell stand-ins from what was overlooked."""
    from elision.formats import FORMATS
    from elision.formats.catalogue import FILES_OF_TABLES

    if format not in FILES_OF_TABLES and format in FORMATS and FORMATS[format].holds.spans:
        say(
            f"{format}: notes come out without spans, as marks would tell stand-ins from a name that was overlooked; "
            "`elision detect` writes the spans of the notes as they are"
        )


def _pair(said: str) -> tuple[str, str]:
    kind, equals, column = said.partition("=")
    if not (kind and equals and column):
        raise FormatError(f"--known {shown_column(said)}: say a kind and its column, such as --known name=patient_name")
    return kind, column


def _operators(said: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in said:
        name, equals, operator = one.rpartition("=")
        if not (name and equals):
            raise FormatError(f"--column {shown_column(one)}: say a column and an operator, such as note_date=shift")
        if found.get(name, operator) != operator:
            raise FormatError(f"--column {shown_column(name)}: has two operators; give it one")
        found[name] = operator
    return checked(found, "--column")
