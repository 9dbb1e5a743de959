"""What was found in part is hidden whole, and nothing beside it."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.detect.whole import grown
from elision.document import Span, covered, first_overlap
from elision.languages.detection import everywhere
from elision.merge import merge, tidy
from elision.pipeline import Deidentifier
from tests.notes import note
from tests.strategies import spans_in, texts

CASES = Path(__file__).parents[1] / "cases"


def rows(name: str) -> list[list[str]]:
    lines = (CASES / name / "whole.tsv").read_text("utf-8").splitlines()
    return [line.replace("⏎", "\n").split("\t") for line in lines if not line.startswith("#")]


def stretches(text: str, spans: tuple[Span, ...]) -> list[tuple[str, str, int]]:
    return [(span.label, text[span.start : span.end], span.start) for span in spans]


@pytest.mark.parametrize(("language", "found", "whole"), rows("reported"))
def test_it_grows_to_the_whole_value(language: str, found: str, whole: str) -> None:
    before, after = note(found), note(whole)
    assert before.text == after.text
    assert stretches(after.text, grown(before.text, before.spans, language)) == stretches(after.text, after.spans)


@pytest.mark.parametrize(("language", "found"), rows("negative"))
def test_it_leaves_what_is_not_its_own(language: str, found: str) -> None:
    before = note(found)
    assert stretches(before.text, grown(before.text, before.spans, language)) == stretches(before.text, before.spans)


LABELS = st.sampled_from(
    (
        "NAME_PATIENT",
        "DATE",
        "AGE",
        "MEDICAL_RECORD",
        "USERNAME",
        "STREET",
        "ZIP",
        "CITY",
        "ORGANIZATION",
        "EMAIL",
        "PHONE",
    )
)
PIECES = st.sampled_from(
    (
        "Alma WHITFIELD", "Jan", "P. ", "van der ", "roe", ", ", "-", ". ", " ", "  ", "\n", "@", "://", "www.",
        "12", "/", "mei", "2012", "3 ", "t/m ", "(Fr)", "B.V.", "王", "主任", "医师", "年", "月", "日", "é", "_",
        "St", "roe@x.org", " or ", "或", "; ", "<",
    )
)  # fmt: skip


@given(st.lists(PIECES, max_size=24).map("".join) | texts, st.data(), st.sampled_from(["en", "es", "nl", "zh", ""]))
def test_nothing_is_lost_but_between_addresses_and_spans_stay_apart(
    text: str, data: st.DataObject, language: str
) -> None:
    given_spans = [Span(span.start, span.end, data.draw(LABELS), 0.9) for span in data.draw(spans_in(text))]
    spans = tidy(text, merge(given_spans))
    whole = grown(text, spans, language)
    characters = {at for start, end in covered(whole) for at in range(start, end)}
    lost = {at for start, end in covered(spans) for at in range(start, end)} - characters
    between = "".join(text[at] if at in lost else "\0" for at in range(len(text)))
    assert set(re.split(r"[\0\s,;:/|&<>()、，；.。-]+", between)) <= {"", *everywhere("between_addresses")}
    assert first_overlap(whole) is None
    assert list(whole) == sorted(whole, key=lambda span: span.start)
    assert all(0 <= span.start < span.end <= len(text) for span in whole)


@given(st.lists(PIECES, max_size=24).map("".join), st.data())
def test_short_lines_end_a_value(text: str, data: st.DataObject) -> None:
    """Only where a line may have been broken to fit a width does a value go on in the next."""
    lines = text.split("\n")
    if max(map(len, lines)) > 56:
        return
    spans = tidy(text, merge(span for span in data.draw(spans_in(text)) if "\n" not in text[span.start : span.end]))
    for span in grown(text, spans, "en"):
        assert "\n" not in text[span.start : span.end]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("label", "piece", "found"),
    [
        ("NAME_PATIENT", "Alma WHITFIELD, ", "WHITFIELD"),
        ("NAME_PATIENT", "A. B. C. ", "B"),
        ("MEDICAL_RECORD", "12-AB-", "AB"),
        ("DATE", "3 mei 2012 ", "mei"),
        ("NAME_PATIENT", "a.roe@b.c/", "roe"),
        ("EMAIL", "a.roe@b.c or ", "a.roe@b.c or "),
        ("NAME_PATIENT", "http://roe.x/", "roe"),
        ("NAME_PATIENT", "王主任医师", "主"),
        ("STREET", "Kerkstraat 12 ", "Kerkstraat"),
    ],
)
def test_it_takes_time_in_proportion_to_the_text(label: str, piece: str, found: str) -> None:
    def seconds(count: int) -> float:
        text, at = piece * count, piece.index(found)
        spans = [Span(n * len(piece) + at, n * len(piece) + at + len(found), label) for n in range(count)]
        took = []
        for _ in range(2):
            begin = time.process_time()
            grown(text, spans, "nl")
            took.append(time.process_time() - begin)
        return min(took)

    seconds(10)
    assert seconds(4_000) < 40 * max(seconds(400), 0.002)


def test_a_long_word_is_no_trap() -> None:
    for text in ("a" * 300_000, "A-" * 150_000, "1" * 300_000, "a@" * 150_000, "http://a." * 30_000, "A. " * 100_000):
        begin = time.process_time()
        for label in ("NAME_PATIENT", "DATE", "MEDICAL_RECORD", "STREET", "AGE", "ORGANIZATION"):
            grown(text, [Span(150_000, 150_001, label)], "en")
        assert time.process_time() - begin < 3


def test_a_note_comes_out_with_its_values_whole() -> None:
    marked = note(
        "Seen by Alma [NAME_PATIENT WHITFIELD], MRN [MEDICAL_RECORD 4471820]-JH, jane.[NAME_PATIENT roe]@x.example."
    )
    (cleaned,) = Deidentifier([lambda documents: [marked.spans for _ in documents]])([marked.with_spans(())])
    assert cleaned.document is not None
    assert cleaned.document.text == "Seen by [NAME], MRN [MEDICAL_RECORD], [EMAIL]."


def test_what_the_sweep_adds_is_whole_too() -> None:
    marked = note("Seen by Dr [NAME_CLINICIAN Quillfeather]. Later Rosalind Quillfeather rang.")
    (cleaned,) = Deidentifier([lambda documents: [marked.spans for _ in documents]], memory=False)(
        [marked.with_spans(())]
    )
    assert cleaned.document is not None
    assert cleaned.document.text == "Seen by Dr [NAME]. Later [NAME] rang."
