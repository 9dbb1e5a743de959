"""A learning curve of a tagger: nested samples, by patient, and each note tested by models that do not know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from elision.document import Document
from elision.formats import write
from elision.taggers.linear.settings import Settings
from elision.taggers.nested import FEWEST, FOLDS, curve_of, trainings
from tests.taggers.planted import SETTINGS, notes
from tests.test_cli import elision

QUICK = replace(SETTINGS, epochs=2, seeds=1)


def test_samples_are_nested_and_each_note_is_tested_by_models_that_do_not_know_its_patient() -> None:
    made = [replace(note, patient=f"p{at // 2}") for at, note in enumerate(notes(72))]
    seen: list[set[str]] = []

    def settings(learnt: Sequence[Document]) -> Settings:
        seen.append({note.id for note in learnt})
        return QUICK

    found = curve_of(made, settings)
    assert len(seen) == FOLDS * 3 < trainings()
    whose = {note.id: note.patient for note in made}
    tested: list[str] = []
    for fold in range(FOLDS):
        samples = seen[fold * 3 : (fold + 1) * 3]
        for small, large in pairwise(samples):
            assert small < large
        others = whose.keys() - samples[-1]
        assert not {whose[id] for id in others} & {whose[id] for id in samples[-1]}
        tested += others
    assert sorted(tested) == sorted(whose)
    assert [point.notes for point in found.measured] == [12, 24, 48]
    assert [point.notes for point in found.expected] == [72, 97, 122, 172, 272]


@pytest.mark.parametrize("count", [FEWEST, 23])
def test_of_few_notes_there_is_a_curve_all_the_same(count: int) -> None:
    made = [note.with_spans(note.spans if at % 2 else ()) for at, note in enumerate(notes(count))]
    assert len(curve_of(made, lambda _: replace(QUICK, epochs=1)).measured) >= 2


def test_training_tells_what_more_notes_would_bring(tmp_path: Path) -> None:
    write(notes(24), tmp_path / "notes.jsonl", "jsonl")
    words = ("train", tmp_path / "notes.jsonl", "--epochs", "1", "--seeds", "1", "--hold-out", "0")
    done = elision(*words, "-o", tmp_path / "model", "--curve")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines() if "measured" in line] == ["8", "16"]
    assert "expected of all notes" in done.stdout
    assert "worth it" in done.stdout.splitlines()[-1]
    plain = elision(*words, "-o", tmp_path / "other")
    assert "measured" not in plain.stdout


def test_too_few_notes_for_a_curve_are_refused_before_anything_is_learnt(tmp_path: Path) -> None:
    write(notes(FEWEST - 1), tmp_path / "notes.jsonl", "jsonl")
    done = elision("train", tmp_path / "notes.jsonl", "-o", tmp_path / "model", "--curve")
    assert done.returncode == 2
    assert f"--curve: {FEWEST - 1} notes, or patients, are too few for a learning curve" in done.stderr
    assert not (tmp_path / "model").exists()
