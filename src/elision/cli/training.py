"""What the commands that train share: what is to be learnt, as the options say, and notes to learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from elision.cli.choices import chosen, of_preset, of_settings
from elision.cli.common import OURS, map_all, read_all, reading, say, tell
from elision.document import Document
from elision.errors import ModelError
from elision.formats import Format, Remarks
from elision.labels import mapping_named
from elision.languages.base import ENCODER

if TYPE_CHECKING:
    from elision.taggers.base import Recipe, Tagger

DEFAULT = "elision-fast"

Preset = Annotated[str, typer.Option(metavar="NAME", help=f"Which assembled tagger to train.  [default: {DEFAULT}]")]
StartFrom = Annotated[
    str,
    typer.Option(
        "--start-from",
        metavar="MODEL",
        help=f"Go on from elision's model for {OURS}, from its encoder (shipped), or from a folder's.",
    ),
]
Made = Annotated[
    int, typer.Option("--made", metavar="N", help="With --start-from: made notes that keep it from forgetting.", min=0)
]
Labels = Annotated[
    str, typer.Option(metavar="A:B", help="Map labels from tag set A to B (names, or TOML files) first.")
]
Language = Annotated[str, typer.Option(metavar="CODE", help="Such as es; else the one that the notes name.")]
Seeds = Annotated[int | None, typer.Option(metavar="N", help="Models to learn and average.")]
Epochs = Annotated[int | None, typer.Option(metavar="N", help="How often to go through the notes.")]
Seed = Annotated[int | None, typer.Option(metavar="N", help="The same seed gives the same model.  [default: 0]", min=0)]
Least = Annotated[int | None, typer.Option(metavar="K", help="Drop features of fewer than K patients, or notes.")]
SizeMb = Annotated[
    float | None, typer.Option("--size-mb", metavar="X", help="Prune the model to X megabytes; 0: keep all.")
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="Any setting or option of the preset, such as window=7. Repeatable."
    ),
]


class Wanted:
    """What is to be learnt: a preset, or what goes on from a model, with all that was chosen about it."""

    def __init__(
        self, preset: str, start_from: str, settings: Sequence[str], given: Mapping[str, Any], language: str
    ) -> None:
        from elision.taggers.named import model_named
        from elision.taggers.presets import preset as preset_named
        from elision.taggers.presets import preset_function

        if start_from and preset not in ("", ENCODER):
            raise ModelError(
                "--preset and --start-from: a model that is gone on from stays of its kind; leave --preset out"
            )
        self.start = start = model_named(start_from, "--start-from") if start_from else None
        if start and preset and start.settings.kind != preset:
            raise ModelError(f"--preset {preset}: --start-from {start_from} is a model of another kind")
        self.preset = preset or DEFAULT
        there = of_settings(type(start.settings)) if start else of_preset(preset_function(self.preset))
        self.set = chosen(settings, there, "this model" if start else self.preset)
        options = {"seed": 0, **_both({**given, "language": language or None}, self.set)}
        self.seed, self.language = int(options["seed"]), str(options.pop("language", ""))
        self._options = options
        early = {name: value for name, value in options.items() if name != "words"}  # the language is not known yet
        with as_options(set(there)):
            self.settings: Recipe = replace(start.settings, **early) if start else preset_named(self.preset, **early)

    def learn_from(self, seen: Sequence[Document], language: str) -> Recipe:
        """The settings for these notes: dictionaries come from those that are `seen`."""
        from elision.taggers.presets import preset as preset_named

        if self.start:
            return self.settings
        found: Recipe = preset_named(self.preset, seen, **self._options, **({"language": language} if language else {}))
        return found


OPTIONS = {"megabytes": "--size-mb"} | {name: f"--{name}" for name in ("seed", "seeds", "epochs", "least", "language")}


@contextmanager
def as_options(settings: Collection[str]) -> Iterator[None]:
    """An error over a setting calls it as the command does, not as Python does."""
    try:
        yield
    except ModelError as error:
        name, _, rest = str(error).partition(" ")
        bare = name.removesuffix(":")
        if bare not in settings and bare not in OPTIONS:
            raise
        raise ModelError(f"{OPTIONS.get(bare, f'--set {bare}')}{':' * (name != bare)} {rest}") from None


def _both(given: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """What options of their own say, and --set. None is said nothing."""
    options = {name: value for name, value in given.items() if value is not None}
    if twice := sorted({*options} & {*more}):
        raise ModelError(f"--set {twice[0]}: an option of its own says this, too; give one of the two")
    return {**options, **more}


def refuse_others(documents: list[Document], language: str, start: Tagger) -> None:
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


def read_notes(
    path: Path, name: str, labels: str, encoding: str, max_mb: float, lenient: bool, what: str
) -> list[Document]:
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
