"""What `elision train` tells: how far it is, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from elision.cli.common import say
from elision.formats.format import MEGABYTE

if TYPE_CHECKING:
    from elision.taggers.base import Tagger, Watch


@contextmanager
def progress(steps: int, epochs: int, trainer: str) -> Iterator[Watch | None]:
    """How far the learning is, and how good the model is by now on notes held out; for a terminal only."""
    if not sys.stderr.isatty() or trainer != "online":
        say(f"learning {steps:,} times through the notes" if trainer == "online" else f"learning with {trainer}")
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("learning"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"),
        TimeElapsedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=steps)
        yield _watching(lambda text: bar.update(task, advance=1, description=text), epochs)


def _watching(show: Callable[[str], None], epochs: int) -> Watch:
    """What learning tells, as a line. The score is that of the first seed, and stays until there is a newer one."""
    last = ""

    def watch(seed: int, epoch: int, loss: float, strict: float | None) -> None:
        nonlocal last
        if strict is not None:
            last = f", dev F1 {strict:.4f}"
        show(f"seed {seed + 1}, epoch {epoch + 1} of {epochs}, loss {loss:.4f}{last}")

    return watch


def summary(tagger: Tagger, size: int, seconds: float) -> list[tuple[str, str]]:
    card = tagger.card
    training, dev, dial = card["training"], card.get("dev"), card.get("dial")
    start = card.get("start", {}).get("training", {}).get("notes")
    rows = [
        *([("goes on from a model of", f"{start:,} notes")] if start else []),
        ("notes learnt from", f"{training['notes']:,}" + _patients(training["patients"])),
        ("spans", f"{training['spans']:,}"),
        ("labels", f"{len(card['labels']):,}: {', '.join(f'{n} {c:,}' for n, c in card['labels'].items())}"),
        *_size(card),
    ]
    if dev:
        rows += scores(dev)
    else:
        rows.append(("scores", "none: no notes were held out, so the scores of spans are not calibrated either"))
    if dial:
        reached = f"covers {dial['recall']:.4f} of PHI characters there, at least {dial['recall_low']:.4f}"
        rows.append(("dial", f"{dial['dial']:.4g}: {reached} with {dial['confidence']:.0%} confidence"))
    if "final" in card:
        rows.append(("final model", card["final"]))
    rows += [("size", f"{size / MEGABYTE:.2f} MB"), ("seconds", f"{seconds:.1f}")]
    if memory := _peak_memory():
        rows.append(("peak memory", f"{memory / MEGABYTE:,.0f} MB"))
    return rows


def _size(card: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How much was learnt, and where a network's learning ended."""
    if "features" in card:
        return [("features", f"{card['features']['learnt']:,} learnt, {card['features']['kept']:,} with a weight")]
    if network := card.get("network"):
        aside = network.get("put_aside", {}).get("notes")
        best = f"the best was epoch {network['best_epoch']}" if aside else "the last one counts"
        return [("weights", f"{network['weights']:,}"), ("epochs", f"{network['epochs']}; {best}")]
    return []


def scores(dev: dict[str, Any]) -> list[tuple[str, str]]:
    """What was measured on notes that were not learnt from, as rows of a table."""
    names = (
        ("strict_f1", "dev strict F1"),
        ("strict_precision", "dev strict precision"),
        ("strict_recall", "dev strict recall"),
        ("character_recall", "dev characters covered"),
        ("over_redaction", "dev over-redaction"),
        ("calibration_error", "dev calibration error"),
    )
    rows = [(title, f"{dev[name]:.4f}") for name, title in names if isinstance(dev.get(name), int | float)]
    return [("dev notes", f"{dev['notes']:,}"), *rows] if isinstance(dev.get("notes"), int) else rows


def _patients(count: int) -> str:
    return f" of {count:,} patients" if count else ""


def _peak_memory() -> int:
    """The most bytes that this process had at once; 0 where the system does not tell."""
    if os.name != "posix":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def curve_table(curve: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heads and rows of a learning curve."""
    names = ("strict_f1", "strict_precision", "strict_recall", "character_recall", "over_redaction")
    rows = [(f"{point['notes']:,}", *(f"{point[name]:.4f}" for name in names)) for point in curve]
    heads = ("learnt from", "strict F1", "strict precision", "strict recall", "characters covered", "over-redaction")
    return heads, rows
