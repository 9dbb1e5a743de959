"""Documents and spans, merging, rewriting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision import Document, Span, covered, merge, rewrite
from elision.document import first_overlap
from elision.errors import DocumentError, OverlapError
from elision.merge import tidy
from tests.notes import note
from tests.strategies import spans_in, texts


def test_a_span_beyond_the_text_is_refused_with_a_hint() -> None:
    with pytest.raises(DocumentError, match=r"note 17: span 2–9 .* 3 characters; were the offsets counted in bytes"):
        Document("abc", "17", spans=(Span(2, 9, "DATE"),))


def test_spans_that_share_a_character_overlap() -> None:
    span = Span(2, 6, "A")
    assert [other for other in range(8) if span.overlaps(Span(other, other + 1, "B"))] == [2, 3, 4, 5]
    assert not span.overlaps(Span(3, 3, "B"))


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 2)])
def test_a_span_that_runs_backwards_is_refused(start: int, end: int) -> None:
    with pytest.raises(DocumentError, match="must not be negative or after the end"):
        Span(start, end, "DATE")


def test_half_a_character_is_refused() -> None:
    with pytest.raises(DocumentError, match=r"note 4: half a character .* at offset 2"):
        Document("ab\ud83d", "4")


def test_joints_lie_in_the_text_and_ascend() -> None:
    with pytest.raises(DocumentError, match="joints must ascend"):
        Document("abc", joints=(2, 1))
    with pytest.raises(DocumentError, match="joints must ascend"):
        Document("abc", joints=(0, 4))


def test_what_a_document_prints_holds_no_word_of_it() -> None:
    info = {"x": "Jane", "container:hl7": "MSH|Jane"}
    document = Document("Jane Roe", "Jane-Roe-4711", "4711", "Jane", known={"name": ("Jane Roe",)}, info=info)
    assert repr(document) == "<Document: 8 characters, 0 spans, id of 13, patient of 4>"
    assert repr(Document("Jane")) == "<Document: 4 characters, 0 spans>"
    assert "Jane" not in repr(Span(0, 4, "NAME_PATIENT", info={"note": "Jane"}))


def test_a_stronger_span_wins_and_the_weaker_keeps_the_rest() -> None:
    long = Span(0, 10, "NAME_PATIENT", score=0.6)
    strong = Span(4, 6, "DATE", score=0.9)
    assert merge([long, strong]) == (
        Span(0, 4, "NAME_PATIENT", score=0.6),
        strong,
        Span(6, 10, "NAME_PATIENT", score=0.6),
    )


@pytest.mark.parametrize(
    ("inner", "outer", "score", "stays"),
    [
        ("NATIONALITY", "ORGANIZATION", 0.82, False),
        ("CITY", "HOSPITAL", 0.82, False),
        ("NATIONALITY", "CITY", 0.82, False),
        ("CITY", "HOSPITAL", 0.9, True),  # nearly certain
        ("CITY", "STREET", 0.82, True),  # both are places
        ("NAME_PATIENT", "HOSPITAL", 0.82, True),
        ("HOSPITAL", "CITY", 0.82, True),
    ],
)
def test_a_school_named_after_a_faith_is_a_school(inner: str, outer: str, score: float, stays: bool) -> None:
    whole, part = Span(0, 18, outer, 0.5), Span(0, 7, inner, score)
    assert merge([whole, part]) == ((part, Span(7, 18, outer, 0.5)) if stays else (whole,))
    assert merge([Span(0, 7, outer, 0.5), part]) == (part,)


@pytest.mark.parametrize(
    ("spans", "tidied"),
    [
        ([Span(0, 5, "ROOM", 0.7), Span(3, 5, "ROOM", 0.9)], ["Rm 12"]),  # "Rm " and "12"
        ([Span(0, 5, "ROOM", 0.9), Span(5, 12, "CITY", 0.9)], ["Rm 12", "Leeds"]),
        ([Span(0, 2, "ROOM", 0.7), Span(3, 5, "ROOM", 0.9)], ["Rm", "12"]),
        ([Span(2, 6, "ROOM")], ["12"]),
        ([Span(5, 7, "CITY")], []),
        ([Span(7, 14, "CITY")], ["Leeds"]),  # and a narrow blank behind it
    ],
)
def test_what_is_left_of_a_span_is_tidied(spans: list[Span], tidied: list[str]) -> None:
    text = "Rm 12, Leeds\u2009;"
    assert [text[span.start : span.end] for span in tidy(text, merge(spans))] == tidied


def test_a_full_stop_before_what_is_left_goes() -> None:
    text = "Zedd. Elm Row 6, 2 Izq."
    left = tidy(text, [Span(4, 15, "STREET"), Span(17, 23, "STREET")])
    assert [text[span.start : span.end] for span in left] == ["Elm Row 6", "2 Izq."]


@given(st.data())
def test_merging_covers_the_same_characters_with_disjoint_spans(data: st.DataObject) -> None:
    text = data.draw(texts)
    spans = data.draw(spans_in(text, empty=True))
    merged = merge(spans)
    assert covered(merged) == covered(spans)
    assert first_overlap(merged) is None
    assert list(merged) == sorted(merged, key=lambda span: span.start)
    assert merge(merged) == merged


@given(st.data())
def test_disjoint_spans_stay_as_they_are(data: st.DataObject) -> None:
    text = data.draw(texts)
    spans = data.draw(spans_in(text, disjoint=True))
    assert merge(reversed(spans)) == spans


def test_merging_many_overlaps_takes_time_in_proportion() -> None:
    spans = [Span(i, i + 40_000, "X", score=i / 40_000) for i in range(40_000)]
    assert len(merge(spans)) == 40_000


def test_rewriting_edits_the_spans_and_nothing_else() -> None:
    document = note("Seen by [NAME_CLINICIAN Dr. Roe] on [DATE 3 May].")
    again = rewrite(document, ["Dr. Adeyemi", "9 June"])
    assert again.text == "Seen by Dr. Adeyemi on 9 June."
    assert [again.text_of(span) for span in again.spans] == ["Dr. Adeyemi", "9 June"]


def test_an_empty_span_inside_another_is_a_clash_too() -> None:
    hidden = Document("Jan SECRET was", spans=(Span(0, 10, "X"), Span(4, 4, "Y")))
    with pytest.raises(OverlapError, match="spans 0–10 and 4–4 overlap"):
        rewrite(hidden, ["<X>", "<Y>"])
    beside = Document("Jan", spans=(Span(0, 0, "Y"), Span(0, 3, "X"), Span(3, 3, "Y")))
    assert rewrite(beside, ["(", "Ada", ")"]).text == "(Ada)"


def test_rewriting_refuses_overlaps_and_miscounts() -> None:
    document = Document("abcdef", "9", spans=(Span(0, 3, "A"), Span(2, 5, "B")))
    with pytest.raises(OverlapError, match=r"note 9: spans 0–3 and 2–5 overlap; merge\(\) them first"):
        rewrite(document, ["x", "y"])
    with pytest.raises(DocumentError, match="1 replacements for 2 spans"):
        rewrite(document, ["x"])


def test_what_may_quote_the_original_does_not_follow() -> None:
    span = Span(0, 4, "NAME_PATIENT", info={"note": "Jane, not Joan"})
    around = {"container:hl7": "MSH|", "brat": "#1\tAnnotatorNotes\tJane"}
    again = rewrite(Document("Jane", "7", spans=(span,), known={"name": ("Jane",)}, info=around), ["Ada"])
    assert again == Document("Ada", "7", spans=(Span(0, 3, "NAME_PATIENT"),), info={"container:hl7": "MSH|"})


@given(st.data())
def test_text_outside_the_spans_is_unchanged(data: st.DataObject) -> None:
    text = data.draw(texts)
    spans = data.draw(spans_in(text, disjoint=True))
    order = data.draw(st.permutations(spans))
    joints = tuple(sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4))))
    document = Document(text, "n", spans=tuple(order), joints=joints)
    new = data.draw(st.lists(texts, min_size=len(spans), max_size=len(spans)))
    again = rewrite(document, new)
    assert [again.text_of(span) for span in again.spans] == new
    assert _outside(document) == _outside(again)
    assert len(again.joints) == len(joints)
    back = rewrite(again, [document.text_of(span) for span in order])
    assert back.text == text
    assert back.spans == document.spans


@given(st.data())
def test_joints_outside_the_spans_keep_their_place(data: st.DataObject) -> None:
    text = data.draw(texts)
    spans = data.draw(spans_in(text, disjoint=True))
    inside = {at for span in spans for at in range(span.start + 1, span.end)}
    joints = tuple(at for at in range(len(text) + 1) if at not in inside)
    again = rewrite(Document(text, "n", spans=spans, joints=joints), ["<>"] * len(spans))
    for old, new in zip(joints, again.joints, strict=True):
        assert text[old:].startswith(again.text[new:][:1]) or again.text[new:].startswith("<>")


def _outside(document: Document) -> list[str]:
    pieces, at = [], 0
    for span in sorted(document.spans, key=lambda span: (span.start, span.end)):
        pieces.append(document.text[at : span.start])
        at = span.end
    return [*pieces, document.text[at:]]
