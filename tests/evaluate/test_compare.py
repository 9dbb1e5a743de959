from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from elision.document import Document, Span
from elision.errors import ScoreError
from elision.evaluate.matching import Pair, pair_two, strict
from elision.evaluate.measures import Measure, count, measures, share, tally_measures
from elision.evaluate.stats import Comparison, compare, randomisation
from elision.evaluate.tally import Tally
from tests.evaluate.made import pairs
from tests.notes import GOLDEN

NEDAP = GOLDEN / "nedap" / "case_08"


def _folder(name: str) -> list[Document]:
    return [_document(NEDAP / "gold" / f"nota-0{number}.txt", NEDAP / name) for number in range(1, 7)]


def _document(text: Path, side: Path) -> Document:
    lines = (side / f"{text.stem}.ann").read_text("utf-8").splitlines()
    marks = [line.split("\t")[1].split() for line in lines if line.startswith("T")]
    with text.open(encoding="utf-8", newline="") as file:
        spans = tuple(Span(int(start), int(end), label) for label, start, end in marks)
        return Document(file.read(), text.stem, spans=spans)


@pytest.fixture(scope="module")
def two() -> tuple[Sequence[Measure], Sequence[Measure]]:
    a, b = pair_two(_folder("gold"), _folder("system"), _folder("system_b"))
    return tally_measures("strict", strict(a).all()), tally_measures("strict", strict(b).all())


def _exact(a: Measure, b: Measure) -> float:
    """The share of all ways to swap notes in which the systems differ at least as much."""
    observed = abs(a.value - b.value)
    ways = list(itertools.product([False, True], repeat=len(a.counts)))
    as_large = 0
    for way in ways:
        swap = np.array(way)[:, None]
        first, second = (np.where(swap, x, y).sum(axis=0) for x, y in ((b.counts, a.counts), (a.counts, b.counts)))
        difference = float(np.nan_to_num(a.of(first)) - np.nan_to_num(b.of(second)))
        as_large += abs(difference) >= observed - 1e-12
    return as_large / len(ways)


@pytest.mark.parametrize("figure", ["precision", "recall", "f1"])
def test_nedaps_own_test_by_all_64_swaps(two: tuple[Sequence[Measure], Sequence[Measure]], figure: str) -> None:
    expected = json.loads((NEDAP / "expected.json").read_text("utf-8"))["significance"][f"micro_{figure}"]
    at = ["precision", "recall", "f1"].index(figure)
    a, b = two[0][at], two[1][at]
    assert abs(a.value - b.value) == pytest.approx(expected["observed_abs_difference"], abs=1e-4)
    assert _exact(a, b) == expected["exact_p"]
    (p,) = randomisation([a], [b], 9_999, np.random.default_rng(11))
    assert p == pytest.approx(expected["exact_p"], abs=0.02)


def _measure(values: list[int], name: str = "share") -> Measure:
    return share(name, np.array(values), np.full(len(values), 10))


def test_p_is_c_plus_1_by_n_plus_1() -> None:
    clear = compare([_measure([0] * 40)], [_measure([10] * 40)], shuffles=999)[0]
    assert clear.p == 1 / 1_000, "no shuffle of 40 notes comes near: c is 0"
    same = compare([_measure([3] * 40)], [_measure([3] * 40)], shuffles=999)[0]
    assert same.p == 1.0, "all shuffles differ by as much, that is by nothing"


def test_a_better_and_a_worse_system() -> None:
    rng = np.random.default_rng(4)
    good, poor = rng.binomial(10, 0.9, 50).tolist(), rng.binomial(10, 0.6, 50).tolist()
    up, down = compare([_measure(poor)], [_measure(good)])[0], compare([_measure(good)], [_measure(poor)])[0]
    assert up.difference == pytest.approx(-down.difference)
    assert up.difference == pytest.approx(up.b - up.a)
    assert up.low is not None
    assert up.high is not None
    assert 0 < up.low < up.difference < up.high
    assert (up.b_better, down.b_better) == (1.0, 0.0)
    assert up.p == down.p == 1 / 10_000


def test_lower_is_better_for_leaks() -> None:
    few, many = (
        share("leaks", np.array(n), np.ones(6, np.int64), "lower") for n in ([0, 0, 1, 0, 1, 0], [2, 3, 2, 4, 2, 3])
    )
    found = compare([many], [few])[0]
    assert found.difference < 0
    assert found.b_better == 1.0


def test_equal_systems_are_even() -> None:
    found = compare([_measure([1, 5, 9])], [_measure([1, 5, 9])])[0]
    assert found == Comparison("share", 0.5, 0.5, 0.0, 0.0, 0.0, 0.5, 1.0)


def test_the_bootstrap_is_paired() -> None:
    """B is 1 better in every note: the notes differ a lot, the difference not at all."""
    values = [0, 9, 1, 8, 2, 7, 3, 6]
    found = compare([_measure(values)], [_measure([value + 1 for value in values])])[0]
    assert found.low == pytest.approx(0.1)
    assert found.high == pytest.approx(0.1)


def test_a_seed_decides() -> None:
    a, b = [_measure([1, 5, 9, 4])], [_measure([2, 5, 7, 7])]
    assert compare(a, b, seed=1) == compare(a, b, seed=1)
    assert compare(a, b, seed=1) != compare(a, b, seed=2)


def test_chance_is_called_chance() -> None:
    """For two systems that are alike, p is spread evenly: about 1 in 10 are below 0.1."""
    rng = np.random.default_rng(9)
    below = 0
    for _ in range(300):
        a, b = ([_measure(rng.binomial(10, 0.7, 40).tolist())] for _ in range(2))
        below += randomisation(a, b, 199, rng)[0] <= 0.1
    assert 12 <= below <= 50


@settings(max_examples=max(1, settings().max_examples // 10))  # each is 40 measures, compared twice
@given(pairs())
def test_any_measure_can_be_compared(made: tuple[Pair, ...]) -> None:
    empty = [(gold, system.with_spans(())) for gold, system in made]
    counted = measures(count(made))
    found = compare(counted, measures(count(empty)), shuffles=49, replicates=20)
    for comparison in found:
        assert 1 / 50 <= comparison.p <= 1
        assert 0 <= comparison.b_better <= 1
        assert comparison.difference == comparison.b - comparison.a
    same = compare(counted, counted, shuffles=49, replicates=20)
    assert all(comparison.p == 1.0 and comparison.b_better == 0.5 for comparison in same)


def test_what_cannot_be_compared() -> None:
    with pytest.raises(ScoreError, match="different measures"):
        compare([_measure([1])], [_measure([1], "other")])
    with pytest.raises(ScoreError, match="over different notes"):
        compare([_measure([1])], [_measure([1, 2])])
    with pytest.raises(ScoreError, match="cannot compare with 0 shuffles"):
        compare([_measure([1])], [_measure([1])], shuffles=0)
    assert compare([], []) == ()


def test_tallies_of_one_note_have_no_interval() -> None:
    one = np.array([3])
    found = compare(tally_measures("a", Tally(one, one, one, one)), tally_measures("a", Tally(one, one, one, one)))
    assert {(c.low, c.high, c.p) for c in found} == {(None, None, 1.0)}
