"""Model folders: what goes in comes out, what would not is refused, and nothing else is overwritten."""

from __future__ import annotations

import errno
import os
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.models import manifest, store
from elision.models.plain_json import DEPTH
from elision.models.safetensor import DTYPES
from elision.models.store import MODEL, VOCABULARY, WEIGHTS, Stored, fingerprint, load, save, size
from tests.models.model_folders import MANIFEST, assert_same, bytes_in, deep, model
from tests.strategies import fewer

Array = npt.NDArray[Any]
GOLDEN = "4e8299ac131c38218eaac38bc2d24b6939536d0bbcf8a0095f39c650b2cc8173"  # of model(), written by elision 0.1.0


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small models need not reach the disk."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    save(tmp_path / "model", model())
    return tmp_path / "model"


# --- what goes in comes out


@st.composite
def arrays(draw: st.DrawFn) -> Array:
    dtype = draw(st.sampled_from(sorted(DTYPES.values(), key=str)))
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    count = int(np.prod(shape, dtype=int))
    if dtype == np.bool_:
        return np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)), dtype).reshape(shape)
    data = draw(st.binary(min_size=count * dtype.itemsize, max_size=count * dtype.itemsize))
    return np.frombuffer(data, dtype).reshape(shape)  # any bits, so also NaN of all kinds


numbers = st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
models = st.builds(
    Stored,
    st.sampled_from(["crf", "window", "pos"]),
    st.dictionaries(st.text(max_size=4), values, max_size=3),
    st.dictionaries(st.text(max_size=4), st.lists(st.text(max_size=6), max_size=4), max_size=3),
    st.dictionaries(st.text(max_size=6).filter(lambda name: name != "__metadata__"), arrays(), max_size=4),
)


def backwards(given: Any) -> Any:
    """The same value with the keys of all dicts in the opposite order."""
    if isinstance(given, dict):
        return {key: backwards(given[key]) for key in reversed(given)}
    return [backwards(item) for item in given] if isinstance(given, list) else given


@fewer
@given(given=models)
def test_what_goes_in_comes_out_and_the_bytes_do_not_depend_on_the_order(given: Stored, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    written = save(one, given, overwrite=True)
    found = load(one)
    assert_same(found, given)
    save(
        other,
        Stored(given.kind, *(backwards(part) for part in (given.card, given.vocabulary, given.arrays))),
        overwrite=True,
    )
    assert bytes_in(one) == bytes_in(other)
    assert written == size(one) == sum(map(len, bytes_in(one).values()))
    save(other, found, overwrite=True)
    assert fingerprint(other) == fingerprint(one)


def test_the_bytes_are_the_same_on_every_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "__version__", "0.1.0")
    save(tmp_path / "model", model())
    assert fingerprint(tmp_path / "model") == GOLDEN
    save(tmp_path / "other", model("b"))
    assert fingerprint(tmp_path / "other") != fingerprint(tmp_path / "model")


def test_the_weights_are_what_the_library_calls_safetensors(saved: Path) -> None:
    found = safetensors.numpy.load_file(saved / WEIGHTS)
    assert {name: array.tolist() for name, array in found.items()} == {
        name: array.tolist() for name, array in model().arrays.items()
    }


@pytest.mark.parametrize("code", ["l", "q", "i", "L", "Q", "<f4", "=f8", "|b1"])
def test_an_array_is_known_by_what_it_holds(code: str, tmp_path: Path) -> None:
    array = np.ones(3, code)
    save(tmp_path / "model", Stored("crf", {}, {}, {"a": array}))
    found = load(tmp_path / "model").arrays["a"]
    assert found.dtype == array.dtype
    assert found.dtype.isnative


def test_tuples_and_mappings_are_stored_as_lists_and_objects(tmp_path: Path) -> None:
    save(tmp_path / "model", Stored("crf", {"labels": ("A", "B"), "f1": np.float64(0.5)}, {"words": ("a", "b")}, {}))
    found = load(tmp_path / "model")
    assert found.card == {"labels": ["A", "B"], "f1": 0.5}
    assert found.vocabulary == {"words": ["a", "b"]}


def test_loaded_arrays_cannot_be_changed(saved: Path) -> None:
    with pytest.raises(ValueError, match="read-only"):
        load(saved).arrays["rows"][0, 0] = 1


def test_a_models_words_are_not_in_its_repr() -> None:
    assert "Roe" not in repr(model())


def test_other_files_are_left_alone(saved: Path) -> None:
    before = size(saved), fingerprint(saved)
    (saved / "README.md").write_text("a note on this model")
    (saved / "old.pkl").write_bytes(b"\x80\x04.")
    assert_same(load(saved), model())
    assert (size(saved), fingerprint(saved)) == before


def test_large_arrays_are_not_copied_more_than_once(tmp_path: Path) -> None:
    array = np.zeros(1 << 20, np.float64)
    tracemalloc.start()
    try:
        save(tmp_path / "model", Stored("crf", {}, {}, {"a": array}))
        assert tracemalloc.get_traced_memory()[1] - array.nbytes < array.nbytes * 0.1
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        found = load(tmp_path / "model")
        now, peak = tracemalloc.get_traced_memory()
        assert now - before < array.nbytes * 1.1
        assert peak - before < array.nbytes * 2.1
    finally:
        tracemalloc.stop()
    assert found.arrays["a"].nbytes == array.nbytes


# --- what cannot be stored


HALF = "Roe\ud83d"
UNSTORABLE: list[tuple[str, dict[str, Any], str]] = [
    ("no kind", {"kind": ""}, "the kind of a model must be a word"),
    ("an odd kind", {"kind": "../crf"}, "the kind of a model must be a word"),
    ("a card that is a list", {"card": []}, "the card must be a dict"),
    ("NaN", {"card": {"dev": {"f1": float("nan")}}}, r"card\.dev\.f1: not a number that JSON can hold"),
    ("infinity", {"card": {"a": [1, float("inf")]}}, r"card\.a\[1\]: not a number"),
    ("a long number", {"card": {"a": 10**5000}}, r"card\.a: not a number"),
    ("a key that is no string", {"card": {1: "a"}}, "card: a key: must be a string, not int"),
    ("bytes", {"card": {"a": b""}}, r"card\.a: JSON has no bytes"),
    ("a numpy number", {"card": {"a": np.float32(1)}}, r"card\.a: JSON has no float32"),
    ("a deep card", {"card": {"a": deep(DEPTH)}}, f"nested more than {DEPTH} deep"),
    ("half a character in the card", {"card": {"a": HALF}}, r"card\.a: half a character"),
    ("half a character in a key", {"card": {HALF: 1}}, "card: a key: half a character"),
    ("half a character in a word", {"vocabulary": {"w": ["a", HALF]}}, r"vocabulary\.w\[1\]: half a character"),
    ("half a character in a name", {"vocabulary": {HALF: []}}, "vocabulary: a name: half a character"),
    ("two halves in two words", {"vocabulary": {"w": ["a\ud83d", "\ude00b"]}}, r"vocabulary\.w\[0\]: half a character"),
    ("a word that is a number", {"vocabulary": {"w": ["a", 1]}}, r"vocabulary\.w\[1\]: must be a string, not int"),
    ("a string for a list", {"vocabulary": {"w": "abc"}}, r"vocabulary\.w: must be a list of strings"),
    ("a set of words", {"vocabulary": {"w": {"a"}}}, r"vocabulary\.w: must be a list of strings"),
    ("a vocabulary without names", {"vocabulary": ["a"]}, "vocabulary: must be an object with named lists"),
    ("complex numbers", {"arrays": {"w": np.zeros(2, complex)}}, "array 'w' holds <c16; a model holds little-endian"),
    ("objects", {"arrays": {"w": np.array([None])}}, r"array 'w' holds \|O"),
    ("strings", {"arrays": {"w": np.array(["a"])}}, "array 'w' holds <U1"),
    ("dates", {"arrays": {"w": np.zeros(1, "datetime64[s]")}}, r"array 'w' holds <M8\[s\]"),
    ("records", {"arrays": {"w": np.zeros(1, "f4,f4")}}, r"array 'w' holds \|V8"),
    ("long doubles", {"arrays": {"w": np.zeros(1, np.longdouble)}}, "array 'w' holds <f(12|16)|array 'w' holds <f8"),
    ("big-endian", {"arrays": {"w": np.zeros(2, ">f4")}}, r"array 'w' holds >f4; .* convert it \(astype\)"),
    ("not contiguous", {"arrays": {"w": np.zeros((4, 4))[:, ::2]}}, "array 'w' is not C-contiguous; give np.asc"),
    ("in Fortran's order", {"arrays": {"w": np.zeros((4, 4)).T[:3]}}, "array 'w' is not C-contiguous"),
    ("a masked array", {"arrays": {"w": np.ma.zeros(3)}}, "array 'w' is a MaskedArray; give a plain numpy array"),
    ("no array", {"arrays": {"w": [1, 2]}}, "array 'w' is a list"),
    ("a reserved name", {"arrays": {"__metadata__": np.zeros(1)}}, "the name of an array '__metadata__' must be"),
    ("half a character in an array's name", {"arrays": {HALF: np.zeros(1)}}, "the name of an array must be a whole"),
]


@pytest.mark.parametrize(("change", "message"), [row[1:] for row in UNSTORABLE], ids=[row[0] for row in UNSTORABLE])
def test_what_cannot_be_stored_is_refused_before_anything_is_written(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    parts: dict[str, Any] = {"kind": "crf", "card": {}, "vocabulary": {}, "arrays": {}}
    with pytest.raises(ModelError, match=message) as caught:
        save(tmp_path / "model", Stored(**{**parts, **change}))
    assert "Roe" not in str(caught.value)
    assert str(tmp_path / "model") in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_would_be_too_large_to_load_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manifest, "LIMIT", 1 << 20)
    with pytest.raises(
        ModelError, match=r"model: weights.safetensors would have more than the 1 MiB .*; prune the model"
    ):
        save(tmp_path / "model", Stored("crf", {}, {}, {"a": np.zeros(1 << 20, np.uint8)}))
    assert list(tmp_path.iterdir()) == []


# --- what must not be replaced


def test_a_folder_is_replaced_only_if_that_is_wanted(saved: Path) -> None:
    with pytest.raises(ModelError, match="model: is there already; choose another folder, or --force"):
        save(saved, model("b"))
    assert_same(load(saved), model())
    save(saved, model("b"), overwrite=True)
    assert_same(load(saved), model("b"))
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    with pytest.raises(ModelError, match="is there already"):
        save(tmp_path / "model", model())
    save(tmp_path / "model", model(), overwrite=True)
    assert_same(load(tmp_path / "model"), model())


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (["notes.txt"], "not overwritten, as it is neither empty nor a model"),
        ([MANIFEST], "not overwritten, as it is neither empty nor a model"),
        ([MODEL, VOCABULARY, WEIGHTS], "not overwritten, as it is neither empty nor a model"),
    ],
)
def test_a_folder_of_something_else_is_not_overwritten(files: list[str], message: str, tmp_path: Path) -> None:
    folder = tmp_path / "thesis"
    folder.mkdir()
    for name in files:
        (folder / name).write_text("{}")
    with pytest.raises(ModelError, match=message):
        save(folder, model(), overwrite=True)
    assert bytes_in(folder) == dict.fromkeys(files, b"{}")


def test_a_model_with_other_files_beside_it_is_not_overwritten(saved: Path) -> None:
    (saved / "notes.txt").write_text("keep me")
    (saved / "tables").mkdir()
    with pytest.raises(ModelError, match=r"what is not of the model \(2, the first 'notes.txt'\); move that elsewhere"):
        save(saved, model("b"), overwrite=True)
    assert_same(load(saved), model())
    assert (saved / "notes.txt").read_text() == "keep me"


def test_a_damaged_model_can_be_overwritten(saved: Path) -> None:
    (saved / WEIGHTS).unlink()
    (saved / MODEL).write_text("x")
    save(saved, model("b"), overwrite=True)
    assert_same(load(saved), model("b"))


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "model").write_text("x")
    with pytest.raises(ModelError, match="a file stands there; a model is a folder: give another name"):
        save(tmp_path / "model", model(), overwrite=True)
    with pytest.raises(
        ModelError, match=f"cannot be written: {os.strerror(errno.ENOTDIR)}|{os.strerror(errno.EEXIST)}"
    ):
        save(tmp_path / "model" / "inner", model())
    assert (tmp_path / "model").read_text() == "x"


def test_through_a_link_its_goal_is_written(saved: Path) -> None:
    link = saved.parent / "current"
    link.symlink_to(saved.name)
    save(link, model("b"), overwrite=True)
    assert link.is_symlink()
    assert_same(load(saved), model("b"))
    assert_same(load(link), model("b"))


def test_folders_above_are_made(tmp_path: Path) -> None:
    save(tmp_path / "a" / "b" / "model", model())
    assert_same(load(tmp_path / "a" / "b" / "model"), model())


@pytest.mark.parametrize("name", ["x" * 255, "é" * 127, "😀" * 63])
def test_any_name_that_a_folder_can_have(name: str, tmp_path: Path) -> None:
    save(tmp_path / name, model())
    save(tmp_path / name, model("b"), overwrite=True)
    assert_same(load(tmp_path / name), model("b"))
