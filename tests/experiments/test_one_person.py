"""The experiment that counts stand-ins of a person, on a few notes."""

from __future__ import annotations

from experiments.one_person import agree, counted


def test_a_person_has_one_stand_in_in_all_notes() -> None:
    found = counted(patients=12, notes=4, effort="fast", seed=3)
    assert found.people == {"patients": [12, 12], "clinicians": [12, 12]}
    assert (found.held, found.clear) == (0, 0)


def test_stand_ins_that_do_not_agree_are_seen() -> None:
    assert agree({("S", "doe"), ("G", "ada"), ("I", "a")})
    assert not agree({("S", "doe"), ("S", "poe")})
    assert not agree({("G", "ada"), ("I", "b")})
