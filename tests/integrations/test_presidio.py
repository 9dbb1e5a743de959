"""elision inside Presidio, and Presidio's recognisers inside elision. No model is downloaded: its spaCy is a blank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

analyzer = pytest.importorskip("presidio_analyzer")
anonymizer = pytest.importorskip("presidio_anonymizer")
import spacy  # noqa: E402
from presidio_analyzer.nlp_engine import SpacyNlpEngine  # noqa: E402
from presidio_anonymizer.entities import InvalidParamError, OperatorConfig  # noqa: E402

from elision.document import Document, Span  # noqa: E402
from elision.errors import HeldError, LabelError  # noqa: E402
from elision.formats.presidio_names import entities  # noqa: E402
from elision.integrations.presidio import ElisionOperator, ElisionRecognizer, from_presidio  # noqa: E402
from elision.keys import Key  # noqa: E402
from elision.labels import canonical  # noqa: E402
from elision.pipeline import Deidentifier  # noqa: E402
from elision.replace.check import Done  # noqa: E402

NOTE = "😀 Seen by Dr. Jane Roe on 3 May 2001.\r\nCall Dr. Roe at 617-555-0142. 张伟"
KEY = Key(bytes(range(32)))


class Blank(SpacyNlpEngine):
    """Presidio's engine for spaCy over pipelines that know no language's words."""

    def __init__(self, *languages: str) -> None:
        super().__init__()
        self.nlp: Any = {code: spacy.blank(code) for code in languages}


def engine(*recognisers: Any, languages: Sequence[str] = ("en",)) -> Any:
    registry = analyzer.RecognizerRegistry(list(recognisers), supported_languages=list(languages))
    return analyzer.AnalyzerEngine(registry, Blank(*languages), supported_languages=list(languages))


def ours(code: str = "en", **more: Any) -> ElisionRecognizer:
    return ElisionRecognizer(code, effort="fast", **more)


def test_it_finds_in_an_analyzer_beside_others() -> None:
    phones = analyzer.predefined_recognizers.PhoneRecognizer()
    found = engine(ours(), phones).analyze(NOTE, "en")
    named = {(one.entity_type, NOTE[one.start : one.end]) for one in found}
    assert {("PERSON", "Jane Roe"), ("PERSON", "Roe"), ("DATE_TIME", "3 May 2001")} <= named
    assert any(kind == "PHONE_NUMBER" for kind, _ in named)
    assert all(0 < one.score <= 1 for one in found)


def test_only_what_is_asked_for_is_given() -> None:
    found = engine(ours()).analyze(NOTE, "en", entities=["DATE_TIME"])
    assert [NOTE[one.start : one.end] for one in found] == ["3 May 2001"]


def test_a_recogniser_serves_its_language() -> None:
    both = engine(ours("en"), ours("de"), languages=("en", "de"))
    text = "Herr Jürgen Ahrens wurde am 3. Mai 2001 entlassen."
    assert any(text[one.start : one.end] == "Jürgen Ahrens" for one in both.analyze(text, "de"))
    with pytest.raises(LabelError, match="supported_language"):
        ElisionRecognizer("xx")


def test_every_label_has_a_name_and_a_dictionary_makes_the_same() -> None:
    assert set(canonical()) - set(entities("en")) == {"PROFESSION"}  # which keeps its own name
    one = ours()
    again = ElisionRecognizer.from_dict(one.to_dict())
    assert (
        again.get_supported_entities()
        == one.get_supported_entities()
        == sorted({"PROFESSION", *entities("en").values()})
    )
    assert isinstance(again, ElisionRecognizer)
    assert again.analyze(NOTE, []) == one.analyze(NOTE, [])
    with pytest.raises(LabelError, match="supported_entities"):
        ours(supported_entities=["PERSONS"])


def test_a_text_that_is_held_raises_and_quotes_nothing() -> None:
    def fails(text: str) -> list[Span]:
        raise ValueError(text)

    with pytest.raises(HeldError, match=r"held: .*ValueError") as error:
        engine(ours(detectors=[fails])).analyze("Jane Roe came.", "en")
    assert "Roe" not in str(error.value)


def anonymized(text: str, **params: Any) -> str:
    found = engine(ours()).analyze(text, "en")
    machine = anonymizer.AnonymizerEngine()
    machine.add_anonymizer(ElisionOperator)
    done = machine.anonymize(text, found, {"DEFAULT": OperatorConfig("elision", {"patient": "17", **params})})
    return str(done.text)


def test_end_to_end_a_person_has_one_stand_in(tmp_path: Any) -> None:
    Key.new().write(tmp_path / "project.key")
    once, again = anonymized(NOTE, key=KEY), anonymized(NOTE, key=KEY)
    assert once == again
    assert "Roe" not in once
    name = once.split("Dr. ")[1].split(" on ")[0].split()
    assert once.split("Dr. ")[2].startswith(f"{name[-1]} at")
    assert once.startswith("😀 Seen by Dr. ")
    assert anonymized(NOTE, key=KEY, patient="18") != once
    assert anonymized(NOTE, key=tmp_path / "project.key") != once


def test_the_stand_in_is_that_of_a_note() -> None:
    def whole(document: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [(Span(5, 13, "NAME_PATIENT"),)]

    note = Document("Seen Jane Roe.", patient="17", language="en")
    (cleaned,) = Deidentifier([whole], policy="surrogate", key=KEY)([note])
    new = ElisionOperator().operate("Jane Roe", {"key": KEY, "patient": "17", "entity_type": "PERSON"})
    assert cleaned.document
    assert cleaned.document.text == f"Seen {new}."


def test_a_policy_and_an_unknown_entity() -> None:
    operator = ElisionOperator()
    assert operator.operate("Roe", {"policy": "tag", "patient": "1", "entity_type": "PERSON"}) == "[NAME]"
    assert operator.operate("Roe", {"policy": "tag", "patient": "1", "entity_type": "PET"}) == "[OTHER]"


def test_what_the_check_refuses_becomes_the_label(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.integrations.presidio.replacements", lambda work: [Done("surrogate", "Jane Roe")])
    done = ElisionOperator().operate("Jane Roe", {"key": KEY, "patient": "17", "entity_type": "PERSON"})
    assert done == "[NAME_OTHER]"


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"key": KEY}, "patient"),
        ({"patient": "1"}, "needs a key"),
        ({"patient": "1", "key": KEY, "policy": "surogate"}, "did you mean surrogate"),
        ({"patient": "1", "key": KEY, "language": "xx"}, "language"),
        ({"patient": "1", "key": 3}, "path or a Key"),
        ({"patient": "1", "key": "/nowhere/project.key"}, "nowhere"),
    ],
)
def test_what_cannot_be_used_is_refused(params: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidParamError) as error:
        ElisionOperator().operate("Roe", {"entity_type": "PERSON", **params})
    assert why in error.value.err_msg


def test_a_recogniser_of_presidio_is_a_detector() -> None:
    pattern = analyzer.Pattern("badge", r"B-\d{4}", 0.6)
    badges = analyzer.PatternRecognizer("ID", name="badges", patterns=[pattern])
    detector = from_presidio(badges)
    (cleaned,) = Deidentifier([detector])([Document("😀 Badge B-4711.", language="en")])
    assert cleaned.document
    assert cleaned.document.text == "😀 Badge [ID_OTHER]."
    assert ("presidio:badges", detector.version) in {(one.name, one.version) for one in cleaned.receipt.seen}
    assert detector.version.startswith("presidio-analyzer 2")
    assert from_presidio(badges, least=0.7).detect([Document("Badge B-4711.")]) == [()]


def test_a_whole_engine_is_a_detector() -> None:
    detector = from_presidio(engine(analyzer.predefined_recognizers.IpRecognizer()))
    (spans,) = detector.detect([Document("Seen from 192.0.2.17 today.", language="en")])
    assert [span.label for span in spans][:1] == ["IP"]
