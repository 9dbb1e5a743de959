"""The command line: thin, over functions that a program can call as well."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from importlib.metadata import version
from pathlib import Path
from typing import NoReturn

import typer

from elision import threads
from elision.cli import (
    audit,
    compare,
    convert,
    crossval,
    deidentify,
    detect,
    distil,
    formats,
    held,
    inject,
    inspect,
    key,
    labels,
    mcp,
    model,
    paper,
    policy,
    pretrain,
    review,
    reviewed,
    rules,
    run,
    score,
    serve,
    skeleton,
    stats,
    synth,
    train,
    unseal,
    verify,
)
from elision.cli.common import to_standard_output
from elision.errors import ElisionError, HeldError

TRAINING = frozenset(("train", "crossval", "pretrain", "distil", "paper"))  # torch takes its own threads there
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)  # a disk, what one may have of it, what a file may hold

app = typer.Typer(
    name="elision",
    help="De-identify clinical notes offline, and show the evidence that it worked.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,  # a pretty traceback prints local variables: notes, that is
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("deidentify")(deidentify.deidentify)
app.command("detect")(detect.detect)
app.command("inspect")(inspect.inspect)
app.command("run")(run.run)
app.command("held")(held.held)
app.command("convert")(convert.convert)
app.command("score")(score.score)
app.command("compare")(compare.compare)
app.command("stats")(stats.stats)
app.add_typer(audit.app, name="audit")
reviewed.app.command("open")(review.review)
app.add_typer(reviewed.app, name="review")
app.command("train")(train.train)
app.command("crossval")(crossval.crossval)
app.command("pretrain")(pretrain.pretrain)
app.command("distil")(distil.distil)
app.add_typer(model.app, name="model")
app.command("paper")(paper.paper)
app.command("skeleton")(skeleton.skeleton)
app.add_typer(rules.app, name="rules")
app.add_typer(policy.app, name="policy")
app.add_typer(key.app, name="key")
app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
app.command("verify")(verify.verify)
app.command("unseal")(unseal.unseal)
app.command("synth")(synth.synth)
app.command("inject")(inject.inject)
app.command("formats")(formats.formats)
app.command("labels")(labels.labels)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    show_version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if show_version:
        typer.echo(f"elision {version('elision')}")
        raise typer.Exit
    if context.invoked_subcommand not in TRAINING:
        threads.multiply_in_one()


def main() -> None:
    """Run the command line; an expected error is one line on standard error and exit status 2.

    Any other error is a bug: it is told by its type and place only (status 3), as its message may quote a note.
    """
    signal.signal(signal.SIGTERM, _stop)
    try:
        try:
            app()
        except SystemExit:  # how commands end: some of what they have written is still in a buffer
            with to_standard_output():
                pass
            raise
    except ElisionError as error:
        typer.echo(f"elision: {error}", err=True)
        _let_go_of_output()
        sys.exit(1 if isinstance(error, HeldError) else 2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        _let_go_of_output()
        sys.exit(1)
    except Exception as error:
        if os.environ.get("ELISION_DEBUG") == "1":
            raise
        if isinstance(error, OSError) and error.errno in _FULL:
            typer.echo(f"elision: not all could be written: {error.strerror}; make room, then again", err=True)
            _let_go_of_output()
            sys.exit(2)
        what = f"{type(error).__name__} in {_place(error)}"
        typer.echo(f"elision: internal error: {what} (no words of a note are shown); please report it", err=True)
        sys.exit(3)


def _let_go_of_output() -> None:
    """What standard output does not take goes nowhere, or Python complains of it at its end, by another status."""
    try:
        if sys.stdout:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _stop(*_: object) -> NoReturn:
    """End on SIGTERM as on an error, so that temporary files are taken away."""
    sys.exit(128 + signal.SIGTERM)


def _place(error: Exception) -> str:
    """FILE:LINE of the innermost of elision's own functions that the error came through."""
    package = Path(__file__).parents[1]
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    file, line = [place for place in frames if place[0].is_relative_to(package)][-1]
    return f"{file.relative_to(package.parent).as_posix()}:{line}"
