"""Settings that a run chooses by a random search before it learns, as Trienes 2020 chose c1 and c2 of its CRF.

A fifth of the training notes judges, by patient, and the best settings then learn from all of them. Each trial is kept
beside the result of its run, so a search that was stopped goes on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from elision.document import Document
from elision.evaluate.splits import hold_out
from elision.formats.atomic import write_text
from elision.papers.searching import Trial, random_search
from elision.taggers.base import Recipe
from elision.taggers.linear.settings import Settings

SEARCHED = frozenset(("liu2015",))  # presets whose c1 and c2 the paper searched
SHARES = (0.8, 0.2)  # to learn from, to judge by
SUFFIX = ".trials.json"


def file_of(result: Path) -> Path:
    """Where the trials of a run are kept."""
    return result.with_name(result.stem + SUFFIX)


def searched(settings: Recipe, train: Sequence[Document], trials: int, seed: int, kept: Path) -> Recipe:
    """The settings with the c1 and c2 that did best."""
    if not isinstance(settings, Settings):
        return settings
    learn, judge = hold_out(train, SHARES, seed)
    before = trials_in(kept)
    done = list(before)

    def keep(number: int, trial: Trial) -> None:
        del done[number:]
        done.append(trial)
        write_text(kept, json.dumps([asdict(each) for each in done]) + "\n")

    def with_both(*, c1: float, c2: float) -> Settings:
        return regularised(settings, c1, c2)

    best = random_search(learn, judge, preset=with_both, trials=trials, seed=seed, progress=keep, before=before)[0]
    return regularised(settings, best.c1, best.c2)


def regularised(settings: Settings, c1: float, c2: float) -> Settings:
    """CRFsuite knows c1 and c2; elision's own trainer, which --quick takes, has l1 and l2 in their place."""
    if settings.trainer == "crfsuite":
        return replace(settings, options={**settings.options, "c1": c1, "c2": c2})
    return replace(settings, l1=c1, l2=c2)


def trials_in(file: Path) -> list[Trial]:
    """The trials of an earlier search, in its order; none where the file is damaged."""
    try:
        rows: list[Mapping[str, float]] = json.loads(file.read_text("utf-8"))
        return [Trial(float(row["c1"]), float(row["c2"]), float(row["f1"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def choice_of(file: Path) -> str:
    """What a search found, in a sentence; nothing where there was none."""
    found = trials_in(file)
    best = max(found, key=lambda trial: trial.f1, default=None)
    if best is None:
        return ""
    return f"c1 {best.c1:.4g} and c2 {best.c2:.4g} are the best of {len(found):,} trials: F1 {best.f1:.4f} on a fifth"
