"""Patient memory: what one note says is searched in the others of the patient, and in no one else's."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.detect import Finder, by_patient, recall, remember, with_memory
from elision.document import Document, Span, covered
from tests.detect.variants import disguised, grouped
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
    found = with_memory(detector).detect(NOTES)
    assert [said(document, spans) for document, spans in zip(NOTES, found, strict=True)] == [
        ["Roe"], ["JANE", "ROE, J.", "06 12345678"], [], ["Quintero"], [],
    ]  # fmt: skip
    assert [span.label for span in found[1]] == ["NAME_PATIENT", "NAME_PATIENT", "PHONE"]
    assert found[1][0].source == "memory:NAME_PATIENT"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Gehman, Terrell", ["Gehman", "Terrell"]),  # two people
        ("Gehman, Lois; TERRELL, A.", ["Gehman, Lois", "TERRELL, A."]),
        ("Lois Gehman  L4417", ["Lois Gehman"]),
        ("Lois Gehman   L   4417", ["Lois Gehman"]),
        ("Lois Gehman L.", ["Lois Gehman L."]),
        ("Gehman     Lois", ["Gehman", "Lois"]),  # columns
        ("Gehman\tLois", ["Gehman", "Lois"]),
        ("Lois  Gehman", ["Lois  Gehman"]),
        ("Lois\nGehman", ["Lois\nGehman"]),
    ],
)
def test_a_find_is_of_one_person_and_in_one_column(text: str, found: list[str]) -> None:
    told = of("p", "[NAME_CLINICIAN Lois Gehman] and [NAME_CLINICIAN Ada Terrell]")
    later = of("p", text, "2")
    assert said(later, with_memory(detector).detect([told, later])[1]) == found


def test_the_switch() -> None:
    assert with_memory(detector, on=False).detect(NOTES) == detector(NOTES)


def test_what_is_not_sure_is_not_remembered() -> None:
    unsure = [Document("Roe, then Roe", spans=(Span(0, 3, "NAME_PATIENT", 0.7),))]
    assert said(unsure[0], with_memory(detector).detect(unsure)[0]) == []
    assert said(unsure[0], with_memory(detector, sure=0.6).detect(unsure)[0]) == ["Roe"]


def test_notes_of_a_patient_need_not_stand_together_in_a_call() -> None:
    mixed = [NOTES[0], NOTES[2], NOTES[1]]
    assert with_memory(detector).detect(mixed)[2] == with_memory(detector).detect(NOTES)[1]


def test_a_stream_comes_in_portions() -> None:
    assert [[document.id for document in together] for together in by_patient(iter(NOTES))] == [
        ["1", "2"],
        ["3"],
        ["4"],
        ["5"],
    ]
    streamed = [spans for together in by_patient(NOTES) for spans in with_memory(detector).detect(together)]
    assert streamed == with_memory(detector).detect(NOTES)


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
    assert said(dictated, with_memory(detector).detect([dictated])[0]) == []


NUMBERS = st.text("0123456", min_size=1, max_size=11)
WRITTEN = (
    NUMBERS
    | NUMBERS.filter(lambda number: len(number) > 1).flatmap(grouped)
    | NUMBERS.map("+316{}".format)
    | NUMBERS.map("0031{}".format)
    | NUMBERS.map("{} ext 12".format)
    | NUMBERS.map("{} #1".format)
    | NUMBERS.map("AB-{}".format)
)


@st.composite
def notes_with(draw: st.DrawFn, values: Sequence[str]) -> str:
    """Notes in which some of these values stand, or what is like them."""
    words = st.sampled_from(["MRN", "tel.", "on", "\n", "12", "0"]) | NUMBERS
    for value in values:
        bare = "".join(filter(str.isdigit, value))
        like = [value, bare, bare[-7:], f"0{bare}", f"+31 {bare.lstrip('0')}", f"00{bare}", *disguised(value)]
        words |= st.sampled_from(like)
    return draw(st.sampled_from(" -/.")).join(draw(st.lists(words, max_size=8)))


@given(st.data(), st.lists(WRITTEN, max_size=4), st.lists(WRITTEN, max_size=4))
def test_numbers_that_a_note_cannot_hold_are_left_out_and_no_others(
    data: st.DataObject, phones: list[str], codes: list[str]
) -> None:
    notes = [Document(data.draw(notes_with([*phones, *codes]))) for _ in range(2)]
    known = {"PHONE": phones, "MEDICAL_RECORD": codes, "ID_OTHER": phones[:1]}
    finder = Finder(known, "memory")
    assert recall(known, notes, [(), ()]) == [finder.spans(document.text) for document in notes]


@pytest.mark.parametrize(
    ("phone", "text"),
    [
        ("201 000 0012", "call 00012"),  # an area before seven digits, most of them zeros
        ("555 0134 #9", "call 5550134"),
        ("+31 6 0012 3456", "06-00123456"),
        ("201 000 0012", "tel 201 000"),
    ],
)
def test_a_number_stands_without_its_area_its_country_and_its_extension(phone: str, text: str) -> None:
    known = {"PHONE": [phone]}
    assert recall(known, [Document(text)], [()]) == [Finder(known, "memory").spans(text)]
