"""Pre-trained weights as a value and as a folder: what goes in comes out, and what does not fit is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from elision.errors import ModelError
from elision.models import store
from elision.taggers.neural.pretrained import KIND, LARGEST, LanguageModel, Pretrained, form_of, load
from tests.models.model_folders import model as other_model
from tests.taggers.neural.made_models import CHARACTERS, random_pretrained

WHOLE = random_pretrained()
Change = Callable[[Pretrained], object]


def assert_same(found: Pretrained, given: Pretrained) -> None:
    assert (found.words, found.characters, found.card) == (given.words, given.characters, given.card)
    mine, theirs = found.arrays(), given.arrays()
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        assert np.array_equal(array, theirs[name])


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    size = WHOLE.save(tmp_path / "pre")
    assert size == store.size(tmp_path / "pre")
    assert_same(load(tmp_path / "pre"), WHOLE)
    with pytest.raises(ModelError, match="is there already"):
        WHOLE.save(tmp_path / "pre")
    random_pretrained(seed=1).save(tmp_path / "pre", overwrite=True)
    assert_same(load(tmp_path / "pre"), random_pretrained(seed=1))


def test_a_tagger_can_keep_it_in_a_folder_of_its_own(tmp_path: Path) -> None:
    arrays = {**WHOLE.arrays(), "weights": np.zeros(3)}
    lists = {**WHOLE.lists(), "words": ["of the tagger"]}
    store.save(tmp_path / "tagger", store.Stored("neural", {"pretrained": WHOLE.card}, lists, arrays))
    stored = store.load(tmp_path / "tagger")
    found = Pretrained.from_arrays(stored.arrays, stored.vocabulary, stored.card["pretrained"], "tagger")
    assert_same(found, WHOLE)


def test_it_cannot_be_written_into() -> None:
    for array in WHOLE.arrays().values():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_sizes_and_rows() -> None:
    assert (WHOLE.hidden, WHOLE.size) == (6, 5)
    codes = np.array([ord(c) for c in "\nz☃😀"], np.uint32)
    assert WHOLE.rows(codes).tolist() == [1, CHARACTERS.index("z") + 1, 0, CHARACTERS.index("😀") + 1]
    assert np.array_equal(WHOLE.vectors.rows([form_of("Ward"), form_of("37")]), WHOLE.table[:2])


@pytest.mark.parametrize(
    ("word", "form"),
    [("Ward", "ward"), ("12/05", "00/00"), ("٣", "0"), ("A1c", "a0c"), ("李", "李"), ("½", "½")],
)
def test_words_have_vectors_by_form(word: str, form: str) -> None:
    assert form_of(word) == form
    assert form_of(form) == form


def with_part(name: str, array: Any) -> Change:
    """The forward model with another array."""

    def change(whole: Pretrained) -> Pretrained:
        return replace(whole, forward=replace(whole.forward, **{name: array}))

    return change


def _nan(array: Any, value: float) -> Any:
    changed = np.array(array)
    changed.flat[-1] = value
    return changed


def _wide(whole: Pretrained) -> object:
    """A table of 2 GB, out of a few MB."""
    characters = tuple(chr(code) for code in range(0x1000, 0xD000))
    zeros = np.zeros((len(characters) + 1, 1), np.float32)
    hidden = 1100
    side = LanguageModel(
        zeros,
        np.zeros((1, 4 * hidden), np.float32),
        np.zeros(4 * hidden, np.float32),
        np.zeros((hidden, 4 * hidden), np.float32),
    )
    return replace(whole, characters=characters, forward=side, backward=side)


def _empty(model: LanguageModel) -> LanguageModel:
    return LanguageModel(model.embeddings, model.weights[:, :0], model.bias[:0], model.turning[:0, :0])


FORWARD = WHOLE.forward
BAD: dict[str, tuple[Change, str]] = {
    "a word too many": (lambda w: replace(w, words=(*w.words, "more")), r"pretrained.table has 3 for words"),
    "a word twice": (lambda w: replace(w, words=("a", "b", "a")), "a word twice"),
    "a character too few": (lambda w: replace(w, characters=w.characters[1:]), "forward.embeddings has"),
    "a character twice": (lambda w: replace(w, characters=("a", *w.characters[1:])), "none of them twice"),
    "two characters as one": (lambda w: replace(w, characters=("ab", *w.characters[1:])), "single characters"),
    "float64": (with_part("bias", FORWARD.bias.astype(np.float64)), "forward.bias must be float32"),
    "whole numbers": (lambda w: replace(w, table=w.table.astype(np.int32)), "table must be float32"),
    "another dimension": (with_part("weights", FORWARD.weights[None]), "weights must be float32, of 2 dim"),
    "NaN": (with_part("turning", _nan(FORWARD.turning, np.nan)), "turning holds NaN"),
    "infinite": (with_part("embeddings", _nan(FORWARD.embeddings, -np.inf)), "embeddings holds NaN, or"),
    "too large": (lambda w: replace(w, table=_nan(w.table, 2 * float(LARGEST))), "table holds NaN, or"),
    "a short bias": (with_part("bias", FORWARD.bias[:-1]), "forward.bias has 23 for gates where there are 24"),
    "a turning of another state": (with_part("turning", FORWARD.turning[1:]), "where there are 5"),
    "directions of two sizes": (lambda w: replace(w, backward=random_pretrained(5).backward), "backward.turning has 5"),
    "no state at all": (lambda w: replace(w, forward=_empty(w.forward), backward=_empty(w.backward)), "four times as"),
    "a memory bomb": (_wide, "take too much memory"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_does_not_fit_together_is_refused(name: str) -> None:
    change, message = BAD[name]
    with pytest.raises(ModelError, match=message):
        change(WHOLE)


@pytest.mark.parametrize("missing", [*WHOLE.arrays(), *WHOLE.lists()])
def test_a_folder_that_lacks_something_is_refused_and_named(tmp_path: Path, missing: str) -> None:
    arrays = {name: array for name, array in WHOLE.arrays().items() if name != missing}
    lists = {name: strings for name, strings in WHOLE.lists().items() if name != missing}
    store.save(tmp_path / "pre", store.Stored(KIND, {}, lists, arrays))
    with pytest.raises(ModelError, match=f"pre: {missing} is missing; get the folder again"):
        load(tmp_path / "pre")


def test_a_folder_with_nan_or_of_another_kind_is_refused(tmp_path: Path) -> None:
    table = np.full_like(WHOLE.table, np.nan)
    arrays = {**WHOLE.arrays(), "pretrained.table": table}
    store.save(tmp_path / "pre", store.Stored(KIND, {}, WHOLE.lists(), arrays))
    with pytest.raises(ModelError, match=r"pre: pretrained\.table holds NaN"):
        load(tmp_path / "pre")
    store.save(tmp_path / "other", other_model())
    with pytest.raises(ModelError, match="where pretrained is needed"):
        load(tmp_path / "other")
    with pytest.raises(ModelError, match="none"):
        load(tmp_path / "none")
