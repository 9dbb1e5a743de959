"""What the commands share: options for reading, progress, and how remarks are told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from elision.document import Document
from elision.effort import USUAL, VARIABLE, Effort
from elision.errors import FormatError, ModelError, UnsureError
from elision.formats import Format, Reading, Remarks, format_named, guess, read
from elision.formats.apart import same_place
from elision.formats.format import MEGABYTE
from elision.labels import Mapped, map_labels
from elision.languages.base import in_words, with_model
from elision.limits import Limits
from elision.text.characters import printable

Item = TypeVar("Item")
MOST_MEGABYTES = 1_000_000
MOST_DIAL = 1e6
OURS = in_words(with_model(), "or")
FROM = "The format of IN, such as brat (see: elision formats). Without it, elision guesses and says so."
TO = "The format of OUT, such as parquet (see: elision formats). Without it, the ending of OUT tells."

Encoding = Annotated[str, typer.Option(help="The encoding of text files, such as cp1252.", metavar="NAME")]
MaxMegabytes = Annotated[
    float, typer.Option("--max-mb", help="The largest note that is read, in megabytes.", metavar="N")
]
Lenient = Annotated[bool, typer.Option("--lenient", help="Skip unusable annotation lines, as official scorers do.")]


def say(message: str) -> None:
    """A line for people, on standard error: standard output is for results."""
    typer.echo(printable(message, lines=True), err=True)


Dial = Annotated[
    float | None,
    typer.Option(
        metavar="X",
        help="The models' threshold, such as 0.1. Lower finds more, of identifiers and of other text; 1 finds what is "
        "likelier than not. Without it, each model has its own.",
    ),
]

PolicyOption = Annotated[
    str,
    typer.Option(
        "--policy",
        "-P",
        metavar="NAME",
        help="What replaces identifiers: a name from `elision policy list`, or a TOML file.",
    ),
]
KeyOption = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The file of the project's key, from `elision key new`. Stand-ins need it, and it signs receipts.",
    ),
]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        metavar="CODE",
        help=f"The language of all notes: {OURS}. Without it, elision looks at each note.",
    ),
]
DefaultLanguage = Annotated[
    str,
    typer.Option(
        "--default-language",
        metavar="CODE",
        help="The language of notes that do not tell theirs. Without it, they are withheld.",
    ),
]
Memory = Annotated[
    bool,
    typer.Option(
        "--memory/--no-memory",
        help="Whether what is found in one note of a patient is looked for in all notes of that patient.",
    ),
]
EffortOption = Annotated[
    Effort | None,
    typer.Option(
        "--effort",
        envvar=VARIABLE,
        show_envvar=True,
        help="What looks for identifiers. rules: rules alone. fast: rules and a quick model. balanced: also an "
        "encoder, where the quick model is unsure. most: the encoder wherever the quick model is not almost certain. "
        f"Without it: {USUAL}.",
    ),
]

OwnRules = Annotated[
    list[str] | None,
    typer.Option("--rules", metavar="FILE", help="A TOML file with rules of your own, besides elision's. Repeatable."),
]

Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        metavar="MODEL",
        help="One more model that looks: a folder that `elision train` wrote, or the name of one of elision's. A model "
        "that was trained from one of elision's takes its place. Repeatable.",
    ),
]

Allow = Annotated[
    Path | None,
    typer.Option(
        "--allow", metavar="FILE", help="A file of words that are never removed: one a line, or a TOML file by label."
    ),
]

Deny = Annotated[
    Path | None,
    typer.Option(
        "--deny", metavar="FILE", help="A file of words that are always removed: one a line, or a TOML file by label."
    ),
]

Seconds = Annotated[
    float,
    typer.Option(
        "--seconds-per-note",
        help="The longest time for a note. One that takes longer is withheld. Long notes get more.",
        metavar="N",
    ),
]

Megabytes = Annotated[
    float,
    typer.Option(
        "--memory-per-note",
        help="On Linux, the most megabytes for a note. One that takes more is withheld. Long notes get more.",
        metavar="N",
    ),
]


def limits_of(seconds: float, megabytes: float) -> Limits:
    """The limits of a note, if they are such."""
    for name, given in (("--seconds-per-note", seconds), ("--memory-per-note", megabytes)):
        if not given > 0:  # true for nan, too
            raise FormatError(f"{name} {given:g}: must be more than 0, such as {name} 120")
    return Limits(seconds, megabytes)


def dial_of(dial: float | None) -> float | None:
    """The dial, if it is one."""
    if dial is not None and not 0 < dial <= MOST_DIAL:
        raise ModelError(f"--dial {dial:g}: must be more than 0; 1 is what a model believes, less finds more")
    return dial


@contextmanager
def to_standard_output() -> Iterator[None]:
    """What is written here on standard output has gone out at the end, or it is told that it could not."""
    try:
        yield
        if sys.stdout:
            sys.stdout.flush()
    except BrokenPipeError:  # nobody reads any more, and nobody need be told
        raise
    except OSError as error:
        raise FormatError(
            f"standard output: cannot be written: {error.strerror}; make room there or write elsewhere, then again"
        ) from None


def reading(
    encoding: str,
    max_mb: float,
    *,
    lenient: bool = False,
    texts: dict[str, str] | None = None,
    leave_out: bool = False,
) -> Reading:
    if not 0 < max_mb <= MOST_MEGABYTES:  # false for nan, too
        raise FormatError(
            f"--max-mb {max_mb:g}: the limit for a note is a number of megabytes, more than 0 and at most "
            f"{MOST_MEGABYTES:,}, such as --max-mb 64"
        )
    if not _is_for_text(encoding):
        raise FormatError(f"--encoding {encoding[:40]}: not an encoding of text that Python knows; try utf-8 or cp1252")
    return Reading(encoding, int(max_mb * MEGABYTE), lenient, texts or {}, Remarks(), leave_out)


def _is_for_text(encoding: str) -> bool:
    try:
        return "é".encode(encoding, "replace").decode(encoding) in ("é", "?")
    except (LookupError, ValueError):  # no such encoding, none for text, or one that refuses to work
        return False


def chosen_format(path: Path, name: str, option: str = "--format") -> Format:
    """The format by name, or guessed and stated. `option` is the one that names it in this command."""
    if name:
        return format_named(name)
    try:
        format, evidence = guess(path)
    except UnsureError as error:
        raise UnsureError(str(error).replace("--format", option)) from None
    say(f"reading {path} as {format.name}: {evidence}")
    return format


def progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Pass items on while a terminal sees how many, of how many where that is known, and how fast."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    of = f" of {total:,}" if total is not None else ""
    columns = (SpinnerColumn(), TextColumn(f"{{task.completed:,.0f}}{of} {what}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def read_all(path: Path, name: str, how: Reading, what: str, option: str = "--format") -> tuple[Format, list[Document]]:
    """All documents at a path, with progress and remarks told."""
    format = chosen_format(path, name, option)
    documents = list(progress(read(path, format, how), f"{what} notes read"))
    tell(how.remarks)
    return format, documents


def exit_if_left_out(*readings: Reading) -> None:
    """What was left out does not count as done: the exit status is 1, as of a run that held notes."""
    if any(how.remarks.left_out for how in readings):
        raise typer.Exit(1)


def tell(remarks: Remarks) -> None:
    for line in remarks.lines():
        say(f"  note: {line}")


def tell_learnt(name: str, card: Mapping[str, object], documents: Sequence[Document], what: str = "notes") -> None:
    """Say how many of these notes a model learnt from: scores on them say nothing of others."""
    from elision.taggers.learnt import learnt_among

    found = learnt_among(card, documents)
    if found.notes:
        of = f"{found.notes:,} of these {len(documents):,} {what}"
        say(f"warning: {name} learnt from {of}: scores on them say nothing of other notes")
    elif not found.told:
        say(f"{name}: it is unknown from which notes it learnt, so scores on these {what} may say little of others")


def map_all(
    documents: Iterable[Document], ways: Mapping[str, Mapped], source: str, remarks: Remarks, *, drop: bool = False
) -> Iterator[Document]:
    """Documents with their labels taken over, and what that loses in the remarks; `drop` leaves out what has no way."""
    for document in documents:
        if drop:
            kept = tuple(span for span in document.spans if span.label in ways)
            if len(kept) < len(document.spans):
                remarks.add(f"spans dropped: no way in {source}", document.name, len(document.spans) - len(kept))
            document = document.with_spans(kept)
        for span in document.spans:
            if (way := ways.get(span.label)) and way.lossy:
                remarks.add(f"label {span.label} as {way.label} says less: {way.lossy}", document.name)
        yield map_labels(document, ways, source=source)


class Counter:
    """Counts what passes through."""

    def __init__(self) -> None:
        self.notes = self.spans = 0

    def __call__(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            yield document
            self.notes += 1
            self.spans += len(document.spans)


def check_target(source: Path, target: Path, goal: Format, force: bool) -> None:
    if target.exists() and source.exists() and source.samefile(target):
        raise FormatError(f"{target}: IN and OUT are the same place; write somewhere else")
    if source.is_dir() and target.resolve().is_relative_to(source.resolve()):
        raise FormatError(f"{target}: OUT lies inside IN, and would be read with it the next time; write elsewhere")
    occupied = any(target.iterdir()) if target.is_dir() else target.exists()
    if occupied and not force:
        raise FormatError(f"{target}: something is there already; choose another place, or --force to write over it")
    if goal.folder and target.is_file():
        raise FormatError(f"{target}: {goal.name} is written as a folder, and this is a file")
    if not goal.folder and target.is_dir():
        raise FormatError(
            f"{target}: {goal.name} is written as one file, and this is a folder; add a name like notes{goal.suffix}"
        )


Force = Annotated[bool, typer.Option("--force", help="Write over what is there already.")]


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[str | Path | None], *, force: bool) -> None:
    """An error if a file that is to be written, by its option, is there already (but with `force`), or is one of the
    inputs, under whatever name: that is refused always."""
    read = [Path(one) for one in inputs if one]
    wanted = {option: path for option, path in outputs.items() if path}
    for option, path in wanted.items():
        if path.is_dir():
            raise FormatError(f"{option} {path}: is a folder; give a file to write to, such as {path / 'out'}")
        if any(same_place(path, one) for one in read):
            raise FormatError(f"{option} {path}: this file is read by the command, and would be lost; write elsewhere")
        if any(same_place(path, other) for another, other in wanted.items() if another != option):
            raise FormatError(f"{option} {path}: another option writes there, too; give each a file of its own")
        if path.exists() and not path.is_file():
            raise FormatError(f"{option} {path}: is no file that can be written over; write elsewhere")
        if path.exists() and not force:
            raise FormatError(f"{option} {path}: is there already; write elsewhere, or --force to write over it")
