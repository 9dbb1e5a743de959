"""The systems of runs: the settings of a preset, shortened by --quick, and baselines that learn nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Any

from elision.detect.base import Detector
from elision.document import Document, Span
from elision.errors import MissingExtraError
from elision.labels import mapping, tag_set
from elision.papers.baselines import menger2018, zhao2018_rules
from elision.papers.studies.study import Run
from elision.taggers.base import Recipe
from elision.taggers.presets import preset

RULES: Mapping[str, Callable[[], Detector]] = {
    "menger2018": partial(menger2018, known=False),
    "zhao2018-rules": zhao2018_rules,
}
EXTRAS = {  # what trains or cuts: its module, its extra
    "crfsuite": ("pycrfsuite", "crfsuite"),
    "neural": ("torch", "train"),
    "zh-words": ("jieba", "zh"),
}
QUICK_LINEAR: dict[str, Any] = {"trainer": "online", "options": {}, "epochs": 8}
QUICK_NEURAL: dict[str, Any] = {"hidden": 24, "embedding": 24, "epochs": 4, "rate": 0.01, "batch": 128, "patience": 0}
QUICK_WHOLE = {  # of a network that reads whole lines, of which few notes have few
    **QUICK_NEURAL, "hidden": 48, "embedding": 32, "epochs": 10, "batch": 8, "dropout": 0.2
}  # fmt: skip
QUICK = (
    "--quick: few notes, few iterations, and elision's own trainer in the place of CRFsuite. The numbers show that all "
    "of it works. They say little about the paper."
)


def settings_of(run: Run, language: str, train: Sequence[Document], seed: int, *, quick: bool) -> Recipe:
    """What a run is trained with."""
    made: Recipe = preset(run.preset, train, language=language, seed=seed, **run.options)
    if not quick:
        return made
    if made.kind == "neural":
        return replace(made, **(QUICK_WHOLE if getattr(made, "reading", "") == "whole" else QUICK_NEURAL))
    return replace(made, **QUICK_LINEAR) if made.kind == "linear" and made.trainer != "svm" else made


def refuse_missing(runs: Iterable[Run], language: Callable[[Run], str], *, quick: bool) -> None:
    """An error where a part of elision that a run needs is not installed, before any note is read."""
    for run in runs:
        if run.preset in RULES:
            continue
        made = settings_of(run, language(run), (), 0, quick=quick)
        for needs in (made.kind, made.trainer, getattr(made, "cut", "")):
            module, extra = EXTRAS.get(needs, ("", ""))
            if module and find_spec(module) is None:
                raise MissingExtraError(f"the run {run.name!r} of this paper", extra)


def in_one_thread() -> None:
    """Sums come in the same order on every machine, so that a seed gives one result."""
    import torch

    torch.set_num_threads(1)


def found_by_rules(name: str, notes: Sequence[Document], labels: str) -> tuple[tuple[Span, ...], ...]:
    """What a baseline finds, with the labels of the corpus."""
    ways = mapping(tag_set("canonical"), tag_set(labels))
    return tuple(
        tuple(replace(span, label=ways[span.label].label) for span in spans if span.label in ways)
        for spans in RULES[name]().detect(notes)
    )
