"""Trienes' agreement of two annotators by tag, beside what is published, and what adjudicating brings."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.document import Document, Span
from elision.papers.studies import runs
from elision.papers.studies.notes import Notes
from elision.papers.studies.scored import Scores
from elision.papers.studies.study import ALL, TEST, TRAIN, Part, Run
from elision.papers.studies.trienes2020_agreement import ANNOTATORS, ITEM

TEXT = "Jansen, J. komt 3 mei; Jansen belde."
NAME, INITIALS, DATE, AGAIN = Span(0, 6, "Name"), Span(8, 10, "Initials"), Span(16, 21, "Date"), Span(23, 29, "Name")
GOLD = Document(TEXT, "n1", language="nl", spans=(NAME, INITIALS, DATE, AGAIN))


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    """The first annotator finds name and date, the second the name as initials, and the initials."""
    notes = Notes({"dutch": {TRAIN: (GOLD,), TEST: (GOLD,), ALL: (GOLD,)}}, ())
    found = ((NAME, DATE), (Span(0, 6, "Initials"), INITIALS))
    results = {}
    for name, spans in zip(ANNOTATORS, found, strict=True):
        run = Run(name, "menger2018", Part("dutch", TRAIN), Part("dutch", TEST))
        results[name] = runs.Result(runs.job_of(run, notes, "nut", tmp_path, 0, quick=True), (spans,), 0.0)
    return Scores("trienes2020", results, notes, 0, quick=True)


def test_two_annotators_agree_by_tag(scores: Scores) -> None:
    table = ITEM.make(ITEM, scores)
    rows = {row.name: [cell.value for cell in row.cells[:3]] for row in table.rows}
    assert rows == {"Date": [1, 0, 0], "Initials": [0, 2, 0], "Name": [1, 0, 0], "all": [2, 2, 0]}
    told = {row.name: row.cells[2].published for row in table.rows}
    assert (told["all"], told["Initials"], told["Date"]) == (0.84, 0.46, None)


def test_adjudicated_is_what_either_marked_and_the_checks_are_counted(scores: Scores) -> None:
    _, together, again = ITEM.make(ITEM, scores).notes
    assert "0.7500 of all identifiers are marked whole; A alone marks 0.5000, and B alone 0.5000" in together
    assert "0 places whose words have another tag elsewhere, and 1 that are not marked and are elsewhere" in again
