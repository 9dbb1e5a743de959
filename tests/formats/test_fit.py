"""What a format cannot hold is counted, and what may not go is refused."""

from __future__ import annotations

import pytest

from elision.document import Document, Span
from elision.errors import CannotHoldError
from elision.formats import FORMATS, Remarks
from elision.formats.format import fit
from tests.notes import note

RICH = Document(
    "Jane Roe, 3 May",
    "7",
    patient="p1",
    language="en",
    spans=(Span(0, 8, "NAME_PATIENT", 0.5, "crf", {"note": "seen", "feature:x": "1"}), Span(10, 15, "DATE")),
    known={"name": ("Jane Roe", "Roe")},
    joints=(0, 10),
    info={"container:hl7": "MSH|", "doccano:meta": "{}"},
)


def test_all_that_goes_is_counted() -> None:
    remarks = Remarks()
    fitted = fit(RICH, FORMATS["i2b2-2014"], remarks)
    assert fitted == Document("Jane Roe, 3 May", "7", spans=(Span(0, 8, "NAME_PATIENT"), Span(10, 15, "DATE")))
    told = "\n".join(remarks.lines())
    for what in (
        "patient ids",
        "languages",
        "known values",
        "joints",
        "span scores",
        "span sources",
        "'container:hl7'",
    ):
        assert what in told
    assert "known values: 2 (first in note 7)" in told


def test_a_container_goes_into_no_format_but_its_own() -> None:
    for format in FORMATS.values():
        kept = fit(RICH, format, Remarks()).info
        assert ("container:hl7" in kept) == (format.name == "hl7v2")


def test_what_fits_is_the_same_object() -> None:
    document = note("[DATE 3 May]")
    assert fit(document, FORMATS["jsonl"], Remarks()) is document


def test_spans_grow_to_tokens_where_a_format_has_only_those() -> None:
    remarks = Remarks()
    fitted = fit(note("con [AGE 52 años]ingresó [DATE  3 May]"), FORMATS["conll"], remarks)
    assert [fitted.text_of(span) for span in fitted.spans] == ["52 añosingresó", "3 May"]
    assert any("cut a token (they grew to it): 1" in line for line in remarks.lines())
    assert any("white space at the edges of spans: 1" in line for line in remarks.lines())


def test_overlaps_and_labels_with_blanks_are_refused_where_they_cannot_be_held() -> None:
    overlapping = Document("abcdef", "9", spans=(Span(0, 3, "A"), Span(2, 5, "B")))
    with pytest.raises(CannotHoldError, match=r"note 9: spans 0–3 and 2–5 overlap, which conll cannot hold"):
        fit(overlapping, FORMATS["conll"], Remarks())
    blank = Document("abcdef", "9", spans=(Span(0, 3, "A B"),))
    with pytest.raises(CannotHoldError, match="white space; map the labels"):
        fit(blank, FORMATS["brat"], Remarks())
