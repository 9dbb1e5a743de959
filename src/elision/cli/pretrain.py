"""`elision pretrain`."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from elision.cli.common import Encoding, Force, Lenient, MaxMegabytes, read_all, reading, say
from elision.cli.tables import print_table
from elision.errors import ModelError
from elision.formats.format import MEGABYTE

if TYPE_CHECKING:
    from elision.taggers.neural.pretrained import Pretrained
    from elision.taggers.neural.pretraining import Told, Watch

SECONDS = 15.0  # between two lines where there is no terminal


def pretrain(
    context: typer.Context,
    notes: Annotated[Path, typer.Argument(metavar="NOTES", help="Raw notes, in any format; spans are not looked at.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The folder to write what is learnt to.")],
    hidden: Annotated[int, typer.Option(metavar="N", help="Units of each language model.")] = 256,
    size: Annotated[int, typer.Option(metavar="N", help="Numbers for a word.")] = 100,
    epochs: Annotated[int, typer.Option(metavar="N", help="How often to go through the notes, at most.")] = 20,
    minutes: Annotated[float, typer.Option(metavar="M", help="End after so many minutes; 0: when it is done.")] = 0.0,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same weights.")] = 0,
    least: Annotated[
        int, typer.Option(metavar="K", help="Leave out words and characters of fewer than K patients, or notes.")
    ] = 5,
    language: Annotated[str, typer.Option(metavar="CODE", help="Such as es: how the notes are cut into words.")] = "",
    threads: Annotated[int, typer.Option(metavar="N", help="Threads to learn with; 0: as torch chooses.")] = 0,
    checkpoints: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to keep how far learning is.  [default: FOLDER.checkpoint]"),
    ] = None,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of the notes; else it is guessed.")
    ] = "",
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Under what terms it may be used.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What else its users should know.")] = "",
    force: Force = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
) -> None:
    """Learn word vectors and character language models from raw notes.

    Neural taggers begin with them (contextual string embeddings: a model that reads forward, one that reads backward).
    Nothing is downloaded. About 5 % of the notes, by patient where patients are known, are held out to measure the
    perplexity: among how many characters a model hesitates, so that lower is better. Plan 20 minutes for 5 MB of text
    on two cores. If learning is interrupted, the same command goes on: a minute of work is lost at most.

    Words and characters of fewer than --least patients are left out. A language model may remember more than that:
    keep FOLDER as safe as the notes.

    Example:

        elision pretrain notes/ --out pretrained/ --language es --minutes 20
    """
    from elision.models import store
    from elision.taggers.neural.pretraining import Pretraining, torch_or_told
    from elision.taggers.neural.pretraining import pretrain as learn

    began = time.perf_counter()
    settings = Pretraining(
        language=language, hidden=hidden, size=size, epochs=epochs, minutes=minutes, seed=seed, least=least,
        threads=threads,
    )  # fmt: skip
    folder = checkpoints or out.with_name(f"{out.resolve().name}.checkpoint")
    torch_or_told("learning from raw notes")
    store.refuse_to_replace(out, force)
    _refuse_within(notes, out, folder)
    _, documents = read_all(notes, format, reading(encoding, max_mb, lenient=lenient), "raw")
    if folder.is_dir():
        say(f"going on from the checkpoint {folder}")
    try:
        with _progress(epochs) as watch:
            found = learn(documents, settings, folder, watch)
    except KeyboardInterrupt:
        where = f"the checkpoint is in {folder}" if folder.is_dir() else "before there was a checkpoint"
        say(f"interrupted; {where}; to go on: {command(context)}")
        raise
    found = replace(found, card={**found.card, "licence": licence, "notes": note})
    written = found.save(out, overwrite=force)
    _remove(folder, out)
    print_table(("", ""), _summary(found, written, time.perf_counter() - began))
    say(f"wrote what was learnt to {out}; keep it as safe as the notes")


def command(context: typer.Context) -> str:
    """The command that was given, to be given again: what differs from the defaults."""
    words = ["elision", "pretrain"]
    for parameter in context.command.params:
        value = context.params.get(str(parameter.name))
        if parameter.param_type_name == "argument":
            words.append(str(value))
        elif value is True:
            words.append(parameter.opts[0])
        elif value not in (None, False, parameter.default):
            words += [parameter.opts[0], str(value)]
    return shlex.join(words)


def _refuse_within(notes: Path, *folders: Path) -> None:
    for folder in folders:
        if notes.is_dir() and folder.resolve().is_relative_to(notes.resolve()):
            raise ModelError(
                f"{folder}: lies inside the notes, and would be read with them the next time; give another folder"
            )
    if folders[0].resolve() == folders[1].resolve():
        raise ModelError(f"{folders[0]}: --out and --checkpoints are the same folder; give another one")


def _remove(folder: Path, out: Path) -> None:
    """Take away the checkpoint, which has done its work; what is learnt is safe already."""
    from elision.taggers.checkpoints import Checkpoints

    try:
        Checkpoints(folder, {}).remove()
    except (ModelError, OSError):
        say(f"the checkpoint {folder} could not be removed; it is not needed beside {out}, so remove it yourself")


@contextmanager
def _progress(epochs: int) -> Iterator[Watch]:
    """How far learning is: a bar for a terminal, a line now and then for a log."""
    if not sys.stderr.isatty():
        yield _lines(epochs)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("learning"), BarColumn(), TaskProgressColumn(), TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=epochs)

        def watch(told: Told) -> None:
            bar.update(task, completed=told.epoch + told.step / told.steps, description=line(told, epochs))

        yield watch


def _lines(epochs: int) -> Watch:
    last = time.monotonic() - SECONDS
    tell: Callable[[str], None] = say

    def watch(told: Told) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS:
            last = time.monotonic()
            tell(line(told, epochs))

    return watch


def line(told: Told, epochs: int) -> str:
    """How far learning is, in a line; the first number of two is the forward model's."""
    loss = " / ".join(f"{one:.3f}" for one in told.loss)
    text = f"epoch {told.epoch + 1} of {epochs}, {told.step / told.steps:.0%}, loss {loss}"
    return text + (
        f", perplexity {' / '.join(f'{one:.3f}' for one in told.perplexity)}" if all(told.perplexity) else ""
    )


def _summary(found: Pretrained, size: int, seconds: float) -> list[tuple[str, str]]:
    training, perplexity = found.card["training"], found.card["perplexity"]
    patients = f" of {training['patients']:,} patients" if training["patients"] else ""
    return [
        ("notes", f"{training['notes']:,}{patients}, {training['held_out']:,} of them held out"),
        ("characters learnt from", f"{training['characters']:,}"),
        ("known characters", f"{len(found.characters):,}"),
        ("words with a vector", f"{len(found.words):,}"),
        ("perplexity, forward", f"{perplexity['forward']:.3f}"),
        ("perplexity, backward", f"{perplexity['backward']:.3f}"),
        ("size", f"{size / MEGABYTE:.2f} MB"),
        ("seconds learning", f"{found.card['seconds']:.1f}"),
        ("seconds", f"{seconds:.1f}"),
    ]
