"""The risk of a note: every doubt adds, nothing takes away, and it is always a number."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.review.risk import disagreements, nearly_found, risk_of, risks, weak_labels
from tests.strategies import fewer

scores = st.one_of(st.floats(0, 1), st.sampled_from([math.nan, math.inf, -math.inf, -1.0, 2.0]))
labels = st.sampled_from(["NAME", "DATE", "ID"])


@st.composite
def a_span(draw: st.DrawFn) -> Span:
    start = draw(st.integers(0, 40))
    return Span(start, start + draw(st.integers(0, 9)), draw(labels), score=draw(scores))


spans = st.lists(a_span(), max_size=6)
weak = st.dictionaries(labels, scores)
sides = st.lists(spans, max_size=4)
chances = st.lists(scores, max_size=12)


@fewer
@given(spans, a_span(), chances, sides, weak)
def test_another_span_never_lowers_the_risk(
    some: list[Span], one: Span, likely: list[float], found: list[list[Span]], wrong: dict[str, float]
) -> None:
    before = risk_of(some, chances=likely, found=found, weak=wrong)
    after = risk_of([*some, one], chances=likely, found=found, weak=wrong)
    assert math.isfinite(after)
    assert 0 <= before <= after + 1e-12


@fewer
@given(spans, a_span(), st.floats(0, 1), st.floats(0, 1), weak)
def test_the_less_sure_a_span_the_higher_the_risk(
    some: list[Span], one: Span, a: float, b: float, wrong: dict[str, float]
) -> None:
    less, more = sorted((a, b))
    doubted = Span(one.start, one.end, one.label, score=less)
    sure = Span(one.start, one.end, one.label, score=more)
    assert risk_of([*some, doubted], weak=wrong) >= risk_of([*some, sure], weak=wrong) - 1e-12


@fewer
@given(spans, labels, st.floats(0, 1), st.floats(0, 1))
def test_the_weaker_a_label_the_higher_the_risk(some: list[Span], label: str, a: float, b: float) -> None:
    less, more = sorted((a, b))
    assert risk_of(some, weak={label: more}) >= risk_of(some, weak={label: less}) - 1e-12


@fewer
@given(spans, st.integers(2, 4))
def test_detectors_that_say_the_same_do_not_disagree(some: list[Span], times: int) -> None:
    assert not list(disagreements([some] * times))


@fewer
@given(sides)
def test_a_disagreement_is_a_half_at_most(found: list[list[Span]]) -> None:
    assert all(0 < one <= 0.5 for one in disagreements(found))


@pytest.mark.parametrize(
    ("likely", "said"),
    [
        ([0.001, 0.3, 0.5, 1.0, 0.2], [0.5, 0.2]),  # what is found ends a run
        ([0.3, 0.0, 0.4], [0.3, 0.4]),
        ([0.0, 1.0, 0.01], []),
        ([math.nan], [0.999]),
    ],
)
def test_words_that_are_nearly_found_count_by_run(likely: list[float], said: list[float]) -> None:
    assert list(nearly_found(likely)) == said


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([[(0, 5)], [(0, 5)]], []),
        ([[(0, 5), (9, 12)], [(0, 3)]], [0.5, 0.5]),
        ([[(0, 5)], [], []], [4 / 9]),
        ([[(0, 5)]], []),  # alone
        ([[(0, 5)], [(5, 9)]], [0.5]),
    ],
)
def test_what_some_detectors_find_and_others_do_not(found: list[list[tuple[int, int]]], said: list[float]) -> None:
    assert list(disagreements([[Span(*place, "NAME") for place in side] for side in found])) == pytest.approx(said)


def test_the_risk_is_about_how_many_mistakes_are_to_be_expected() -> None:
    note = Document("Seen by Jane Roe on 3 May", "1", spans=(Span(8, 16, "NAME", 0.9), Span(20, 25, "DATE", 0.6)))
    assert risks([note]) == pytest.approx([0.5])
    assert risks([note.with_spans(())]) == [0]
    assert risks([note], {"NAME": 0.5}) == pytest.approx([0.1 + 0.45 + 0.4])


def test_labels_are_weak_as_far_as_reviewers_changed_them() -> None:
    before = [
        Document("Jane Roe, Lyon", "1", spans=(Span(0, 8, "NAME"), Span(10, 14, "CITY"))),
        Document("Jane Roe, Lyon", "2", spans=(Span(0, 8, "NAME"),)),
        Document("Jane Roe, Lyon", "not reviewed", spans=(Span(10, 14, "DATE"),)),
    ]
    after = [before[0].with_spans([Span(0, 8, "NAME"), Span(10, 14, "HOSPITAL")]), before[1]]
    assert weak_labels(before, after) == pytest.approx({"NAME": 1 / 4, "CITY": 2 / 3})
