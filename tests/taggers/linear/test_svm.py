"""The trainer "svm": as good as scikit-learn's, vectors as numbers, kept with the model, and folders that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.errors import FormatError, ModelError
from elision.models import store
from elision.papers.presets import cotik2019_window
from elision.taggers.audit import audit
from elision.taggers.linear.dense import BIAS, MOST, OFFSETS, TABLE, WEIGHTS, WORDS
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.squared_hinge import Inputs, learn_svm, packed
from elision.taggers.linear.training import fit
from elision.taggers.vectors import vectors
from tests.notes import note
from tests.strategies import fewer
from tests.taggers.made_notes import made_notes
from tests.taggers.test_word_groups import PEOPLE, THINGS, vector_file

PLAIN = Settings(features=("brief[-1..1]",), loss="hinge", decoding="each", trainer="svm", least=1)
NOTES, OTHERS = made_notes(30), made_notes(10, seed=1)


def told_by_vectors(people: list[str], things: list[str]) -> list[Document]:
    pairs = [(a, b) for a in people for b in things]
    return [note(f"[NAME {a}] {b}\n{b} [NAME {a}]", f"{a}-{b}") for a, b in pairs]


def found(tagger: Any, text: str) -> list[str]:
    return [text[span.start : span.end] for span in tagger.spans([text])[0]]


def with_file(folder: Path, **more: Any) -> Settings:
    return replace(PLAIN, features=("brief[0]",), vector_file=str(vector_file(folder)), **more)


def test_words_that_no_note_has_are_known_by_their_vectors(tmp_path: Path) -> None:
    notes = told_by_vectors(PEOPLE[:4], THINGS[:4])
    text = f"{PEOPLE[4]} {THINGS[4]} {THINGS[5]} {PEOPLE[5].upper()}"
    assert found(fit(with_file(tmp_path), notes), text) == [PEOPLE[4], PEOPLE[5].upper()]
    assert found(fit(replace(PLAIN, features=("lower[0]",)), notes), text) == []


def test_vectors_of_the_neighbours_count(tmp_path: Path) -> None:
    """Whether "x" is a name is told by the vector of the word before it alone."""
    notes = [note(f"{a} [NAME x]\n{b} x", f"{a}-{b}") for a in PEOPLE[:4] for b in THINGS[:4]]
    here, around = with_file(tmp_path), replace(with_file(tmp_path), features=("brief[-1..0]",))
    text = f"{PEOPLE[4]} x\n{THINGS[4]} x"
    assert found(fit(around, notes), text) == ["x"]
    assert found(fit(here, notes), text) == []


@pytest.mark.parametrize("vectors", [0, 8])
def test_saved_and_loaded_it_tags_the_same(vectors: int, tmp_path: Path) -> None:
    tagger = fit(replace(PLAIN, features=("lower[-1..1]", "brief[0]"), vectors=vectors), NOTES, OTHERS)
    size = tagger.save(tmp_path / "model")
    again = load(tmp_path / "model")
    assert size > 0
    assert again.detect(OTHERS) == tagger.detect(OTHERS) != [()] * len(OTHERS)
    again.save(tmp_path / "again")
    assert (tmp_path / "again" / store.WEIGHTS).read_bytes() == (tmp_path / "model" / store.WEIGHTS).read_bytes()
    assert ("vectors" in again.card) == bool(vectors)


def test_a_folder_says_nothing_of_where_the_file_lay(tmp_path: Path) -> None:
    fit(with_file(tmp_path), told_by_vectors(PEOPLE[:4], THINGS[:4])).save(tmp_path / "model")
    everything = b"".join(file.read_bytes() for file in (tmp_path / "model").iterdir())
    assert b"made.vec" in everything
    assert str(tmp_path).encode() not in everything


def test_the_size_of_a_model_does_not_take_its_vectors(tmp_path: Path) -> None:
    settings = replace(PLAIN, features=("lower[-2..2]", "suffix3[-2..2]"), vectors=8, megabytes=0.03)
    pruned, whole = fit(settings, NOTES), fit(replace(settings, megabytes=0.0), NOTES)
    assert pruned.linear.kept < whole.linear.kept
    assert pruned.linear.dense is not None


def test_words_of_a_file_are_not_taken_for_words_of_the_notes(tmp_path: Path) -> None:
    notes = [replace(each, patient=f"{at}") for at, each in enumerate(told_by_vectors(PEOPLE[:4], THINGS[:4]))]
    tagger = fit(with_file(tmp_path, least=3), notes)
    tagger.save(tmp_path / "model")
    held = store.load(tmp_path / "model").vocabulary
    assert PEOPLE[5] in held[WORDS]
    assert audit(tagger, notes, vocabulary=held).passed
    rare = fit(replace(PLAIN, features=("brief[0]",), vectors=4), [*notes, *[note("zebra " * 9, "z")]])
    words = rare.linear.dense.vectors.words if rare.linear.dense else ()
    assert "zebra" in words
    assert not audit(rare, [*notes, note("zebra " * 9, "z")], vocabulary={WORDS: words}).passed


def test_vectors_from_notes_are_of_words_that_enough_notes_have() -> None:
    notes = [*NOTES, note("zebra " * 9, "z")]
    tagger = fit(replace(PLAIN, vectors=4, least=3), notes)
    words = tagger.linear.dense.vectors.words if tagger.linear.dense else ()
    assert words
    assert "zebra" not in words


Break = Callable[[dict[str, Any], dict[str, Any]], None]


def _shorter(vocabulary: dict[str, Any], _: dict[str, Any]) -> None:
    vocabulary[WORDS] = vocabulary[WORDS][1:]


def _other(name: str, change: Callable[[Any], Any]) -> Break:
    def do(_: dict[str, Any], arrays: dict[str, Any]) -> None:
        arrays[name] = np.ascontiguousarray(change(arrays[name]))

    return do


def _without(name: str) -> Break:
    def do(_: dict[str, Any], arrays: dict[str, Any]) -> None:
        del arrays[name]

    return do


def _spoilt(value: float) -> Callable[[Any], Any]:
    def do(array: Any) -> Any:
        array = array.copy()
        array.flat[0] = value
        return array

    return do


DAMAGE: dict[str, Break] = {
    "fewer words": _shorter,
    "fewer vectors": _other(TABLE, lambda a: a[1:]),
    "shorter vectors": _other(TABLE, lambda a: a[:, 1:]),
    "vectors of another type": _other(TABLE, lambda a: a.astype(np.float32)),
    "a vector that is not finite": _other(TABLE, _spoilt(np.nan)),
    "fewer offsets": _other(OFFSETS, lambda a: a[1:]),
    "offsets far away": _other(OFFSETS, lambda a: a + 100),
    "offsets out of order": _other(OFFSETS, lambda a: a[::-1]),
    "offsets of another type": _other(OFFSETS, lambda a: a.astype(np.int64)),
    "weights of fewer labels": _other(WEIGHTS, lambda a: a[:, :, 1:]),
    "weights of another type": _other(WEIGHTS, lambda a: a.astype(np.float64)),
    "no offset of the word itself": _other(OFFSETS, lambda a: np.where(a == 0, 2, a)),
    "a bias of fewer labels": _other(BIAS, lambda a: a[1:]),
    "a bias that is not finite": _other(BIAS, _spoilt(np.nan)),
    "a weight that is not finite": _other(WEIGHTS, _spoilt(np.inf)),
    **{f"no {name}": _without(name) for name in (TABLE, OFFSETS, WEIGHTS, BIAS)},
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_folder_whose_vectors_do_not_fit(how: str, tmp_path: Path) -> None:
    fit(replace(PLAIN, vectors=6), NOTES).save(tmp_path / "model")
    model = store.load(tmp_path / "model", ("linear",))
    vocabulary, arrays = dict(model.vocabulary), dict(model.arrays)
    DAMAGE[how](vocabulary, arrays)
    store.save(tmp_path / "bad", store.Stored(model.kind, model.card, vocabulary, arrays))
    with pytest.raises(ModelError, match="not a model that this elision wrote"):
        load(tmp_path / "bad")


def test_what_cannot_be(tmp_path: Path) -> None:
    others: list[dict[str, Any]] = [{"loss": "chain"}, {"decoding": "posterior"}]
    for other in others:
        with pytest.raises(ModelError, match=r"trainer 'svm'.*loss=hinge and decoding=each"):
            replace(PLAIN, **other)
    options: list[dict[str, Any]] = [{"C": 0.0}, {"C": "much"}, {"positive": -1.0}, {"C": float("inf")}]
    for wrong in options:
        with pytest.raises(ModelError, match=r"options .*: must be a number above 0"):
            fit(replace(PLAIN, options=wrong), NOTES[:3])
    with pytest.raises(ModelError, match="options c2: the SVM knows C, positive"):
        fit(replace(PLAIN, options={"c2": 1.0}), NOTES[:3])
    with pytest.raises(ModelError, match="too few to learn word vectors from"):
        fit(replace(PLAIN, vectors=4), [note("Seen by [NAME Roe]"), note("Seen by [NAME Lund]")])
    file = tmp_path / "other.vec"
    file.write_text("huis 1 0\nboom 0 1\n", "utf-8")
    with pytest.raises(ModelError, match=r"other\.vec: no vector for any word of the notes"):
        fit(replace(PLAIN, vector_file=str(file)), NOTES[:3])
    file.write_text("seen 1 nan\nby 0 1\n", "utf-8")
    with pytest.raises(FormatError, match=r"other\.vec"):
        fit(replace(PLAIN, vector_file=str(file)), [note("seen by [NAME Roe]")])


def test_more_weight_on_identifiers_finds_more() -> None:
    notes = [note("[NAME a] b\na b\na b", f"{at}") for at in range(4)]
    settings = replace(PLAIN, features=("lower[0]",))
    assert found(fit(settings, notes), "a b") == []
    assert found(fit(replace(settings, options={"positive": 9.0}), notes), "a b") == ["a"]


def test_only_the_first_words_of_a_file_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("elision.taggers.linear.dense.MOST", 3)
    tagger = fit(with_file(tmp_path), told_by_vectors(PEOPLE[:3], THINGS[:3]))
    assert tagger.linear.dense is not None
    assert tagger.linear.dense.vectors.words == tuple(PEOPLE[:3])
    assert vectors.read_vectors(vector_file(tmp_path)).table.shape[0] < MOST


def test_a_folder_of_pretrain_has_vectors(tmp_path: Path) -> None:
    known = vectors.read_vectors(vector_file(tmp_path))
    words, arrays = {"pretrained.words": known.words}, {"pretrained.table": known.table}
    store.save(tmp_path / "pretrained", store.Stored("pretrained", {}, words, arrays))
    notes, settings = told_by_vectors(PEOPLE[:4], THINGS[:4]), with_file(tmp_path)
    same = fit(replace(settings, vector_file=str(tmp_path / "pretrained")), notes)
    assert same.detect(notes) == fit(settings, notes).detect(notes)
    for number, (lists, numbers) in enumerate(((words, {}), ({}, arrays))):
        store.save(tmp_path / f"bad{number}", store.Stored("pretrained", {}, lists, numbers))
        with pytest.raises(ModelError, match="has no word vectors"):
            fit(replace(settings, vector_file=str(tmp_path / f"bad{number}")), notes)


def test_the_preset_takes_a_file(tmp_path: Path) -> None:
    file = vector_file(tmp_path)
    settings = cotik2019_window("en", pos=False, vectors=file)
    assert (settings.vector_file, settings.vectors, settings.dense) == (str(file), 0, True)
    assert cotik2019_window(vectors=True).dense
    assert not cotik2019_window().dense


@fewer
@given(st.integers(0, 999), st.integers(1, 40), st.integers(0, 3))
def test_no_other_weights_have_a_smaller_loss(seed: int, tokens: int, numbers: int) -> None:
    random = np.random.default_rng(seed)
    rows = random.integers(-1, 9, (tokens, 4)).astype(np.int32)
    table = np.concatenate((np.zeros((1, numbers)), random.normal(size=(5, numbers))))
    inputs = Inputs(packed(rows), 9, table, random.integers(0, 6, (2 if numbers else 0, tokens)))
    gold = random.integers(0, 2, tokens).astype(np.int16)
    gold[0] = 1  # of a label that no token has, nothing is learnt
    w = learn_svm(inputs, gold, 2, np.ones(len(gold)), lambda *_: None)[:, 1]
    signs = np.where(gold == 1, 1.0, -1.0)

    def loss(weights: Any) -> float:
        return float(weights @ weights / 2 + (np.maximum(0, 1 - signs * inputs.times(weights)) ** 2).sum())

    least = loss(w)
    for _ in range(20):
        assert loss(w + random.normal(0, 0.03, len(w))) > least * 0.99
    assert least <= loss(np.zeros(len(w))) + 1e-9


def test_a_label_that_no_token_has_never_wins() -> None:
    random = np.random.default_rng(5)
    rows = random.integers(-1, 30, (200, 3)).astype(np.int32)
    gold = random.choice([0, 2, 3], 200).astype(np.int16)
    inputs = Inputs(packed(rows), 30, np.zeros((1, 0)), np.zeros((0, 200), np.intp))
    weights = learn_svm(inputs, gold, 4, np.ones(200), lambda *_: None)
    scores = np.stack([inputs.times(weights[:, label]) for label in range(4)], axis=1)
    assert (scores[:, [0, 2, 3]].max(axis=1) < 0).any()  # all that was learnt say no
    assert set(scores.argmax(axis=1).tolist()) <= {0, 2, 3}


def test_as_good_as_that_of_scikit_learn() -> None:
    svm = pytest.importorskip("sklearn.svm", reason="scikit-learn is not installed")
    random = np.random.default_rng(3)
    rows = random.integers(-1, 30, (400, 6)).astype(np.int32)
    gold = ((rows < 4).sum(axis=1) + random.normal(0, 0.5, 400) > 2).astype(np.int16)
    there = np.zeros((400, 30))
    for at in range(6):
        there[rows[:, at] >= 0, rows[rows[:, at] >= 0, at]] += 1
    inputs = Inputs(packed(rows), 30, np.zeros((1, 0)), np.zeros((0, 400), np.intp))
    ours = learn_svm(inputs, gold, 2, np.ones(len(gold)), lambda *_: None)[:, 1]
    theirs = svm.LinearSVC(C=1.0, max_iter=10_000).fit(there, gold)
    assert np.abs(ours - [*theirs.coef_[0], theirs.intercept_[0]]).max() < 0.05
