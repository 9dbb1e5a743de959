from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Span
from elision.errors import SynthError
from elision.synth.noise import QUIET, Noise, copied, disturb, paged, wrapped
from elision.synth.ocr import scan

LOUD = Noise(*([1.0] * len(fields(Noise))))
STEADY = replace(LOUD, caps_note=0, lower_note=0, caps_heads=0, copied=0, abbreviated=0, dictated=0)

# Capitals stand only in spans, small letters and digits only outside: noise in the same letters shows if an edge slips.
parts = st.lists(
    st.tuples(st.text("abc 12.,:\n", min_size=1, max_size=12), st.text("XYZ", min_size=3, max_size=8)), max_size=6
)


def built(rows: list[tuple[str, str]]) -> tuple[str, list[Span]]:
    text, spans = "", []
    for outside, inside in rows:
        text += outside
        inside = f"{inside} {inside}"
        spans.append(Span(len(text), len(text) + len(inside), "NAME_PATIENT"))
        text += inside
    return text, spans


def well(text: str, spans: list[Span]) -> None:
    """Spans lie in the text, disjoint, with something in each and no blank at an edge."""
    at = 0
    for span in spans:
        piece = text[span.start : span.end]
        assert piece and piece == piece.strip()  # noqa: PT018
        assert at <= span.start < span.end <= len(text)
        at = span.end


@given(parts, st.integers(0, 1000), st.floats(0, 1))
def test_noise_crosses_no_edge(rows: list[tuple[str, str]], seed: int, rate: float) -> None:
    text, spans = built(rows)
    noise = replace(STEADY, typos=rate, glued=rate, doubled=rate, unspaced=rate, unmarked=rate)
    changed, moved = disturb(text, spans, noise, Random(seed), "en")
    well(changed, moved)
    assert len(moved) == len(spans)
    at = 0
    for span in moved:
        assert not any(c.islower() or c.isdigit() for c in changed[span.start : span.end])
        assert not any(c.isupper() for c in changed[at : span.start])
        at = span.end
    assert not any(c.isupper() for c in changed[at:])


@given(parts, st.integers(0, 1000), st.floats(0, 1))
def test_a_scanner_loses_no_span(rows: list[tuple[str, str]], seed: int, strength: float) -> None:
    text, spans = built(rows)
    changed, moved = scan(text, spans, strength, Random(seed))
    well(changed, moved)
    assert [span.label for span in moved] == [span.label for span in spans]


@given(parts, st.integers(0, 1000))
def test_all_noise_at_once_keeps_spans_well(rows: list[tuple[str, str]], seed: int) -> None:
    text, spans = built(rows)
    changed, moved = disturb(
        text, spans, LOUD, Random(seed), "en", lambda: ("Page of ROE", [Span(8, 11, "NAME_PATIENT")])
    )
    well(changed, sorted(moved, key=lambda span: span.start))
    assert len(moved) >= len(spans)


def test_quiet_changes_nothing() -> None:
    assert disturb("ab cd.", [Span(0, 2, "DATE")], QUIET, Random(1), "en") == ("ab cd.", [Span(0, 2, "DATE")])
    assert scan("ab", [], 0, Random(1)) == ("ab", [])


def test_the_dial_makes_more_errors() -> None:
    text = "The specimen was received in formalin and labelled with the name. " * 40

    def errors(strength: float) -> int:
        scanned = scan(text, [], strength, Random(3))[0]
        return sum(a != b for a, b in zip(text.split(), scanned.split(), strict=False))

    counts = [errors(strength) for strength in (0.0, 0.02, 1.0)]
    assert counts[0] == 0 < counts[1] <= counts[2]
    alike = [sum(scan(text, [], s, Random(seed))[0].count("specimen") for seed in range(20)) for s in (0.05, 0.3, 1.0)]
    assert alike == sorted(alike, reverse=True)
    assert alike[0] > 2 * alike[2]


@pytest.mark.parametrize("strength", [-0.1, 1.1, float("nan")])
def test_a_strength_beyond_the_dial_is_refused(strength: float) -> None:
    with pytest.raises(SynthError, match="between 0"):
        scan("a", [], strength, Random(1))


def test_lines_are_broken_at_blanks_names_included() -> None:
    text = "word " * 13 + "Jane Roe " + "word " * 10
    changed, spans = wrapped(text, [Span(65, 73, "NAME_PATIENT")], 70)
    assert max(map(len, changed.split("\n"))) <= 70
    assert changed[spans[0].start : spans[0].end] == "Jane\nRoe"
    assert changed.replace("\n", " ") == text


def test_a_paragraph_is_copied_with_its_spans() -> None:
    text = "Seen by Roe today, who is well and will come again.\n\nShort.\n"
    changed, spans = copied(text, [Span(8, 11, "NAME_CLINICIAN")], Random(2))
    assert changed.count("Seen by Roe") == 2
    assert [changed[span.start : span.end] for span in spans] == ["Roe", "Roe"]


def test_pages_have_heads_with_spans() -> None:
    text = "line\n" * 100
    changed, spans = paged(text, [], lambda: ("Name: ROE", [Span(6, 9, "NAME_PATIENT")]), Random(1))
    assert len(spans) == changed.count("Name: ROE") >= 2
    assert {changed[span.start : span.end] for span in spans} == {"ROE"}


def test_capitals_keep_the_length() -> None:
    text = "Straße, ﬁx"
    changed, spans = disturb(text, [Span(0, 6, "STREET")], replace(QUIET, caps_note=1), Random(1), "en")
    assert len(changed) == len(text)
    assert changed.startswith("STRA")
    assert spans == [Span(0, 6, "STREET")]


def test_hurried_people_abbreviate_outside_of_spans_only() -> None:
    noise = replace(QUIET, abbreviated=1)
    changed, _ = disturb("The patient with patient", [Span(17, 24, "NAME_PATIENT")], noise, Random(1), "en")
    assert changed == "The pt w/ patient"


def test_dictated_marks_are_spoken() -> None:
    changed, _ = disturb("She is well, now.", [], replace(QUIET, dictated=1), Random(1), "en")
    assert changed == "She is well comma now period"


def test_a_rate_beyond_a_share_is_refused() -> None:
    with pytest.raises(ValueError, match="typos"):
        Noise(typos=1.5)
