"""The cast: the same people, days, places and numbers all over a note, and over a patient's notes."""

from __future__ import annotations

import re
from datetime import date, timedelta
from random import Random

import pytest

from elision.errors import SynthError
from elision.languages.synth import Person
from elision.languages.synth_data import language_named
from elision.rules.checks import CHECKS
from elision.synth.grammar import Slot
from elision.synth.patterns import KINDS, Bearer, fill, write_date
from elision.synth.people import FORMS, write_person
from elision.synth.reading import parse
from elision.synth.slots import check, labels_of
from elision.synth.slots import fill as fill_slot
from tests.synth.small import cast, expand, expanded, pieces, setting

ROE = Person("f", ("Jane", "Mary"), "Roe", "us")
FORMED = [
    ("full", "Jane Roe"), ("first", "Jane"), ("last", "Roe"), ("last_first", "Roe, Jane"), ("full_middle",
    "Jane Mary Roe"),
    ("full_initial", "Jane M. Roe"), ("last_first_initial", "Roe, Jane M."), ("initials", "JMR"), ("initials_dots",
    "J.M.R."),
    ("initial_last", "J. Roe"), ("first_initial", "Jane R."), ("caps_full", "JANE ROE"), ("lower_last", "roe"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text"), FORMED)
def test_names_have_forms(form: str, text: str) -> None:
    found = write_person(language_named("en"), ROE, "patient", form, Random(1))
    assert [piece.text for piece in found] == [text]
    assert found[0].label == ("INITIALS" if form.startswith("initials") else "NAME_PATIENT")
    assert found[0].info == {"origin": "us", "gender": "f"}


def test_titles_and_what_stands_behind_are_outside() -> None:
    for form in ("title_last", "title_full"):
        title, name = write_person(language_named("en"), ROE, "doctor", form, Random(1))
        assert (title.label, name.label) == ("", "NAME_CLINICIAN")
        assert title.text.endswith(" ")
    signed = [write_person(language_named("en"), ROE, "doctor", "sign", Random(seed)) for seed in range(20)]
    assert all("Roe" in row[0].text and row[1].label == "" for row in signed)


ROLES = [
    ("patient", "NAME_PATIENT"), ("doctor3", "NAME_CLINICIAN"), ("author", "NAME_CLINICIAN"), ("nurse",
    "NAME_CLINICIAN"),
    ("relative", "NAME_RELATIVE"), ("other", "NAME_OTHER"),
]  # fmt: skip


@pytest.mark.parametrize(("role", "label"), ROLES)
def test_labels_follow_roles(role: str, label: str) -> None:
    text, spans = expand(f"note = x <{role}> <{role}:last>")
    (_, full), (second, last) = pieces(text, spans)
    assert second == label
    assert full.endswith(last)


def test_a_note_agrees_with_itself() -> None:
    again = expanded(
        "note = <mrn>|<mrn>|<hospital>|<hospital>|<city>|<city>|<phone>|<phone>|<other_id>|<other_id>"
    ).split("|")
    assert again[::2] == again[1::2]
    text, spans = expand(
        "note = <hospital>;<hospital:2>;<mrn>;<mrn:2>;<mrn:new>;<mrn:new>;<patient:full>;<doctor:full>"
    )
    assert len({text for _, text in pieces(text, spans)}) == len(spans)


def test_a_patient_is_the_same_in_all_notes() -> None:
    notes = [cast(7, visit, rng=visit) for visit in range(5)]
    for slot in (
        Slot("mrn", ("",)),
        Slot("ssn", ("",)),
        Slot("city", ("",)),
        Slot("patient", ("full",)),
        Slot("relative", ("full",)),
    ):
        assert len({fill_slot(one, slot)[0].text for one in notes}) == 1
    assert len({one.born for one in notes}) == 1
    days = [one.day("visit") for one in notes]
    assert days == sorted(set(days))
    assert notes[3].day("prior") == days[2]


def test_patients_differ() -> None:
    assert len({cast(number).person("patient").family for number in range(40)}) > 20
    assert {cast(number).sex for number in range(40)} == {"f", "m"}


def test_days_are_in_order() -> None:
    for number in range(60):
        one = cast(number)
        visit = one.day("visit")
        assert one.born < one.day("admission") <= visit < one.day("discharge")
        assert one.day("visit") <= one.day("report") <= visit + timedelta(2)
        assert one.born < one.day("past") < visit < one.day("future")
        assert one.day("past") != one.day("past") or one.day("past") != one.day("past")
        assert one.day("edd") >= one.day("lmp")


def test_the_age_agrees_with_the_days() -> None:
    for number in range(30):
        one = cast(number)
        years = (one.day("visit") - one.born).days / 365.25
        found = fill_slot(one, Slot("age", ("number",)))[0]
        assert abs(int(found.text.split()[0]) - years) < 1.01
        assert found.label == "AGE"


WRITTEN = [
    ("MM/DD/YYYY", "03/07/2021"), ("M/D/YY", "3/7/21"), ("Month Dth, YYYY", "March 7th, 2021"), ("DD-Mon-YYYY",
    "07-Mar-2021"),
    ("DDMONYYYY", "07MAR2021"), ("YYYY-MM-DD", "2021-03-07"), ("Weekday D/M", "Sunday 7/3"), ("Dth of Month",
    "7th of March"),
    ("'YY", "'21"), ("Mon. D", "Mar. 7"),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "text"), WRITTEN)
def test_dates_are_written_by_patterns(pattern: str, text: str) -> None:
    assert write_date(date(2021, 3, 7), pattern, "en") == ("", text, "")


def test_a_pattern_may_mark_the_span() -> None:
    assert write_date(date(2021, 3, 7), "op [D/M] om", "en") == ("op ", "7/3", " om")


def test_a_note_has_its_habit() -> None:
    texts = [fill_slot(one, Slot("date", ("visit",)))[0].text for one in [cast(3)] for _ in range(100)]
    assert max(texts.count(text) for text in texts) > 80


def test_two_days_are_one_span() -> None:
    text, spans = expand("note = <date:range>")
    assert len(spans) == 1
    assert len(re.findall(r"\d+", text)) >= 2


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_numbers_have_valid_check_digits(kind: str) -> None:
    checks = {"es_nie": "es-dni", "card": "luhn"}
    check = CHECKS["iban" if kind.startswith("iban") else checks.get(kind, kind.replace("_", "-"))]
    rng = Random(kind)
    for _ in range(200):
        number = KINDS[kind](rng, Bearer(date(1957, 11, 30), rng.choice("fm")))
        assert check(number), number


def test_numbers_tell_of_their_bearer() -> None:
    bearer = Bearer(date(1957, 11, 30), "f")
    assert KINDS["cn_resident"](Random(1), bearer)[6:14] == "19571130"
    assert int(KINDS["cn_resident"](Random(1), bearer)[16]) % 2 == 0
    assert KINDS["be_national"](Random(1), bearer).startswith("571130")
    assert KINDS["mx_curp"](Random(1), bearer)[4:11] == "571130M"


def test_patterns_of_numbers() -> None:
    bearer = Bearer(date(1957, 11, 30), "f")
    for _ in range(50):
        assert re.fullmatch(r"MR[1-9]\d-[A-Z][A-F2]#", fill(r"MR%#-?[A-F2]\#", Random(), bearer))
        assert re.fullmatch(r"\d{3}-\d\d-\d{4}", fill("@us_ssn ###-##-####", Random(), bearer))
    with pytest.raises(SynthError, match="no such kind"):
        fill("@nothing ###", Random(1), bearer)


def test_an_address_keeps_its_parts() -> None:
    for number in range(30):
        text, spans = expand("note = <address>", cast(number))
        labels = [label for label, _ in pieces(text, spans)]
        assert labels[:2] == ["STREET", "CITY"]
        assert set(labels) <= {"STREET", "CITY", "STATE", "ZIP"}


def test_a_room_is_its_number_and_the_word_before_stays_outside() -> None:
    seen = set()
    for number in range(60):
        text, spans = expand("note = Moved to <room>.", cast(number))
        found = pieces(text, spans)
        assert {label for label, _ in found} == {"ROOM"}
        assert not any(re.match(r"(?i)(?:room|rm|bed|bay|chair)\b", value) for _, value in found)
        seen |= set(re.findall(r"\b(?:Room|Rm|[Bb]ed|[Bb]ay|chair)(?= )", text))
    assert {"Room", "Rm", "Bed", "Bay"} <= seen


def test_what_a_slot_brings_is_told_by_its_parts() -> None:
    labels = {code: labels_of(Slot("address", ()), language_named(code)) for code in ("en", "es", "nl")}
    assert labels["en"] == ("STREET", "CITY", "STATE", "ZIP")
    assert set(labels["es"]) == {"STREET", "CITY", "STATE", "ZIP", "COUNTRY"}
    assert set(labels["nl"]) == {"STREET", "CITY", "ZIP"}
    assert labels_of(Slot("room", ()), language_named("en")) == ("ROOM",)
    assert labels_of(Slot("mail_host", ()), language_named("nl")) == ()


SLOTS = [
    ("<email>", "EMAIL", r"\S+@\S+\.example(\.\w+)?"), ("<url>", "URL", r"\S+\.example\S*"), ("<ip>", "IP",
    r"[\d.]+"), ("<ssn>", "NATIONAL_ID", r"[\dx -]+"),
    ("<username>", "USERNAME", r"[a-z_\d]+"), ("<weekday>", "DATE", r"\w+( \w+)?"), ("<profession>", "PROFESSION",
    r".+"),
    ("<hospital,caps>", "HOSPITAL", r"[^a-z]+"), ("<id:mrn>", "MEDICAL_RECORD", r".+"), ("<pager>", "PHONE",
    r"[\d-]+"), ("<nhs>", "MEDICAL_RECORD", r"[\d -]+"),
]  # fmt: skip


@pytest.mark.parametrize(("slot", "label", "pattern"), SLOTS)
def test_slots_have_labels(slot: str, label: str, pattern: str) -> None:
    text, spans = expand(f"note = {slot}")
    assert [span.label for span in spans] == [label]
    assert re.fullmatch(pattern, text)


PLAIN = [("<n:5-7>", r"[567]"), ("<dec:1.5-1.6>", r"1\.[56]"), ("<dec:1.5-1.6,comma>", r"1,[56]"), ("<time>",
r"\d\d:\d\d"),
         ("<sex:pronoun>", "s?he"), ("<sex:Pronoun,doctor>", "S?[Hh]e"), ("<pick:saints>", r"[A-Z]\w+")]  # fmt: skip


@pytest.mark.parametrize(("slot", "pattern"), PLAIN)
def test_some_slots_are_no_phi(slot: str, pattern: str) -> None:
    text, spans = expand(f"note = {slot}")
    assert not spans
    assert re.fullmatch(pattern, text)


WRONG = [
    ("<nothing>", "there is no slot nothing"), ("<patient:backwards>", "no such form of a name"), ("<date:never>",
    "no such day"),
    ("<sex:robot>", "no such words"), ("<sex:his,robot>", "no such person"), ("<n:7-5>", "write <n"), ("<dec:1>",
    "write <dec"),
    ("<pick:nothing>", "there is no list nothing"), ("<mark:NOBODY,note>", "no such label"), ("<email:robot>",
    "no such person"),
]  # fmt: skip


@pytest.mark.parametrize(("slot", "message"), WRONG)
def test_an_unknown_slot_is_refused(slot: str, message: str) -> None:
    with pytest.raises(SynthError, match=message):
        check(parse(f"note = {slot} | a"), language_named("en"))


def test_every_form_can_be_written_in_every_language() -> None:
    for code in ("en", "es", "nl", "zh"):
        language = language_named(code)
        for country in language.countries:
            of = setting(countries=(country,), language=code)
            for role in ("patient", "doctor", "nurse", "relative"):
                for form in FORMS:
                    found = cast(3, of=of).name(role, form)
                    assert any(piece.label and piece.text == piece.text.strip() for piece in found), (
                        code,
                        country,
                        role,
                        form,
                    )
