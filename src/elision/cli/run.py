"""`elision run`."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.common import (
    Dial,
    Encoding,
    MaxMegabytes,
    Megabytes,
    Seconds,
    Trained,
    dial_of,
    limits_of,
    print_table,
    reading,
    say,
)
from elision.errors import FormatError
from elision.limits import MEGABYTES, SECONDS
from elision.showing import column as shown_column

if TYPE_CHECKING:
    from elision.formats.tables.columns import Columns
    from elision.formats.tables.source import Source
    from elision.run.engine import How


def run(
    source: Annotated[
        str,
        typer.Argument(metavar="IN", help="A folder, a file, a glob, or a database: sqlite:///notes.db?table=note."),
    ],
    out: Annotated[str, typer.Option("--out", "-o", metavar="OUT", help="Where the notes go: as IN.")],
    policy: Annotated[
        str, typer.Option("--policy", "-P", metavar="NAME", help="See `elision policy list`, or a TOML file.")
    ] = "tag",
    key: Annotated[
        Path | None, typer.Option("--key", metavar="FILE", help="The project's key, from `elision key new`.")
    ] = None,
    columns: Annotated[
        Path | None, typer.Option("--columns", metavar="FILE", help="A TOML file that says which column is what.")
    ] = None,
    text: Annotated[
        list[str] | None, typer.Option("--text", metavar="COLUMN", help="A column of notes; may be given again.")
    ] = None,
    id: Annotated[str, typer.Option("--id", metavar="COLUMN", help="The notes' ids.")] = "",
    patient: Annotated[str, typer.Option("--patient", metavar="COLUMN", help="Whose note it is.")] = "",
    language_column: Annotated[str, typer.Option(metavar="COLUMN", help="The notes' languages.")] = "",
    known: Annotated[
        list[str] | None,
        typer.Option("--known", metavar="KIND=COLUMN", help="What the record states, such as name=patient_name."),
    ] = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="COLUMN", help="A column that goes out as it is.")
    ] = None,
    omop: Annotated[bool, typer.Option("--omop", help="IN and OUT are OMOP NOTE tables.")] = False,
    language: Annotated[str, typer.Option(metavar="CODE", help="en, es, nl or zh, of all notes.")] = "",
    default_language: Annotated[
        str, typer.Option(metavar="CODE", help="Of notes that do not tell theirs; without it, they are held.")
    ] = "",
    rules: Annotated[
        list[Path] | None, typer.Option("--rules", metavar="FILE", help="Rules of your own besides the language's.")
    ] = None,
    model: Annotated[
        list[Path] | None,
        typer.Option(
            "--model", metavar="FOLDER", help="A model of yours, too; in place of elision's if it goes on from it."
        ),
    ] = None,
    dial: Dial = None,
    trained: Trained = True,
    memory: Annotated[
        bool, typer.Option("--memory/--no-memory", help="Look for what one note of a patient tells in all of them.")
    ] = True,
    workers: Annotated[int, typer.Option(metavar="N", help="Processes; else as many as there are processors.")] = 0,
    shard_rows: Annotated[int, typer.Option(metavar="N", help="Rows that are done, or done again, together.")] = 2000,
    format: Annotated[str, typer.Option("--from", metavar="FORMAT", help="The format of IN; else it tells.")] = "",
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help="The format of OUT; else its name tells.")] = "",
    encoding: Encoding = "utf-8",
    header: Annotated[
        bool, typer.Option("--header/--no-header", help="CSV: whether the first row has the names of the columns.")
    ] = True,
    max_mb: MaxMegabytes = 32,
    seconds_per_note: Seconds = SECONDS,
    memory_per_note: Megabytes = MEGABYTES,
    status: Annotated[
        bool, typer.Option("--status/--no-status", help="A column that says what became of each row.")
    ] = True,
    raw_cells: Annotated[
        bool, typer.Option("--raw-cells", help="CSV: leave cells that a spreadsheet takes for formulas.")
    ] = False,
    run_folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Of the run's records; else OUT.run, beside OUT.")
    ] = None,
    progress: Annotated[str, typer.Option(metavar="KIND", help="auto, bar, plain, json or none.")] = "auto",
    force: Annotated[bool, typer.Option("--force", help="Write over OUT; give up a run with other settings.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, and write nothing.")] = False,
    retry_held: Annotated[
        Path | None,
        typer.Option("--retry-held", metavar="FOLDER", help="Only the notes that the run with this folder held."),
    ] = None,
    ids: Annotated[
        str,
        typer.Option(
            "--ids",
            metavar="HOW",
            help="keep, or keyed: in the output, its file names and the records, made with the key.",
        ),
    ] = "",
    repeated_ids: Annotated[bool, typer.Option("--repeated-ids", help="Let ids come more than once.")] = False,
) -> None:
    """De-identify a folder, a table or a database of notes.

    What was stopped, by whatever, goes on when the same command is given again. Notes that could not be cleaned and
    checked do not come out; the run's folder lists them by id, with receipts and a report. The exit status is 0 if all
    notes came out, 1 if some were held, 2 if the run could not be done.

    Example:

        elision run notes/ -o clean/

        elision run notes.csv -o clean.csv --text note --id note_id --patient person --known name=patient_name

        elision run notes.csv -o more.csv --retry-held clean.csv.run --max-mb 200

        elision run note.parquet -o clean.parquet --omop --policy surrogate --key project.key --workers 4
    """
    from elision.cli.run_progress import KINDS, progress_as
    from elision.formats.tables.sink import open_sink
    from elision.formats.tables.source import MOST_CELL, open_source
    from elision.languages.telling.deciding import check_codes
    from elision.run.engine import How
    from elision.run.keyed_ids import with_ids
    from elision.run.local.report import facts, labels
    from elision.run.local.runner import Plan
    from elision.run.local.runner import run as run_plan

    if progress not in KINDS:
        raise FormatError(f"--progress {progress[:20]}: there are {', '.join(KINDS)}")
    if not 0 <= workers <= 512 or shard_rows < 1:
        raise FormatError("--workers is a number from 1 to 512, --shard-rows at least 1")
    limits = limits_of(seconds_per_note, memory_per_note)
    most = reading(encoding, max_mb).max_bytes  # longer notes are held; what is far longer is not even read
    opened = open_source(
        source, format=format, encoding=encoding, max_bytes=max(most, MOST_CELL), header=header, tell=say
    )
    given = {"texts": tuple(text or ()), "id": id, "patient": patient, "language": language_column}
    chosen = _columns(opened, columns, omop, {**given, "keep": tuple(keep or ())}, known or [])
    if ids not in ("", "keep", "keyed"):
        raise FormatError(f"--ids {shown_column(ids)}: say keep or keyed")
    opened = with_ids(opened, ids, chosen.id, str(key) if key else "")
    how = How(
        chosen,
        policy,
        str(key) if key else "",
        language,
        default_language,
        tuple(map(str, rules or ())),
        tuple(map(str, model or ())),
        most=most,
        memory=memory,
        dial=dial_of(dial),
        trained=trained,
    )
    check_codes(language, default_language)
    hands = workers or _processors()
    if dry_run:
        _preview(opened, how, hands)
        return
    plan = Plan(
        opened,
        how,
        out,
        run_folder or folder_of(out),
        lambda staging, schema, may: open_sink(
            out, opened, chosen, schema, format=to, staging=staging, force=may, neutral=not raw_cells
        ),
        hands,
        shard_rows,
        status and not omop,
        force,
        repeated_ids,
        retry_held,
        ids,
        say,
        limits,
    )
    with progress_as(progress) as tell:
        ended = run_plan(plan, tell)
    if progress != "none":
        if ended.before:
            say(f"{plan.folder}: this run had ended before; nothing was done (--force does it again)")
        print_table(("", ""), facts(ended.counts))
        print_table(("label", "found", "done"), [(label, f"{n:,}", done) for label, n, done in labels(ended.counts)])
        say(f"report, receipts and held notes: {plan.folder}")
    if ended.held:
        raise typer.Exit(1)


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def folder_of(out: str) -> Path:
    """The folder of a run's records: beside OUT; of a database, here."""
    if "://" not in out:
        path = Path(out)
        return path.with_name(f"{path.name}.run")
    plain = re.sub(r"//[^/@]*@", "//", out)
    return Path(re.sub(r"[^\w.-]+", "-", plain.partition("://")[2]).strip("-") + ".run")


def _columns(
    source: Source,
    file: Path | None,
    is_omop: bool,
    given: dict[str, Any],
    known: list[str],
) -> Columns:
    """Which column is what: as the file or the options say; else it is guessed and told."""
    from elision.formats.tables.columns import Columns, omop
    from elision.run.column_roles import guess
    from elision.run.preview import cells, sample

    said = {name: value for name, value in given.items() if value}
    if known:
        said["known"] = dict(_pair(one) for one in known)
    if file:
        chosen = replace(Columns.from_toml(file), **said)
    elif is_omop:
        chosen = replace(omop(source.schema.names), **said)
    elif "texts" in said:
        chosen = Columns(**said)
    else:
        guessed, rows = guess(source.schema, cells(sample(source), source.schema))
        chosen = replace(guessed, **said)
        for row in rows:
            if row.role != "none":
                say(f"column {shown_column(row.column)} is taken for: {row.role} ({row.why})")
        say("if that is wrong, name columns with --text, --id, --patient, or --columns FILE")
    return chosen.check(source.schema, source.where)


def _pair(said: str) -> tuple[str, str]:
    kind, equals, column = said.partition("=")
    if not (kind and equals and column):
        raise FormatError(f"--known {shown_column(said)}: say a kind and its column, such as --known name=patient_name")
    return kind, column


def _preview(source: Source, how: How, workers: int) -> None:
    """What would happen."""
    from elision.cli.run_progress import duration
    from elision.run.column_roles import described
    from elision.run.preview import cells, preview, sample

    seen = preview(source, how, workers)
    rows = described(source.schema, cells(sample(source), source.schema), how.columns)
    print_table(
        ("column", "taken for", "what becomes of it"), [(shown_column(row.column), row.role, row.fate) for row in rows]
    )
    languages = ", ".join(f"{language} {count:,}" for language, count in seen.languages)
    print_table(
        ("", ""),
        [
            ("rows", f"{seen.rows:,}"),
            ("looked at", f"{seen.sample:,} rows: {languages or 'none'}; {seen.held:,} would be held"),
            ("speed", f"about {seen.speed:,.0f} rows a second for a worker"),
            ("time", f"about {duration(seen.seconds)} with {workers} worker{'s' * (workers > 1)}"),
        ],
    )
    say("nothing was written")
