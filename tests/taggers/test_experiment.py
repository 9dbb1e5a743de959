"""Training with notes held out, where the command line does not show it: who is held out, and what the model keeps."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from elision.document import Document
from elision.errors import ElisionError, LabelError, ModelError
from elision.evaluate.coverage import coverage
from elision.taggers.base import tag
from elision.taggers.corpus import fingerprint, strict_f1
from elision.taggers.experiment import Experiment, learnt_from, measured, scores_and_truth, split, train
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.notes import note
from tests.taggers.made_notes import made_notes
from tests.taggers.planted import notes as planted_notes

QUICK = Settings(features=("lower[-2..2]", "shape[-1..1]"), epochs=3, least=1)
NOTES = made_notes(30)


@pytest.mark.parametrize("share", [-0.1, 1.0, 2.0, math.nan])
def test_a_share_that_cannot_be(share: float) -> None:
    with pytest.raises(ModelError, match=f"--hold-out {share:g}: a share of the notes"):
        Experiment(share=share)


@pytest.mark.parametrize("recall", [-0.1, 1.0, 99.0, math.nan])
def test_a_recall_that_cannot_be(recall: float) -> None:
    with pytest.raises(ModelError, match=f"recall {recall:g}: a share of the characters"):
        Experiment(recall=recall)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_the_notes_of_a_patient_stay_together(share: float) -> None:
    documents = planted_notes(40, patients=True)
    learn, judge = split(documents, share, seed=0)
    assert sorted(document.id for document in (*learn, *judge)) == sorted(document.id for document in documents)
    assert {document.patient for document in learn}.isdisjoint({document.patient for document in judge})
    assert len(judge) == pytest.approx(40 * share, abs=2)
    assert split(documents[::-1], share, seed=0)[1] != ()
    assert {document.id for document in split(documents, share, seed=1)[1]} != {document.id for document in judge}


def test_notes_without_a_patient_are_each_their_own() -> None:
    learn, judge = split(NOTES, 0.2, seed=0)
    assert (len(learn), len(judge)) == (24, 6)
    with pytest.raises(ModelError, match="the notes are of one patient"):
        split([replace(document, patient="p") for document in NOTES], 0.2, seed=0)
    with pytest.raises(ModelError, match="the notes are of one patient"):
        split(NOTES[:1], 0.2, seed=0)


@pytest.mark.parametrize("final", [True, False])
def test_the_final_model_is_learnt_from_all_notes(final: bool) -> None:
    told: list[int] = []
    settings = replace(QUICK, seeds=2)
    tagger = train(NOTES, settings, plan=Experiment(share=0.2, final=final), watch=lambda seed, *_: told.append(seed))
    learn, judge = split(NOTES, 0.2, settings.seed)
    assert tagger.card["held_out"] == {"notes": 6, "share": 0.2, "seed": 0}
    assert tagger.card["dev"]["fingerprint"] == fingerprint(judge)
    assert tagger.card["training"]["fingerprint"] == fingerprint(NOTES if final else learn)
    assert ("final" in tagger.card) == final
    assert sorted(set(told)) == ([0, 1, 2, 3] if final else [0, 1])  # the second learning counts on
    assert learnt_from(tagger, NOTES) == (NOTES if final else learn)
    assert learnt_from(tagger, NOTES[1:]) is None
    other = fit(settings, NOTES if final else learn)
    assert [[(s.start, s.end, s.label) for s in spans] for spans in tagger.detect(NOTES)] == [
        [(s.start, s.end, s.label) for s in spans] for spans in other.detect(NOTES)
    ]


def test_the_card_has_the_figures_of_the_model_that_had_not_seen_them() -> None:
    settings = replace(QUICK, epochs=1)
    tagger = train(NOTES, settings, plan=Experiment(share=0.4))
    learn, judge = split(NOTES, 0.4, settings.seed)
    unseen = fit(settings, learn, judge)
    told = tagger.card["dev"]
    assert told == {**unseen.card["dev"], **measured(unseen, judge)}
    assert told["strict_f1"] == pytest.approx(strict_f1(judge, unseen.detect(judge)), abs=1e-6)
    assert told["strict_f1"] < strict_f1(judge, tagger.detect(judge))  # which has
    assert tagger.calibration == unseen.calibration
    characters = coverage(list(zip(judge, tag(unseen, judge), strict=True))).characters
    assert told["character_recall"] == pytest.approx(characters.score().recall, abs=1e-6)


def test_the_dial_is_set_on_what_was_held_out_and_kept() -> None:
    weak = Settings(features=("shape[-1..1]", "lower[-1]"), epochs=2, least=2)
    tagger = train(NOTES, weak, plan=Experiment(share=0.4, recall=0.97))
    dial = tagger.card["dial"]
    assert dial["asked"] == 0.97
    assert 0.97 <= dial["recall"] <= 1
    assert tagger.dial == dial["dial"] < 1
    assert tagger.card["dev"]["character_recall"] == pytest.approx(dial["recall"], abs=1e-6)
    assert tagger.card["dev"]["strict_f1"] == pytest.approx(dial["strict_f1"], abs=1e-6)
    assert tagger.card["dial"]["strict_f1_without"] != dial["strict_f1"]


def test_dev_notes_of_ones_own_take_the_place_of_those_held_out() -> None:
    dev = made_notes(9, seed=1)
    tagger = train(NOTES, QUICK, dev)
    assert tagger.card["training"]["fingerprint"] == fingerprint(NOTES)
    assert tagger.card["dev"]["fingerprint"] == fingerprint(dev)
    assert not {"held_out", "final"} & tagger.card.keys()
    bare = train(NOTES, QUICK, plan=Experiment(share=0))
    assert not {"held_out", "final", "dev"} & bare.card.keys()
    assert bare.detect(dev) == fit(QUICK, NOTES).detect(dev)


BAD: dict[str, tuple[list[Document], Experiment, type[ElisionError], str]] = {
    "no notes": ([], Experiment(), ModelError, "no notes to learn from"),
    "no spans": ([Document("no fever"), Document("none")], Experiment(), LabelError, "none of the 2 notes has a span"),
    "a dial on nothing": (NOTES, Experiment(share=0, recall=0.9), ModelError, "hold some out, or give some as dev"),
    "spans held out": (
        [note("[NAME Roe] came"), Document("no fever", "b")],
        Experiment(share=0.5),
        ModelError,
        "held out",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_done(name: str) -> None:
    documents, plan, kind, message = BAD[name]

    def with_many_seeds() -> None:
        for seed in range(8):  # with one of them the note with the span is held out
            train(documents, replace(QUICK, seed=seed), plan=plan)

    with pytest.raises(kind, match=message):
        with_many_seeds()


def test_scores_and_truth() -> None:
    tagger = fit(QUICK, NOTES)
    gold = made_notes(6, seed=2)
    scores, right = scores_and_truth(tagger, gold)
    spans = [span for spans in tagger.detect(gold) for span in spans]
    assert scores.tolist() == [span.score for span in spans]
    assert 0 < right.sum() <= len(spans)
    scores, right = scores_and_truth(tagger, [Document("")])
    assert len(scores) == len(right) == 0
