"""From notes to notes without people: what is found is replaced, and what cannot be made sure does not come out."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import elision
from elision import pipeline
from elision.detect import safely
from elision.detect.base import Function
from elision.detect.defaults import detectors_for
from elision.document import Document, Span, covered
from elision.errors import HeldError, LabelError, PolicyError
from elision.formats import read, write
from elision.formats.tables.columns import Columns
from elision.keys import Key
from elision.languages.base import folder, served
from elision.pipeline import Deidentifier
from elision.policy import Rule, parse
from elision.replace import operators
from elision.replace.check import Done, problems
from elision.replace.earlier import outside_tokens
from elision.replace.originals import Originals
from elision.rewrite import rewrite
from elision.rules import Rules
from elision.run.engine import cleaned_rows
from elision.run.how import How
from elision.taggers.linear.kind import load
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))
CANARY = "Quillfeather"
NOTE = note(f"[NAME_PATIENT Jane {CANARY}], born [DATE_BIRTH 3 May 1958], MRN [MEDICAL_RECORD 4711-0815]. No fever.")


def words(found: str, label: str = "NAME_PATIENT") -> Callable[[Sequence[Document]], list[tuple[Span, ...]]]:
    """A detector that finds one word, the first time that it stands in a note."""

    def detector(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        places = [(document.text.find(found), document) for document in documents]
        return [(Span(at, at + len(found), label, 0.95),) if at >= 0 else () for at, _ in places]

    return detector


def test_a_note_comes_out_with_its_receipt() -> None:
    (cleaned,) = Deidentifier([gold], key=KEY)([NOTE])
    assert cleaned.document is not None
    assert cleaned.document.text == "[NAME], born [DATE], MRN [MEDICAL_RECORD]. No fever."
    assert cleaned.receipt.spans == {
        "DATE_BIRTH": {"tag": 1}, "MEDICAL_RECORD": {"tag": 1}, "NAME_PATIENT": {"tag": 1},
    }  # fmt: skip
    assert {seen.characters for seen in cleaned.receipt.seen} == {len(NOTE.text)}
    assert CANARY not in cleaned.receipt.line()


def test_one_text_is_enough() -> None:
    assert Deidentifier([Rules("en")]).note("Seen by Dr. Roe on 3 May 2001.").text == "Seen by Dr. [NAME] on [DATE]."


def test_without_detectors_there_is_nothing_to_trust() -> None:
    with pytest.raises(PolicyError, match="no detectors"):
        Deidentifier([])


def test_a_missing_key_is_an_error_and_never_a_default() -> None:
    with pytest.raises(PolicyError, match="policy surrogate needs a key"):
        Deidentifier([gold], policy="surrogate")


# -- it fails closed


def _raise(*_: object, **__: object) -> Any:
    raise ValueError(f"could not parse {CANARY}")


def _beyond(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    return [(Span(0, len(document.text) + 1, "DATE"),) for document in documents]


FAULTS = {
    "crashes": (_raise, "_raise: ValueError"),
    "loses notes": (lambda _: [], "lambda"),
    "finds too few": (lambda documents: [()] * (len(documents) - 1), "notes-lost"),
    "spans beyond the text": (_beyond, "_beyond: span-beyond-text"),
    "gives no spans": (lambda documents: [None for _ in documents], "TypeError"),
    "an unknown label": (words("fever", "FIEBER"), "label-without-rule"),
}


@pytest.mark.parametrize(("detector", "why"), FAULTS.values(), ids=FAULTS.keys())
@pytest.mark.parametrize("policy", ["tag", "surrogate"])
def test_a_detector_that_fails_holds_its_notes(policy: str, detector: Any, why: str) -> None:
    deidentifier = Deidentifier([gold, detector], policy=policy, key=KEY)
    (cleaned,) = deidentifier([NOTE])
    assert cleaned.document is None
    assert cleaned.before is None
    assert why in cleaned.receipt.why
    assert cleaned.receipt.status == "held"
    assert CANARY not in cleaned.receipt.line()
    with pytest.raises(HeldError, match="note note-1 is held") as caught:
        deidentifier.note(NOTE)
    assert CANARY not in str(caught.value)


def test_a_note_that_breaks_a_detector_does_not_hold_the_others() -> None:
    def fragile(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        if any("fever" in document.text for document in documents):
            raise MemoryError
        return [() for _ in documents]

    notes = [Document(text, text) for text in ("cough", "fever", "rash")]
    out = Deidentifier([fragile])(notes)
    assert [(c.receipt.note, c.document is None) for c in out] == [("cough", False), ("fever", True), ("rash", False)]


def test_notes_of_a_batch_without_memory_are_tried_singly_when_it_is_free_again() -> None:
    class Large:
        pass

    alive: list[weakref.ref[Large]] = []

    def detector(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        if any(each() for each in alive):
            raise MemoryError("what the first try took is still held")
        taken = Large()
        alive.append(weakref.ref(taken))
        if len(documents) > 1 or "Marlowe" in documents[0].text:
            raise MemoryError
        return [()]

    notes = [Document(f"Seen by Dr. {name}.", name, language="en") for name in ("Roe", "Marlowe", "Quimby")]
    done = Deidentifier([Rules("en"), detector])(notes)
    held = {one.receipt.note: one.receipt.why for one in done if one.document is None}
    assert list(held.values()) == [f"{detector.__qualname__}: MemoryError"]


OF_DATES = [do for do in operators.OPERATORS if do != "shuffle"]


@pytest.mark.parametrize("do", OF_DATES)
def test_an_operator_that_fails_holds_the_note(do: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, do: _raise})
    policy = parse(f'[labels]\n"*" = "mask"\nDATE = "{do}"', "test.toml")
    (cleaned,) = Deidentifier([gold], policy=policy, key=KEY)([NOTE])
    assert cleaned.document is None
    assert cleaned.receipt.why == "replace: ValueError"
    assert CANARY not in cleaned.receipt.line()


@pytest.mark.parametrize("do", [do for do in OF_DATES if do not in ("keep", "tag")])
def test_an_operator_that_cannot_gives_the_label(do: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, do: lambda *_: None})
    policy = parse(f'[labels]\n"*" = "tag"\nDATE = "{do}"', "test.toml")
    (cleaned,) = Deidentifier([gold], policy=policy, key=KEY)([NOTE])
    assert cleaned.document is not None
    assert "born [DATE]," in cleaned.document.text
    assert cleaned.receipt.warnings == {"no-stand-in": 1}


def _original(document: Document, replacements: Sequence[str]) -> Document:
    return document


def _shifted(document: Document, replacements: Sequence[str]) -> Document:
    return Document("x" + document.text, spans=document.spans)


def _too_much(document: Document, replacements: Sequence[str]) -> Document:
    right = rewrite(document, replacements)
    return Document(right.text[:-6] + "chills", right.id, spans=right.spans)


@pytest.mark.parametrize("broken", [_original, _shifted, _too_much, _raise])
def test_a_broken_rewrite_is_noticed(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "rewrite", broken)
    (cleaned,) = Deidentifier([gold], key=KEY)([NOTE])
    assert cleaned.document is None
    assert cleaned.receipt.why in ("offsets-wrong", "text-outside-changed", "replace: ValueError")


def _the_same(work: operators.Work, span: Span, _rule: Rule) -> str:
    return work.document.text_of(span)


def test_an_operator_that_gives_the_original_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, "surrogate": _the_same})
    (cleaned,) = Deidentifier([gold], policy="surrogate", key=KEY)([NOTE])
    assert cleaned.document is None
    assert cleaned.receipt.why == "stand-in-is-original"


def test_a_stand_in_that_holds_another_original_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "OPERATORS", {**operators.OPERATORS, "surrogate": lambda *_: f"Mc{CANARY}s"})
    policy = parse('[labels]\n"*" = "tag"\nID = "surrogate"', "test.toml")
    (cleaned,) = Deidentifier([gold], policy=policy, key=KEY)([NOTE])
    assert cleaned.receipt.why == "original-remains"


def test_a_note_over_the_limit_is_held() -> None:
    out = Deidentifier([gold], most=20)([NOTE, Document("No fever.", "short")])
    assert [c.receipt.why for c in out] == ["too-long", ""]


def test_memory_that_fails_holds_the_patients_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safely, "remember", _raise)
    (cleaned,) = Deidentifier([gold], key=KEY)([NOTE])
    assert cleaned.receipt.why == "memory: ValueError"


# -- what else is found


def test_what_stands_elsewhere_in_the_note_goes_too() -> None:
    text = f"{CANARY} came. {CANARY.upper()} left; the {CANARY}s stayed."
    (cleaned,) = Deidentifier([words(CANARY)], memory=False)([Document(text, "n")])
    assert cleaned.document is not None
    assert cleaned.document.text == "[NAME] came. [NAME] left; the [NAME] stayed."
    assert cleaned.receipt.warnings == {"found-by-the-sweep": 2}


def test_memory_goes_over_all_notes_of_a_patient_and_no_further() -> None:
    notes = [
        Document(f"Seen: {CANARY}", "1", "p"),
        Document("Quilfeather was well", "2", "p"),
        Document("Quilfeather was well", "3", "q"),
    ]
    detector = words(CANARY)
    out = [c.document and c.document.text for c in Deidentifier([detector])(notes)]
    assert out == ["Seen: [NAME]", "[NAME] was well", "Quilfeather was well"]
    out = [c.document and c.document.text for c in Deidentifier([detector], memory=False)(notes)]
    assert out[1] == "Quilfeather was well"


def test_known_values_are_searched_in_every_note() -> None:
    document = Document(f"J. {CANARY} came", "1", known={"name": (f"Jane {CANARY}",)})
    assert Deidentifier([lambda notes: [() for _ in notes]]).note(document).text == "[NAME] came"


def test_a_stand_in_is_no_known_value_of_anybody() -> None:
    first = Deidentifier([gold], policy="surrogate", key=KEY).note(NOTE)
    stand_in = first.text_of(first.spans[0])
    other = Document("No fever.", "other", known={"name": (stand_in.upper(),)})
    again = Deidentifier([gold], policy="surrogate", key=KEY)([NOTE, other])[0].document
    assert again is not None
    assert again.text_of(again.spans[0]) != stand_in


def test_tags_of_an_earlier_run_stay_as_they_are() -> None:
    text = "[NAME] saw [NAME_2] on [DATE], [REDACTED]"
    everything = Deidentifier([lambda notes: [(Span(0, len(note.text), "NAME_OTHER"),) for note in notes]])
    assert everything.note(text).text == "[NAME] [NAME] [NAME_2] [NAME] [DATE], [REDACTED]"


@pytest.mark.parametrize("text", ["[sealed:JaneRoe]", "[NAME_471108]", "[NAME Jane]", "[sealed:Jane Roe]"])
def test_what_only_looks_like_a_tag_is_replaced(text: str) -> None:
    everything = Deidentifier([lambda notes: [(Span(0, len(note.text), "NAME_OTHER"),) for note in notes]])
    assert everything.note(text).text == "[NAME]"


EVERYTHING: list[Function] = [lambda notes: [(Span(0, len(note.text), "NAME_OTHER"),) for note in notes]]
OTHER_KEY = Key(bytes(range(32, 64)))


@pytest.mark.parametrize("do", ["seal", "hash"])
def test_seals_and_hashes_of_an_earlier_run_stay_where_the_key_knows_them(do: str) -> None:
    policy = parse(f'[labels]\n"*" = "{do}"', "test.toml")
    cleaned = Deidentifier([gold], policy=policy, key=KEY).note(note("[NAME_PATIENT J] [ID_OTHER 1]")).text
    assert Deidentifier(EVERYTHING, policy=policy, key=KEY).note(cleaned).text == cleaned
    assert Deidentifier(EVERYTHING, key=KEY).note(cleaned).text == cleaned
    for key in (None, OTHER_KEY):
        assert Deidentifier(EVERYTHING, key=key).note(cleaned).text == "[NAME]"
        assert Deidentifier([gold], key=key).note(cleaned).text == "[OTHER] [OTHER]"


TYPED = [
    "[sealed:JaneQuillfeather_MRN4711]", "[sealed:Jane Quillfeather]", "[sealed:" + "JaneQuillfeather_" * 4 + "]",
    "[sealed:JaneQuillfeather", "[PHONE#002125550147]", "[PHONE#0021255501470000]", "[PHONE#212-555-0147]",
    "[MEDICAL_RECORD_4711081]", "[NAME#quillfeather]", "[NAME_1 Quillfeather]",
]  # fmt: skip


@pytest.mark.parametrize("typed", TYPED)
@pytest.mark.parametrize("key", [KEY, None], ids=["a key", "no key"])
def test_what_somebody_typed_in_the_form_of_a_token_is_hidden(typed: str, key: Key | None) -> None:
    out = Deidentifier([gold], key=key).note(f"a {typed} and [NAME_2]")
    assert out.text == "a [OTHER] and [NAME_2]"


@pytest.mark.parametrize("piece", ["[sealed:", "[NAME#", "[NAME_1] ", "[NAME_1", "[PHONE#1] "])
def test_many_tokens_take_no_time(piece: str) -> None:
    began = time.process_time()
    text = piece * (200_000 // len(piece))
    spans = [Span(at, at + 3, "NAME_OTHER") for at in range(0, len(text) - 3, 10)]
    list(outside_tokens(text, spans))
    assert time.process_time() - began < 3


# -- policies at work


def test_people_can_be_numbered() -> None:
    policy = parse('[labels]\n"*" = { do = "tag", numbered = true }', "test.toml")
    marked = (
        "[NAME_PATIENT Jane Roe] and [NAME_CLINICIAN Poe]; [NAME_OTHER ROE], [CITY Leeds], [CITY York], [CITY Leeds]"
    )
    out = Deidentifier([gold], policy=policy).note(note(marked)).text
    assert out == "[NAME_1] and [NAME_2]; [NAME_1], [CITY_1], [CITY_2], [CITY_1]"


def test_hashes_are_the_same_in_every_note_and_another_with_another_key() -> None:
    policy = parse('[labels]\n"*" = "hash"', "test.toml")
    notes = [note("[MEDICAL_RECORD 4711-0815]", str(number)) for number in range(2)]
    out = [c.document and c.document.text for c in Deidentifier([gold], policy=policy, key=KEY)(notes)]
    assert out[0] == out[1]
    assert out[0] != Deidentifier([gold], policy=policy, key=Key(bytes(32))).note(notes[0]).text


# -- parts


def test_receipts_name_detectors() -> None:
    receipt = Deidentifier([Rules("en"), Rules("es"), gold])([note("")])[0].receipt
    english, spanish, plain, _ = receipt.seen
    assert (english.name, plain.name, plain.version) == ("rules en", "gold", "")
    assert len(english.version) == 16
    assert english.version != spanish.version


def test_detectors_of_a_language() -> None:
    (both,) = detectors_for("nl-BE")
    assert both.name == "rules nl, from 0.8 on, weighed by crf nl"
    receipt = Deidentifier([both])([note("")])[0].receipt
    assert [seen.name for seen in receipt.seen] == ["rules nl, from 0.8 on", "crf nl", "KnownValues"]


def test_without_the_trained_model_all_rules_count() -> None:
    assert [detector.name for detector in detectors_for("nl-BE", effort="rules")] == ["rules nl"]


# -- the shortest ways


def test_the_dial_finds_more_and_the_receipt_tells_it() -> None:
    documents = [replace(note, spans=()) for note in read("examples/notes/gold/en", "brat")]
    covered_by = {}
    shipped = load(folder("en", "model")).dial
    for dial in (1.0, None, 1e-6):
        deidentifier = Deidentifier(detectors_for("en", dial=dial))
        found = [spans for spans in deidentifier.detect(documents) if not isinstance(spans, HeldError)]
        covered_by[dial] = sum(end - start for spans in found for start, end in covered(spans))
        assert deidentifier(documents[:1])[0].receipt.dial == (dial or shipped)
    assert covered_by[1.0] < covered_by[None] < covered_by[1e-6]
    assert Deidentifier([Rules("en")])(documents[:1])[0].receipt.dial is None


def test_one_line_is_enough() -> None:
    assert elision.deidentify("The patient was seen by Dr. Roe.") == "The patient was seen by Dr. [NAME]."
    assert elision.deidentify("Dr. Roe", language="en-GB", policy="mask") == "Dr. ***"
    with pytest.raises(HeldError, match=r"language-not-told; say --language, or --default-language"):
        elision.deidentify("Roe 12 34")
    assert elision.deidentify("Dr. Roe", default_language="en") == "Dr. [NAME]"
    with pytest.raises(HeldError, match=r"language-not-supported: sv\?; elision works on .* and zh; if"):
        elision.deidentify(
            "Patienten Erika Roe klagar sedan igår över smärtor i vänster knä och har ingen feber.",
            default_language="nl",
        )
    with pytest.raises(LabelError, match=f"no language 'sv'; say one of {', '.join(served())}"):
        elision.deidentify("Dr. Roe", default_language="sv")
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = elision.nothing
    assert elision.Deidentifier is Deidentifier


def test_batches_of_rows_come_out_as_batches() -> None:
    columns = Columns(texts=("note",), id="id", language="language", keep=("year",))
    rows = {
        "id": ["a", "b", "c"],
        "note": ["Seen by Dr. Roe.", None, "Gezien door Dr. Roe"],
        "language": ["en", "en", "sv"],
        "year": [2001, 2002, 2003],
        "name": ["Roe"] * 3,
    }
    (out,) = cleaned_rows([pa.RecordBatch.from_pydict(rows)], How(columns), Deidentifier([Rules("en")]))
    assert out.column("note").to_pylist() == ["Seen by Dr. [NAME].", None, None]
    assert out.column("elision_status").to_pylist() == ["cleaned", "no-text", "held"]
    assert out.schema.names == ["id", "note", "year", "elision_status", "elision_receipts"]


# -- what a cleaned document carries

HL7 = "\r".join((
    "MSH|^~\\&|A|B|C|D|20010503||ORU^R01|77|P|2.5", "PID|1||4711^^^H^MR||Quillfeather^Jane||19580503|F",
    "OBR|1|||X", "OBX|1|TX|X||Jane Quillfeather was seen.||||||F",
)) + "\r"  # fmt: skip
FHIR = (
    '{"resourceType": "DiagnosticReport", "id": "r1", "status": "final", "code": {"text": "x"}, '
    '"subject": {"reference": "Patient/4711", "display": "Jane Quillfeather"}, '
    '"conclusion": "Patient: Jane Quillfeather was seen."}'
)


@pytest.mark.parametrize(("format", "data"), [("hl7v2", HL7), ("fhir", FHIR)])
def test_a_cleaned_document_does_not_carry_where_it_came_from(format: str, data: str, tmp_path: Path) -> None:
    (tmp_path / "in").write_text(data, "utf-8", newline="")
    documents = [replace(document, language="en") for document in read(tmp_path / "in", format)]
    assert any(key.startswith("container:") for document in documents for key in document.info)
    for cleaned in Deidentifier([Rules("en")])(documents):
        assert cleaned.document is not None
        assert not cleaned.document.info
        assert not cleaned.document.patient
        assert not cleaned.document.joints
        assert "4711" not in repr(cleaned)
        assert "Quillfeather" not in repr(cleaned)
    kept = [cleaned.document for cleaned in Deidentifier([Rules("en")], origin=True)(documents)]
    write([document for document in kept if document], tmp_path / "out", format)
    assert (
        "[NAME]"
        in next(file for file in (tmp_path / "out", *(tmp_path / "out").glob("*")) if file.is_file()).read_text()
    )


# -- what the sweep left, and what the check says of it


def _check(text: str, after: str, span: Span, spared: Sequence[tuple[int, int]]) -> list[str]:
    before = Document(text, spans=(span,))
    originals = Originals([(span.label, before.text_of(span))])
    done = [Done("tag", "[NAME]")]
    rewritten = rewrite(before, ["[NAME]"])
    assert rewritten.text == after
    return [one.what for one in problems(before, rewritten, done, originals, lambda _: False, spared)]


@pytest.mark.parametrize(
    ("text", "spared", "wrong"),
    [
        ("Ann Zedd saw. Zedd sign.", [(14, 18)], []),
        ("Zedd sign. Ann Zedd saw.", [(0, 4)], []),
        ("Ann Zedd saw. Zedd sign.", [], ["original-remains"]),
        ("Ann Zedd saw. Zedd sign, Zedd", [(14, 18)], ["original-remains"]),  # there, and nowhere else
        ("Ann Zedd saw. Ann Zedd", [(14, 22)], ["original-remains"]),  # a whole name is never spared
        ("Ann Zedd saw. ANN-ZEDD", [(14, 22)], ["original-remains"]),
    ],
)
def test_the_check_spares_what_the_sweep_spared_and_no_more(
    text: str, spared: Sequence[tuple[int, int]], wrong: list[str]
) -> None:
    at = text.find("Ann Zedd")
    span = Span(at, at + 8, "NAME_PATIENT", 0.9)
    assert _check(text, text[:at] + "[NAME]" + text[at + 8 :], span, spared) == wrong
