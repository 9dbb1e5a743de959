"""What is looked for in a note that comes out, and what is not."""

from __future__ import annotations

import pytest
from hypothesis import given

from elision.detect.doubt import LEAST, USED
from elision.replace.originals import _PLAIN, SURE, Originals, plain, squeezed
from tests.strategies import texts

FOUND = [  # label, original, text, what of it is found
    ("NAME_PATIENT", "Jane Roe", "and ROE said", ["ROE"]),
    ("NAME_PATIENT", "Jane Roe", "roe jane", ["roe jane"]),
    ("NAME_PATIENT", "Jane Roe", "JANE.ROE, JaneRoe, Roe, Jane", ["JANE.ROE", "JaneRoe", "Roe, Jane"]),
    ("NAME_PATIENT", "Ana María Roe Poe", "MARIA ROE came", ["MARIA ROE"]),
    ("NAME_PATIENT", "Hope White", "hope white, WHITE; White", ["hope white", "White"]),
    ("NAME_PATIENT", "José Núñez", "JOSE NUNEZ", ["JOSE NUNEZ"]),
    ("NAME_PATIENT", "Nunez", "Núñez-Paz", ["Núñez"]),
    ("NAME_PATIENT", "Rowntree", "the Rowntrees came", ["Rowntrees"]),
    ("NAME_PATIENT", "Grant Neurología", "Neurología", ["Neurología"]),
    ("NAME_PATIENT", "van der Poel", "van der Laan, poel", ["poel"]),
    ("NAME_PATIENT", "May Roe", "May came in May, she may", ["May", "May"]),
    ("NAME_PATIENT", "R\u200boe\u200b", "Roe", ["Roe"]),
    ("NAME_PATIENT", "Roe", "Ｒｏｅ", ["Ｒｏｅ"]),
    ("NAME_PATIENT", "李小明", "患者李小明来", ["李小明"]),
    ("NAME_PATIENT", "李〇", "患者李〇来", ["李〇"]),
    ("NAME_PATIENT", "佐々木", "佐々木来", ["佐々木"]),
    ("NAME_PATIENT", "Jane Roe", "々Roe来", ["Roe"]),
    ("NAME_PATIENT", "Jane Roe", "找Roe々", ["Roe"]),
    ("NAME_OTHER", "Leeds", "于Leeds々", ["Leeds"]),
    ("NAME_OTHER", "〇々", "于〇々", ["〇々"]),
    ("NAME_OTHER", "Dr. Poe", "Poe, Dr.", ["Poe"]),
    ("STREET", "12 Elm Row Lane", "lives 12, elm row-lane", ["12, elm row-lane"]),
    ("MEDICAL_RECORD", "12-34-567", "MRN 1234567, 12 34 567", ["1234567", "12 34 567"]),
    ("MEDICAL_RECORD", "AB123", "no. ab123", ["ab123"]),
    ("PHONE", "555 010 4321", "555-0104321", ["555-0104321"]),
    ("EMAIL", "a.roe@b.org", "A.Roe@b.org", ["A.Roe@b.org"]),
    ("DATE", "3 May 2001", "on 3-may-2001", ["3-may-2001"]),
    ("HOSPITAL", "St. Anne Clinic", "st anne clinic", ["st anne clinic"]),
]
LEFT = [
    ("NAME_OTHER", "Toprol", "metoprolol, Toprolol"),
    ("NAME_OTHER", "Rowntree", "Rowntreesque, McRowntrees"),
    ("NAME_OTHER", "Bell Hope", "a bell of hope"),
    ("NAME_OTHER", "see", "see, See"),
    ("CITY", "Bath", "born in Bath"),
    ("STATE", "Georgia", "from Georgia"),
    ("DEPARTMENT", "Cardiology", "Cardiology, cardiology"),
    ("DEPARTMENT", "Ward of Medicine", "ward of medicine"),
    ("ROOM", "fourteen", "fourteen"),
    ("CARE_FACILITY", "Clinic", "date of clinic"),
    ("USERNAME", "surgery", "surgery"),
    ("NAME_PATIENT", "Ana", "analysis, banana"),
    ("NAME_PATIENT", "Roe", "heroes, Roermond"),
    ("NAME_PATIENT", "May Roe", "she may come; MAYBE"),
    ("NAME_PATIENT", "de la Vega", "de la casa"),
    ("NAME_PATIENT", "Dr. Roe", "the Dr. came"),
    ("NAME_PATIENT", "J.", "J. and j"),
    ("INITIALS", "JR", "JR"),
    ("AGE", "65", "65 mg, aged 65"),
    ("PROFESSION", "nurse", "the nurse"),
    ("CITY", "Bath", "took a bath"),
    ("DATE", "3/5", "strength 3/5"),
    ("ID_OTHER", "123", "123 mg"),
    ("ID_OTHER", "12345", "at 123456 and 12 345"),
    ("MEDICAL_RECORD", "1234567", "91234567"),
    ("HOSPITAL", "Anne", "Anne"),
]


@pytest.mark.parametrize(("label", "original", "text", "stretches"), FOUND)
def test_what_still_stands_there_is_found(label: str, original: str, text: str, stretches: list[str]) -> None:
    found = Originals([(label, original)]).remaining(text)
    assert [text[one.start : one.end] for one in found] == stretches
    assert {one.label for one in found} == {label}


@pytest.mark.parametrize(
    ("label", "original", "text", "least"),
    [
        ("NAME_PATIENT", "Jane Roe", "ROE, JANE", SURE),
        ("NAME_PATIENT", "Jane Roe", "Roe", LEAST),
        ("NAME_PATIENT", "Hope Roe", "Hope", USED),
        ("NAME_PATIENT", "李小明", "李小明", SURE),
        ("NAME_PATIENT", "高兴", "高兴", LEAST),
        ("MEDICAL_RECORD", "12-34-567", "1234567", SURE),
        ("STREET", "Elm Row Lane", "elm row lane", SURE),
        ("EMAIL", "jane@roe.org", "jane@roe.org", SURE),
        ("USERNAME", "janeroe", "janeroe", LEAST),
        ("DATE", "3 May 2001", "3 may 2001", SURE),
        ("HOSPITAL", "St. Anne Clinic", "St. Anne Clinic", LEAST),
        ("CARE_FACILITY", "Clinic", "Clinic", USED),
    ],
)
def test_how_much_doubt_there_is(label: str, original: str, text: str, least: float) -> None:
    (found,) = Originals([(label, original)], "en").remaining(text)
    assert found.least == least


def test_words_of_what_may_be_no_name_are_doubted_more() -> None:
    pairs = [("NAME_OTHER", "Zedd"), ("NAME_PATIENT", "Poe Zedd"), ("NAME_OTHER", "Quill")]
    found = Originals(pairs, "en", frozenset((pairs[0], pairs[2]))).remaining("Zedd, Quill, Poe Zedd")
    assert [one.least for one in found] == [LEAST, USED, SURE]


def test_words_that_the_language_uses_are_looked_for_in_the_same_letters_only() -> None:
    name, text = [("NAME_OTHER", "Mesa Zed")], "en la mesa; MESA; Mesa"
    assert [text[one.start : one.end] for one in Originals(name, "nl").remaining(text)] == ["mesa", "MESA", "Mesa"]
    assert [text[one.start : one.end] for one in Originals(name, "es").remaining(text)] == ["Mesa"]


@pytest.mark.parametrize(("label", "original", "text"), LEFT)
def test_what_says_nothing_is_left(label: str, original: str, text: str) -> None:
    assert Originals([(label, original)], "en").remaining(text) == []


def test_a_stand_in_that_holds_an_original_is_known() -> None:
    originals = Originals([("NAME_PATIENT", "Ana Roe"), ("MEDICAL_RECORD", "12-34-567"), ("CITY", "Bath")])
    assert all(map(originals.within, ("Roe", "MONROE", "Mariana", "1234567", "no. 12.34.567", "Bathgate")))
    assert not any(map(originals.within, ("Poe", "Maria", "7654321", "", "Leeds")))


@given(texts, texts)
def test_any_text_can_be_searched_for_any_name(name: str, text: str) -> None:
    for start, end, label, _ in Originals([("NAME_OTHER", name), ("ID_OTHER", name)]).remaining(text):
        assert 0 <= start < end <= len(text)
        assert label in ("NAME_OTHER", "ID_OTHER")


@given(texts)
def test_plain_text_has_the_same_length(text: str) -> None:
    assert len(plain(text)) == len(text)
    assert plain(plain(text)) == plain(text)


@pytest.mark.parametrize("first", range(0, 0x3400, 0x100))
def test_quick_ways_change_nothing(first: int) -> None:
    """ASCII, Latin-1 and Chinese are made plain at once, all else letter by letter: the same comes out."""
    letters = "".join(map(chr, range(first, first + 0x100)))
    for text in (letters, *letters, *(f"Ab{letter}Z-9 李" for letter in letters)):
        assert plain(text) == text.translate(_PLAIN)
        assert squeezed(text) == "".join(filter(str.isalnum, text))


@given(texts)
def test_quick_ways_change_nothing_in_any_text(text: str) -> None:
    assert plain(text) == text.translate(_PLAIN)
    assert squeezed(text) == "".join(filter(str.isalnum, text))
