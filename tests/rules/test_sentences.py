"""Sentences as they stand in notes: what the sure rows of each pack find in them, and that they find nothing else.

Proofs try one row at a time; here rows meet. A line of `sentences/<language>.txt` has in [ ] what must be found, and in
{ } what a tagger should find, so that a row may, too. All else is no identifier. Rows are tried from a score of LEAST
on, below what a run takes beside a tagger, and again from there on: then they may find less, and nothing else.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from elision.detect.defaults import SURE_RULES
from elision.document import Document
from elision.rules import Sure, pack_names, shipped_rules

LEAST = 0.7
LINES = [
    (path.stem, line)
    for path in sorted((Path(__file__).parent / "sentences").glob("*.txt"))
    for line in path.read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@cache
def sure(language: str, least: float) -> Sure:
    return Sure(shipped_rules(language), least)


def marks(line: str) -> tuple[str, set[int], set[int]]:
    """The plain text of a line, and the places of its letters and digits in [ ] and in { }."""
    text = ""
    places: dict[str, set[int]] = {"[": set(), "{": set()}
    for mark, inside, plain in re.findall(r"([\[{])([^\]}]*)[\]}]|([^\[{]+)", line):
        if mark:
            places[mark].update(len(text) + at for at, sign in enumerate(inside) if sign.isalnum())
        text += inside or plain
    return text, places["["], places["{"]


def shown(text: str, places: set[int]) -> str:
    return "".join(sign if at in places else "_" for at, sign in enumerate(text))


def found(text: str, language: str, least: float) -> tuple[set[int], list[str]]:
    spans = sure(language, least).detect([Document(text, "sentence", language=language)])[0]
    places = {at for span in spans for at in range(span.start, span.end) if text[at].isalnum()}
    return places, [span.source for span in spans]


@pytest.mark.parametrize(("language", "line"), LINES)
def test_sure_rows_find_these_and_nothing_else(language: str, line: str) -> None:
    text, must, may = marks(line)
    places, rows = found(text, language, LEAST)
    assert shown(text, places - may) == shown(text, must), rows
    fewer, rows = found(text, language, SURE_RULES)
    assert shown(text, fewer - may - must) == shown(text, set()), rows


@pytest.mark.parametrize("language", pack_names())
def test_there_are_sentences_of_both_kinds(language: str) -> None:
    marked = ["[" in line for spoken, line in LINES if spoken == language]
    assert min(marked.count(True), marked.count(False)) >= 25
