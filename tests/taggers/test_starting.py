"""Learning from made notes as well: few notes of one's own weigh more, and still list nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from elision.presets import elision_fast
from elision.synth.lists import HELD_OUT
from elision.synth.mixture import MIXTURES, made
from elision.taggers.held_out import Plan, train, weighted
from elision.taggers.tagger import LinearTagger
from tests.notes import note
from tests.taggers.invented import UNSEEN, notes
from tests.test_cli import EXAMPLES, elision


@pytest.mark.parametrize("language", MIXTURES)
def test_made_notes_are_about_as_many_as_asked_and_the_same_again(language: str) -> None:
    one, again = made(language, 20), made(language, 20)
    assert one == again
    assert 18 <= len(one) <= 22
    assert {each.language for each in one} == {language}
    assert not {each.text for each in one} & {each.text for each in made(language, 20, HELD_OUT)}


def test_a_note_that_counts_five_times_is_still_one() -> None:
    own = [note("[NAME_PATIENT Jane Roe]", "1"), note("[NAME_PATIENT Ann Poe]", "2")]
    copies = weighted(own, 5)
    assert len(copies) == 10
    assert len({copy.patient for copy in copies}) == 2
    assert weighted(own, 1) is own


def test_rare_words_of_ones_own_are_dropped_though_they_count_often() -> None:
    rare = [note(f"Seen: [NAME_PATIENT Zyx{letter}quill Roe] came.", letter) for letter in "abcdefgh"]
    settings = elision_fast("en", epochs=2, seeds=1)
    tagger = train(rare, settings, plan=Plan(share=0.25, weight=9), more=notes(12))
    assert tagger.card_["training"]["notes"] == 12 + 9 * 8
    values = {value for values in tagger.linear_.values.values() for value in values}
    assert not [value for value in values if "quill" in value and "zyx" in value]
    assert tagger([UNSEEN])[0]


def test_the_command_learns_from_made_notes_as_well(tmp_path: Path) -> None:
    out = tmp_path / "model"
    done = elision(
        "train", EXAMPLES / "gold" / "nl", "--out", out, "--start-from", "nl", "--made", "40", "--epochs", "2",
        "--seeds", "1", "--hold-out", "0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "making 40 notes in nl" in done.stderr
    tagger = LinearTagger.load(out)
    assert tagger.settings.language == "nl"
    assert "rule[0]" in " ".join(tagger.settings.features)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--start-from", "fr"), "there are made notes in en, es, nl, zh"),
        (("--start-from", "nl", "--made", "0"), "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_started_from_is_said(arguments: tuple[str, ...], says: str, tmp_path: Path) -> None:
    done = elision("train", EXAMPLES / "gold" / "nl", "--out", tmp_path / "model", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
