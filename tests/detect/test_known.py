"""Known values: every way to write one is found where it stands, and nothing where none stands."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import date
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.detect import Finder, KnownValues
from elision.detect.spelling import Spelling
from elision.document import Document, covered
from elision.labels import canonical
from tests.detect.variants import FAMILY, GIVEN, dates_written, disguised, grouped, names_written, slip
from tests.notes import note
from tests.strategies import fewer, spans_in, texts

BEFORE = [
    "",
    "Seen today: ",
    "El paciente ",
    "Opgenomen wegens ",
    "BP 120/80, 3/5 strength; ",
    "患者",
    "(",
    "x" * 40 + " ",
]
AFTER = ["", ".", " was admitted.", " con fiebre", ", 54 years", "'s mother", "\n\nPlan: rest", " 入院。", ")"]
HARMLESS = [
    "BP 120/80, HR 72, T 37.5. Strength 5/5 and 3/5, reflexes 2+. Foley in situ. L4-L5, C5/C6.",
    "Paciente varón de 45 años con dolor torácico de 3 horas, sin fiebre. Hb 12,5 g/dl, leucocitos 8.700.",
    "Patiënt met pijn op de borst, geen koorts. RR 130/85, pols 80. Paracetamol 4 dd 1000 mg.",
    "患者三天前出现发热，体温38.5度，血压120/80，入院后给予抗感染治疗。小便正常，小时候体健。",
    "May be discharged in June. The will to live. He will rest long. Grace period. Brown sputum, mark on the hand.",
    "de la misma forma; van de afdeling; y de los demás. Calle arriba, street drugs, st elevation, no. 3.",
]
KNOWN: dict[str, tuple[str, ...]] = {
    "name": ("Jane Anna Roe", "Dra. Ana de la Cruz Quintero", "Willem van der Hoogenboom", "李明华", "欧阳娜"),
    "relative": ("Bob Featherstone",),
    "birth_date": ("1958-05-04",),
    "mrn": ("4711", "AB-00123456", "17"),
    "phone": ("+31 6 1234 5678", "(555) 013-4477"),
    "email": ("jane.roe58@example.org",),
    "address": (
        "12 Elm Street",
        "9711 AB",
        "Groningen",
        "Keizersgracht 215 bis",
        "Calle de la Luz, 7, 3º izq, 28013 Teruel",
    ),
    "ssn": ("123-45-6789",),
    "employer": ("Acme Steel Works",),
}
TABLE = [
    ("initials", "[NAME_PATIENT J. Roe], [NAME_PATIENT J.A. Roe]; [NAME_PATIENT Roe JA]; [NAME_PATIENT Roe, J.A.]"),
    ("no initials", "[NAME_PATIENT Roe]   A.O.B.: 4; [NAME_PATIENT Jane ROE], A.D. 3"),
    ("initials alone", "signed [NAME_PATIENT J.R.] at 5 P.M."),
    ("parts", "[NAME_PATIENT Roe] said; then [NAME_PATIENT Jane] slept"),
    ("possessive", "[NAME_PATIENT Jane]'s arm; [NAME_PATIENT Roes] arm"),
    ("particles", "[NAME_PATIENT van der Hoogenboom]; [NAME_PATIENT Hoogenboom, W. van der]"),
    ("particles, glued", "[NAME_PATIENT vanderHoogenboom]; [NAME_PATIENT Vanderhoogenboom]"),
    ("Spanish", "[NAME_PATIENT de la Cruz]; Sra. [NAME_PATIENT Quintero]; [NAME_PATIENT De La Cruz Quintero, Ana]"),
    ("no particle of ours", "[NAME_PATIENT Quintero] de la unidad"),
    ("two people", "[NAME_PATIENT Jane Roe], [NAME_RELATIVE Bob Featherstone]"),
    ("glued", "Paciente[NAME_PATIENT Roe]Col"),
    ("slips", "[NAME_PATIENT Willme]; [NAME_PATIENT Hogenbooom]; [NAME_RELATIVE Bob Fetherston]"),
    ("Chinese", "[NAME_PATIENT 李明华]女士，[NAME_PATIENT 李]女士，[NAME_PATIENT 明华]，[NAME_PATIENT 李]某"),
    ("Chinese, two characters", "[NAME_PATIENT 欧阳]先生和[NAME_PATIENT 欧阳娜]"),
    ("dates", "[DATE_BIRTH 4 May 1958]; [DATE_BIRTH 5/4/58]; [DATE_BIRTH May 4th]; 4/5 strength"),
    ("Roman", "[DATE_BIRTH 04.V.1958]"),
    ("no birth date", "on 4 May 2021; 4/5/2021; 1958 ml; May 2021"),
    ("Chinese dates", "生于[DATE_BIRTH 一九五八年五月四日]，民国[DATE_BIRTH 47年5月4日]，[DATE_BIRTH 5月4日]出生"),
    ("born", "born in [DATE_BIRTH 1958]; [DATE_BIRTH May 1958]"),
    ("short numbers", "MRN [MEDICAL_RECORD 4711]; 4711.5; 3/4711; MRN is [MEDICAL_RECORD 17]; 17 mg"),
    ("numbers", "[MEDICAL_RECORD AB 00 123 456]; [MEDICAL_RECORD ab00123456]; [NATIONAL_ID 123 45 6789]; 99123456789"),
    ("phones", "[PHONE 06-12345678]; [PHONE (+31) (0)6 1234 5678]; [PHONE 0031612345678]; [PHONE 555.013.4477]"),
    ("phones, more", "[PHONE +1 (555) 013-4477]; [PHONE 013-4477]"),
    ("mail", "[EMAIL jane.roe58@example.org]; [EMAIL JANE.ROE58 at example dot org]; [EMAIL jane.roe58]@elsewhere.org"),
    ("streets", "[STREET 12 Elm St]; [STREET Elm street, 12]; [STREET keizersgracht 215 bis]; elm tree"),
    ("places", "[ZIP 9711ab] [CITY GRONINGEN]; [STREET C/ de la Luz, 7, 3º izq]; luz; [ZIP 28013] [CITY Teruel]"),
    ("other", "works at [ORGANIZATION ACME Steel-Works]"),
]  # fmt: skip


def strongest(text: str, known: Mapping[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """Label and text of what is found, less what lies inside of something else."""
    spans = Finder(known).spans(text)
    kept = [
        span
        for span in spans
        if not any(
            other is not span and other.start <= span.start and span.end <= other.end and len(other) > len(span)
            for other in spans
        )
    ]
    return [(span.label, text[span.start : span.end]) for span in kept]


@pytest.mark.parametrize("marked", [row[1] for row in TABLE], ids=[row[0] for row in TABLE])
def test_what_is_found(marked: str) -> None:
    document = note(marked)
    assert strongest(document.text, KNOWN) == [(span.label, document.text_of(span)) for span in document.spans]


@pytest.mark.parametrize("text", HARMLESS)
def test_nothing_is_found_in_notes_that_hold_none(text: str) -> None:
    common = {"name": ("May Brown", "Rosa Long", "Will Groot", "Mark Hand", "李便", "X"), "mrn": ("3", "12", "120")}
    for known in (KNOWN, common):
        assert Finder(known).spans(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Mrs. May came", ["May"]),
        ("May Brown came; Brown, May", ["May Brown", "Brown, May"]),
        ("M. Brown; May B.", ["M. Brown", "May B."]),
        ("in May with brown stool", []),
        ("Mr X came", ["X"]),
        ("Name: May\nSurname: Brown", ["May", "Brown"]),
        ("Ms Li; Li carbonate", ["Li"]),
    ],
)
def test_common_and_short_words_need_company(text: str, found: list[str]) -> None:
    assert [words for _, words in strongest(text, {"name": ("May Brown", "X", "Li")})] == found


SHORT = [
    ("NG feels well. NG's mother", ["NG", "NG"]),
    ("Seen by Ng, and by ng", ["Ng"]),
    ("NG tube in place, NG-tube out, sonda NG, NG/OG, NG output", []),
    ("Ng 4.5; NG: 12; 40 NG", []),
    ("NG feels well; NG tube", ["NG"]),
    ("HE said: NO fever. An ECG, SO he left; MA", []),
    ("Ms HE and Mr. No", ["HE", "No"]),
]


@pytest.mark.parametrize(("text", "found"), SHORT)
def test_a_known_name_of_two_letters_counts_alone_if_it_is_no_abbreviation(text: str, found: list[str]) -> None:
    assert [words for _, words in strongest(text, {"name": ("Mei Ng", "So He", "An No", "Ma")})] == found


@pytest.mark.parametrize(
    "value", ["Calle Pedro Olmedo, 28, Bajo A", "Avda. Quintero s/n", "Av. San Telmo, 47 - 4º Dcha"]
)
def test_an_address_is_found_as_it_is_stated(value: str) -> None:
    text = f"Domicilio: {value}."
    assert covered(Finder({"address": (value,)}).spans(text)) == [(11, 11 + len(value))]


@pytest.mark.parametrize("value", ["agosto de 2002", "2002-08", "2002", "3/8/2002", "some day"])
def test_a_date_is_found_as_it_is_stated(value: str) -> None:
    assert covered(Finder({"admission_date": (value,)}).spans(f"in {value}.")) == [(3, 3 + len(value))]


def planted(text: str, variant: str, before: str, known: Mapping[str, tuple[str, ...]]) -> set[tuple[int, int]]:
    start = len(before)
    spans = Finder(known).spans(text)
    return {stretch for stretch in covered(spans) if stretch[0] < start + len(variant) and stretch[1] > start}


@given(st.data(), st.sampled_from(GIVEN), st.sampled_from(FAMILY), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_every_way_to_write_a_name(data: st.DataObject, first: str, family: str, before: str, after: str) -> None:
    variant = data.draw(st.sampled_from(names_written(first, family)))
    found = planted(before + variant + after, variant, before, {"name": (f"{first} {family}",)})
    assert found == {(len(before), len(before) + len(variant))}


@given(st.data(), st.sampled_from(BEFORE), st.sampled_from(AFTER))
def test_a_slip(data: st.DataObject, before: str, after: str) -> None:
    family = data.draw(st.sampled_from([name for name in FAMILY if len(name) > 4]))
    half = len(family) // 2 if len(family) > 8 else 0
    variant = (data.draw(slip(family[:half])) if half else "") + data.draw(slip(family[half:]))
    found = planted(before + variant + after, variant, before, {"name": (f"Jane {family}",)})
    assert found == {(len(before), len(before) + len(variant))}


@given(st.data(), st.sampled_from(GIVEN), st.sampled_from(FAMILY))
def test_disguises(data: st.DataObject, first: str, family: str) -> None:
    plain = data.draw(st.sampled_from([f"{first} {family}", "0612-345-678", "4 May 1958"]))
    variant = data.draw(st.sampled_from(disguised(plain)))
    known = {"name": (f"{first} {family}",), "phone": ("0612345678",), "birth_date": ("1958-05-04",)}
    text = f"Seen: {variant} today"
    hidden = {at for start, end in covered(Finder(known).spans(text)) for at in range(start, end)}
    telling = {at + 6 for at, character in enumerate(variant) if character.isalnum()}
    assert telling <= hidden
    assert hidden <= set(range(6, 6 + len(variant)))


@given(st.data(), st.dates(date(1910, 1, 1), date(2024, 12, 31)), st.sampled_from(["", "Seen. ", "患者", "x " * 30]))
def test_every_way_to_write_the_birth_date(data: st.DataObject, day: date, before: str) -> None:
    variant = data.draw(st.sampled_from(dates_written(day)))
    for value in (day.isoformat(), f"{day:%Y%m%d}"):
        found = planted(f"{before}{variant} .", variant, before, {"birth_date": (value,)})
        assert found == {(len(before), len(before) + len(variant))}


@given(st.data(), st.text("0123456789", min_size=7, max_size=14), st.sampled_from(["", "id ", "患者", "tel. "]))
def test_every_grouping_of_a_number(data: st.DataObject, digits: str, before: str) -> None:
    if not digits.lstrip("0")[6:]:
        return
    variant = data.draw(grouped(digits))
    for kind in ("mrn", "phone", "ssn"):
        stated = data.draw(grouped(digits))
        found = planted(f"{before}{variant} .", variant, before, {kind: (stated,)})
        assert found == {(len(before), len(before) + len(variant))}


PARTS = """Jane jane JANE J. J JA J.A.R. R. Roe roe Roee roee ROE, Anna, Bob Featherstone featherstome Roe. Roe, de la
Cruz delacruz Quintero van der Hoogenboom Berg BobFeatherstone Dr. name: 12 Elm elmm Street st keizersgrcht
215 bis 9711 AB Groningen Luz 4711 AB-00123456 17 06 1234 5678 +31 4 May 1958 05/04/58 李明华 李 先生 Ro\u200be ﬁ á"""


@given(st.lists(st.sampled_from([*PARTS.split(), "\n", " ", "  ", ", ", "-"]), max_size=14), st.booleans(), st.data())
def test_what_is_covered_is_passed_over_and_nothing_else(parts: list[str], glued: bool, data: st.DataObject) -> None:
    text = ("" if glued else " ").join(parts)
    covers = covered(data.draw(spans_in(text)))
    finder = Finder(KNOWN)
    reaching = [
        span for span in finder.spans(text) if not any(start <= span.start and span.end <= end for start, end in covers)
    ]
    assert finder.spans(text, covers) == tuple(reaching)


@pytest.mark.parametrize(
    ("text", "covers", "beyond"),
    [
        ("Jane Roe came", [(0, 8)], []),
        ("Jane Roe came", [(0, 4), (5, 8)], ["Jane Roe"]),
        ("Roe J. came", [(0, 5)], ["Roe J."]),
        ("Roe, janne came", [(0, 3)], []),
        ("Featherstone, bob came", [(0, 12)], ["Featherstone, bob"]),
        ("Bob featherstome came", [(0, 3)], ["Bob featherstome"]),
        ("Roe came. Roe went", [(0, 3)], ["Roe"]),
        ("+31 6 12345678", [(1, 14)], ["+31 6 12345678"]),
    ],
)
def test_what_reaches_beyond_what_is_covered(text: str, covers: list[tuple[int, int]], beyond: list[str]) -> None:
    assert [text[span.start : span.end] for span in Finder(KNOWN).spans(text, covers)] == beyond


VALUES = st.one_of(
    texts, st.text(max_size=12), st.sampled_from(["", " ", "😀", "\0", "a" * 10_000, "7" * 10_000, "a b " * 2_000])
)


@fewer
@given(
    st.dictionaries(st.sampled_from([*KNOWN, "birthDate", "PHONE", "what", ""]), st.lists(VALUES, max_size=4)), VALUES
)
def test_no_values_and_no_text_are_too_odd(known: dict[str, list[str]], text: str) -> None:
    text = text + " " + " ".join(value[:20] for values in known.values() for value in values)
    for span in Finder(known).spans(text):
        assert 0 <= span.start < span.end <= len(text)
        assert 0 < span.score <= 1
        assert span.label in canonical()


@pytest.mark.parametrize("word", ["a", "x1", "李", "ab "])
def test_long_values_are_found_to_their_end(word: str) -> None:
    text = (word * 6_000)[:10_000].strip()
    for kind in ("name", "mrn", "address", "whatever"):
        stretches = covered(Finder({kind: (text,)}).spans(f"so: {text} ."))
        assert sum(end - start for start, end in stretches) >= 0.98 * len(text) or kind in ("name", "address")


def test_a_finder_serves_the_notes_of_one_patient_and_goes() -> None:
    detector = KnownValues()
    jane, bob = {"name": ("Jane Roe",)}, {"name": ("Bob Featherstone",)}
    notes = [Document("Jane Roe and Bob Featherstone", known=known) for known in (jane, dict(jane), bob, {})]
    found = [[note.text_of(span) for span in spans] for note, spans in zip(notes, detector.detect(notes), strict=True)]
    assert found == [["Jane Roe"], ["Jane Roe"], ["Bob Featherstone"], []]
    first = detector._finder(jane)
    assert detector._finder(dict(jane)) is first


@fewer
@given(st.data(), st.lists(st.text("abcR", min_size=3, max_size=12), max_size=12))
def test_many_words_and_few_are_found_alike(data: st.DataObject, known: list[str]) -> None:
    asked = [data.draw(slip(word)) for word in known] + known
    few = Spelling(known).near(asked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("elision.detect.spelling.FEW", 0)
        assert Spelling(known).near(asked) == few


def made_names(count: int) -> tuple[str, ...]:
    parts = ["bran", "del", "mor", "tis", "kov", "lund", "har", "wel", "zan", "por"]
    names = ("".join(parts[int(digit)] for digit in f"{number:04}").title() for number in range(count))
    return tuple(f"{name} {name[::-1].title()}" for name in names)


def lines_run(work: Any) -> int:
    """How many lines of the detectors run: work that does not depend on the machine."""
    count = 0

    def watch(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if "elision/detect" not in frame.f_code.co_filename.replace("\\", "/"):
            return None
        count += event == "line"
        return watch

    before = sys.gettrace()
    sys.settrace(watch)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("count", [60, 300])  # of two words each: fewer than `spelling.FEW`, and more
def test_making_ready_is_in_proportion_to_the_values(count: int) -> None:
    made = [
        {"relative": made_names(n), "phone": tuple(f"06{number:08}" for number in range(n))} for n in (count, 3 * count)
    ]
    few, many = (lines_run(lambda known=known: Finder(known)) for known in made)
    assert many < 3.3 * few
    small, large = (Finder(known).entries for known in made)
    assert large < 3.3 * small


def test_what_is_made_ready_is_bounded() -> None:
    assert Finder({"relative": made_names(5_000)}).entries < 2_000_000


def test_a_note_takes_the_same_with_one_relative_and_with_thousands() -> None:
    text = "Seen with Brandelmortis and the family; BP 120/80 on 3 May 2021, call 06 1234 5678. " * 5
    few, many = (Finder({"relative": made_names(n), "phone": ("0612345678",)}) for n in (5, 2_000))
    assert lines_run(lambda: many.spans(text)) < 2 * lines_run(lambda: few.spans(text))


@pytest.mark.parametrize(
    "text", ["Roe ", "Roe, J. ", "J.", "1 ", "11", "van der ", "5 May ", "3/5/", "Elm St 1 ", "李", "Xoe"]
)
def test_time_is_linear_in_the_note(text: str) -> None:
    known = {**KNOWN, "id": ("1" * 90, "1 2"), "name": ("Jane Roe", "李李李", "J. van der van der Berg")}
    once, often = (lines_run(lambda n=n: Finder(known).spans(text * n)) for n in (500, 2_000))
    made = lines_run(lambda: Finder(known))
    assert often - made < 4.4 * (once - made)


@pytest.mark.parametrize("kind", ["name", "address", "id", "phone", "email", "birth_date", "anything"])
def test_one_long_value_takes_room_in_proportion(kind: str) -> None:
    def entries(count: int) -> int:
        return Finder(
            {kind: (" ".join(f"{chr(0x400 + n % 200)}{chr(97 + n % 26)}ord{n}" for n in range(count)),)}
        ).entries

    assert entries(4_000) < 5 * entries(1_000) + 100


def test_words_are_listed_once_whoever_shares_them() -> None:
    shared = Finder({"relative": tuple(f"{name.split()[0]} Roe" for name in made_names(300))})
    assert len(shared._names.words["roe"].beside) < 30


@pytest.mark.parametrize(
    ("known", "note", "found"),
    [
        ("07946 001 234", "call +447946001234 now", "+447946001234"),
        ("07946 001 234", "0044 7946 001234", "0044 7946 001234"),
        ("07946 001 234", "+44 (0)7946 001234", "+44 (0)7946 001234"),
        ("07946 001 234", "447946 001 234", "447946 001 234"),
        ("+44 7946 001234", "07946-001234", "07946-001234"),
        ("+44 7946 001234", "+33 7946 001234", "7946 001234"),
        ("612 345 678", "0034612345678", "0034612345678"),
        ("(555) 010-4477", "+1 (555) 010 4477", "+1 (555) 010 4477"),
        ("+44 7946 001234", "+337946001234", None),
        ("07946 001 234", "447946001235", None),
    ],
)
def test_a_telephone_number_is_found_with_its_country_and_without(known: str, note: str, found: str | None) -> None:
    spans = Finder({"phone": [known]}).spans(note)
    assert [note[span.start : span.end] for span in spans] == ([found] if found else [])


@pytest.mark.parametrize("name", ["Jane", "van Roe", "Dr. Jane"])
def test_a_name_of_one_word_has_no_initials_to_stand_alone(name: str) -> None:
    assert Finder({"name": (name,)}).spans("seen by J.J. and R. R. today") == ()
