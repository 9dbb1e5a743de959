"""What is nobody's stays: `cases/negative/left-LANGUAGE.tsv`, each line a text that was masked once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from elision.detect.defaults import SURE_RULES, detectors_for
from elision.document import Document
from elision.errors import HeldError
from elision.pipeline import Deidentifier
from elision.rules import Sure, shipped_rules

CASES = [
    (file.stem.removeprefix("left-"), line)
    for file in sorted((Path(__file__).parent / "cases" / "negative").glob("left-*.tsv"))
    for line in file.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@cache
def default(language: str) -> Deidentifier:
    return Deidentifier(detectors_for(language))


@pytest.mark.parametrize(("language", "text"), CASES)
def test_a_run_leaves_it(language: str, text: str) -> None:
    note = Document(text, language=language)
    found = default(language).detect([note])[0]
    assert not isinstance(found, HeldError)
    assert [text[span.start : span.end] for span in default(language).settled(note, found).document.spans] == []


@pytest.mark.parametrize(("language", "text"), CASES)
def test_surer_rules_leave_it(language: str, text: str) -> None:
    (found,) = Sure(shipped_rules(language), SURE_RULES).detect([Document(text, language=language)])
    assert [text[span.start : span.end] for span in found] == []
