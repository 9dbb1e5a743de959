"""What comes with elision, line by line: the tables of `cases` are data, and a line is a case.

negative/left-LANGUAGE   what is nobody's and was masked once: nothing of it is found
reported, synthetic      what stands in brackets is hidden, whole, and nothing else
known_failures           the same, and not yet: when a line passes, the test says so, and the line moves to `reported`
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from elision.detect.defaults import SURE_RULES, detectors_for
from elision.document import Document, covered
from elision.errors import HeldError
from elision.pipeline import Deidentifier
from elision.rules import Sure, shipped_rules
from tests.notes import note

CASES = Path(__file__).parent / "cases"


def lines(file: Path) -> list[str]:
    return [line for line in file.read_text("utf-8").splitlines() if line and not line.startswith("#")]


LEFT = [
    (file.stem.removeprefix("left-"), line)
    for file in sorted((CASES / "negative").glob("left-*.tsv"))
    for line in lines(file)
]
NOT_YET = pytest.mark.xfail(strict=True, reason="elision does not find it yet")
FOUND = [
    pytest.param(*line.split("\t"), marks=[NOT_YET] if folder == "known_failures" else [])
    for folder in ("reported", "synthetic", "known_failures")
    for line in lines(CASES / folder / "found.tsv")
]


@cache
def default(language: str) -> Deidentifier:
    return Deidentifier(detectors_for(language))


def hidden(text: str, language: str) -> list[str]:
    """The stretches of a text that a run would replace."""
    document = Document(text, language=language)
    found = default(language).detect([document])[0]
    assert not isinstance(found, HeldError)
    settled = default(language).settled(document, found).document
    return [text[start:end] for start, end in covered(settled.spans)]


@pytest.mark.parametrize(("language", "text"), LEFT)
def test_a_run_leaves_it(language: str, text: str) -> None:
    assert hidden(text, language) == []


@pytest.mark.parametrize(("language", "text"), LEFT)
def test_surer_rules_leave_it(language: str, text: str) -> None:
    (found,) = Sure(shipped_rules(language), SURE_RULES).detect([Document(text, language=language)])
    assert [text[span.start : span.end] for span in found] == []


@pytest.mark.parametrize(("language", "marked"), FOUND)
def test_a_run_hides_it(language: str, marked: str) -> None:
    text = note(marked).text
    assert hidden(text, language) == [text[start:end] for start, end in covered(note(marked).spans)]
