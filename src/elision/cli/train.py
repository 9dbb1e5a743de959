"""`elision train`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.choices import chosen, of_preset, of_settings, told
from elision.cli.common import OURS, Encoding, Lenient, MaxMegabytes, map_all, print_table, read_all, reading, say, tell
from elision.cli.train_report import curve_table, progress, summary
from elision.document import Document
from elision.errors import ModelError
from elision.formats import Format, Remarks
from elision.labels import mapping_named
from elision.languages.base import ENCODER

if TYPE_CHECKING:
    from elision.taggers.base import Tagger

SHIPPED = "shipped"  # the name of the encoder that comes with elision


def train(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="Notes with gold spans, in any format.")],
    out: Annotated[Path, typer.Option("--out", metavar="MODEL", help="The folder to write the model to.")],
    preset: Annotated[
        str, typer.Option(metavar="NAME", help="Which assembled tagger to train.  [default: elision-fast]")
    ] = "",
    dev: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Notes to score and calibrate on, never learnt from.")
    ] = None,
    held: Annotated[
        float, typer.Option("--hold-out", metavar="X", help="Without --dev: the share of CORPUS to hold out for that.")
    ] = 0.1,
    format: Annotated[
        str, typer.Option("--format", "--from", metavar="FORMAT", help="The format of the notes; else it is guessed.")
    ] = "",
    labels: Annotated[
        str, typer.Option(metavar="A:B", help="Map labels from tag set A to B (names, or TOML files) first.")
    ] = "",
    language: Annotated[str, typer.Option(metavar="CODE", help="Such as es; else the one that the notes name.")] = "",
    seeds: Annotated[int | None, typer.Option(metavar="N", help="Models to learn and average.")] = None,
    epochs: Annotated[int | None, typer.Option(metavar="N", help="How often to go through the notes.")] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed gives the same model.  [default: 0]", min=0)
    ] = None,
    least: Annotated[
        int | None, typer.Option(metavar="K", help="Drop features of fewer than K patients, or notes.")
    ] = None,
    size_mb: Annotated[
        float | None, typer.Option("--size-mb", metavar="X", help="Prune the model to X megabytes; 0: keep all.")
    ] = None,
    settings_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Any setting or option of the preset, such as window=7. Repeatable."
        ),
    ] = None,
    recall: Annotated[
        float, typer.Option(metavar="R", help="Set the dial for this share of covered characters, such as 0.99.")
    ] = 0.0,
    checkpoints: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep there where a neural tagger's learning stands, and go on from it."),
    ] = None,
    licence: Annotated[str, typer.Option(metavar="TEXT", help="Under what terms the model may be used.")] = "",
    note: Annotated[str, typer.Option(metavar="TEXT", help="What else its users should know.")] = "",
    start_from: Annotated[
        str,
        typer.Option(
            "--start-from",
            metavar="MODEL",
            help=f"Go on from elision's model for {OURS}, from its encoder (shipped), or from a folder's.",
        ),
    ] = "",
    made_notes: Annotated[
        int,
        typer.Option("--made", metavar="N", help="With --start-from: made notes that keep it from forgetting.", min=0),
    ] = 300,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a model that stands at MODEL.")] = False,
    final: Annotated[
        bool, typer.Option("--final/--no-final", help="After scoring, learn again from all notes, held out or not.")
    ] = True,
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

    A name that is unknown is answered with all that there are. `elision model show MODEL` tells what was set.

    Example:

        elision train corpus/ --out model/ --recall 0.99

        elision train train/ --out model/ --preset elision-best --dev dev/ --language es

        elision train few-notes/ --out model/ --start-from nl

        elision train notes/ --out model/ --preset encoder --start-from shipped --checkpoints stand/

        elision train corpus/ --out model/ --preset he2015 --set run=official --set window=1

        elision train corpus/ --out model/ --preset ts-gru --set r=.25 --checkpoints stand/
    """
    from elision.models import store
    from elision.taggers.corpus import check
    from elision.taggers.experiment import CURVE, Experiment, split
    from elision.taggers.experiment import train as learn
    from elision.taggers.presets import preset as preset_named
    from elision.taggers.presets import preset_function

    began = time.perf_counter()
    plan = Experiment(share=held, recall=recall, final=final)
    if start_from and preset not in ("", ENCODER):
        raise ModelError(
            "--preset and --start-from: a model that is gone on from stays of its kind; leave --preset out"
        )
    start = model_named(start_from) if start_from else None
    if start and preset and start.settings.kind != preset:
        raise ModelError(f"--preset {preset}: --start-from {start_from} is a model of another kind")
    preset = preset or "elision-fast"
    there = of_settings(type(start.settings)) if start else of_preset(preset_function(preset))
    more = chosen(settings_ or (), there, "this model" if start else preset)
    given = {"seed": seed, "seeds": seeds, "epochs": epochs, "least": least, "megabytes": size_mb}
    options = {"seed": 0, **_both({**given, "language": language or None}, more)}
    seed, language = options["seed"], options.pop("language", "")
    early = {name: value for name, value in options.items() if name != "words"}  # the language is not known yet
    settings = replace(start.settings, **early) if start else preset_named(preset, **early)  # refused before reading
    store.refuse_to_replace(out, overwrite)
    if corpus.is_dir() and out.resolve().is_relative_to(corpus.resolve()):
        raise ModelError(
            f"{out}: lies inside the notes, and would be read with them the next time; give another folder"
        )
    documents = _read(corpus, format, labels, encoding, max_mb, lenient, "training")
    judge = _read(dev, format, labels, encoding, max_mb, lenient, "dev") if dev else []
    code = language or code_of_all(documents)
    check(documents)
    held_out = not judge and held > 0
    again: list[Document] = []
    if start:
        _refuse_others(documents, code, start)
        again = made_for(start, made_notes, seed, code)
    else:
        seen = split(documents, held, seed)[0] if held_out else documents  # what is held out gives no dictionary words
        settings = preset_named(preset, seen, **options, **({"language": code} if code else {}))
    passes = settings.seeds * (1 + (final and held_out)) + (len(CURVE) if start and (judge or held_out) else 0)
    with progress(passes * settings.epochs, settings.epochs, settings.trainer) as watch:
        tagger = learn(documents, settings, judge, plan, watch, start, again, checkpoints)
    kind = start.card.get("preset", "") if start else preset
    tagger = tagger.noting(preset=kind, licence=licence, notes=note, **({"set": told(more, settings)} if more else {}))
    size = tagger.save(out, overwrite=overwrite)
    if checkpoints:
        _remove(checkpoints)
    print_table(("", ""), summary(tagger, size, time.perf_counter() - began))
    if curve := tagger.card.get("curve"):
        typer.echo("")
        print_table(*curve_table(curve))
    say(f"wrote the model to {out}")


def _remove(checkpoints: Path) -> None:
    """Take checkpoints away that are of no more use."""
    from elision.taggers.checkpoints import Checkpoints
    from elision.taggers.experiment import FINAL, FIRST

    for name in (FIRST, FINAL):
        Checkpoints(checkpoints / name, {}).remove()
    with suppress(OSError):  # it holds what is not ours
        checkpoints.rmdir()


def _both(given: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """What options of their own say, and --set. None is said nothing."""
    options = {name: value for name, value in given.items() if value is not None}
    if twice := sorted({*options} & {*more}):
        raise ModelError(f"--set {twice[0]}: an option of its own says this, too; give one of the two")
    return {**options, **more}


def model_named(name: str) -> Tagger:
    """A model that comes with elision, by its language or, the encoder, as "shipped"; or somebody's own, by its
    folder."""
    from elision.languages.base import COMMON, folder, languages
    from elision.taggers.store import load

    models = {code: one.path("model") for code, one in languages().items() if one.has("model")}
    if (encoder := folder(COMMON, ENCODER)).is_dir():
        models[SHIPPED] = encoder
    if name in models:
        return load(models[name])
    if not Path(name).is_dir():
        raise ModelError(f"--start-from {name}: no folder of a model, and none that elision has: {', '.join(models)}")
    return load(Path(name))


def _refuse_others(documents: list[Document], language: str, start: Tagger) -> None:
    """Notes that cannot make this model better: of another language, as they say or most of them read, or with labels
    that it cannot know."""
    from elision.labels import canonical
    from elision.languages.base import code_of

    theirs = start.language
    language = language or most_told(documents)
    if language and theirs and code_of(language) != code_of(theirs):
        raise ModelError(
            f"--start-from: the notes are in {language}, the model is for {theirs}; start from another, or, if "
            f"they are not, say --language {theirs}"
        )
    unknown = sorted({span.label for note in documents for span in note.spans} - {*canonical(), *start.labels})
    if unknown:
        raise ModelError(
            f"--start-from: label {unknown[0]!r} is none that the model knows; map your labels first, with --labels"
        )


def most_told(documents: list[Document]) -> str:
    """The language that most notes read like; "" if that is none of ours."""
    from elision.languages.telling import tell

    return Counter(tell(note.text).language for note in documents).most_common(1)[0][0]


def made_for(start: Tagger, count: int, seed: int, spoken: str) -> list[Document]:
    """Made notes for a model to go through again; none for one that has other labels than these."""
    from elision.labels import canonical
    from elision.languages.base import code_of
    from elision.languages.synth_data import is_made
    from elision.synth.learning import made

    language = code_of(start.language or spoken)
    if not count or not is_made(language) or not set(start.labels) <= set(canonical()):
        return []
    say(f"making {count:,} notes in {language}")
    return made(language, count, seed=seed)


def _read(path: Path, name: str, labels: str, encoding: str, max_mb: float, lenient: bool, what: str) -> list[Document]:
    format, documents = read_all(path, name, reading(encoding, max_mb, lenient=lenient), what)
    return mapped(documents, labels, format)


def mapped(documents: list[Document], labels: str, format: Format) -> list[Document]:
    """Documents with their labels taken over, and told what that loses."""
    if not labels:
        return documents
    remarks = Remarks()
    documents = list(map_all(documents, mapping_named(labels, format.tag_set), f"--labels {labels}", remarks))
    tell(remarks)
    return documents


def code_of_all(documents: list[Document]) -> str:
    """The language that all notes name, if they name one and the same."""
    named = {document.language for document in documents}
    return named.pop() if len(named) == 1 else ""
