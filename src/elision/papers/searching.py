"""Looking for good settings by chance: the random search with which Trienes 2020 chose c1 and c2."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from elision.document import Document
from elision.errors import ElisionError, ModelError
from elision.papers.presets import liu2015
from elision.taggers.corpus import check, strict_f1
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit

LOWEST, HIGHEST = -4.0, 1.0  # powers of ten


@dataclass(frozen=True, slots=True)
class Trial:
    """What was tried, and the F1 that it reached on the held-out notes."""

    c1: float
    c2: float
    f1: float


def random_search(
    documents: Sequence[Document],
    dev: Sequence[Document],
    *,
    preset: Callable[..., Settings] = liu2015,
    trials: int = 250,
    seed: int = 0,
    progress: Callable[[int, Trial], None] | None = None,
    before: Sequence[Trial] = (),
    **more: object,
) -> list[Trial]:
    """Trials, the best first; c1 and c2 are drawn evenly from the powers of ten between -4 and 1.

    `preset` takes c1 and c2 and whatever `more` there is. What an earlier search of this seed tried, in its order, is
    taken from `before`. Settings that keep no feature at all count as an F1 of 0;
    where no settings can be learnt with, the error says why.
    """
    if trials < 1:
        raise ModelError(f"trials {trials}: must be at least 1")
    if not any(document.spans for document in dev):
        raise ModelError(f"none of the {len(dev)} notes to judge by has a span, so every trial would count as 0")
    check(documents)
    random = np.random.default_rng(seed)
    done: list[Trial] = []
    failed: list[ElisionError] = []
    for number in range(trials):
        c1, c2 = (10 ** random.uniform(LOWEST, HIGHEST, 2)).tolist()
        if number < len(before) and (before[number].c1, before[number].c2) == (c1, c2):
            done.append(before[number])
            continue
        settings = preset(c1=c1, c2=c2, **more)
        try:
            f1 = strict_f1(dev, fit(settings, documents).detect(dev))
        except ElisionError as error:
            failed.append(error)
            f1 = 0.0
        done.append(Trial(c1, c2, f1))
        if progress:
            progress(number, done[-1])
    if len(failed) == trials:
        raise failed[0]  # nothing works: it is not for c1 and c2
    return sorted(done, key=lambda trial: -trial.f1)
