"""Two annotations as one, on the safe side, and the two checks that look through all notes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span, covered
from elision.evaluate.adjudication import Doubt, adjudicated, doubts, united
from tests.notes import note

TEXT = "Seen by Dr. Roe on 3 May 2016/2017 in the clinic."
BOTH = {
    "both alike": ("Seen by [A Roe].", "Seen by [A Roe].", "Seen by [A Roe]."),
    "one alone": ("Seen by [A Roe].", "Seen by Roe.", "Seen by [A Roe]."),
    "the other alone": ("Seen by Roe.", "Seen by [A Roe].", "Seen by [A Roe]."),
    "the longer wins": ("Seen by Dr. [A Roe].", "Seen by [B Dr. Roe].", "Seen by [B Dr. Roe]."),
    "one over two": ("[D 2016/2017]", "[Y 2016]/[Y 2017]", "[D 2016/2017]"),
    "neither within the other": ("[A Ann Roe] Lund", "Ann [B Roe Lund]", "[B Ann Roe Lund]"),
    "equal ones: the first": ("[A Roe]", "[B Roe]", "[A Roe]"),
    "side by side": ("[A Ann ]Roe", "Ann [B Roe]", "[A Ann ][B Roe]"),
}


@pytest.mark.parametrize("case", BOTH)
def test_two_annotations_are_one(case: str) -> None:
    one, other, both = (note(marked, "1") for marked in BOTH[case])
    assert adjudicated([one], [other]) == [both]


def test_a_note_of_one_side_stays_as_it_is() -> None:
    one, other = note("[A Roe]", "1"), note("[B Lund]", "2")
    assert adjudicated([one, note("Well.", "3")], [other, note("Well.", "3")]) == [note("Well.", "3"), one, other]


SPANS = st.lists(
    st.tuples(st.integers(0, 20), st.integers(1, 8), st.sampled_from("AB")).map(
        lambda s: Span(s[0], s[0] + s[1], s[2])
    ),
    max_size=8,
)


@given(SPANS, SPANS)
def test_what_either_has_marked_is_marked_and_nothing_else(one: list[Span], other: list[Span]) -> None:
    both = list(united([*one, *other]))
    assert covered(both) == covered([*one, *other])
    assert all(a.end <= b.start for a, b in pairwise(both))
    assert {span.label for span in both} <= {span.label for span in (*one, *other)}


@given(SPANS)
def test_an_annotation_with_itself_is_itself_where_nothing_overlaps(spans: list[Span]) -> None:
    once = list(united(spans))
    assert list(united([*once, *once])) == once


NOTES = [
    note("Lives at [CARE Het Anker], with [NAME Ilse Quorn].", "1"),
    note("Moved to [CARE Het  Anker] with Ilse.", "2"),
    note("Back from [ORG Het Anker]; Ilse Quorn called. BP 60.", "3"),
    note("[AGE 60] years, seen in the Ankerhof.", "4"),
]


def test_the_same_words_under_another_label_and_not_marked_are_told() -> None:
    assert doubts(NOTES) == [
        Doubt("3", 10, 19, "ORG", "other-label", "CARE", 2),
        Doubt("3", 21, 31, "NAME", "not-marked", "NAME", 1),
    ]


def test_what_is_told_once_is_not_told_again_within_itself() -> None:
    notes = [note("[NAME Ilse Quorn] and [NAME Quorn].", "1"), note("Ilse Quorn called, then Quorn.", "2")]
    assert [(one.start, one.end) for one in doubts(notes)] == [(0, 10), (24, 29)]


def test_notes_without_spans_hold_no_doubt() -> None:
    assert doubts([Document(TEXT, "1")]) == []
    assert doubts([]) == []
