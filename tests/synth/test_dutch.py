"""Dutch: particles of surnames, initials, ages; and grammars that expand on both sides."""

from __future__ import annotations

from random import Random

import pytest

from elision.languages.nl.synth_notes import in_words, say_age
from elision.languages.nl.synth_people import split_family, write_name
from elision.languages.synth import Age, Person
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.synth.generate import Maker
from elision.synth.profiles import read_profile

MANY = 60

FAMILIES = [
    ("Jansen", "", "Jansen"),
    ("van der Meer", "van der", "Meer"),
    ("op 't Veld", "op 't", "Veld"),
    ("'t Hart", "'t", "Hart"),
    ("Van den Bossche", "Van den", "Bossche"),
    ("El Amrani", "El", "Amrani"),
    ("de Bruin-van Dijk", "de", "Bruin-van Dijk"),
    ("van", "", "van"),
]


@pytest.mark.parametrize(("family", "front", "rest"), FAMILIES)
def test_particles_stand_before_the_surname(family: str, front: str, rest: str) -> None:
    assert split_family(family) == (front, rest)


MEER = Person("f", ("Hendrika", "Maria"), "van der Meer", "nl", {"letters": "H.M."})
FORMS = [
    ("last", {"van der Meer", "Van der Meer", "v.d. Meer", "vd Meer", "v/d Meer", "V.d. Meer", "V.D. Meer"}),
    ("last_first", {"Meer, Hendrika van der", "van der Meer, Hendrika", "van der Meer Hendrika"}),
    ("last_first_initial", {"Meer, H.M. van der", "van der Meer, H.M.", "van der Meer H.M."}),
    ("initials", {"HvdM", "HM", "hm"}),
    ("initials_dots", {"H.M.", "H. van der M."}),
    ("initial_last", {"H.M. van der Meer", "H. van der Meer", "HM van der Meer", "H.M.van der Meer", "H.van der Meer"}),
]


@pytest.mark.parametrize(("form", "ways"), FORMS)
def test_names_are_written_in_these_ways(form: str, ways: set[str]) -> None:
    seen = {write_name(MEER, form, Random(number)) for number in range(400)}
    assert seen <= ways
    assert len(seen) > 1


def test_somebody_without_letters_has_those_of_the_given_names() -> None:
    plain = Person("m", ("Jan", "Piet"), "Foley", "ambiguous")
    seen = {write_name(plain, "initial_last", Random(number)) for number in range(100)}
    assert {"J.P. Foley", "J. Foley"} <= seen


@pytest.mark.parametrize(
    ("number", "word"),
    [
        (7, "zeven"),
        (21, "eenentwintig"),
        (62, "tweeënzestig"),
        (84, "vierentachtig"),
        (90, "negentig"),
        (101, "honderdeen"),
    ],
)
def test_numbers_in_words(number: int, word: str) -> None:
    assert in_words(number) == word


AGES = [
    (Age(84, 3, 30_800), "words", "vierentachtigjarige"),
    (Age(84, 3, 30_800), "old", "84 jaar oud"),
    (Age(84, 3, 30_800), "decade", "midden tachtig"),
    (Age(84, 3, 30_800), "decade_person", "tachtiger"),
    (Age(84, 3, 30_800), "", "84 jaar"),
    (Age(0, 8, 240), "number", "8 maanden"),
    (Age(0, 0, 20), "", "2 weken"),
    (Age(0, 0, 3), "", "3 dagen"),
]


@pytest.mark.parametrize(("age", "form", "text"), AGES)
def test_ages(age: Age, form: str, text: str) -> None:
    assert text in {say_age(age, form, Random(number))[0].text for number in range(40)}


@pytest.mark.slow
@pytest.mark.parametrize("side", [TRAIN, HELD_OUT])
def test_notes_of_care_have_the_people_that_care_is_about(side: str) -> None:
    notes = list(Maker(read_profile("nut-like"), 5, side).notes(range(MANY)))
    labels = {span.label for note in notes for span in note.spans}
    assert {"NAME_PATIENT", "NAME_CLINICIAN", "NAME_RELATIVE", "DATE", "CARE_FACILITY"} <= labels
    free = 1 - sum(span.end - span.start for note in notes for span in note.spans) / sum(
        len(note.text) for note in notes
    )
    assert free > 0.6
