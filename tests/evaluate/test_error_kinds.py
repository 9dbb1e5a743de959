"""Kinds of errors that a form tells, as Trienes 2020 sorts them."""

from __future__ import annotations

import pytest

from elision.evaluate.error_kinds import KINDS, count_kinds
from tests.notes import note

ONE = {  # gold, system: the kinds of what was missed and of what is spurious
    "found": ("Gezien door [NAME Ilse Quorn].", "Gezien door [NAME Ilse Quorn].", [], []),
    "missed": ("Gezien door [NAME Ilse Quorn].", "Gezien door Ilse Quorn.", ["other"], []),
    "initials": ("Rapportage [NAME JB] gezien.", "Rapportage JB gezien.", ["abbreviation"], []),
    "with full stops": ("Rapportage [NAME J.B.] gezien.", "Rapportage J.B. gezien.", ["abbreviation"], []),
    "spurious abbreviation": ("Heeft COPD.", "Heeft [ORG COPD].", [], ["abbreviation"]),
    "a number": ("Tel [PHONE 555-0134].", "Tel 555-0134.", ["other"], []),
    "common words": ("Vandaag [ORG beter horen] gebeld.", "Vandaag beter horen gebeld.", ["common language"], []),
    "an article more": ("Woont in [CARE Linde].", "Woont in [CARE Linde].", [], []),
    "with the article": ("Woont in de [CARE Linde].", "Woont in [CARE de Linde].", ["prefix"], ["prefix"]),
    "article and label": ("Woont in de [CARE Linde].", "Woont in [ORG de Linde].", ["other"], ["other"]),
    "another word": ("Woont in bij [CARE Linde].", "Woont in [CARE bij Linde].", ["other"], ["other"]),
    "inside a token": ("Vanaf [DATE 201]6 thuis.", "Vanaf 2016 thuis.", ["tokenisation"], []),
    "another label": ("Bij [CARE Linde].", "Bij [ORG Linde].", ["other"], ["other"]),
}


@pytest.mark.parametrize("case", ONE)
def test_an_error_has_the_kind_that_its_form_tells(case: str) -> None:
    gold, system, missed, spurious = ONE[case]
    found = count_kinds([(note(gold, "1"), note(system, "1"))])
    assert list(found.missed.elements()) == missed
    assert list(found.spurious.elements()) == spurious
    assert {*found.missed, *found.spurious} <= set(KINDS)


def test_errors_of_all_notes_are_added() -> None:
    pairs = [(note(gold, case), note(system, case)) for case, (gold, system, _, __) in ONE.items()]
    found = count_kinds(pairs)
    assert found.missed.total() == sum(len(missed) for _, __, missed, ___ in ONE.values())
    assert found.spurious.total() == sum(len(spurious) for *_, spurious in ONE.values())
