"""What a model remembers of its notes: that it learnt from them, and no word."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.taggers.learnt import NAME, Learnt, learnt_among, learnt_card, remembered
from elision.taggers.linear.kind import load
from elision.taggers.linear.training import fit
from tests.taggers.planted import SETTINGS, notes

texts = st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20).map(lambda t: f"x{t}"))


def documents(of: list[str]) -> list[Document]:
    return [Document(text, str(at)) for at, text in enumerate(of)]


@given(texts, texts)
def test_what_was_learnt_is_found_again_and_nothing_else(learnt: list[str], others: list[str]) -> None:
    card = {NAME: learnt_card(documents(learnt))}
    bare = {"".join(text.split()) for text in learnt}
    among = [text for text in (*learnt, *others) if "".join(text.split()) in bare]
    assert learnt_among(card, documents([*learnt, *others])) == Learnt(len(among), True)


def test_spans_ids_and_white_space_do_not_matter() -> None:
    card = {NAME: learnt_card([Document("Seen by\r\nDr. Roe. ", "a")])}
    assert learnt_among(card, [Document("Seen by Dr. Roe.\n", "b"), Document("Seen by Dr. Poe.")]).notes == 1


def test_a_model_remembers_its_own_notes_and_those_that_it_goes_on_from(tmp_path: Path) -> None:
    made = notes(12)
    first = fit(SETTINGS, made[:6])
    second = fit(replace(SETTINGS, epochs=1), made[6:9], start=first)
    second.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert learnt_among(first.card, made) == Learnt(6, True)
    assert learnt_among(loaded.card, made) == Learnt(9, True)
    assert remembered(loaded.card) == 3
    told = (tmp_path / "m" / "model.json").read_text()
    assert not [note for note in made if note.text[:20] in told]


def test_two_models_do_not_share_their_hashes() -> None:
    one, other = notes(2)
    first, second = learnt_card([one]), learnt_card([one, other])
    assert first["salt"] != second["salt"]
    assert first["notes"] not in second["notes"]
    assert learnt_card([one]) == first  # the same notes give the same model


def test_a_model_that_says_nothing_or_speaks_another_version_is_unknown() -> None:
    made = notes(2)
    card = {NAME: learnt_card(made)}
    for unknown in ({}, {NAME: {**card[NAME], "version": 2}}, {NAME: "x"}, {NAME: {"version": 1}}):
        assert learnt_among(unknown, made) == Learnt(0, False)
        assert remembered(unknown) is None
        assert learnt_among({**card, "start": unknown}, made) == Learnt(2, False)
    assert json.dumps(card)
