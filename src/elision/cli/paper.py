"""`elision paper`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import Encoding, Lenient, MaxMegabytes, read_all, reading, say
from elision.cli.tables import show_tables
from elision.cli.train_report import progress
from elision.document import Document
from elision.errors import FormatError, ScoreError

if TYPE_CHECKING:
    from elision.evaluate.tables import Table
    from elision.papers.studies.runs import Job
    from elision.papers.studies.study import Corpus, Study
    from elision.papers.studies.study import Table as Made
    from elision.taggers.base import Watch

NUMBERED = "i2b2-2014"  # the names of its files say whose a note is


def paper(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="Which paper; without it, all are listed.")] = "",
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH",
            help="Your notes, or NAME=PATH for one of the paper's corpora; else made notes. Repeatable.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="TABLE", help="Such as table5 or figure2; else all. Repeatable, or with commas."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FOLDER", help="For the report and runs.  [default: paper-NAME]"),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few notes and iterations: minutes, and numbers that say little.")
    ] = False,
    trials: Annotated[
        int,
        typer.Option(metavar="N", help="Choose c1 and c2 of Liu's CRF by N random trials; Trienes had 250.", min=0),
    ] = 0,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", metavar="N", help="Runs to train side by side; 0: one a processor.", min=0)
    ] = 0,
    seed: Annotated[int, typer.Option(metavar="N", help="Of made notes, splits and training.", min=0)] = 0,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of --data; else it is guessed.")
    ] = "",
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
) -> None:
    """Make a paper's tables and figures again, beside the numbers that it published.

    Each system is trained and tried once, and every table takes what it needs. What is done is kept in FOLDER/runs:
    stop at any time, and the same command goes on. FOLDER gets a report as one HTML page, and each table as CSV. No
    output quotes a note.

    The papers' corpora cannot be shipped, so made notes like them are the default. With --data, give a corpus as it was
    released: files or folders in it whose names begin with train, dev and test are its parts. Notes without parts are
    split by patient. Where a paper has several corpora, the first --data is the first of them, or say which:
    --data australian=reports/.

    Example:

        elision paper

        elision paper he2015 --quick --only table5

        elision paper he2015 --data i2b2-2014/ --out report/
    """
    from elision.papers.studies import report
    from elision.papers.studies.catalogue import items_of, study_named
    from elision.papers.studies.notes import notes_of
    from elision.papers.studies.runs import all_of, job_of
    from elision.papers.studies.scored import Scores
    from elision.papers.studies.searched import SEARCHED
    from elision.papers.studies.systems import QUICK, refuse_missing
    from elision.papers.studies.together import processors

    if not name:
        _list()
        return
    study = study_named(name)
    items = items_of(study, only or ())
    paths = _paths(study, data or ())
    folder = out or Path(f"paper-{study.name}")
    _refuse_place(folder, paths.values())
    corpora = study.read(items)
    if unread := sorted(set(paths) - {corpus.name for corpus in corpora}):
        raise ScoreError(f"--data {unread[0]}=…: the tables that were asked for do not use it; leave it out")
    if trials and not any(run.preset in SEARCHED for run in study.needed(items)):
        raise ScoreError("--trials: no system of the tables that were asked for is chosen by a search; leave it out")
    refuse_missing(study.needed(items), lambda run: study.tried_on(run).language, quick=quick)
    how = reading(encoding, max_mb, lenient=lenient)

    def read(path: Path) -> tuple[str, list[Document]]:
        from elision.evaluate.corpus import with_patient_of_id

        found, documents = read_all(path, format, how, study.name)
        return found.tag_set, list(map(with_patient_of_id, documents)) if found.name == NUMBERED else documents

    _say_made(corpora, paths)
    notes = notes_of(study, corpora, paths, read, seed, quick=quick)
    facts = [*notes.about, *filter(None, [study.says, QUICK if quick else ""])]
    for fact in facts:
        say(fact)
    runs = [
        job_of(run, notes, study.tried_on(run).labels, folder, seed, quick=quick, trials=trials)
        for run in study.needed(items)
    ]
    try:
        results = all_of(runs, say, _watching, jobs or processors())
    except KeyboardInterrupt:
        say(f"stopped; the same command goes on from what is in {folder}")
        raise
    scores = Scores(study.name, results, notes, seed, quick=quick)
    tables = [item.make(item, scores) for item in items]
    show_tables(map(_shown, tables))
    for file in report.write(study, tables, facts, folder):
        say(f"wrote {file}")


def _list() -> None:
    """All papers with their tables, and what --data calls their corpora."""
    from elision.papers.studies.catalogue import STUDIES

    for study in STUDIES.values():
        typer.echo(f"{study.name}: {study.title}")
        typer.echo(f"  --only {', '.join(item.key for item in study.items)}")
        typer.echo(f"  --data {', '.join(f'{corpus.name}=PATH ({corpus.means})' for corpus in study.corpora)}")


def _paths(study: Study, data: Sequence[str]) -> dict[str, Path]:
    """Where the notes of each corpus are: those that are named, and the others in the paper's order."""
    names = [corpus.name for corpus in study.corpora]
    found: dict[str, Path] = {}
    plain: list[str] = []
    for each in data:
        name, equals, path = each.partition("=")
        if equals and not Path(each).exists():
            if name not in names:
                raise ScoreError(
                    f"--data {name[:40]}=…: {study.name} has no such corpus; there are: {', '.join(names)}"
                )
            if name in found:
                raise ScoreError(f"--data {name}=…: is given twice; give one path that holds all of it")
            found[name] = Path(path)
        else:
            plain.append(each)
    free = [name for name in names if name not in found]
    if len(plain) > len(free):
        raise ScoreError(
            f"--data: {len(plain) + len(found)} paths, and {study.name} has the corpora {', '.join(names)}; put the "
            "parts of one corpus into one folder, as train and test"
        )
    return found | {name: Path(path) for name, path in zip(free, plain, strict=False)}


def _refuse_place(out: Path, data: Iterable[Path]) -> None:
    if out.exists() and not out.is_dir():
        raise FormatError(f"--out {out}: is a file; give a folder for the report and the runs")
    for path in data:
        if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
            raise FormatError(f"--out {out}: lies inside --data {path}, and would be read with it; give another folder")


def _say_made(corpora: Sequence[Corpus], paths: dict[str, Path]) -> None:
    if missing := [corpus.name for corpus in corpora if corpus.name not in paths]:
        say(f"making notes for {', '.join(missing)}; --data takes real ones")


def _watching(job: Job) -> AbstractContextManager[Watch | None]:
    """How far a run is."""
    say(f"{job.run.name}:")
    settings = job.settings
    if settings is None:
        return progress(0, 1, "rules")
    return progress(settings.epochs * settings.seeds * max(1, job.run.folds), settings.epochs, settings.trainer)


def _shown(table: Made) -> Table:
    from elision.evaluate.tables import Table
    from elision.papers.studies.report import printed

    head, rows = printed(table)
    return Table(table.title, head, tuple(rows), "\n".join(table.notes))
