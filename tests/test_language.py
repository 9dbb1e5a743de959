"""Notes tell their language."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from elision.language import LANGUAGES, language_of
from tests.strategies import texts

NOTES = sorted((Path(__file__).parents[1] / "examples" / "notes" / "gold").glob("*/*.txt"))


@pytest.mark.parametrize("note", NOTES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_example_notes(note: Path) -> None:
    assert language_of(note.read_text("utf-8")) == note.parent.name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", ""),
        ("12/3 140/90", ""),
        ("Roe", ""),
        ("Mw. ligt in bed en heeft geen pijn.", "nl"),
        ("El paciente acude con fiebre", "es"),
        ("NO KNOWN ALLERGIES. PATIENT WAS SEEN BY DR. ROE", "en"),
        ("患者李明, BP 120/80, CT", "zh"),
    ],
)
def test_short_ones(text: str, language: str) -> None:
    assert language_of(text) == language


@given(texts)
def test_any_text_has_a_language_or_none(text: str) -> None:
    assert language_of(text) in ("", *LANGUAGES)
