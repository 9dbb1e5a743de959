"""Encoders: what torch learns is what numpy reads, whatever stops it; damaged folders are refused; mixtures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from elision.document import Document
from elision.errors import ModelError
from elision.models import store as folders
from elision.taggers import store
from elision.taggers.audit import audit
from elision.taggers.encoder import training
from elision.taggers.encoder.layers import Layers
from elision.taggers.encoder.modules import Module
from elision.taggers.encoder.settings import EncoderSettings
from elision.taggers.encoder.tagger import PIECES, EncoderTagger, load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.mixed import Mixing, mixed
from tests.taggers.encoder.made_bases import SMALL, learnt_encoder, made_base, saved_base
from tests.taggers.made_notes import made_notes

NOTES, UNSEEN = made_notes(40), made_notes(8, seed=1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved_base(tmp_path_factory.mktemp("base") / "base")


@pytest.fixture(scope="module")
def settings(base: Path) -> EncoderSettings:
    return EncoderSettings(base=str(base), epochs=2, language="en", **SMALL)


@pytest.fixture(scope="module")
def learnt() -> EncoderTagger:
    found = learnt_encoder(NOTES, UNSEEN)
    assert isinstance(found, EncoderTagger)
    return found


def test_it_learns(learnt: EncoderTagger) -> None:
    assert learnt.card["dev"]["strict_f1"] > 0.6
    assert learnt.card["network"]["losses"][-1] < learnt.card["network"]["losses"][0] / 3
    assert learnt.card["training"]["notes"] == len(NOTES)


def test_torch_and_numpy_give_the_same_rows(settings: EncoderSettings) -> None:
    begun = made_base(3)
    tags = np.zeros((begun.weights.width, 3), np.float32)
    module = Module(settings, begun.weights, (tags, np.zeros(3, np.float32)))
    rng = np.random.default_rng(0)
    pieces = rng.integers(0, len(begun.pieces), (4, 64)).astype(np.int32)
    lengths = np.array([64, 2, 33, 64], np.int32)
    with torch.no_grad():
        wanted = module.rows(pieces, lengths).numpy()
    found = Layers.of(begun.weights).read(pieces, lengths)
    there = np.arange(64) < lengths[:, None]
    assert np.abs(found - wanted)[there].max() < 2e-5


def test_what_stays_frozen_is_as_it_was(learnt: EncoderTagger) -> None:
    begun = made_base().weights
    for name, matrix in learnt.weights.packed.items():
        same = np.array_equal(matrix.codes, begun.packed[name].codes)
        assert same == (not name.startswith("1.")), name


def test_layers_that_are_not_used_are_not_kept(settings: EncoderSettings, tmp_path: Path) -> None:
    found = store.fit(replace(settings, layers=1, epochs=1), NOTES[:4])
    assert found.save(tmp_path / "one") < store.fit(replace(settings, epochs=1), NOTES[:4]).save(tmp_path / "two") * 0.8
    assert not [name for name in folders.load(tmp_path / "one").arrays if name.startswith("1.")]
    assert load(tmp_path / "one").detect(UNSEEN) == found.detect(UNSEEN)


def test_an_audit_finds_no_string_of_the_notes(learnt: EncoderTagger) -> None:
    found = audit(learnt, NOTES, vocabulary={PIECES: learnt.pieces.pieces})
    assert (found.notes, found.words.held, found.strings.held, found.rare_learnt) == (len(NOTES), 0, 0, 0)
    assert [(each.name, each.strings) for each in found.attributes] == [(PIECES, 0)]


@pytest.mark.parametrize("portions", [1, 7])
def test_learning_that_was_stopped_gives_the_same_model(
    portions: int, settings: EncoderSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = store.fit(settings, NOTES[:12])
    monkeypatch.setattr(training, "EVERY", -1.0)  # a checkpoint behind every portion
    learn, left = training.Learner._learn, portions

    def stops(self: training.Learner, *given: Any) -> None:
        nonlocal left
        if not left:
            raise KeyboardInterrupt
        left -= 1
        learn(self, *given)

    monkeypatch.setattr(training.Learner, "_learn", stops)
    with pytest.raises(KeyboardInterrupt):
        store.fit(settings, NOTES[:12], checkpoints=tmp_path / "point")
    monkeypatch.setattr(training.Learner, "_learn", learn)
    again = store.fit(settings, NOTES[:12], checkpoints=tmp_path / "point")
    whole.save(tmp_path / "whole")
    again.save(tmp_path / "again")
    assert folders.fingerprint(tmp_path / "whole") == folders.fingerprint(tmp_path / "again")


def test_learning_goes_on_from_a_model_with_new_labels(learnt: EncoderTagger, tmp_path: Path) -> None:
    learnt.save(tmp_path / "model")
    start = load(tmp_path / "model")
    others = [
        note.with_spans(replace(s, label="WARD") if s.label == "PLACE" else s for s in note.spans) for note in NOTES
    ]
    more = store.fit(replace(start.settings, epochs=6), others, start=start)
    assert set(more.labels) == {*start.labels, "WARD"}
    found = {span.label for spans in more.detect([note.with_spans(()) for note in UNSEEN]) for span in spans}
    assert "WARD" in found
    assert more.card["start"]["fingerprint"] == start.version
    with pytest.raises(ModelError, match="window: must be as in the model"):
        store.fit(replace(start.settings, window=32), NOTES, start=start)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base": ""}, "the encoder begins with pre-trained weights: --set base=FOLDER"),
        ({"base": "nowhere"}, "base nowhere: no such folder of pre-trained weights"),
        ({"layers": 3}, "layers 3: the pre-trained weights have 2"),
        ({"frozen": 3}, "frozen 3: there are 2 layers"),
        ({"window": 300}, "window 300: must be at least 16 and at most 256"),
        ({"batch": 20}, "batch 20: must hold a window"),
        ({"arithmetic": "float8"}, "arithmetic 'float8': choose one of float32, bfloat16"),
        ({"seeds": 2}, "seeds 2: an encoder is learnt from one seed"),
        ({"dial": 0.0}, "dial 0.0: must be more than 0"),
        ({"rate": float("nan")}, "rate: must be a finite number"),
        ({"rate": 1e9, "head_rate": 1e9}, "learning ran away"),
    ],
)
def test_what_cannot_be_is_told(changes: dict[str, Any], message: str, settings: EncoderSettings) -> None:
    with pytest.raises(ModelError, match=message):
        store.fit(replace(settings, **changes), NOTES)


# -- folders


def _without(name: str) -> Callable[[dict[str, Any]], None]:
    return lambda arrays: arrays.pop(name)


def _as(name: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    return lambda arrays: arrays.update({name: np.ascontiguousarray(change(arrays[name]))})


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without("1.inner.codes"), "'1.inner.codes' are missing"),
        (_without("places"), "'places' are missing"),
        (_as("head", lambda a: a[:, 1:]), "'head': float32 of shape"),
        (_as("head.bias", lambda a: a * np.nan), "'head.bias': not all are finite"),
        (_as("0.kept.scales", lambda a: a * np.float16("inf")), "'0.kept' are not of shape"),
        (_as("words.codes", lambda a: a[1:]), "'words' are not of shape"),
        (_as("places", lambda a: a[:, :100]), "'places': not of an encoder"),
        (_as("norm.scale", lambda a: a.astype(np.float64)), "'norm.scale': float64"),
        (_as("pieces.scores", lambda a: a[1:]), "'pieces.scores': float32 of shape"),
    ],
)
def test_a_damaged_folder_is_refused_by_name(
    damage: Callable[[dict[str, Any]], None], message: str, learnt: EncoderTagger, tmp_path: Path
) -> None:
    learnt.save(tmp_path / "model")
    model = folders.load(tmp_path / "model")
    arrays = dict(model.arrays)
    damage(arrays)
    folders.save(tmp_path / "model", folders.Stored(model.kind, model.card, model.vocabulary, arrays), overwrite=True)
    with pytest.raises(ModelError, match=message):
        store.load(tmp_path / "model")


# -- mixtures


@cache
def linear() -> LinearTagger:
    found = store.fit(Settings(features=("lower[0]", "shape[0]"), language="en", epochs=2, least=1), made_notes(8))
    assert isinstance(found, LinearTagger)
    return found


def test_where_nothing_is_doubted_the_linear_tagger_is_alone(learnt: EncoderTagger) -> None:
    both = mixed(linear(), learnt, Mixing(gate=0.0))
    plain = [[(s.start, s.end, s.label, s.score) for s in spans] for spans in linear().detect(UNSEEN)]
    assert [[(s.start, s.end, s.label, s.score) for s in spans] for spans in both.detect(UNSEEN)] == plain


def test_the_encoder_finds_what_the_linear_tagger_doubts(learnt: EncoderTagger) -> None:
    both = mixed(linear(), learnt, Mixing(gate=0.98, share=0.9))
    texts = [note.text for note in UNSEEN]
    found = both.spans(texts)

    def right(spans: list[Any]) -> int:
        return sum(
            any((s.start, s.end, s.label) == (g.start, g.end, g.label) for g in note.spans)
            for note, each in zip(UNSEEN, spans, strict=True)
            for s in each
        )

    assert right(found) > right(linear().spans(texts))
    assert {span.source for spans in found for span in spans} == {"crf+encoder"}


@pytest.mark.parametrize("gate", [0.9, 1.0])
def test_a_mixture_says_the_same_of_a_note_alone_and_among_others(gate: float, learnt: EncoderTagger) -> None:
    both = mixed(linear(), learnt, Mixing(gate=gate))
    texts = [*(note.text for note in UNSEEN), "", "\n", "病 😀", "Dr. Roe " * 300]
    together = both.spans(texts)
    assert [both.spans([text])[0] for text in texts] == together
    assert both.spans(texts[::-1]) == together[::-1]
    assert both.view(texts).spans == together


@pytest.mark.slow
def test_a_label_that_the_linear_tagger_lacks_becomes_the_nearest() -> None:
    def called(label: str, notes: list[Document]) -> list[Document]:
        return [n.with_spans(replace(s, label=label) for s in n.spans if s.label == "NAME") for n in notes]

    address = learnt_encoder(called("ADDRESS", NOTES))
    few = store.fit(linear().settings, called("LOCATION_OTHER", made_notes(8)))
    both = mixed(few, address, Mixing(gate=1.0, share=1.0))
    found = [{(s.start, s.end, s.label) for s in spans} for spans in both.detect(UNSEEN)]
    wanted = [{(s.start, s.end, "LOCATION_OTHER") for s in n.spans} for n in called("", UNSEEN)]
    assert sum(len(a & b) for a, b in zip(found, wanted, strict=True)) > sum(map(len, wanted)) / 2


def test_other_labels_that_the_linear_tagger_lacks_are_no_identifiers(learnt: EncoderTagger) -> None:
    few = store.fit(linear().settings, [n.with_spans(s for s in n.spans if s.label == "NAME") for n in made_notes(8)])
    assert isinstance(few, LinearTagger)
    both = mixed(few, learnt, Mixing(gate=1.0, share=1.0))
    assert both.labels == ("NAME",)
    assert {span.label for spans in both.detect(UNSEEN) for span in spans} == {"NAME"}


def test_a_mixture_has_a_dial_and_parts_and_is_not_saved(learnt: EncoderTagger, tmp_path: Path) -> None:
    both = mixed(linear(), learnt, Mixing())
    assert both.dialled(0.01).dial == 0.01
    assert len(both.dialled(1e-6).detect([Document("discussed with Roe")])[0]) >= len(
        both.dialled(1e6).detect([Document("discussed with Roe")])[0]
    )
    assert [part.name for part in both.parts] == ["crf en", "encoder en of what is doubted (below 0.98)"]
    everywhere = mixed(linear(), learnt, Mixing(gate=1.0))
    assert [part.name for part in everywhere.parts] == ["crf en", "encoder en of all"]
    with pytest.raises(ModelError, match="a mixture of two models is not saved"):
        both.save(tmp_path / "model")
    viterbi = replace(linear(), settings=replace(linear().settings, decoding="viterbi"))
    with pytest.raises(ModelError, match="tells no chances"):
        mixed(viterbi, learnt, Mixing())
