"""Scores made believable: known curves found again, nothing made worse, and no scores that it cannot take."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers.calibration import (
    ENOUGH,
    SLOPES,
    Calibration,
    calibrate,
    calibration_error,
    log_loss,
    log_odds,
)

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

IDENTITY = Calibration()
scores_of_all_kinds = st.one_of(
    st.floats(0, 1), st.sampled_from([0.0, 1.0, 5e-324, 1e-12, 1 - 2**-53, 1 + 1e-12, 0.5]), st.floats(0.99, 1)
)


def sample(curve: Calibration, size: int, seed: int = 0) -> tuple[Floats, Bools]:
    """Scores as a model may have them, and spans right as often as the curve says."""
    rng = np.random.default_rng(seed)
    scores = rng.beta(2, 0.5, size)
    return scores, rng.random(size) < curve(scores)


@st.composite
def sets_of_scores(draw: st.DrawFn) -> tuple[Floats, Bools]:
    size = draw(st.integers(0, 120))
    few = draw(st.lists(scores_of_all_kinds, min_size=1, max_size=8))  # many ties
    rng = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    scores = rng.choice(few, size) if draw(st.booleans()) else rng.beta(0.3, 0.1, size)
    right = rng.random(size) < draw(st.sampled_from([0.0, 0.02, 0.5, 1.0]))
    if draw(st.booleans()):
        right |= scores > 0.5  # told apart without a fault
    return scores.astype(np.float64), right


@pytest.mark.parametrize(
    "curve", [Calibration(0.5, 0.3), Calibration(0.7, -0.8), Calibration(2.0, 1.0), Calibration(1.0, -2.0)]
)
def test_known_curves_are_recovered(curve: Calibration) -> None:
    found = calibrate(*sample(curve, 20_000))
    assert found.slope == pytest.approx(curve.slope, abs=0.06)
    assert found.shift == pytest.approx(curve.shift, abs=0.1)
    scores, right = sample(curve, 20_000, seed=1)
    assert calibration_error(found(scores), right) < 0.01 < calibration_error(scores, right)


def test_scores_that_are_true_stay_true() -> None:
    for seed in range(20):
        found = calibrate(*sample(IDENTITY, 3_000, seed))
        scores, right = sample(IDENTITY, 20_000, seed=99)
        assert calibration_error(found(scores), right) < calibration_error(scores, right) + 0.02


@pytest.mark.parametrize(
    ("name", "scores", "right"),
    [
        ("none", [], []),
        ("too few", [0.9] * (ENOUGH - 1), [False] * (ENOUGH - 1)),
        ("all right, and said so", [0.999] * 200, [True] * 200),
        ("all wrong, and said so", [0.001] * 200, [False] * 200),
        ("all at 1, all right", [1.0] * 200, [True] * 200),
        ("ties that are true", [0.9] * 200, ([True] * 9 + [False]) * 20),
    ],
)
def test_left_alone(name: str, scores: list[float], right: list[bool]) -> None:
    assert calibrate(np.array(scores), np.array(right, np.bool_)) == IDENTITY


@pytest.mark.parametrize(
    ("name", "scores", "right", "low", "high"),
    [
        ("all right, in doubt", [0.6] * 200, [True] * 200, 0.95, 1.0),
        ("all wrong, sure", [0.99] * 200, [False] * 200, 0.0, 0.05),
        ("all at 1, half of them wrong", [1.0] * 200, [True, False] * 100, 0.4, 0.6),
        ("ties that are not true", [0.9] * 200, ([True] * 3 + [False] * 2) * 40, 0.55, 0.65),
    ],
)
def test_where_all_scores_are_alike_they_become_the_share_of_right_spans(
    name: str, scores: list[float], right: list[bool], low: float, high: float
) -> None:
    given, truth = np.array(scores), np.array(right, np.bool_)
    found = calibrate(given, truth)(given)
    assert (low < found).all()
    assert (found < high).all()


def test_right_and_wrong_without_overlap_and_scores_the_wrong_way_round() -> None:
    scores = np.concatenate((np.linspace(0, 0.5, 300), np.linspace(0.5001, 1, 300)))
    apart = calibrate(scores, scores > 0.5)
    assert 1 < apart.slope <= SLOPES[1]
    assert log_loss(apart(scores), scores > 0.5) < log_loss(scores, scores > 0.5) / 2
    turned = calibrate(scores, scores <= 0.5)
    assert turned.slope == SLOPES[0]  # never a curve that falls: nearly all scores become a half
    assert turned(scores) == pytest.approx(0.5, abs=0.15)


@given(sets_of_scores())
def test_never_raises_never_warns_never_makes_it_worse(case: tuple[Floats, Bools]) -> None:
    scores, right = case
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        found = calibrate(scores, right)
        believed = found(scores)
    assert SLOPES[0] <= found.slope <= SLOPES[1]
    assert np.isfinite(found.shift)
    assert ((believed >= 0) & (believed <= 1)).all()
    assert calibration_error(believed, right) <= calibration_error(scores, right) + 1e-9  # 1 + 1e-12 becomes 1
    assert found == calibrate(scores, right)


@given(st.floats(*SLOPES), st.floats(-20, 20), st.lists(scores_of_all_kinds, min_size=2))
def test_monotone(slope: float, shift: float, scores: list[float]) -> None:
    ascending = np.sort(np.array(scores))
    with np.errstate(over="raise", divide="raise", invalid="raise"):
        believed = Calibration(slope, shift)(ascending)
        assert np.isfinite(log_odds(ascending)).all()
    assert (np.diff(believed) >= -1e-12).all()
    assert (IDENTITY(ascending) == np.minimum(ascending, 1)).all()


def test_calibration_error_by_hand() -> None:
    scores = np.array([0.2, 0.2, 0.8, 0.8])
    assert calibration_error(scores, np.array([False, False, True, True]), bins=2) == pytest.approx(0.2)
    assert calibration_error(scores, np.array([True, False, True, False]), bins=2) == pytest.approx(0.3)
    assert calibration_error(np.zeros(0), np.zeros(0, np.bool_)) == 0
    assert log_loss(np.array([0.5, 0.5]), np.array([True, False])) == pytest.approx(np.log(2))
