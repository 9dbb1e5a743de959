from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from elision.errors import ScoreError
from elision.evaluate import stats
from elision.evaluate.matching import Pair, strict
from elision.evaluate.measures import Measure, count, label_measures, measures, share, tally_measures
from elision.evaluate.stats import draws, intervals, weighted_sums
from elision.evaluate.tally import Floats, Tally, divide
from tests.evaluate.made import pair, pairs
from tests.strategies import fewer


def _tally(notes: int, seed: int = 1) -> Tally:
    rng = np.random.default_rng(seed)
    gold, system = rng.integers(5, 30, (2, notes))
    right = rng.binomial(np.minimum(gold, system), 0.8)
    return Tally(gold, right, system, right)


def test_a_measures_interval_lies_around_it_and_is_the_same_again() -> None:
    found = intervals(tally_measures("strict", _tally(60)), seed=7)
    assert list(found) == ["strict.precision", "strict.recall", "strict.f1"]
    for interval in found.values():
        assert interval.low is not None
        assert interval.high is not None
        assert interval.low < interval.value < interval.high
    assert intervals(tally_measures("strict", _tally(60)), seed=7) == found
    assert intervals(tally_measures("strict", _tally(60)), seed=8) != found
    assert json.loads(json.dumps(asdict(found["strict.f1"]))) == asdict(found["strict.f1"])


def test_intervals_are_those_of_scipy() -> None:
    """Another program draws other notes; with many draws the percentiles come close."""
    tally = _tally(80)
    (measure,) = [m for m in tally_measures("strict", tally) if m.name == "strict.recall"]
    found = intervals([measure], replicates=20_000, seed=1)["strict.recall"]
    expected = bootstrap(
        (tally.found, tally.gold),
        lambda found, gold, axis: found.sum(axis=axis) / gold.sum(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(2),
    ).confidence_interval
    assert found.low == pytest.approx(expected.low, abs=2e-3)
    assert found.high == pytest.approx(expected.high, abs=2e-3)


def test_a_wider_confidence_gives_a_wider_interval() -> None:
    measure = tally_measures("strict", _tally(60))[:1]
    narrow, wide = (intervals(measure, confidence=c)["strict.precision"] for c in (0.8, 0.99))
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low


def test_replicates_are_draws_of_whole_notes() -> None:
    weights = draws(500, 40, np.random.default_rng(3))
    assert weights.shape == (500, 40)
    assert (weights.sum(axis=1) == 40).all()
    assert weights.mean() == 1.0
    assert weights.var() == pytest.approx(1 - 1 / 40, rel=0.05), "the variance of a multinomial count"


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = _tally(30).columns()
    whole = weighted_sums([counts], 100, _weights())
    monkeypatch.setattr(stats, "_CELLS", 200)
    assert np.array_equal(whole, weighted_sums([counts], 100, _weights()))


def _weights() -> Callable[[int, int], Floats]:
    rng = np.random.default_rng(5)
    return lambda rows, notes: draws(rows, notes, rng)


def test_all_measures_share_their_draws() -> None:
    ones, parts = np.ones(50, np.int64), np.arange(50)
    found = intervals([share("a", parts, ones), share("b", 2 * parts, ones)])
    low_a, low_b = found["a"].low, found["b"].low
    assert low_a is not None
    assert low_b == pytest.approx(2 * low_a)


def test_a_rare_labels_draws_without_it_are_left_out() -> None:
    made = [pair("[AGE 44] [DATE 3 May]", "[AGE 44] [DATE 3 May]", "0")]
    made += [pair("[DATE 3 May]", "[DATE 3 May]", str(number)) for number in range(1, 5)]
    found = intervals(label_measures("strict", strict(made)))
    assert (found["strict.AGE.recall"].low, found["strict.AGE.recall"].high) == (1.0, 1.0)


def test_too_little_for_an_interval() -> None:
    one = intervals(measures(count([pair("[AGE 44]", "[AGE 44]")])))
    assert (one["strict.f1"].value, one["strict.f1"].low, one["strict.f1"].high) == (1.0, None, None)
    never = intervals([share("never", np.zeros(9, np.int64), np.zeros(9, np.int64))])["never"]
    assert (never.value, never.low, never.high) == (0.0, None, None)
    assert intervals([]) == {}
    assert intervals(measures(count([])))["strict.f1"].low is None


@fewer
@given(pairs(), st.integers(0, 3))
def test_every_measure_has_an_interval_within_its_range(made: tuple[Pair, ...], seed: int) -> None:
    for name, interval in intervals(measures(count(made)), replicates=40, seed=seed).items():
        if interval.low is not None and interval.high is not None:
            assert 0 <= interval.low <= interval.high, name
            assert name == "leaks_per_note" or interval.high <= 1 + 1e-9, name


def test_measures_over_different_notes_do_not_mix() -> None:
    with pytest.raises(ScoreError, match="different numbers of notes"):
        intervals([*tally_measures("a", _tally(5)), *tally_measures("b", _tally(6))])


@pytest.mark.parametrize(("replicates", "confidence"), [(0, 0.95), (100, 1.0), (100, 95)])
def test_what_makes_no_sense(replicates: int, confidence: float) -> None:
    with pytest.raises(ScoreError, match="cannot make intervals"):
        intervals(tally_measures("a", _tally(5)), replicates=replicates, confidence=confidence)


def test_undefined_is_nan_to_the_arrays_and_0_to_the_reader() -> None:
    nothing = Measure("nothing", np.zeros((3, 2)), lambda sums: divide(sums[..., 0], sums[..., 1]))
    assert np.isnan(nothing.of(np.zeros(2)))
    assert nothing.value == 0.0
