"""Cross-validation: each part of the notes is scored by a model that learnt from the other parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from elision.document import Document
from elision.evaluate.splits import k_fold
from elision.taggers.base import Recipe, Tagger, Watch, tag
from elision.taggers.corpus import check
from elision.taggers.experiment import figures_of
from elision.taggers.store import fit


@dataclass(frozen=True, slots=True)
class Crossed:
    """The scores of each part, and every note with what the model found that had not learnt from it."""

    folds: tuple[dict[str, float], ...]
    system: tuple[Document, ...]  # in the order in which the notes came


def crossed(
    documents: Sequence[Document],
    folds: int,
    seed: int,
    settings_for: Callable[[Sequence[Document]], Recipe],
    watch: Watch | None = None,
    start: Tagger | None = None,
    again: Sequence[Document] = (),
) -> Crossed:
    """Cross-validate over patients. `settings_for` are the settings to learn with from these notes."""
    numbers = {id(document): at for at, document in enumerate(documents)}
    system: list[Document] = list(documents)
    scores = []
    for split in k_fold(documents, folds, seed):
        check(split.train)
        tagger = fit(settings_for(split.train), split.train, (), watch, start, again)
        found = tag(tagger, split.test)
        for gold, note in zip(split.test, found, strict=True):
            system[numbers[id(gold)]] = note
        scores.append({"notes": len(split.test), **figures_of(split.test, found)})
    return Crossed(tuple(scores), tuple(system))


def mean(found: Crossed, name: str) -> float:
    """The mean of a figure over the parts."""
    return fmean(fold[name] for fold in found.folds)


def spread(found: Crossed, name: str) -> float:
    """The standard deviation of a figure between the parts."""
    return stdev(fold[name] for fold in found.folds)
