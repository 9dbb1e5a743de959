from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from elision.document import Span
from elision.synth.edits import Edit, apply, insert

# Letters stand only in spans, digits only outside; edits inside write I, others O. Nothing can cross an edge unseen.
parts = st.lists(st.tuples(st.text("0123 \n", max_size=4), st.text("abc", min_size=1, max_size=5)), max_size=4)


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, list[Span], list[Edit]]:
    text, spans = "", []
    for outside, inside in draw(parts):
        text += outside or "0"
        middle = draw(st.sampled_from(["", " ", "\n"]))
        inside = f"{inside}{middle}{inside}"
        spans.append(Span(len(text), len(text) + len(inside), "NAME_PATIENT"))
        text += inside
    text += draw(st.text("0123 ", max_size=3))
    edits = []
    for start, size in draw(st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, 4)), max_size=8)):
        end = min(len(text), start + size)
        within = any(
            span.start <= start and end <= span.end and (end > start or span.start < start < span.end) for span in spans
        )
        new = (
            draw(st.sampled_from(["", "I", "II", " ", "I "]))
            if within
            else draw(st.sampled_from(["", "O", " ", "OO "]))
        )
        edits.append(Edit(start, end, new))
    return text, spans, edits


@given(changes())
def test_spans_follow_to_the_letter(case: tuple[str, list[Span], list[Edit]]) -> None:
    text, spans, edits = case
    changed, moved = apply(text, spans, edits)
    assert len(moved) == len(spans)
    at, outside = 0, ""
    for span in moved:
        piece = changed[span.start : span.end]
        assert re.fullmatch(r"[abcI][abcI \n]*", piece)
        assert piece == piece.strip()
        assert span.start >= at
        outside += changed[at : span.start]
        at = span.end
    assert re.fullmatch(r"[0123O \n]*", outside + changed[at:])


@given(changes())
def test_no_edit_changes_nothing(case: tuple[str, list[Span], list[Edit]]) -> None:
    text, spans, _ = case
    assert apply(text, spans, []) == (text, spans)


def test_the_first_of_overlapping_edits_counts() -> None:
    assert apply("abcdef", [], [Edit(0, 3, "X"), Edit(2, 4, "Y"), Edit(4, 5, "")])[0] == "Xdf"


def test_an_edit_across_an_edge_is_left_out() -> None:
    span = Span(2, 4, "DATE")
    for edit in (Edit(1, 3, "X"), Edit(3, 5, "X"), Edit(1, 5, "X"), Edit(2, 4, "")):
        assert apply("012345", [span], [edit]) == ("012345", [span])


def test_what_is_put_in_at_an_edge_stays_outside() -> None:
    text, spans = apply("ab", [Span(0, 2, "DATE")], [Edit(0, 0, "<"), Edit(2, 2, ">")])
    assert (text, spans) == ("<ab>", [Span(1, 3, "DATE")])


def test_a_piece_with_spans_goes_between() -> None:
    text, spans = insert("ab cd", [Span(0, 2, "DATE"), Span(3, 5, "DATE")], 3, "xy ", [Span(0, 2, "AGE")])
    assert text == "ab xy cd"
    assert [(span.label, text[span.start : span.end]) for span in spans] == [
        ("DATE", "ab"),
        ("AGE", "xy"),
        ("DATE", "cd"),
    ]


def test_no_piece_goes_into_a_span() -> None:
    assert insert("abcd", [Span(0, 4, "DATE")], 2, "x", []) == ("abcd", [Span(0, 4, "DATE")])
