"""Surrogates as Trienes 2020 made them: dates into the future, ages up to 89, institutions among themselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document, Span
from elision.keys import Key
from elision.pipeline import Cleaned, Deidentifier
from elision.policy import Policy
from elision.replace.ages import capped
from elision.replace.choices import Scope
from elision.replace.dates import date_of, days_of
from elision.replace.shuffling import dealt
from tests.notes import note

KEYS = [Key(bytes([number]) * 32) for number in range(8)]
INSTITUTES = ("De Wilgenhof", "Het Anker", "Duinrand", "De Linde", "Sint Brannoc")


def cleaned(marked: Sequence[Document], policy: str | Path, key: Key = KEYS[0]) -> list[Cleaned]:
    spans = {document.text: document.spans for document in marked}

    def found(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [spans[document.text] for document in documents]

    given = [Document(each.text, each.id, f"p{at}", "nl") for at, each in enumerate(marked)]
    return Deidentifier([found], policy=policy, key=key)(given)


def said(one: Cleaned, label: str) -> list[str]:
    assert one.document is not None, one.receipt.why
    return [one.document.text_of(span) for span in one.document.spans if span.label == label]


@pytest.mark.parametrize("key", KEYS)
def test_dates_of_a_note_move_by_the_same_years_and_days_into_the_future(key: Key) -> None:
    marked = [
        note(f"Opname op [DATE 12-11-2018], ontslag op [DATE 19 november 2018], kamer {at}.", f"n{at}") for at in "12"
    ]
    moved = [[date_of(each, "nl") for each in said(one, "DATE")] for one in cleaned(marked, "trienes2020", key)]
    for first, second in moved:
        assert first is not None
        assert second is not None
        assert (second - first).days == 7
        assert 2019 <= first.year <= 2049
    assert moved[0] != moved[1], "each patient has a shift of its own"


def test_shifts_into_the_future_are_of_years_and_days() -> None:
    shifts = [days_of(Scope(KEYS[0].secret("dates"), str(number)), forward=True) for number in range(500)]
    assert min(shifts) >= 365
    assert max(shifts) <= 31 * 366
    assert len(set(shifts)) > 450
    weeks = [days_of(Scope(KEYS[0].secret("dates"), str(n)), forward=True, weeks=True) for n in range(50)]
    assert {shift % 7 for shift in weeks} == {0}
    assert min(weeks) >= 358


AGES = {
    "93 jaar": "89 jaar",
    "93": "89",
    "89 jaar": "89 jaar",
    "12": "12",
    "91-jarige": "89-jarige",
    "drieënnegentig jaar": "89 jaar",
    "75 en 94 jaar": "75 en 89 jaar",
}


@pytest.mark.parametrize(("old", "new"), AGES.items())
def test_an_age_over_89_is_89(old: str, new: str) -> None:
    assert capped(old, "nl") == new


@pytest.mark.parametrize("old", ["in her 90s", "nonagenarian", "93rd", "no age"])
def test_an_age_that_no_number_can_stand_for_is_as_without_a_cap(old: str) -> None:
    from elision.replace.ages import generalised

    assert capped(old, "en") == generalised(old, "en")


def test_the_policy_caps_ages_and_keeps_the_others() -> None:
    (one,) = cleaned([note("Mevrouw is [AGE 93] jaar, haar zoon [AGE 61].", "n1")], "trienes2020")
    assert said(one, "AGE") == ["89", "61"]


@given(
    st.lists(st.text("abcdefgh", min_size=3, max_size=6), min_size=2, max_size=30, unique=True), st.sampled_from(KEYS)
)
def test_names_dealt_out_are_all_of_them_and_none_its_own(names: list[str], key: Key) -> None:
    scope = Scope(key.secret("names"), "all")
    made = [dealt(name, scope, tuple(names)) for name in names]
    assert sorted(filter(None, made)) == sorted(names)
    assert all(new != old for new, old in zip(made, names, strict=True))


def test_a_name_is_dealt_out_however_it_is_written_and_another_is_not() -> None:
    scope = Scope(KEYS[0].secret("names"), "all")
    new = dealt("De Wilgenhof", scope, INSTITUTES)
    assert new in INSTITUTES
    assert dealt("de  WILGENHOF", scope, INSTITUTES) == new
    assert dealt("De Wilg", scope, INSTITUTES) is None
    assert dealt("De Linde", Scope(scope.secret, "all", forbidden=lambda _: True), INSTITUTES) is None


@pytest.fixture
def shuffling(tmp_path: Path) -> Path:
    (tmp_path / "institutes.txt").write_text("\n".join(INSTITUTES), "utf-8")
    file = tmp_path / "nut.toml"
    file.write_text(
        'base = "trienes2020"\n[labels]\nCARE_FACILITY = { do = "shuffle", among = "institutes.txt" }\n', "utf-8"
    )
    return file


@pytest.mark.parametrize("key", KEYS)
def test_institutes_of_the_list_are_shuffled_and_others_get_a_stand_in(shuffling: Path, key: Key) -> None:
    marked = [
        note("Zij woont in [CARE_FACILITY De Wilgenhof], eerder in [CARE_FACILITY Het Anker].", "n1"),
        note("Overplaatsing van [CARE_FACILITY De Wilgenhof] naar [CARE_FACILITY Zorghuis Eikenstein].", "n2"),
    ]
    first, second = cleaned(marked, shuffling, key)
    new = said(first, "CARE_FACILITY")
    assert set(new) <= set(INSTITUTES)
    assert not set(new) & {"De Wilgenhof", "Het Anker"}, "no original of the note stands in it again"
    dealt_out, stand_in = said(second, "CARE_FACILITY")
    assert dealt_out in INSTITUTES
    assert stand_in not in (*INSTITUTES, "Zorghuis Eikenstein")


def test_the_policy_with_a_list_says_what_it_does_and_not_with_which_names(shuffling: Path) -> None:
    rule = Policy.named(shuffling).rule("CARE_FACILITY")
    assert (rule.do, rule.among) == ("shuffle", INSTITUTES)
    assert not any(name in str(rule) for name in INSTITUTES)
