"""`elision distil`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.choices import chosen, of_preset, of_settings, told
from elision.cli.common import Encoding, Force, Lenient, MaxMegabytes, read_all, reading, say, tell_learnt
from elision.cli.tables import print_table
from elision.cli.train_report import progress
from elision.cli.training import as_options, code_of_all, made_for, most_told
from elision.effort import Effort
from elision.errors import ModelError
from elision.formats.format import MEGABYTE

if TYPE_CHECKING:
    from elision.taggers.base import Tagger
    from elision.taggers.distillation import Distilled

MEASURES = ("strict_f1", "strict_precision", "strict_recall", "character_recall")
SHOWN = 10.0  # seconds between two lines


def distil(
    teacher: Annotated[
        str,
        typer.Argument(
            metavar="MODEL",
            help="The strong model: a folder, one of elision's by name, or balanced or most for all at this effort.",
        ),
    ],
    notes: Annotated[Path, typer.Argument(metavar="NOTES", help="Raw notes, in any format; spans are not looked at.")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", help="The folder to write the quick model to.")],
    language: Annotated[str, typer.Option(metavar="CODE", help="Of the notes; else they say it, or tell.")] = "",
    start_from: Annotated[
        str,
        typer.Option(
            "--start-from", metavar="MODEL", help="What learns: a language's model, or a folder.  [default: CODE's]"
        ),
    ] = "",
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Instead: learn a tagger of this preset from nothing else.")
    ] = "",
    dev: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Notes with gold spans, to measure both models on.")
    ] = None,
    made_notes: Annotated[
        int, typer.Option("--made", metavar="N", help="Made notes that keep it from forgetting.", min=0)
    ] = 300,
    settings_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Any setting of what learns. Repeatable.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same model.")] = 0,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of the notes; else it is guessed.")
    ] = "",
    force: Force = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
) -> None:
    """Teach a quick model what a strong one finds in your raw notes.

    The strong model marks the notes, and the quick one learns from what is marked: nobody has to mark anything. Give
    the new model to --model of `run` or `deidentify` with --effort fast: it takes the place of elision's.

    --dev measures both on notes with gold spans, and says how much of the distance between them is closed. Without
    it, a tenth of the notes is held out, and the new model is measured by what the strong one marks there: that says
    how well it imitates, not how good it is.

    The model keeps words of the notes as `elision train` does. Keep it as safe as the notes.

    Example:

        elision distil most notes/ --out quick/ --language en --dev gold/

        elision distil strong-model/ notes.csv --out quick/ --preset elision-fast
    """
    from elision.models import store
    from elision.taggers.distillation import distil as learn
    from elision.taggers.named import model_named
    from elision.taggers.presets import preset as preset_named
    from elision.taggers.presets import preset_function

    began = time.perf_counter()
    if preset and start_from:
        raise ModelError("--preset and --start-from: what learns is anew or goes on; give one of the two")
    store.refuse_to_replace(out, force)
    if notes.is_dir() and out.resolve().is_relative_to(notes.resolve()):
        raise ModelError(f"{out}: lies inside the notes, and would be read with them; give another folder")
    _, raw = read_all(notes, format, reading(encoding, max_mb, lenient=lenient), "raw")
    gold = read_all(dev, "", reading(encoding, max_mb, lenient=lenient), "dev")[1] if dev else []
    code = language or code_of_all(raw) or most_told(raw)
    strong = _teacher(teacher, code)
    start = None if preset else model_named(start_from or code, "--start-from")
    if gold:
        tell_learnt(teacher, strong.card, gold, "dev notes")
    there = of_settings(type(start.settings)) if start else of_preset(preset_function(preset))
    more = chosen(settings_ or (), there, "this model" if start else preset)
    options: dict[str, Any] = {"seed": seed, **more}
    with as_options(there):
        if start:
            settings = replace(start.settings, **options)
        else:
            settings = preset_named(preset, **(options | ({"language": code} if code else {})))
    again = made_for(start, made_notes, seed, code) if start else []
    with progress(settings.seeds * settings.epochs, settings.epochs, settings.trainer) as watch, _marking() as marked:
        found = learn(strong, raw, settings, start=start, dev=gold, again=again, watch=watch, marked=marked)
    kept = start.card.get("preset", "") if start else preset
    tagger = found.tagger.noting(preset=kept, **({"set": told(more, settings)} if more else {}))
    size = tagger.save(out, overwrite=force)
    print_table(("", "teacher", "before", "after", "closed"), list(_rows(found)))
    where = "notes with gold spans" if found.gold else "what the teacher marks in notes held out"
    seconds = time.perf_counter() - began
    say(
        f"measured on {where}; learnt from {found.marked['notes']:,} notes with {found.marked['spans']:,} marks in "
        f"{seconds:.0f} s; wrote {size / MEGABYTE:.1f} MB to {out}: keep it as safe as the notes"
    )


def _teacher(name: str, code: str) -> Tagger:
    """The strong model."""
    from elision.detect.defaults import shipped_tagger
    from elision.taggers.named import model_named

    if name in [each.value for each in Effort if each.encoded]:
        return shipped_tagger(code, effort=name)
    return model_named(name, "MODEL")


@contextmanager
def _marking() -> Iterator[Callable[[int, int], None]]:
    last = time.monotonic()

    def marked(done: int, of: int) -> None:
        nonlocal last
        if time.monotonic() - last >= SHOWN:
            last = time.monotonic()
            say(f"marked {done:,} of {of:,} notes")

    yield marked


def _rows(found: Distilled) -> Iterator[tuple[str, ...]]:
    for measure in MEASURES:
        values = [found.figures.get(name, {}).get(measure) for name in ("teacher", "before", "after")]
        closed = found.closed(measure)
        shown = ("" if value is None else f"{value:.4f}" for value in values)
        yield (measure.replace("_", " "), *shown, "" if closed is None else f"{closed:.0%}")
