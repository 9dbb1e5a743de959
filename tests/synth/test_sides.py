"""What is held out is held out by construction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from elision.errors import SynthError
from elision.languages.base import folder
from elision.languages.synth_data import language_named, languages_made
from elision.languages.synth_lists import held_out, list_file, list_of, names_of, origins, rng_of, sided, weighted
from elision.synth.cast import words_on
from elision.synth.check import shared
from elision.synth.learning import made
from elision.synth.people import invented, names_on
from elision.synth.profiles import grammar_files, grammars_in, read_profile
from elision.synth.reading import WHOLE, parse, read_grammars
from tests.synth.small import cast, setting

TRAIN, HELD = "train", "held_out"


def test_a_fifth_is_held_out() -> None:
    family = names_of("us").family
    assert 0.15 < sum(map(held_out, family)) / len(family) < 0.25


def test_sides_do_not_meet() -> None:
    words = list_file("en", "surnames")
    assert not set(sided(words, TRAIN)) & set(sided(words, HELD))
    assert set(sided(words, TRAIN)) | set(sided(words, HELD)) == set(words) == set(sided(words, "both"))


@pytest.mark.parametrize("word", ["Peña", "Müller", "O'Hara"])
def test_case_and_accents_change_no_side(word: str) -> None:
    assert len({held_out(form) for form in (word, word.upper(), word.lower(), f"{word} ")}) == 1
    assert held_out("Peña") == held_out("Pena")


def test_a_short_list_is_shared() -> None:
    assert sided(["a"], TRAIN) == sided(["a"], HELD) == ("a",)


def test_people_never_meet() -> None:
    sides = []
    for side in (TRAIN, HELD):
        people = [cast(number, of=setting(side)).person("patient") for number in range(300)]
        sides.append({part for person in people for part in person.family.replace("-", " ").split()})
    hyphens = {part for part in sides[0] & sides[1] if held_out(part)}
    assert not hyphens


def test_invented_names_have_sides_too() -> None:
    assert {held_out(invented(rng_of(number), HELD)) for number in range(50)} == {True}
    assert {held_out(invented(rng_of(number), TRAIN)) for number in range(50)} == {False}


def test_all_origins_have_names_on_both_sides() -> None:
    for origin in origins():
        for side in (TRAIN, HELD):
            assert all(names_on("en", origin, side))


def test_rows_have_weights() -> None:
    assert weighted(["2.5: a: b", "c", "x: y"]) == ((2.5, "a: b"), (1.0, "c"), (1.0, "x: y"))


def test_a_list_is_found_in_the_folder_or_in_the_pack() -> None:
    assert "Foley" in list_file("en", "ambiguous-names")
    assert "Smith" in list_of("en", "surnames", "given-names")()
    assert words_on("en", "saints", TRAIN)
    with pytest.raises(SynthError, match="there is no list"):
        list_file("en", "no-such-list")


def test_the_same_parts_draw_the_same() -> None:
    assert rng_of(1, "a").random() == rng_of(1, "a").random() != rng_of(1, "b").random()


def test_shared_text_is_seen() -> None:
    one = parse("note = The patient was seen in the clinic today. <dob>", "one")
    other = parse("note = a | {x}\nx = The patient was seen in the clinic today.", "other")
    assert list(shared(one, other)) == ["other:2 and one:1"]


@pytest.mark.parametrize("code", languages_made())
def test_grammars_of_the_two_sides_share_no_sentence(code: str) -> None:
    read = {grammar.name: grammar for path in grammars_in(folder(code, "synth")) for grammar in read_grammars(path)}
    held = [grammar for name, grammar in read.items() if name.startswith("held_out_")]
    for name, grammar in read.items():
        if not name.startswith("held_out_"):
            for other in held:
                assert not list(shared(grammar, other)), (name, other.name)


@pytest.mark.parametrize("code", languages_made())
def test_countries_are_whole(code: str) -> None:
    language = language_named(code)
    needed = {"mrn", "phone", "ssn"}, {"street", "address", "hospital", "department", "profession"}
    for country in language.countries.values():
        assert "full" in country.dates
        assert needed[0] <= set(country.codes)
        assert needed[1] <= set(country.made)


@pytest.mark.parametrize("code", languages_made())
def test_whole_notes_can_be_left_out(code: str) -> None:
    profile = read_profile(code)
    assert any(path.suffix == WHOLE for path in grammar_files(profile, TRAIN))
    without = replace(profile, grammars={**profile.grammars, "written_*": 0.0})
    assert all(path.suffix != WHOLE for path in grammar_files(without, TRAIN))


@pytest.mark.slow
def test_a_mixture_can_leave_whole_notes_out() -> None:
    assert made("zh", 3, written=False) != made("zh", 3)
