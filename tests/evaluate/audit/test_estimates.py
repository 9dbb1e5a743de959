"""The bounds of an audit, against brute force, against each other, and against runs whose leaks are known."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from elision.errors import ScoreError
from elision.evaluate.audit import estimates
from elision.evaluate.audit.bounds import fewest_in, highest_mean, mean_above, mean_below, most_in
from elision.evaluate.audit.capture import chapman
from elision.evaluate.audit.designs import (
    DESIGNS,
    SIMPLE,
    STRATIFIED,
    WEIGHTED,
    Stratum,
    alike,
    allocate,
    by_length,
    by_risk,
    by_value,
    draw,
)
from elision.evaluate.audit.planning import Promise, notes_needed, with_leaks
from elision.evaluate.bounds import at_least, at_most
from experiments import auditing

COUNTS = st.integers(1, 60).flatmap(
    lambda notes: st.integers(1, notes).flatmap(
        lambda read: st.tuples(st.integers(0, read), st.just(read), st.just(notes))
    )
)


@given(COUNTS)
@example((0, 1, 40))
@example((1, 1, 40))
@example((0, 1, 20))
@example((0, 19, 20))
def test_bounds_without_replacement_are_those_of_counting_all_samples(counts: tuple[int, int, int]) -> None:
    count, read, notes = counts

    def chance(leaking: int, seen: range) -> Fraction:
        ways = sum(comb(leaking, some) * comb(notes - leaking, read - some) for some in seen)
        return Fraction(ways, comb(notes, read))

    doubt = Fraction(5, 100)  # what is just as likely as the doubt stays possible
    possible = range(count, notes - read + count + 1)
    assert most_in(*counts) == max(k for k in possible if chance(k, range(count + 1)) >= doubt)
    assert fewest_in(*counts) == min(k for k in possible if chance(k, range(count, read + 1)) >= doubt)


@given(COUNTS)
def test_hoeffdings_bounds_are_wider_than_the_exact_ones_and_equal_if_nothing_was_seen(
    counts: tuple[int, int, int],
) -> None:
    count, read, _ = counts
    assert mean_above(count / read, read, 0.05) >= at_most(count, read) - 1e-9
    assert mean_below(count / read, read, 0.05) <= at_least(count, read) + 1e-9
    assert mean_above(0, read, 0.05) == pytest.approx(at_most(0, read))


@given(st.integers(1, 500), st.floats(0.001, 0.9))
def test_the_highest_mean_that_keeps_a_promise_is_the_last_one(values: int, true: float) -> None:
    seen = highest_mean(true, values, 0.05)
    if seen >= 0:
        assert mean_above(seen, values, 0.05) <= true + 1e-6
        assert mean_above(min(1.0, seen + 1e-3), values, 0.05) > true
    else:
        assert mean_above(0, values, 0.05) > true


SIZES = st.lists(st.integers(1, 300), min_size=1, max_size=6)


@given(SIZES, st.data())
def test_all_notes_are_allocated_some_to_each_group_and_none_twice(sizes: list[int], data: st.DataObject) -> None:
    notes = data.draw(st.integers(len(sizes), sum(sizes)))
    rates = data.draw(st.lists(st.sampled_from([1.0, 2.0, 4.0]), min_size=len(sizes), max_size=len(sizes)))
    read = allocate(sizes, rates, notes)
    assert sum(read) == notes
    assert all(1 <= some <= size for some, size in zip(read, sizes, strict=True))


def test_shares_of_groups_are_kept_and_risky_ones_are_read_more_often() -> None:
    assert allocate([600, 300, 100], [1, 1, 1], 100) == [60, 30, 10]
    assert allocate([500, 400, 100], [1, 2, 4], 170) == [50, 80, 40]
    with pytest.raises(ScoreError, match="2 notes cannot be read of 9 in 3 groups"):
        allocate([3, 3, 3], [1, 1, 1], 2)


def test_the_same_seed_draws_the_same_notes_and_another_others() -> None:
    grouping = by_risk(np.arange(500))
    strata = grouping.strata(40)
    places = draw(grouping, strata, 7).tolist()
    assert len({*places}) == 40
    assert [int((grouping.codes[places] == at).sum()) for at in range(3)] == [one.read for one in strata]
    assert draw(grouping, strata, 7).tolist() == places
    assert draw(grouping, strata, 8).tolist() != places


def test_groups() -> None:
    assert by_length(np.array([5, 1, 9, 9, 2, 7])).sizes == [2, 2, 2]
    assert by_length(np.array([4, 4, 4])).sizes == [3]  # what is equal stays together
    assert by_risk(np.arange(1, 101)).sizes == [50, 40, 10]
    assert by_value(["b", "a", "b", ""]).names == ("(none)", "a", "b")
    with pytest.raises(ScoreError, match="makes 51 groups"):
        by_value([str(at) for at in range(51)])


@given(st.sampled_from(sorted(DESIGNS)), st.data())
def test_an_estimate_lies_within_its_bounds_and_reading_all_leaves_no_doubt(design: str, data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 80), min_size=1, max_size=1 if design == SIMPLE else 4))
    read = [data.draw(st.integers(1, size)) for size in sizes]
    leaking = [data.draw(st.integers(0, some)) for some in read]
    strata = tuple(Stratum(str(at), size, some) for at, (size, some) in enumerate(zip(sizes, read, strict=True)))
    for found in (estimates.share(design, strata, leaking), estimates.mean(strata, leaking, 3)):
        assert 0 <= found.low <= found.value + 1e-12
        assert found.value <= found.at_most + 1e-12
        assert found.at_most <= found.high + 1e-12
        if sizes == read:
            assert found.low == found.high == pytest.approx(sum(leaking) / sum(sizes))


def test_a_note_that_stands_for_more_counts_for_more() -> None:
    strata = (Stratum("often", 100, 50), Stratum("seldom", 900, 50))
    assert estimates.share(WEIGHTED, strata, [1, 0]).value == pytest.approx(2 / 1000)
    assert estimates.share(WEIGHTED, strata, [0, 1]).value == pytest.approx(18 / 1000)
    assert estimates.share(WEIGHTED, strata, [0, 0]).at_most > 900 / 1000 * at_most(0, 50)


def test_plans() -> None:
    assert notes_needed(Promise(leaking=0.02)) == 149
    assert notes_needed(Promise(missed=0.1, most=10)) == 299
    assert with_leaks(Promise(leaking=0.02), SIMPLE, None, 1) == 236
    assert notes_needed(Promise(leaking=0.02), SIMPLE, alike(50)) == 39
    assert notes_needed(Promise(leaking=0.02, expect_leaking=0.01)) > notes_needed(Promise(leaking=0.02))  # type: ignore[operator]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, "say what is to be shown"),
        ({"leaking": 2.0}, "--at-most-leaking 2: lies between 0 and 1"),
        ({"missed": 11.0}, "--at-most-missed 11: lies between 0 and 10"),
        ({"leaking": 0.02, "expect_leaking": 0.03}, "must be less than what is promised"),
    ],
)
def test_promises_that_make_no_sense(said: dict[str, float], message: str) -> None:
    with pytest.raises(ScoreError, match=message):
        notes_needed(Promise(**said))  # type: ignore[arg-type]


def test_what_two_readers_missed() -> None:
    found = chapman(30, 28, 25)
    assert found.all == pytest.approx(31 * 29 / 26 - 1)
    assert found.unseen == pytest.approx(31 * 29 / 26 - 1 - 33)
    assert found.first_finds == pytest.approx(25 / 28)
    assert found.second_finds == pytest.approx(25 / 30)
    assert chapman(9, 9, 9).unseen == 0
    assert chapman(5, 0, 0).unseen is None  # nothing tells


@pytest.mark.parametrize("design", [SIMPLE, STRATIFIED, WEIGHTED])
def test_intervals_hold_the_truth_and_plans_are_enough(design: str) -> None:
    rng = np.random.default_rng(3)
    for name in ("some, even", "in the risky group"):
        run = auditing.run_of(design, *auditing.RUNS[name])
        assert min(auditing.covered(design, run, 120, rng, 300)) >= 0.95
    run = auditing.run_of(design, (0.01,) * 3, (2,))
    assert auditing.enough(design, run, Promise(leaking=0.03, expect_leaking=0.01), rng, 300)[1] >= 0.95
    assert auditing.enough(design, run, Promise(missed=0.15, expect_missed=0.02), rng, 300)[1] >= 0.95
