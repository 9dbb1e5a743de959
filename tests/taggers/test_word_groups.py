"""Word vectors as attributes: groups of like words, from notes or a file, kept with the model without rare words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.document import Document
from elision.errors import ElisionError, ModelError
from elision.models import store
from elision.models.store import Stored
from elision.papers.vector_groups import _grouped
from elision.taggers.batch import gather
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from elision.taggers.linear.word_groups import (
    NUMBERS,
    SIZES,
    WORDS,
    WordGroups,
    groups_from,
    learn_groups,
    templates_of,
    vector_forms,
)
from tests.notes import note
from tests.strategies import fewer
from tests.taggers.made_notes import made_notes

PLAIN = Settings(features=("brief[0]",), least=2, epochs=4)
LEARNT = replace(PLAIN, vectors=10)
NOTES, OTHERS = made_notes(40), made_notes(15, seed=1)

# Two kinds of words that look alike: the file knows which is which.
PEOPLE, THINGS = ["roe", "lund", "vale", "corr", "hart", "dune"], ["lamp", "desk", "tube", "coat", "vent", "cart"]


def vector_file(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    path = folder / "made.vec"
    lines = []
    for words, side in ((PEOPLE, 1.0), (THINGS, -1.0)):
        for word in words:
            numbers = [side, *(rng.normal(0, 0.1, 3))]
            lines.append(f"{word} {' '.join(f'{x:.4f}' for x in numbers)}\n")
    path.write_text("".join(lines), "utf-8")
    return path


def told_by_vectors() -> list[Document]:
    """Each word in one note, so that `least` keeps no word as a feature, but groups it does."""
    pairs = [(a, b) for a in PEOPLE[:4] for b in THINGS[:4]]
    return [note(f"[NAME {a}] {b}\n{b} [NAME {a}]", f"{a}-{b}") for a, b in pairs]


def places_of(settings: Settings, notes: list[Document]) -> WordGroups:
    batch = gather([document.text for document in notes])
    known = learn_groups(settings, batch, np.arange(len(notes), dtype=np.int32))
    assert known is not None
    return known


def test_without_vectors_there_is_nothing() -> None:
    batch = gather(["Seen by Dr. Roe"])
    assert learn_groups(PLAIN, batch, np.zeros(1, np.int32)) is None
    assert vector_forms(None) == {}
    assert [str(t.terms) for t in templates_of(PLAIN)] == ["(('brief', 0),)"]
    assert fit(PLAIN, NOTES[:5]).word_groups is None


def test_the_token_itself_has_the_feature_and_neighbours_if_asked() -> None:
    names = [template.terms for template in templates_of(replace(LEARNT, features=("vector-8[-1..0]",)))]
    assert names == [(("vector-8", -1),), *(((f"vector-{size}", 0),) for size in SIZES)]
    with pytest.raises(ElisionError, match="'vector-8', which is no attribute"):
        fit(replace(PLAIN, features=("vector-8[0]",)), NOTES)


def test_only_words_of_enough_notes() -> None:
    known = places_of(replace(LEARNT, least=5), [*NOTES, note("Zyx " * 50), note("wyv zyx " * 50)])
    of_note = [{w.lower() for w in gather([n.text]).kinds[1]} for n in NOTES]
    assert "winter" in known.words
    assert not {"zyx", "wyv"} & set(known.words)
    assert all(sum(word in words for words in of_note) >= 5 for word in known.words)


def test_groups_are_coarse_to_fine_and_the_same_again() -> None:
    known = places_of(LEARNT, NOTES)
    assert known.numbers.shape == (len(known.words), len(SIZES))
    sizes = [len(set(column)) for column in known.numbers.T.tolist()]
    assert sizes == sorted(sizes)
    assert sizes[0] <= 8 < sizes[1] <= 32
    again = places_of(LEARNT, NOTES[::-1])
    assert known.words == again.words
    assert (known.numbers == again.numbers).all()


def test_a_word_is_looked_up_in_any_case() -> None:
    known = WordGroups(("lamp", "roe"), np.array([[0, 3, 2, 7], [1, 3, 0, 5]], np.uint16))
    forms = vector_forms(known)
    assert list(forms) == [f"vector-{size}" for size in SIZES]
    assert list(map(forms["vector-8"], ("Roe", "LAMP", "rod", "roe"))) == ["1", "0", "", "1"]
    assert list(map(forms["vector-512"], ("roe", "lamp"))) == ["5", "7"]


def test_a_file_tells_names_from_things(tmp_path: Path) -> None:
    settings = replace(PLAIN, least=3, vector_file=str(vector_file(tmp_path)), dropout=0.1, epochs=20)
    tagger = fit(settings, told_by_vectors())
    assert set(tagger.word_groups.words if tagger.word_groups else ()) == {*PEOPLE[:4], *THINGS[:4]}
    text = f"{PEOPLE[0]} {THINGS[1]} {THINGS[2]} {PEOPLE[3]}"
    found = [text[span.start : span.end] for span in tagger.spans([text])[0]]
    assert found == [PEOPLE[0], PEOPLE[3]]
    without = fit(replace(settings, vector_file=""), told_by_vectors())
    assert [text[span.start : span.end] for span in without.spans([text])[0]] != found


def test_a_file_that_knows_only_capitals(tmp_path: Path) -> None:
    path = tmp_path / "cased.vec"
    path.write_text("Roe 1 0\nlamp 0 1\nLamp 5 5\n", "utf-8")
    known = places_of(replace(PLAIN, least=1, vector_file=str(path)), [note("Roe saw the Lamp, lamp")])
    assert known.words == ("lamp", "roe")


def test_saved_and_loaded(tmp_path: Path) -> None:
    path = vector_file(tmp_path)
    for number, settings in enumerate((LEARNT, replace(PLAIN, vector_file=str(path)))):
        notes = NOTES if number == 0 else told_by_vectors()
        tagger = fit(settings, notes)
        tagger.save(tmp_path / f"model{number}")
        again = load(tmp_path / f"model{number}")
        assert again.detect(OTHERS) == tagger.detect(OTHERS)
        assert again.detect(notes) == tagger.detect(notes)
        again.save(tmp_path / f"again{number}")
        twice = load(tmp_path / f"again{number}")
        assert twice.detect(notes) == tagger.detect(notes)
    everything = b"".join(file.read_bytes() for file in (tmp_path / "model1").iterdir())
    assert b"made.vec" in everything
    assert str(tmp_path).encode() not in everything  # where the file lay


def test_a_folder_whose_words_and_groups_do_not_fit(tmp_path: Path) -> None:
    fit(LEARNT, NOTES).save(tmp_path / "model")
    model = store.load(tmp_path / "model", ("linear",))
    words, numbers = model.vocabulary[WORDS], model.arrays[NUMBERS]
    bad: list[tuple[object, object]] = [
        (words[1:], numbers),
        (words, np.ascontiguousarray(numbers[:, :2])),
        (words, numbers.astype(np.int32)),
        (words, numbers + np.uint16(600)),
        (None, numbers),
        (words, None),
    ]
    for number, (other_words, other_numbers) in enumerate(bad):
        vocabulary = {k: v for k, v in {**model.vocabulary, WORDS: other_words}.items() if v is not None}
        arrays = {k: v for k, v in {**model.arrays, NUMBERS: other_numbers}.items() if v is not None}
        folder = tmp_path / f"bad{number}"
        store.save(folder, Stored(model.kind, model.card, vocabulary, arrays))  # type: ignore[arg-type] # on purpose
        with pytest.raises(ModelError, match="not a model that this elision wrote"):
            load(folder)


def test_what_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="choose one"):
        replace(LEARNT, vector_file="x.vec")
    with pytest.raises(ModelError, match="too few to learn word vectors from"):
        fit(LEARNT, [note("Seen by [NAME Roe]"), note("Seen by [NAME Lund]")])
    other = tmp_path / "other.vec"
    other.write_text("huis 1 0\nboom 0 1\n", "utf-8")
    with pytest.raises(ModelError, match=r"other\.vec: no vector for any word of the notes"):
        fit(replace(PLAIN, vector_file=str(other)), NOTES)
    assert groups_from(Stored("linear", {}, {}, {}), PLAIN) is None


@fewer
@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 6), st.integers(0, 99))
def test_groups_are_sound(words: int, size: int, width: int, seed: int) -> None:
    """Every vector has a group; like vectors, zeros apart, are together; no more groups than asked for."""
    rng = np.random.default_rng(seed)
    distinct = rng.normal(size=(words, width)).astype(np.float32) + np.float32(0.01)
    vectors = distinct[rng.integers(0, words, 2 * words)]
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    size = min(size, len(unit))
    with np.errstate(all="raise", under="ignore"):
        near = _grouped(unit, size, seed)
    assert near.shape == (len(unit),)
    assert near.min() >= 0
    assert near.max() < size
    for row in range(len(unit)):
        alike = (vectors == vectors[row]).all(axis=1)
        assert len(set(near[alike].tolist())) == 1
    assert (near == _grouped(unit, size, seed)).all()
