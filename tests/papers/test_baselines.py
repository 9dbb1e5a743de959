"""The papers' systems of lists and patterns, and the notes on which systems are compared with peers."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, first_overlap
from elision.errors import RuleError
from elision.labels import mapping_named
from elision.papers import baselines
from elision.rules import Rules, read_pack
from tests.notes import note

PEERS = Path(__file__).parents[2] / "benchmarks" / "peers"
ZHAO_LABELS = {"DATE", "ID", "PATIENT", "DOCTOR", "LOCATION", "HOSPITAL", "AGE"}

# Marks are what the system has to find, no more and no less.
DUTCH = [
    "Dhr. [NAME_OTHER Jan de Vries], [AGE 34 jaar], gezien door dr. [NAME_CLINICIAN Visser].",
    "Op [DATE 3 mei 2020] en [DATE 14-03-2021] gebeld via [PHONE 06-12345678], mail [EMAIL a.roe@postbus.example.org].",
    "Zij woont in [CITY Utrecht], eerder [STREET Kastanjelaan 118].",
    "Dossier [ID_OTHER 4471902] opgevraagd.",
    "Gezien: Dhr. [NAME_OTHER Jan P. Jansen] op de poli.",
    "Adres: [STREET Witte Mar 782] [CITY Kamerik]",
    "Uitslag Hb 82 volgt; Witte Mar is dicht.",
    "Kamer 12 [CITY Utrecht], bed 4.",
    "Zij ligt op Kamer 12, [CITY Utrecht]. Unit 5 B [CITY Zwolle] belt in Week 12 [CITY Utrecht].",
    "Adres: [STREET Kamerlaan 12] [CITY Utrecht]",
    "De ziekte van Parkinson en het syndroom van Down; Foley blijft in situ.",
    "Hij is timmerman, opgenomen op de afdeling cardiologie, BSN nog niet bekend.",  # the system has no such rows
    "RR 135/80, HbA1c 58 mmol/mol, L4-L5, kracht 3/5.",
]
CHINESE = [
    "患者姓名：[NAME_PATIENT 王小明]，男，[AGE 35岁]，住院号：[MEDICAL_RECORD 123456]。",
    "家住[ADDRESS 北京市海淀区中关村大街27号]。",
    "[DATE 2021年3月5日]由[NAME_CLINICIAN 李建国]医生收入[HOSPITAL 北京协和医院]。",
    "血压130/80mmHg，职业：教师，联系电话未留。",  # callings are none of the paper's labels
    "予阿司匹林100mg口服，每日1次，复查血常规。",
]


@pytest.mark.parametrize("marked", DUTCH)
def test_menger_finds(marked: str) -> None:
    document = note(marked)
    for known in (True, False):
        (found,) = baselines.menger2018(known=known).detect([document])
        assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in document.spans]


@pytest.mark.parametrize("marked", CHINESE)
def test_zhao_finds(marked: str) -> None:
    document = note(marked)
    found = baselines.zhao2018_rules().spans(document.text)
    assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in document.spans]


def test_menger_looks_for_the_patients_names_and_nothing_else_that_is_known() -> None:
    text = "Zonnebloemveld belt; Zonebloemveld is 1,80 m. Code QX77."
    document = Document(text, known={"name": ("Piet Zonnebloemveld",), "mrn": ("QX77",)})
    (found,) = baselines.menger2018().detect([document])
    assert [document.text_of(span) for span in found] == ["Zonnebloemveld", "Zonebloemveld"]
    assert baselines.menger2018(known=False).detect([document]) == [()]


def test_menger_takes_institutes_as_trienes_added_them() -> None:
    document = note("Verhuisd naar [CARE_FACILITY De Gouden Lepel Oost], niet (elders) gezien.")
    detect = baselines.menger2018(["De Gouden Lepel", "De Gouden Lepel Oost", "(elders) gezien.*"], known=False)
    (found,) = detect.detect([document])
    assert [(s.start, s.end, s.label) for s in found] == [(s.start, s.end, s.label) for s in document.spans]


@pytest.mark.parametrize("institute", ["", " ", "De  Lepel", "De Lepel\n"])
def test_an_institute_with_blanks_to_spare_is_refused(institute: str) -> None:
    with pytest.raises(RuleError, match="institutions"):
        baselines.menger2018([institute])


def test_four_labels_of_locations_are_scored_as_one() -> None:
    marked = "[HOSPITAL Wierdzorg], [CARE_FACILITY De Lepel], [ORGANIZATION Vos BV]"
    marked += ", [DEPARTMENT B2], [ROOM 4], [CITY Gent]"
    (grouped,) = baselines.named_locations([note(marked)])
    assert [span.label for span in grouped.spans] == ["Named Location"] * 5 + ["CITY"]
    assert [(s.start, s.end) for s in grouped.spans] == [(s.start, s.end) for s in note(marked).spans]


def test_a_baseline_whose_rows_are_gone_says_so() -> None:
    with pytest.raises(RuleError, match="nl/names/no-such-row"):
        baselines.chosen(read_pack("nl"), {"nl/names": ["title", "no-such-row"]})


def test_zhao_has_the_labels_of_the_paper() -> None:
    ways = mapping_named("canonical:i2b2-2006")
    labels = {row.label for row in baselines.zhao2018_rules().rows} - {"NOT"}
    assert {ways[label].label for label in labels} == ZHAO_LABELS


def test_menger_has_no_labels_that_the_paper_has_not() -> None:
    rules = baselines.menger2018(known=False)
    assert isinstance(rules, Rules)
    labels = {row.label for row in rules.rows}
    assert not labels & {"PROFESSION", "DEPARTMENT", "ROOM", "ORGANIZATION", "NATIONALITY", "NATIONAL_ID", "DEVICE"}
    assert labels >= {"NAME_OTHER", "STREET", "CITY", "ZIP", "HOSPITAL", "DATE", "AGE", "PHONE", "EMAIL", "URL"}


MENGER = baselines.menger2018()
WORDS = st.sampled_from(
    ["Dhr. Jansen", "op 3 mei", "te Utrecht", "1234567", "RR 120/80", "\u200b", "é", "Bakker", "\n"]
)


@given(st.lists(st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join), max_size=4))
def test_spans_are_disjoint_and_a_batch_changes_nothing(texts: list[str]) -> None:
    documents = [Document(text, str(at), known={"name": ("Kee Bakker",)}) for at, text in enumerate(texts)]
    found = MENGER.detect(documents)
    assert found == [MENGER.detect([document])[0] for document in documents]
    for document, spans in zip(documents, found, strict=True):
        assert first_overlap(spans) is None
        document.with_spans(spans)


# -- the yardstick of benchmarks/peers -----------------------------------------------------------------------


def _yardstick() -> ModuleType:
    spec = importlib.util.spec_from_file_location("yardstick", PEERS / "yardstick.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


YARDSTICK: Any = _yardstick()


COUNTS = [
    # note, what the system masks, gold, hit, beside
    ("Roe belt [EITHER 2019]", "Roe 2019", 0, 0, 3),
    ("dr. [NAME_OTHER Roe], arts", "dr. Roe, arts", 3, 3, 0),  # titles and years count neither way
    ("[NAME_OTHER mw. Roe] komt", "Roe", 3, 3, 0),
    ("[NAME_OTHER mw. Roe] komt", "Roe komt", 3, 3, 4),
    ("[AGE 34 jaar] oud", "34", 2, 2, 0),
    ("[AGE negentig jaar] oud", "jaar", 12, 4, 0),
    ("op [DATE 3 mei] gezien", "mei gezien", 4, 3, 6),
    ("[NAME_OTHER Roe] komt", "", 3, 0, 0),
]


@pytest.mark.parametrize(("marked", "masked", "gold", "hit", "beside"), COUNTS)
def test_characters_are_counted(marked: str, masked: str, gold: int, hit: int, beside: int) -> None:
    document = note(marked)
    spans = []
    for word in masked.split():
        at = document.text.index(word)
        spans.append(YARDSTICK.Span(at, at + len(word), "NAME_OTHER"))
    assert YARDSTICK.count([document], [spans]) == (gold, hit, beside)


STRICT = [
    # note, what the system masks as what, spans of gold, of the system, equal ones
    ("dr. [NAME_OTHER Roe] belt", [("dr. Roe", "NAME_CLINICIAN")], (1, 1, 1)),  # titles and roles are none of it
    ("[NAME_OTHER mw. Roe] belt", [("Roe", "NAME_OTHER")], (1, 1, 1)),
    ("[NAME_OTHER Jan Roe] belt", [("Jan", "NAME_OTHER"), ("Roe", "NAME_OTHER")], (1, 2, 0)),
    ("[HOSPITAL Vale] en [ROOM 4]", [("Vale", "ORGANIZATION"), ("4", "DATE")], (2, 2, 1)),
    ("[CITY Gent] en [HOSPITAL Vale]", [("Gent", "STREET"), ("Vale", "CITY")], (2, 2, 1)),
    ("[DATE_BIRTH 3 mei]", [("3 mei", "DATE")], (1, 1, 1)),
    ("[EITHER 2019] en [DATE 3 mei]", [("2019", "DATE")], (1, 0, 0)),
    ("[NAME_OTHER Dr.] belt", [("belt", "NAME_OTHER")], (0, 1, 0)),
    ("[NAME_OTHER Roe], [NAME_OTHER Roe]", [("Roe", "NAME_OTHER")], (2, 1, 1)),
]


@pytest.mark.parametrize(("marked", "masked", "counts"), STRICT)
def test_equal_spans_are_counted(marked: str, masked: list[tuple[str, str]], counts: tuple[int, int, int]) -> None:
    document = note(marked)
    spans = [
        YARDSTICK.Span(at, at + len(words), label) for words, label in masked for at in [document.text.index(words)]
    ]
    found = YARDSTICK.strict([document], [spans])
    assert found == counts
    gold, system, right = counts
    assert found.f1 == (2 * right / (gold + system) if gold + system else 0.0)


def test_labels_that_a_peer_has_not_count_neither_way() -> None:
    document = note("[PROFESSION kok] [NAME_OTHER Roe] at")
    kok, roe, at = (
        YARDSTICK.Span(document.text.index(word), document.text.index(word) + len(word), label)
        for word, label in (("kok", "NAME_OTHER"), ("Roe", "NAME_OTHER"), ("at", "PROFESSION"))
    )
    assert YARDSTICK.count([document], [[kok, roe, at]], {"NAME_OTHER"}) == (3, 3, 0)
    assert YARDSTICK.count([document], [[kok, roe, at]]) == (6, 6, 2)
    assert not document.known
