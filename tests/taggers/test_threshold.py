"""The recall dial: what was asked for is covered, measured as `evaluate` does, and an error says where it cannot be."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.errors import LabelError, ModelError, ScoreError
from elision.evaluate.bounds import at_least
from elision.evaluate.coverage import coverage
from elision.evaluate.matching import strict
from elision.taggers.base import tag
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from elision.taggers.threshold import CLOSE, LOWEST, STEPS, Dial, _search, curve, set_dial
from tests.notes import note
from tests.taggers.made_notes import made_notes

WEAK = Settings(features=("shape[-1..1]", "lower[-1]"), epochs=2, least=2)
HELD_OUT = made_notes(40, seed=1)


@pytest.fixture(scope="module")
def tagger() -> LinearTagger:
    """A tagger that has much to miss."""
    return fit(WEAK, made_notes(30))


def test_the_target_is_reached_and_no_dial_far_above_reaches_it(tagger: LinearTagger) -> None:
    (before,) = curve(tagger, HELD_OUT, [1.0])
    assert before.recall < 0.95  # or there is nothing to test
    dialled, found = set_dial(tagger, HELD_OUT, recall=0.95)
    assert found.recall >= 0.95
    assert LOWEST <= found.dial < 1
    (above,) = curve(tagger, HELD_OUT, [found.dial * CLOSE * 1.01])
    assert above.recall < 0.95
    assert dialled.dial == found.dial
    assert dialled.card["dial"] == found.as_json()
    assert curve(tagger, HELD_OUT, [found.dial]) == [found]
    assert tagger.dial == 1


def test_the_figures_are_those_of_evaluate(tagger: LinearTagger) -> None:
    dialled, found = set_dial(tagger, HELD_OUT, recall=0.9, confidence=0.9)
    pairs = list(zip(HELD_OUT, tag(dialled, HELD_OUT), strict=True))
    covered = coverage(pairs)
    gold, harmless = covered.characters.gold.sum(), covered.harmless.sum()
    assert found.recall == pytest.approx(covered.characters.found.sum() / gold)
    assert found.over_redaction == pytest.approx(covered.over_redacted.sum() / harmless)
    told = covered.characters.gold > 0
    clean = int((covered.leaks[told] == 0).sum())
    assert found.notes == told.sum()
    assert found.clean == clean / found.notes
    assert found.clean_low == at_least(clean, found.notes, 0.9)
    assert found.strict_f1 == pytest.approx(strict(pairs).all().score().f1)
    assert found.recall_low < found.recall


def test_the_lower_bound_is_what_notes_drawn_anew_give(tagger: LinearTagger) -> None:
    (found,) = curve(tagger, HELD_OUT, [1.0], confidence=0.95)
    characters = coverage(list(zip(HELD_OUT, tag(tagger, HELD_OUT), strict=True))).characters
    rng = np.random.default_rng(7)
    drawn = rng.integers(0, len(HELD_OUT), (4_000, len(HELD_OUT)))
    shares = characters.found[drawn].sum(axis=1) / characters.gold[drawn].sum(axis=1)
    assert found.recall_low == pytest.approx(np.quantile(shares, 0.05), abs=0.005)


def test_a_bound_asks_for_more_than_the_recall_itself(tagger: LinearTagger) -> None:
    _, loose = set_dial(tagger, HELD_OUT, recall=0.9)
    _, strictly = set_dial(tagger, HELD_OUT, recall=0.9, target="bound")
    assert strictly.recall_low >= 0.9
    assert strictly.dial < loose.dial
    assert strictly.over_redaction >= loose.over_redaction
    _, surer = set_dial(tagger, HELD_OUT, recall=0.9, target="bound", confidence=0.999)
    assert surer.dial <= strictly.dial
    assert surer.recall_low >= 0.9


def test_a_dial_is_never_more_than_1(tagger: LinearTagger) -> None:
    assert set_dial(tagger, HELD_OUT, recall=0.01)[1].dial == 1


def test_the_dial_goes_with_the_model(tagger: LinearTagger, tmp_path: Path) -> None:
    dialled, found = set_dial(tagger, HELD_OUT, recall=0.95)
    dialled.save(tmp_path / "dialled")
    again = load(tmp_path / "dialled")
    assert again.settings.dial == found.dial
    assert again.card["dial"] == found.as_json()
    assert again.detect(HELD_OUT) == dialled.detect(HELD_OUT)


def test_a_curve_leaves_the_tagger_as_it_is_and_covers_more_step_by_step(tagger: LinearTagger) -> None:
    before = tagger.detect(HELD_OUT)
    steps = curve(tagger, HELD_OUT)
    assert [at.dial for at in steps] == list(STEPS)
    assert tagger.settings == WEAK
    assert tagger.detect(HELD_OUT) == before
    for more, less in pairwise(steps):
        assert less.recall >= more.recall - 0.01
        assert less.over_redaction >= more.over_redaction - 0.01
    assert steps[-1].recall > steps[0].recall


def test_a_window_classifier_has_a_dial_and_viterbi_has_none() -> None:
    window = fit(replace(WEAK, loss="softmax", decoding="each"), made_notes(30))
    assert set_dial(window, HELD_OUT, recall=0.95)[1].recall >= 0.95
    path = fit(replace(WEAK, decoding="viterbi"), made_notes(10))
    with pytest.raises(ModelError, match="viterbi"):
        set_dial(path, HELD_OUT)


def test_where_every_note_is_covered_whole_the_bound_is_that_of_whole_notes() -> None:
    notes = [note(f"Patient: [NAME {name}]\nno fever\n\nstable", name) for name in ["Roe", "Lund", "Vale", "Marsh"] * 5]
    sure = fit(Settings(features=("lower[-2..0]",), least=1, epochs=20), notes)
    (found,) = curve(sure, notes, [1.0])
    assert found.recall == found.clean == 1
    assert found.recall_low == found.clean_low == pytest.approx(0.05 ** (1 / 20))


def test_what_cannot_be_reached_says_how_far_it_got(tagger: LinearTagger) -> None:
    with pytest.raises(ModelError, match=r"no dial down to 1e-06 .* to 1 .*nearest is 0\.\d+, at dial .*more notes"):
        set_dial(tagger, HELD_OUT, recall=1.0, target="bound")
    assert tagger.settings.dial == 1
    assert "dial" not in tagger.card


@pytest.mark.parametrize("recall", [0.0, -1.0, 1.1, float("nan")])
def test_a_recall_that_cannot_be(tagger: LinearTagger, recall: float) -> None:
    with pytest.raises(ModelError, match="between 0 and 1"):
        set_dial(tagger, HELD_OUT, recall)


def test_other_bad_values(tagger: LinearTagger) -> None:
    word: Literal["bound"] = "precision"  # type: ignore[assignment] # what a user may write
    with pytest.raises(ModelError, match="choose recall, or bound"):
        set_dial(tagger, HELD_OUT, target=word)
    with pytest.raises(ScoreError, match="confidence"):
        set_dial(tagger, HELD_OUT, confidence=1.0)
    with pytest.raises(LabelError, match="none of the 2 notes has a span"):
        set_dial(tagger, [Document("no fever"), Document("")])
    with pytest.raises(LabelError, match="none of the 0 notes"):
        set_dial(tagger, [])
    with pytest.raises(ModelError, match="dial"):
        curve(tagger, HELD_OUT, [0.0])


def at(dial: float, recall: float) -> Dial:
    zeros = dict.fromkeys(("clean", "clean_low", "over_redaction", "strict_f1"), 0.0)
    return Dial(dial=dial, recall=recall, recall_low=recall, notes=9, confidence=0.95, **zeros)


@given(st.floats(-5.9, 0), st.floats(0, 0.02), st.integers(0, 9))
def test_the_search_finds_the_edge_even_where_recall_wavers(edge: float, wobble: float, seed: int) -> None:
    """Recall reaches .9 below the edge; it wavers, and by less than it takes to cross far from the edge."""

    def measure(dial: float) -> Dial:
        noise = np.random.default_rng([seed, int(dial * 1e9)]).uniform(-wobble, wobble)
        return at(dial, 0.9 + 0.5 * (edge - np.log10(dial)) + noise)

    found = _search(measure, lambda dial: dial.recall, 0.9, "recall")
    assert found == measure(found.dial)
    assert found.recall >= 0.9
    slack = wobble / 0.5 * 2 + np.log10(CLOSE) + 0.01
    assert edge - slack <= np.log10(found.dial) <= min(edge + slack, 0)


def test_as_json() -> None:
    found = at(0.1, 0.99).as_json()
    assert Dial(**json.loads(json.dumps(found))) == at(0.1, 0.99)
