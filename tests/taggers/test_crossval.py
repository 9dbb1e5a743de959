"""Cross-validation: each note is tested once, by a model that learnt from no note of its patient."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from elision.document import Document
from elision.errors import ScoreError
from elision.formats import read, write
from elision.taggers.crossval import crossed, mean, spread
from elision.taggers.linear.settings import Settings
from tests.taggers.planted import SETTINGS, notes
from tests.test_cli import elision

QUICK = replace(SETTINGS, epochs=2, seeds=1)


def test_each_note_is_tested_once_and_by_none_who_knows_its_patient() -> None:
    made = [replace(note, patient=f"p{at // 3}") for at, note in enumerate(notes(15))]
    seen: list[set[str]] = []

    def settings(learnt: Sequence[Document]) -> Settings:
        seen.append({note.id for note in learnt})
        return QUICK

    found = crossed(made, 5, 0, settings)
    assert [(note.id, note.text) for note in found.system] == [(note.id, note.text) for note in made]
    assert sum(fold["notes"] for fold in found.folds) == 15
    whose = {note.id: note.patient for note in made}
    tested = [whose.keys() - learnt for learnt in seen]
    assert sorted(id for fold in tested for id in fold) == sorted(whose)
    for learnt, fold in zip(seen, tested, strict=True):
        assert not {whose[id] for id in learnt} & {whose[id] for id in fold}
    scores = [fold["strict_f1"] for fold in found.folds]
    assert mean(found, "strict_f1") == pytest.approx(sum(scores) / 5)
    assert spread(found, "strict_f1") > 0
    with pytest.raises(ScoreError, match="5 patients cannot make 6 folds"):
        crossed(made, 6, 0, settings)


def test_the_command_prints_parts_spread_and_all_together(tmp_path: Path) -> None:
    write(notes(12), tmp_path / "notes.jsonl", "jsonl")
    options = ("--folds", "3", "--epochs", "2", "--seeds", "1")
    done = elision("crossval", tmp_path / "notes.jsonl", *options, "--out", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    for words in ("standard deviation", "mean", "corrected scores, 12 notes", "notes fully clean"):
        assert words in done.stdout
    assert len(list(read(tmp_path / "out.jsonl"))) == 12
    told = json.loads(elision("crossval", tmp_path / "notes.jsonl", *options, "--json").stdout)
    scored = elision("score", tmp_path / "notes.jsonl", tmp_path / "out.jsonl", "--json").stdout
    assert told["together"]["strict.f1"][0] == json.loads(scored)["corrected"]["strict.f1"]["value"]
    assert len(told["folds"]) == 3
    refused = elision("crossval", tmp_path / "notes.jsonl", *options, "--out", tmp_path / "out.jsonl")
    assert refused.returncode == 2
    assert "--force to write over it" in refused.stderr
