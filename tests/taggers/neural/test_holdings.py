"""What neural models hold in clear: the audit finds a rare word, and counts as learning has counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from elision.document import Document, Span
from elision.papers.neural_presets import bilstm_crf, ts_gru
from elision.taggers.audit import Audit, audit
from elision.taggers.experiment import learnt_from
from elision.taggers.neural import kind
from elision.taggers.neural.holdings import PretrainedHoldings
from elision.taggers.neural.settings import NeuralSettings
from tests.taggers.made_notes import made_notes
from tests.taggers.neural.made_models import random_pretrained

RARE = "Quetzalcoatl"
SMALL: dict[str, Any] = {"language": "en", "hidden": 4, "embedding": 4, "epochs": 1}
KINDS = {"ts-gru": ts_gru(**SMALL, r=0.5, validation=0.0), "bilstm-crf": bilstm_crf(**SMALL)}
NOTES = [*made_notes(12), Document(f"Seen by {RARE} today.", "rare", spans=(Span(8, 8 + len(RARE), "NAME"),))]


def fewest(found: Audit) -> dict[str, int]:
    return {each.name: each.fewest for each in found.attributes}


@pytest.mark.parametrize("name", KINDS)
def test_a_rare_word_fails_the_audit(name: str) -> None:
    settings = KINDS[name]
    found = audit(kind.fit(replace(settings, least=1), NOTES), NOTES)
    assert not found.passed
    assert fewest(found)["text"] == 1
    assert found.words.below >= 1
    found = audit(kind.fit(settings, NOTES), NOTES)
    assert found.passed
    assert min(fewest(found).values()) >= 3
    assert found.words.held > 0


def test_notes_put_aside_are_notes_of_the_training() -> None:
    tagger = kind.fit(NeuralSettings(hidden=4, embedding=4, epochs=1), NOTES)
    learnt = learnt_from(tagger, NOTES[::-1])
    assert learnt is not None
    assert len(learnt) == tagger.card["training"]["notes"] == len(NOTES)
    assert learnt_from(tagger, NOTES[1:]) is None
    assert audit(tagger, learnt).passed


def test_no_words_come_from_notes_that_are_gone_through_again() -> None:
    start = kind.fit(KINDS["ts-gru"], NOTES)
    strange = [replace(NOTES[-1], text=NOTES[-1].text, id=f"again{at}") for at in range(4)]
    tagger = kind.fit(KINDS["ts-gru"], NOTES[:12], start=start, again=strange)
    assert RARE not in tagger.network.words["text"]
    assert audit(tagger, NOTES[:12], start=start).passed


def test_words_and_characters_of_a_pretrained_folder_are_counted() -> None:
    found = audit(random_pretrained(), NOTES)
    assert not found.passed
    assert fewest(found) == {"pretrained.words": 0, "pretrained.characters": 0}
    alone, _ = PretrainedHoldings(random_pretrained()).counted(
        PretrainedHoldings(random_pretrained()).batch(["WARD 12", "ward\n"]), np.array([0, 1], np.int32)
    )
    assert alone["pretrained.words"].tolist() == [2, 1, 0]
