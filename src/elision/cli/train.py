"""`elision train`."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from elision.cli.choices import told
from elision.cli.common import Encoding, Force, Lenient, MaxMegabytes, say, tell_learnt
from elision.cli.tables import print_table
from elision.cli.train_curve import enough_for_curve, show_curve
from elision.cli.train_report import curve_table, progress, summary
from elision.cli.train_review import approved_notes, noted, preannotate
from elision.cli.training import (
    Epochs,
    Labels,
    Language,
    Least,
    Made,
    Preset,
    Seed,
    Seeds,
    Set,
    SizeMb,
    StartFrom,
    Wanted,
    code_of_all,
    made_for,
    mapped,
    read_notes,
    refuse_others,
)
from elision.document import Document
from elision.effort import USUAL, VARIABLE, effort_of
from elision.errors import ModelError
from elision.formats import format_named


def train(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="MODEL", help="The folder to write the model to.")],
    corpus: Annotated[
        Path | None, typer.Argument(metavar="[CORPUS]", help="Notes with gold spans, in any format.")
    ] = None,
    preset: Preset = "",
    from_review: Annotated[
        Path | None,
        typer.Option("--from-review", metavar="REVIEW", help="Learn from what was approved in a review, with --curve."),
    ] = None,
    pre_annotate: Annotated[
        bool,
        typer.Option("--preannotate", help="With --from-review: put the model's spans on notes that nobody has begun."),
    ] = False,
    effort: Annotated[
        str,
        typer.Option(
            "--effort",
            metavar="NAME",
            help=f"For --preannotate: rules, fast, balanced or most. If nothing is said: {VARIABLE}, or else {USUAL}.",
        ),
    ] = "",
    dev: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Notes to score and calibrate on, never learnt from.")
    ] = None,
    held: Annotated[
        float, typer.Option("--hold-out", metavar="X", help="Without --dev: the share of CORPUS to hold out for that.")
    ] = 0.1,
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="The format of the notes; else it is guessed.")
    ] = "",
    labels: Labels = "",
    language: Language = "",
    seeds: Seeds = None,
    epochs: Epochs = None,
    seed: Seed = None,
    least: Least = None,
    size_mb: SizeMb = None,
    settings_: Set = None,
    recall: Annotated[
        float, typer.Option(metavar="R", help="Set the dial for this share of covered characters, such as 0.99.")
    ] = 0.0,
    checkpoints: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep there where a neural tagger's learning stands, and go on from it."),
    ] = None,
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Under what terms the model may be used.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What else its users should know.")] = "",
    start_from: StartFrom = "",
    made_notes: Made = 300,
    force: Force = False,
    final: Annotated[
        bool, typer.Option("--final/--no-final", help="After scoring, learn again from all notes, held out or not.")
    ] = True,
    curve: Annotated[
        bool, typer.Option("--curve", help="Show what more notes would bring: learns a dozen times from parts of them.")
    ] = False,
    encoding: Encoding = "utf-8",
    max_mb: MaxMegabytes = 32,
    lenient: Lenient = False,
) -> None:
    """Train a model on notes with gold spans.

    Without --dev a tenth of the notes, by patient where patients are known, is held out to score the model, to
    calibrate the scores of its spans and, with --recall, to set its dial. Then the model is learnt again from all notes
    and keeps these figures; --no-final leaves it at the first. Features that fewer than --least patients share are
    dropped, so that a model does not list names; `elision model show MODEL --audit CORPUS` checks that.

    With 20 to 200 notes of your own, --start-from a model makes that one better at them. Learning begins with its
    weights and takes less than a minute; some made notes (see `elision synth`) are gone through again, so that it
    does not forget what yours say nothing about. A learning curve on the notes held out, from the model as it is to
    all of yours, tells whether more would help. The labels of elision's models are the canonical ones, so yours must
    be; see --labels. Give the new model to --model of `run` or `deidentify`: it takes the place of elision's.

    --set reaches what has no option of its own, such as the variants of a paper's system. A list has commas between its
    parts: --set families=basic,names. --set words=true cuts Chinese into words, not characters (needs elision[zh]).
    Neural taggers (ts-gru, bi-gru, bi-lstm, bilstm-crf) learn with torch, which elision[train] brings, and take
    minutes to an hour. With --checkpoints the same command goes on after a stop.

    --curve learns from an eighth, a quarter, half and all of the notes, and tells by a power law how much more would
    bring, with a range. Such a law is only guessed: look at its range.

    --from-review learns from the notes that somebody approved in `elision review`, and from no others: as an
    adjudicator decided, else all that any reviewer marked. It shows the curve, too. With --preannotate, notes that
    nobody has begun get the spans that a run with the new model would replace, and the riskiest of them come first.

    A name that is unknown is answered with all that there are. `elision model show MODEL` tells what was set.

    Example:

        elision train corpus/ --out model/ --recall 0.99

        elision train train/ --out model/ --preset elision-best --dev dev/ --language es

        elision train few-notes/ --out model/ --start-from nl --curve

        elision train notes/ --out model/ --preset encoder --start-from shipped --checkpoints stand/

        elision train --from-review notes.review --out model/ --start-from nl --preannotate

        elision train corpus/ --out model/ --preset he2015 --set run=official --set window=1

        elision train corpus/ --out model/ --preset ts-gru --set r=.25 --checkpoints stand/
    """
    from elision.models import store
    from elision.taggers.corpus import check
    from elision.taggers.experiment import CURVE, Experiment, split
    from elision.taggers.experiment import train as learn
    from elision.taggers.learnt import learnt_card

    began = time.perf_counter()
    plan = Experiment(share=held, recall=recall, final=final)
    given = {"seed": seed, "seeds": seeds, "epochs": epochs, "least": least, "megabytes": size_mb}
    wanted = Wanted(preset, start_from, settings_ or (), given, language)  # what is wrong is refused before reading
    start = wanted.start
    store.refuse_to_replace(out, force)
    if (corpus is None) == (from_review is None):
        raise ModelError("give notes to learn from: CORPUS, or --from-review REVIEW; one of the two")
    if pre_annotate and from_review is None:
        raise ModelError("--preannotate: looks at the notes of a review that wait; give --from-review, too")
    if effort and not pre_annotate:
        raise ModelError("--effort: says how --preannotate looks at notes; give --preannotate, too")
    looks = effort_of(effort)
    if from_review and format:
        raise ModelError("--format: a review has a format of its own; leave it out with --from-review")
    if corpus and corpus.is_dir() and out.resolve().is_relative_to(corpus.resolve()):
        raise ModelError(
            f"{out}: lies inside the notes, and would be read with them the next time; give another folder"
        )
    reviewed = approved_notes(from_review) if from_review else None
    if reviewed:
        documents = mapped(list(reviewed.notes), labels, format_named("jsonl"))
    else:
        documents = read_notes(corpus or Path(), format, labels, encoding, max_mb, lenient, "training")
    judge = read_notes(dev, format, labels, encoding, max_mb, lenient, "dev") if dev else []
    code = wanted.language or code_of_all(documents)
    check(documents)
    curve = curve or reviewed is not None
    if curve:
        enough_for_curve(documents)
    held_out = not judge and held > 0
    again: list[Document] = []
    if start:
        refuse_others(documents, code, start)
        again = made_for(start, made_notes, wanted.seed, code)
        tell_learnt(start_from, start.card, judge or documents, "dev notes" if judge else "notes")
    if judge:
        tell_learnt(f"{corpus or from_review}: it", {"learnt": learnt_card(documents)}, judge, "dev notes")
    seen = split(documents, held, wanted.seed)[0] if held_out and not start else documents  # for dictionaries
    settings = wanted.learn_from(seen, code)
    passes = settings.seeds * (1 + (final and held_out)) + (len(CURVE) if start and (judge or held_out) else 0)
    with progress(passes * settings.epochs, settings.epochs, settings.trainer) as watch:
        tagger = learn(documents, settings, judge, plan, watch, start, again, checkpoints)
    kind = start.card.get("preset", "") if start else wanted.preset
    tagger = tagger.noting(
        preset=kind, licence=licence, notes=note, **({"set": told(wanted.set, settings)} if wanted.set else {})
    )
    tagger = tagger.noting(**noted(reviewed)) if reviewed else tagger
    size = tagger.save(out, overwrite=force)
    if checkpoints:
        _remove(checkpoints)
    print_table(("", ""), summary(tagger, size, time.perf_counter() - began))
    if points := tagger.card.get("curve"):
        typer.echo("")
        print_table(*curve_table(points))
    say(f"wrote the model to {out}")
    if curve:
        show_curve(documents, wanted, code, again)
    if from_review and pre_annotate:
        preannotate(from_review, out, looks)


def _remove(checkpoints: Path) -> None:
    """Take checkpoints away that are of no more use."""
    from elision.taggers.checkpoints import Checkpoints
    from elision.taggers.experiment import FINAL, FIRST

    for name in (FIRST, FINAL):
        Checkpoints(checkpoints / name, {}).remove()
    with suppress(OSError):  # it holds what is not ours
        checkpoints.rmdir()
