"""The random search: the same seed tries the same, the best comes first, and what cannot work says why."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from functools import partial
from typing import Any

import pytest

from elision.document import Document, Span
from elision.errors import ElisionError, LabelError, ModelError
from elision.papers.presets import liu2015
from elision.papers.searching import HIGHEST, LOWEST, Trial, random_search
from elision.taggers.corpus import strict_f1
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.taggers.made_notes import made_notes

TRAIN, DEV = made_notes(12), made_notes(8, seed=1)


def online(*, c1: float, c2: float, **more: Any) -> Settings:
    """A preset whose regularisation is c1 and c2, without CRFsuite."""
    return Settings(features=("lower[-1..0]", "shape[0]"), l1=c1, l2=c2, least=1, epochs=2, **more)


def colourful(*, c1: float, c2: float) -> Settings:
    return Settings(features=("colour[0]",), l1=c1, l2=c2)


def test_the_best_trial_comes_first_and_is_what_it_says() -> None:
    told: list[tuple[int, Trial]] = []
    found = random_search(TRAIN, DEV, preset=online, trials=12, progress=lambda *row: told.append(row))
    assert [number for number, _ in told] == list(range(12))
    assert sorted((trial for _, trial in told), key=lambda trial: -trial.f1) == found
    assert found[0].f1 > found[-1].f1  # or there is nothing to choose
    for trial in (found[0], found[-1]):
        tagger = fit(online(c1=trial.c1, c2=trial.c2), TRAIN)
        assert strict_f1(DEV, tagger.detect(DEV)) == trial.f1
    assert Trial(**json.loads(json.dumps(asdict(found[0])))) == found[0]


def test_the_same_seed_tries_the_same() -> None:
    once, again, other = (random_search(TRAIN, DEV, preset=online, trials=4, seed=seed) for seed in (3, 3, 4))
    assert once == again
    assert {trial.c1 for trial in once}.isdisjoint({trial.c1 for trial in other})
    more = random_search(TRAIN, DEV, preset=online, trials=6, seed=3)
    assert set(once) <= set(more)  # a longer search begins with the same trials


def test_what_was_tried_before_is_not_tried_again() -> None:
    tried: list[float] = []

    def told(*, c1: float, c2: float) -> Settings:
        tried.append(c1)
        return online(c1=c1, c2=c2)

    order: list[Trial] = []
    whole = random_search(TRAIN, DEV, preset=told, trials=5, progress=lambda _, trial: order.append(trial))
    assert len(tried) == 5
    assert random_search(TRAIN, DEV, preset=told, trials=5, before=order[:3]) == whole
    assert tried[5:] == [trial.c1 for trial in order[3:]]
    random_search(TRAIN, DEV, preset=told, trials=2, before=[Trial(1.0, 1.0, 1.0), Trial(2.0, 2.0, 1.0)])
    assert len(tried) == 9, "trials of another seed count for nothing"


def test_powers_of_ten_are_drawn_evenly() -> None:
    flat = partial(Settings, features=("lower[0]",), least=1, epochs=1)
    drawn = random_search(TRAIN[:2], DEV[:1], preset=lambda *, c1, c2: flat(l2=c1 + 0 * c2, l1=0), trials=300)
    for name in ("c1", "c2"):
        powers = sorted(math.log10(getattr(trial, name)) for trial in drawn)
        assert LOWEST <= powers[0] < LOWEST + 0.2
        assert HIGHEST - 0.2 < powers[-1] <= HIGHEST
        assert powers[150] == pytest.approx((LOWEST + HIGHEST) / 2, abs=0.6)


def test_more_goes_to_the_preset() -> None:
    seen: list[Settings] = []

    def preset(**given: Any) -> Settings:
        seen.append(online(**given))
        return seen[-1]

    random_search(TRAIN, DEV, preset=preset, trials=2, language="nl", unit="note")
    assert {(settings.language, settings.unit) for settings in seen} == {("nl", "note")}


def test_liu_through_crfsuite() -> None:
    pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")
    found = random_search(TRAIN, DEV, trials=2, language="en", pos=False)
    again = fit(liu2015("en", pos=False, c1=found[0].c1, c2=found[0].c2), TRAIN)
    assert strict_f1(DEV, again.detect(DEV)) == found[0].f1 > 0.5


def test_settings_that_keep_nothing_count_as_0() -> None:
    def harsh(*, c1: float, c2: float) -> Settings:
        return online(c1=c1 if c1 < 0.1 else 1e9, c2=c2)

    found = random_search(TRAIN, DEV, preset=harsh, trials=10)
    failed = [trial for trial in found if trial.c1 >= 0.1]
    assert failed
    assert all(trial.f1 == 0 for trial in failed)
    assert found[0].f1 > 0


BAD: dict[str, tuple[list[Document], list[Document], dict[str, Any], type[ElisionError], str]] = {
    "no trials": (TRAIN, DEV, {"trials": 0}, ModelError, "trials 0: must be at least 1"),
    "no notes": ([], DEV, {}, ModelError, "no notes to learn from"),
    "no spans": ([Document("no fever")], DEV, {}, LabelError, "none of the 1 notes has a span to learn from"),
    "nothing to judge by": (TRAIN, [], {}, ModelError, "none of the 0 notes to judge by has a span"),
    "no spans to judge by": (TRAIN, [Document("no fever")], {}, ModelError, "none of the 1 notes to judge by"),
    "features that there are not": (TRAIN, DEV, {"preset": colourful}, ElisionError, "colour"),
    "all inside": ([Document("Roe", spans=(Span(0, 3, "NAME"),))], DEV, {}, LabelError, "every word of the notes is"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_work_says_why(name: str) -> None:
    train, dev, more, kind, message = BAD[name]
    with pytest.raises(kind, match=message):
        random_search(train, dev, **{"preset": online, "trials": 3, **more})
