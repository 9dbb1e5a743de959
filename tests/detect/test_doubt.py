"""What comes again in a note may be a name in one place and a word in another: what is doubted, and what never is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from elision.detect import recall
from elision.detect.defaults import detectors_for
from elision.detect.doubt import LEAST, USED, Doubt, is_used
from elision.document import Document, Span
from elision.errors import HeldError
from elision.pipeline import Deidentifier
from elision.taggers.base import Floats
from elision.text.tokens import Tokens, tokenize
from tests.notes import note


class Told:
    """Finds what a note marks, and was told the chance of words; of others it is 0."""

    name, version = "told", "1"

    def __init__(self, chances: Mapping[str, float]) -> None:
        self.told, self.asked = chances, 0

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [document.spans for document in documents]

    def chances(self, text: str) -> tuple[Tokens, Floats]:
        self.asked += 1
        tokens = tokenize(text)
        return tokens, np.array([self.told.get(word, 0.0) for word in tokens.texts(text)], np.float32)


def cleaned(marked: str, chances: Mapping[str, float], *, memory: bool, language: str = "en") -> str:
    made = note(marked)
    document = Document(made.text, "n", language=language, spans=made.spans)
    (out,) = Deidentifier([Told(chances)], memory=memory)([document])
    assert out.document is not None, out.receipt.why
    return out.document.text


# A marked note, the chances of its words, and what comes out.
SPARED = [
    ("Dr [NAME_CLINICIAN See] will see her. See the plan.", {}, "Dr [NAME] will see her. See the plan."),
    ("Dr [NAME_CLINICIAN See]. See agrees.", {"See": 2 * USED}, "Dr [NAME]. [NAME] agrees."),
    ("Dr [NAME_CLINICIAN Colles]. Colles fracture.", {}, "Dr [NAME]. Colles fracture."),
    ("Dr [NAME_CLINICIAN Colles]. Colles to review.", {"Colles": 2 * LEAST}, "Dr [NAME]. [NAME] to review."),
    ("Dr [NAME_CLINICIAN Roe]. heroes, ROE, roe", {"ROE": 0.9}, "Dr [NAME]. heroes, [NAME], roe"),
    ("Mr [NAME_PATIENT Zed Trauma]. Trauma team.", {"Trauma": LEAST}, "Mr [NAME]. Trauma team."),
]
# What is never doubted, although no word of it is likely.
SURE = [
    ("[NAME_PATIENT Jane Roe] or JANE ROE or Roe, Jane.", "[NAME] or [NAME] or [NAME]."),
    ("MRN [MEDICAL_RECORD 12-34-567], 1234567.", "MRN [MEDICAL_RECORD], [MEDICAL_RECORD]."),
    ("[EMAIL jane.roe@care.example], JANE.ROE@care.example!", "[EMAIL], [EMAIL]!"),
    ("[STREET 12 Elm Row Lane] is on file, not 12 elm row lane.", "[STREET] is on file, not [STREET]."),
]


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize(("marked", "chances", "out"), SPARED)
def test_a_word_is_weighed_where_it_stands(memory: bool, marked: str, chances: Mapping[str, float], out: str) -> None:
    assert cleaned(marked, chances, memory=memory) == out


@pytest.mark.parametrize("memory", [True, False])
@pytest.mark.parametrize(("marked", "out"), SURE)
def test_what_cannot_be_chance_is_never_doubted(memory: bool, marked: str, out: str) -> None:
    assert cleaned(marked, {}, memory=memory) == out


def test_without_a_weigher_words_of_the_language_alone_are_left() -> None:
    def detector(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [document.spans for document in documents]

    made = note("Dr. [NAME_CLINICIAN Rosa Mesa], la mesa y rosa; ZED. [NAME_PATIENT Zed]")
    document = Document(made.text, "n", language="es", spans=made.spans)
    (out,) = Deidentifier([detector])([document])
    assert out.document is not None
    assert out.document.text == "Dr. [NAME], la mesa y rosa; [NAME]. [NAME]"


def test_notes_in_which_nothing_comes_again_ask_nothing() -> None:
    told = Told({})
    (out,) = Deidentifier([told])(
        [note("Dr [NAME_CLINICIAN Colles] saw him, MRN [MEDICAL_RECORD 1234567], MRN 1234567.")]
    )
    assert out.document is not None
    assert not told.asked


def test_a_weigher_that_fails_holds_the_note() -> None:
    class Broken(Told):
        def chances(self, text: str) -> tuple[Tokens, Floats]:
            raise MemoryError(text)

    (out,) = Deidentifier([Broken({})], memory=False)([note("Dr [NAME_CLINICIAN Colles]. Colles came.")])
    assert (out.document, out.receipt.why) == (None, "replace: MemoryError")
    (out,) = Deidentifier([Broken({})])([note("Dr [NAME_CLINICIAN Colles]. Colles came.")])
    assert (out.document, out.receipt.why) == (None, "memory: MemoryError")


@pytest.mark.parametrize(
    ("label", "value", "text", "chances", "found"),
    [
        ("NAME_CLINICIAN", "Maeve Donnellan", "Maeve Donnellan, MD", {}, ["Maeve Donnellan"]),
        ("NAME_OTHER", "Van Rijckevorsel", "Van: x; Van Rijckevorsel", {}, ["Van Rijckevorsel"]),
        ("EMAIL", "second.opinion@huis.example", "voor second opinion", {"second": 1.0, "opinion": 1.0}, []),
        ("EMAIL", "jan@huis.example", "mail jan@huis.example", {}, ["jan@huis.example"]),
        ("NAME_PATIENT", "Jan Klep", "de klep", {"klep": 1.0}, []),
        ("NAME_PATIENT", "Jan Pijl", "met Pijl", {"Pijl": 0.5}, ["Pijl"]),
        ("PHONE", "06-12345678", "bel 0612345678", {}, ["0612345678"]),
        ("name", "Jan Koper", "Dhr Koper", {}, ["Koper"]),  # the record states it
    ],
)
def test_memory_doubts_what_no_record_states(
    label: str, value: str, text: str, chances: Mapping[str, float], found: list[str]
) -> None:
    document = Document(text, language="nl")
    (spans,) = recall({label: [value]}, [document], [()], Doubt(Told(chances)))
    assert [document.text_of(span) for span in spans] == found


def test_beside_what_is_found_memory_adds_no_doubtful_word() -> None:
    document = Document("Hilde Moors van PsyQ", language="nl")
    found = [(Span(0, 11, "NAME_CLINICIAN", 0.9),)]
    known = {"NAME_CLINICIAN": ["Hilde Moors", "van Moors"]}
    assert recall(known, [document], found, Doubt(Told({}))) == found


@pytest.mark.parametrize(
    ("word", "language"), [("Clinic", "en"), ("Urgencias", "es"), ("NEUROLOGIA", "es"), ("Wil", "nl"), ("Toprol", "en")]
)
def test_words_that_a_language_uses(word: str, language: str) -> None:
    assert is_used(word, language)
    assert not is_used("Quillfeather", language)


@pytest.mark.parametrize(("language", "text"), [("en", "Dr. Roe; Roe came."), ("zh", "患者王小明。小明来。")])
def test_the_default_weighs(language: str, text: str) -> None:
    doubt = Doubt.of(detectors_for(language))
    at = len(text) // 2
    assert doubt.likely(text, [(at, at + 3, 0.0), (at, at + 3, 2.0), (0, 0, 2.0)]) == [True, False, True]
    assert not isinstance(Deidentifier(detectors_for(language)).detect([Document(text)])[0], HeldError)
