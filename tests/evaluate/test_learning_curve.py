"""Learning curves: laws that are known are found again, ranges hold the truth, and more notes never do harm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ScoreError
from elision.evaluate.learning_curve import FURTHEST, Laws, further, learning_curve
from elision.evaluate.tally import Floats
from tests.strategies import fewer

SIZES = (8, 17, 33, 67)


def counts_of(wrong: list[float], rng: np.random.Generator, tested: int = 100) -> list[Floats]:
    """What a model finds in notes that were tested, if it gets such a share of their spans wrong."""
    gold = rng.poisson(15, tested) + 1
    found = [rng.binomial(gold, 1 - share) for share in wrong]
    return [np.stack([gold, right, gold, right], axis=1).astype(np.float64) for right in found]


def law(floor: float, scale: float, slope: float, notes: float) -> float:
    return float(min(0.95, floor + scale * notes**-slope))


@pytest.mark.parametrize(
    ("floor", "scale", "slope"), [(0.1, 1.5, 0.5), (0.2, 1.0, 0.3), (0.15, 0.0, 0.1), (0.05, 1.5, 0.4)]
)
def test_the_range_holds_the_truth(floor: float, scale: float, slope: float) -> None:
    """In 9 of 10 curves at least, however far it says something."""
    rng = np.random.default_rng(1)
    held: dict[int, int] = {}
    for seed in range(20):
        curve = learning_curve(SIZES, counts_of([law(floor, scale, slope, n) for n in SIZES], rng), 100, seed)
        for point in curve.expected:
            held[point.notes] = held.get(point.notes, 0) + (
                point.low <= 1 - law(floor, scale, slope, point.notes) <= point.high
            )
    assert list(held) == [100, 125, 150, 200, 300]
    assert min(held.values()) >= 18


@given(st.floats(0.01, 2), st.floats(0.05, 1), st.floats(0, 0.3), st.lists(st.integers(1, 400), min_size=2, max_size=6))
def test_a_law_is_found_again(scale: float, slope: float, floor: float, after: list[int]) -> None:
    """If its floor is known, and that learning begins at once."""
    sizes = np.array(SIZES, np.float64)
    errors = floor + scale * sizes**-slope
    laws = Laws(sizes, errors[None, :], np.array([floor / errors[-1]]), np.zeros(1))
    for notes in after:
        wanted = np.clip(1 - (floor + scale * notes**-slope), 0, 1)
        assert laws.f1_after(notes) == pytest.approx(wanted, abs=1e-6)


@fewer
@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(68, 300), st.integers(0, 99))
def test_more_notes_do_no_harm_and_all_is_a_share(wrong: list[float], notes: int, seed: int) -> None:
    curve = learning_curve(SIZES, counts_of(wrong, np.random.default_rng(seed), 12), notes, seed)
    for point in (*curve.measured, *curve.expected):
        assert 0 <= point.low <= point.f1 <= point.high <= 1
    values = [point.f1 for point in curve.expected]
    assert values == sorted(values)
    if curve.more is not None and curve.more_low is not None:
        assert 0 <= curve.more_low <= curve.more <= (curve.more_high or np.inf)


def test_where_nothing_more_is_learnt_no_more_notes_are_worth_it() -> None:
    curve = learning_curve(SIZES, counts_of([0.0] * 4, np.random.default_rng(0)), 100)
    assert (curve.more, curve.more_high) == (0, 0)


def test_where_much_is_still_learnt_more_notes_are_worth_it() -> None:
    steep = [law(0.0, 3.0, 0.6, n) for n in SIZES]
    curve = learning_curve(SIZES, counts_of(steep, np.random.default_rng(0)), 100)
    assert curve.more is None or curve.more >= 100
    assert curve.expected[-1].f1 > curve.measured[-1].f1 + 0.05


def test_a_model_that_finds_nothing_has_a_curve_all_the_same() -> None:
    nothing = np.tile([5.0, 0.0, 0.0, 0.0], (10, 1))
    curve = learning_curve((5, 10), [nothing, nothing], 15)
    assert [point.f1 for point in curve.measured] == [0, 0]


@pytest.mark.parametrize("notes", [10, 30, 200, 5000])
def test_nothing_is_said_of_far_more_notes_than_there_are(notes: int) -> None:
    assert all(notes < count <= FURTHEST * notes for count in further(notes))


@pytest.mark.parametrize("sizes", [(5,), (5, 5), (8, 4), (0, 4)])
def test_a_curve_needs_two_sizes(sizes: tuple[int, ...]) -> None:
    counts = [np.ones((3, 4))] * len(sizes)
    with pytest.raises(ScoreError, match="two sizes at least"):
        learning_curve(sizes, counts, 10)
