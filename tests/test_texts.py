"""One text at a time: found, cleaned, redacted for somebody else, and restored."""

from __future__ import annotations

import colorsys
import re
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import elision
from elision.detect.base import as_detector
from elision.detect.recognisers import Recogniser
from elision.document import Document, Span
from elision.errors import ElisionError, HeldError, LabelError, PolicyError
from elision.evaluate import Options, evaluate
from elision.keys import Key
from elision.labels import canonical
from elision.notebook import MOST_LABELS
from elision.rules import Rules, shipped_rules

TEXT = "Jane Roe, born 3 May 1958, was seen by Dr. Quillfeather on 3 May 2001. Ms Roe feels well since 05/03/2001."
KEY = Key(bytes(range(32)))
RULES = shipped_rules("en")


def test_what_would_be_replaced_is_told_by_its_place() -> None:
    found = {(TEXT[span.start : span.end], span.label) for span in elision.detect(TEXT)}
    assert {("Quillfeather", "NAME_CLINICIAN"), ("3 May 2001", "DATE")} <= found
    (span,) = elision.detect("Seen Quirke.", language="en", known={"name": "Mei Quirke"}, effort="rules")
    assert (span.start, span.end, span.label) == (5, 11, "NAME_PATIENT")


def test_what_the_record_states_is_searched_and_a_patient_keeps_stand_ins() -> None:
    def clean(text: str, patient: str) -> str:
        known = {"name": ["Jane Roe"], "mrn": "4711"}
        return elision.deidentify(text, language="en", policy="surrogate", key=KEY, patient=patient, known=known)

    assert elision.deidentify("Saw Roe, 4711.", language="en", known={"name": "Jane Roe", "mrn": "4711"}) == (
        "Saw [NAME], [MEDICAL_RECORD]."
    )
    assert clean("Saw Roe.", "7") == clean("Saw Roe.", "7")
    assert len({clean("Saw Roe.", str(number)) for number in range(8)}) > 1
    with pytest.raises(PolicyError, match="no kind 'nmae'; there are"):
        elision.deidentify(TEXT, known={"nmae": "Jane Roe"})


@pytest.mark.parametrize("text", ["", " ", "\n\t \n"])
def test_a_text_without_a_word_comes_out_as_it_is(text: str) -> None:
    assert elision.deidentify(text) == text
    assert elision.detect(text) == ()
    assert elision.redact(text).text == text


@pytest.mark.parametrize("do", [elision.deidentify, elision.redact, elision.detect])
def test_a_text_that_does_not_tell_its_language_is_held(do: Callable[..., object]) -> None:
    with pytest.raises(HeldError, match=r"language-not-told; say --language.*in Python, language= or default_lang"):
        do("Quillfeather")
    assert do("Quillfeather", default_language="en") is not None


# -- redacted and restored


def test_each_identifier_has_a_placeholder_of_its_own() -> None:
    safe = elision.redact(TEXT)
    numbered = [TEXT[span.start : span.end] for span in elision.detect(TEXT)]
    assert len(safe.mapping) == len(set(numbered)) == 6
    assert (safe.mapping["[NAME_1]"], safe.mapping["[NAME_1b]"]) == ("Jane Roe", "Roe")
    assert not any(original in safe.text for original in safe.mapping.values())
    assert all(safe.text[span.start : span.end] in safe.mapping for span in safe.spans)
    assert "Roe" not in repr(safe)


def test_a_placeholder_that_the_text_has_already_is_not_taken() -> None:
    safe = elision.redact("[NAME_1] and [NAME_2b] were seen by Dr. Roe.", language="en", effort="rules")
    assert safe.text == "[NAME_1] and [NAME_2b] were seen by Dr. [NAME_3]."
    assert safe.mapping == {"[NAME_3]": "Roe"}


def test_placeholders_are_no_identifiers() -> None:
    safe = elision.redact(TEXT)
    assert "[NAME_1b]" in safe.text
    assert elision.deidentify(safe.text, language="en", effort="rules") == safe.text


def test_what_cannot_be_restored_is_refused() -> None:
    with pytest.raises(TypeError, match="not str and Redacted"):
        elision.restore("a", elision.redact(""))  # type: ignore[arg-type]


def test_an_answer_that_uses_placeholders_elsewhere_is_restored() -> None:
    mapping = {"[NAME_1]": "Jane [NAME_2]", "[NAME_2]": "Roe", "[NAME_12]": "x"}
    answer = "[NAME_2][NAME_2], [NAME_12]; [NAME_3] stays, (NAME_1) too. [NAME_1]"
    assert elision.restore(answer, mapping) == "RoeRoe, x; [NAME_3] stays, (NAME_1) too. Jane [NAME_2]"
    assert elision.restore(answer, {}) == answer


WORDS = [
    "Dr. Roe", "Roe", "Jane Roe", "3 May 2001", "03/05/2001", "[NAME_1]", "[NAME_1b]", "[NAME_2", "[", "]", "_1]",
    "NAME", "[DATE_1]", "[NAME_1][NAME_2]", "roe@example.org", "Seen by", "was well.", "MRN 4711",
    "\n", "\\", "\\1",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS), max_size=12), st.sampled_from(["", " ", "["]))
def test_what_is_restored_is_the_text(words: list[str], between: str) -> None:
    _goes_round(between.join(words))


@given(st.text(max_size=60))
def test_any_text_that_comes_out_is_restored(text: str) -> None:
    _goes_round(text + " Seen by Dr. Roe on 3 May 2001.")


def _goes_round(text: str) -> None:
    try:
        safe = elision.redact(text, language="en", effort="rules", known={"name": "Jane Roe"})
    except ElisionError as error:
        assert "not-restored" not in str(error)  # noqa: PT017
        assume(False)
    assert elision.restore(safe.text, safe.mapping) == text
    assert not any(placeholder in text for placeholder in safe.mapping)
    assert len(set(safe.mapping.values())) <= len(safe.mapping)


# -- strings, one document or many


@pytest.mark.parametrize("wrong", [None, 3, b"Roe", {"Roe": 1}, ["Roe", 3], Ellipsis])
def test_what_is_no_note_is_refused_without_a_word_of_it(wrong: Any) -> None:
    deidentifier = elision.Deidentifier([RULES])
    calls: list[Callable[[Any], object]] = [
        elision.detect, elision.deidentify, elision.redact, deidentifier, deidentifier.note, deidentifier.detect,
        RULES.detect, lambda given: list(deidentifier.stream(given)), lambda given: evaluate(given, given),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(TypeError, match="a str") as caught:
            call(wrong)
        assert "Roe" not in str(caught.value)


def test_a_text_a_document_or_many_are_notes() -> None:
    deidentifier = elision.Deidentifier([RULES])
    text, note = "Seen by Dr. Roe.", Document("Seen by Dr. Roe.", language="en")
    for one in (text, note, [text], (note,), iter([text])):
        (cleaned,) = deidentifier(one)
        assert cleaned.document is not None
        assert cleaned.document.text == "Seen by Dr. [NAME]."
    assert [one.document is not None for one in deidentifier.stream([text, note])] == [True, True]
    assert elision.deidentify(note) == "Seen by Dr. [NAME]."
    both: Any = [text, note]
    assert [len(spans) for spans in RULES.detect(both)] == [1, 1]


def test_a_known_value_that_would_be_read_letter_by_letter_is_refused() -> None:
    known: Any = {"name": "Jane Roe"}
    with pytest.raises(TypeError, match="known values are tuples") as caught:
        Document("Saw Roe.", known=known)
    assert "Roe" not in str(caught.value)


# -- recognisers


def by_text(text: str) -> list[tuple[int, int, str]]:
    at = text.find("W-12")
    return [(at, at + 4, "MEDICAL_RECORD")] if at >= 0 else []


LOOKS = [
    re.compile(r"\b(?P<MEDICAL_RECORD>W-\d+)"),
    Recogniser(re.compile(r"W-\d+"), "MEDICAL_RECORD"),
    Recogniser(re.compile(r"no (W-\d+)"), "MEDICAL_RECORD"),
    by_text,
    Recogniser(by_text),
    lambda text: [Span(*found) for found in by_text(text)],
]


@pytest.mark.parametrize("looks", LOOKS)
def test_a_pattern_and_a_function_of_a_text_are_detectors(looks: Any) -> None:
    (cleaned, none) = elision.Deidentifier([looks])(["no W-12, Roe", "none"])
    assert cleaned.document is not None
    assert cleaned.document.text == "no [MEDICAL_RECORD], Roe"
    assert none.document is not None
    assert none.document.text == "none"


WRONG: list[tuple[Any, str]] = [
    (lambda text: [(0, len(text) + 1, "DATE")], "span-beyond-text"),
    (lambda text: [(-1, 2, "DATE")], "DocumentError"),
    (lambda text: [(3, 2, "DATE")], "DocumentError"),
    (lambda text: [(0.0, 2.0, "DATE")], "TypeError"),
    (lambda text: [("0", "2", "DATE")], "TypeError"),
    (lambda text: [(0, 2)], "TypeError"),
    (lambda text: [(0, 2, None)], "TypeError"),
    (lambda text: None, "TypeError"),
    (lambda text: [(0, 2, "FIEBER")], "label-without-rule"),
    (lambda text: 1 / 0, "ZeroDivisionError"),
]


@pytest.mark.parametrize(("looks", "why"), WRONG)
def test_a_recogniser_whose_finds_cannot_be_holds_the_note(looks: Any, why: str) -> None:
    (cleaned,) = elision.Deidentifier([looks])("Jane Roe")
    assert cleaned.document is None
    assert why in cleaned.receipt.why
    assert "Roe" not in repr(cleaned)


def test_a_recogniser_by_itself_refuses_a_find_beyond_the_text() -> None:
    with pytest.raises(HeldError, match="span-beyond-text"):
        Recogniser(lambda text: [(0, 9, "DATE")]).detect([Document("Roe")])


def test_a_recogniser_needs_a_label_that_there_is() -> None:
    with pytest.raises(LabelError, match="a pattern needs a label"):
        as_detector(re.compile("Roe"))
    with pytest.raises(LabelError, match="did you mean NAME_PATIENT"):
        Recogniser(re.compile("Roe"), "NAMEPATIENT")
    with pytest.raises(LabelError, match="leave label out"):
        Recogniser(by_text, "DATE")
    for none in (Rules, "en", None, re.compile(b"(?P<DATE>x)")):
        with pytest.raises(TypeError):
            as_detector(none)  # type: ignore[arg-type]


# -- how things show themselves


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("odd", ["<script>alert(1)</script>", "\"' onload='x", "</pre><b>", "&lt;", "[NAME]"])
def test_a_notebook_shows_escaped_text_in_colours_and_runs_nothing(odd: str) -> None:
    text = f"{odd} Roe {odd}"
    at = text.index("Roe")
    spans = [Span(at, at + 3, "NAME_PATIENT"), Span(at - 1, at + 1, odd), Span(0, len(odd), "OTHER")]
    shown = Tags(Document(text, spans=tuple(spans))._repr_html_())
    assert shown.tags == {"div", "pre", "mark", "sub"}
    assert shown.names == {"style"}
    assert odd in shown.text
    (cleaned,) = elision.Deidentifier([lambda text: [(at, at + 3, "NAME_PATIENT")]])(text)
    assert "Roe" not in cleaned._repr_html_()
    assert Tags(cleaned._repr_html_()).tags <= {"div", "pre", "mark", "sub"}
    assert "Roe" not in repr(cleaned) + repr(cleaned.before) + repr(cleaned.receipt)


def test_a_notebook_has_a_legend_that_is_readable_on_any_page() -> None:
    names = [*canonical(), *map(str, range(360))]
    text = "x" * len(names)
    page = Document(text, spans=tuple(Span(at, at + 1, name) for at, name in enumerate(names)))._repr_html_()
    legend = page.partition("<pre")[0]
    assert f"and {len(names) - MOST_LABELS:,} more labels" in legend
    assert legend.count("<mark") == MOST_LABELS
    for hue, saturation, light in re.findall(r"background:hsl\((\d+),(\d+)%,(\d+)%\);color:#000;", page):
        paint = colorsys.hls_to_rgb(int(hue) / 360, int(light) / 100, int(saturation) / 100)
        linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in paint]
        bright = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        assert (bright + 0.05) / 0.05 >= 4.5  # black on it
    assert page.count("background:") == page.count("color:#000")
    two = Document("Roe, Lund", spans=(Span(0, 3, "NAME"), Span(5, 9, "NAME")))._repr_html_()
    assert "NAME</mark> 2<" in two
    assert "<mark" not in Document("No fever.")._repr_html_()


def test_a_long_note_is_cut_in_a_notebook_and_a_held_one_says_why() -> None:
    shown = Document("x" * 50_000, spans=(Span(19_999, 20_002, "DATE"), Span(40_000, 40_001, "DATE")))._repr_html_()
    assert len(shown) < 21_000
    assert "and 30,000 more characters" in shown
    (held,) = elision.Deidentifier([lambda text: 1 / 0])("Roe")
    assert "ZeroDivisionError" in held._repr_html_()
    assert "held" in repr(held)


def test_the_package_names_what_it_promises() -> None:
    assert dir(elision) == sorted(elision.__all__)
    assert all(getattr(elision, name) is not None for name in elision.__all__)
    assert "policy tag" in repr(elision.Deidentifier([RULES]))


def test_what_takes_long_to_import_waits_until_it_is_asked_for() -> None:
    code = "import sys, elision; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"numpy", "elision.pipeline", "elision.texts", "pyarrow"}.isdisjoint(done.stdout.split())


def test_the_function_and_the_package_of_one_name_are_one() -> None:
    code = "import elision.detect.base, elision; from elision.detect import Finder; print(callable(elision.detect))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


# -- scores


GOLD = Document("Jane Roe, 3 May", "1", spans=(Span(0, 8, "NAME_PATIENT"), Span(10, 15, "DATE")))


@pytest.mark.parametrize("scheme", ["span", "binary", "i2b2-2014", "nedap"])
def test_labels_of_no_tag_set_are_told_in_every_scheme(scheme: str) -> None:
    other = GOLD.with_spans((Span(0, 8, "PERSOON_X"),))
    found = evaluate(GOLD, other, Options(scheme=scheme, replicates=2))
    assert "PERSOON_X" in found.unmapped
    assert "map them first, such as with --labels canonical:" in found.unmapped
    from elision.evaluate import as_json, tables

    assert any(found.unmapped in table.note for table in tables(found))
    assert found.unmapped in as_json(found)
    assert evaluate(GOLD, GOLD, Options(scheme="span", replicates=2)).unmapped == ""


def test_an_evaluation_is_a_data_frame_of_all_its_figures() -> None:
    found = evaluate([GOLD], [GOLD], Options(replicates=2))
    frame = found.to_frame()
    (row,) = frame[(frame.name == "strict") & (frame.measure == "f1")].itertuples()
    assert (row.section, row.value) == ("corrected", 1.0)
    assert repr(found) == "<Evaluation: span, 1 notes, strict F1 1.000, characters found 100.0%>"


def test_a_data_frame_needs_pandas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ElisionError, match="pip install pandas"):
        evaluate(GOLD, GOLD, Options(replicates=2)).to_frame()
