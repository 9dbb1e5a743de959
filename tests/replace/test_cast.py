"""Who is who in a note: one person has one stand-in, whatever the role and however the name is written."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import Policy, parse
from elision.replace.cast import Cast
from elision.replace.choices import Called, Scope
from elision.replace.names import name, username
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))
EVERYWHERE = parse('base = "surrogate"\nclinicians = "everywhere"\n[labels]\n"*" = "surrogate"', "test.toml")
USUAL = Policy.named("surrogate")
HERE = Scope(KEY.secret("names"), "p1", "en")


def cleaned(marked: str, policy: Policy = USUAL, patient: str = "7", known: tuple[str, ...] = ()) -> list[str]:
    """What stands for the spans of a note."""
    document = replace(note(marked, marked), language="en", patient=patient, known={"name": known} if known else {})
    (done,) = Deidentifier([gold], policy=policy, key=KEY)([document])
    assert done.document is not None, done.receipt.why
    return [done.document.text_of(span) for span in done.document.spans]


def test_a_person_has_one_stand_in_in_all_roles_of_all_notes() -> None:
    (first,) = cleaned("Dr. [NAME_CLINICIAN Quimby] came.")
    (second, third) = cleaned("[NAME_PATIENT Quimby] and [NAME_OTHER QUIMBY] came.")
    (fourth,) = cleaned("[NAME_RELATIVE Quimby] came.")
    assert first == second == fourth
    assert third == first.upper()


WHO = [
    ("[NAME_CLINICIAN Quimby]", True, "the patient by the record"),
    ("[NAME_CLINICIAN Adam Quimby]", False, "another given name"),
    ("[NAME_CLINICIAN Quimby] for [NAME_CLINICIAN Adam Quimby]", False, "of two, the one who treats"),
    ("[NAME_CLINICIAN Marlowe]", False, "another surname"),
]


@pytest.mark.parametrize(("marked", "patients", "why"), WHO, ids=[row[2] for row in WHO])
def test_a_title_makes_no_clinician_of_a_patient_where_clinicians_are_the_same_everywhere(
    marked: str, patients: bool, why: str
) -> None:
    known = ("Rosalind Quimby",)
    (there,) = {cleaned(marked, EVERYWHERE, patient="8", known=known)[0]}
    (here,) = {cleaned(marked, EVERYWHERE, patient="7", known=known)[0]}
    assert (here != there) is patients, why
    (_, mine) = cleaned("[NAME_PATIENT Rosalind]; the sister of [NAME_PATIENT Quimby]", EVERYWHERE)
    assert (here == mine) is patients


SHORT = [
    ("NG", {"ng"}, False), ("NG", set(), True), ("ROE, Jane", set(), False), ("Jane ROE", set(), False),
    ("Roe JR", set(), True), ("NG, MEI", {"mei", "ng"}, False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "called", "initials"), SHORT)
def test_a_short_word_in_capitals_is_a_name_if_somebody_is_called_so(
    text: str, called: set[str], initials: bool
) -> None:
    found = name(text, replace(HERE, called=Called(called)))
    assert found is not None
    (short,) = [word for word in re.findall(r"[A-Z]+", text) if len(word) > 1][:1]
    words = zip(re.findall(r"\w+", text), re.findall(r"[\w']+", found), strict=True)
    assert next(len(new) == len(short) for old, new in words if old == short) is initials


def test_initials_that_are_a_name_have_the_stand_in_of_the_name() -> None:
    here = replace(HERE, called=Called(("mei", "ng")))
    surname = name("Ng", here)
    assert surname is not None
    assert name("NG", here, "INITIALS") == name("NG", here) == surname.upper()
    assert username("mng", here) == username("m", here) + surname.lower()  # type: ignore[operator]
    assert (name("Mei Ng", here) or "").endswith(surname)


def test_what_people_are_called_is_taken_from_the_record_and_the_note() -> None:
    document = replace(note("[NAME_PATIENT Jane de Vo] [NAME_OTHER XU] [INITIALS JR]"), known={"name": ("NG, MEI",)})
    assert Cast(document).called == Called(("jane", "vo", "ng", "mei"))
    assert Cast(Document("Roe", known={"mrn": ("4711 ab",)})).called == Called()


@given(st.sets(st.text("abc", min_size=1, max_size=6), max_size=6), st.text("abc", min_size=1, max_size=6))
def test_a_stand_in_is_apart_from_all_that_people_are_called(called: set[str], candidate: str) -> None:
    apart = all(candidate not in word and word not in candidate for word in called if len(word) > 2)
    assert Called(called).apart(candidate) is apart


def test_a_short_surname_does_not_change_the_given_name_beside_it() -> None:
    scopes = [replace(HERE, patient=str(number), called=Called(("adam", "li"))) for number in range(60)]
    assert [(name("Adam Li", one) or "").split()[0] for one in scopes] == [name("Adam", one) for one in scopes]
