"""Patient memory: what one note says is searched in the others of the patient, and in no one else's."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from elision.detect import by_patient, remember, with_memory
from elision.document import Document, Span, covered
from tests.notes import note
from tests.strategies import fewer, spans_in, texts


def detector(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    """Finds what the note marks."""
    return [document.spans for document in documents]


def said(document: Document, spans: Sequence[Span]) -> list[str]:
    return [document.text_of(span) for span in spans if span.source.startswith("memory:")]


def of(patient: str, marked: str, id: str = "1") -> Document:
    made = note(marked, id)
    return Document(made.text, id, patient, spans=made.spans)


NOTES = [
    of("p1", "Patient: [NAME_PATIENT Jane Roe], tel [PHONE 06-12345678]. [CITY Teruel] Roe is well.", "1"),
    of("p1", "JANE came; ROE, J. called from 06 12345678. Teruel. Featherstone.", "2"),
    of("p2", "Roe is the name of someone else. [NAME_CLINICIAN Dr. Featherstone]", "3"),
    of("", "[NAME_PATIENT Quintero] then Quintero", "4"),
    of("", "Quintero is another's here", "5"),
]


def test_memory_reaches_all_notes_of_a_patient_and_no_others() -> None:
    found = with_memory(detector)(NOTES)
    assert [said(document, spans) for document, spans in zip(NOTES, found, strict=True)] == [
        ["Roe"], ["JANE", "ROE, J.", "06 12345678"], [], ["Quintero"], [],
    ]  # fmt: skip
    assert [span.label for span in found[1]] == ["NAME_PATIENT", "NAME_PATIENT", "PHONE"]
    assert found[1][0].source == "memory:NAME_PATIENT"


def test_the_switch() -> None:
    assert with_memory(detector, on=False) is detector


def test_what_is_not_sure_is_not_remembered() -> None:
    unsure = [Document("Roe, then Roe", spans=(Span(0, 3, "NAME_PATIENT", 0.7),))]
    assert said(unsure[0], with_memory(detector)(unsure)[0]) == []
    assert said(unsure[0], with_memory(detector, sure=0.6)(unsure)[0]) == ["Roe"]


def test_notes_of_a_patient_need_not_stand_together_in_a_call() -> None:
    mixed = [NOTES[0], NOTES[2], NOTES[1]]
    assert with_memory(detector)(mixed)[2] == with_memory(detector)(NOTES)[1]


def test_a_stream_comes_in_portions() -> None:
    assert [[document.id for document in together] for together in by_patient(iter(NOTES))] == [
        ["1", "2"],
        ["3"],
        ["4"],
        ["5"],
    ]
    streamed = [spans for together in by_patient(NOTES) for spans in with_memory(detector)(together)]
    assert streamed == with_memory(detector)(NOTES)


@fewer
@given(st.data())
def test_memory_only_adds(data: st.DataObject) -> None:
    notes = [Document(text) for text in data.draw(st.lists(texts, max_size=3))]
    found = [data.draw(spans_in(document.text)) for document in notes]
    for document, before, after in zip(notes, found, remember(notes, found), strict=True):
        assert after[: len(before)] == before
        for span in after[len(before) :]:
            assert 0 <= span.start < span.end <= len(document.text)
            assert (span.start, span.end) not in covered(before)


def test_a_spoken_mark_is_not_remembered() -> None:
    dictated = of("", "SEEN BY DR [NAME_CLINICIAN PERIOD] MARTINEZ PERIOD CALVES SOFT PERIOD")
    assert said(dictated, with_memory(detector)([dictated])[0]) == []
