from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from elision.errors import ScoreError
from elision.evaluate.bounds import at_least, at_most, clopper_pearson, incomplete_beta, notes_needed


@given(st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999))
def test_as_scipy_has_it(counts: tuple[int, int], confidence: float) -> None:
    count, total = counts
    found = clopper_pearson(count, total, confidence)
    doubt = (1 - confidence) / 2
    low = stats.beta.ppf(doubt, count, total - count + 1) if count else 0.0
    high = stats.beta.ppf(1 - doubt, count + 1, total - count) if count < total else 1.0
    assert found.low == pytest.approx(low, rel=1e-8)
    assert found.high == pytest.approx(high, rel=1e-8)
    assert found.low <= found.share <= found.high


@given(st.floats(0, 1), st.floats(0.5, 10_000), st.floats(0.5, 10_000))
def test_incomplete_beta_as_scipy_has_it(x: float, a: float, b: float) -> None:
    assert incomplete_beta(x, a, b) == pytest.approx(special.betainc(a, b, x), rel=1e-8, abs=1e-12)


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [  # by the closed forms: 0.025 ** (1 / n) and its complement
        (0, 1, 0.0, 0.975),
        (1, 1, 0.025, 1.0),
        (0, 10, 0.0, 1 - 0.025**0.1),
        (10, 10, 0.025**0.1, 1.0),
        (0, 0, 0.0, 1.0),
    ],
)
def test_the_ends(count: int, total: int, low: float, high: float) -> None:
    found = clopper_pearson(count, total)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_no_leak_in_3000_notes_is_less_than_one_in_a_thousand() -> None:
    assert at_most(0, 3_000) == pytest.approx(1 - 0.05 ** (1 / 3_000))
    assert at_most(0, 3_000) < 0.001
    assert at_most(0, 2_994) > 0.001 > at_most(0, 2_995)
    assert notes_needed(0.001) == 2_995


def test_one_sided_bounds_mirror_each_other() -> None:
    assert at_least(97, 100) == pytest.approx(1 - at_most(3, 100))
    assert at_least(0, 0) == 0.0
    assert at_most(0, 0) == 1.0


@pytest.mark.parametrize("rate", [0.5, 0.1, 0.013, 0.001])
@pytest.mark.parametrize("confidence", [0.3, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("leaks", [0, 1, 2, 7])
def test_notes_needed_is_enough_and_one_fewer_is_not(rate: float, confidence: float, leaks: int) -> None:
    enough = notes_needed(rate, confidence, leaks)
    assert at_most(leaks, enough, confidence) <= rate * (1 + 1e-9)
    assert at_most(leaks, enough - 1, confidence) > rate * (1 - 1e-9)


@given(st.integers(0, 40), st.integers(1, 400))
def test_more_leaks_bound_higher_and_more_notes_lower(count: int, total: int) -> None:
    count = min(count, total - 1)
    assert at_most(count, total) < at_most(count + 1, total) <= 1.0
    assert at_most(count, total + 1) < at_most(count, total)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: at_most(4, 3), "4 of 3 is no share"),
        (lambda: at_least(-1, 3), "-1 of 3 is no share"),
        (lambda: clopper_pearson(1, 3, 95), "confidence lies between 0 and 1, not at 95"),
        (lambda: notes_needed(0), "leak rate to promise lies between 0 and 1"),
        (lambda: notes_needed(0.1, leaks=-1), "-1 notes cannot leak"),
    ],
)
def test_what_makes_no_sense(call: object, message: str) -> None:
    assert callable(call)
    with pytest.raises(ScoreError, match=message):
        call()
