"""What forms say as numbers: compiled and by the attributes' functions, they are the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.languages.groups import SIZES, shipped
from elision.taggers.linear import token_features
from elision.taggers.linear.attributes import FORMS, WAYS, Written, form
from elision.taggers.linear.token_features import LETTERS, MOST_ATTRIBUTES, FormNumbers
from tests.strategies import fewer, texts

compiled = pytest.mark.skipif(not token_features.COMPILED, reason="the compiled loops are not built")

NAMES = [*FORMS, "prefix1", "prefix3", "prefix12", "suffix1", "suffix4", "suffix20", "gram3-2"]
ATTRIBUTES = {name: each for name in NAMES if (each := form(name)) is not None} | {
    f"group-{size}": shipped("nl").of(size) for size in SIZES
}
LATIN = [chr(code) for code in range(LETTERS + 16)]
ODD = [
    "", "Roe", "roe", "ROE", "McRoe", "İzmir", "Jos\u00e9", "Jose\u0301", "Strauß", "Ǆ", "ǅungla", "ﬁne", "ŉ", "Ⱥbc",
    "ΟΔΟΣ", "李明", "٣٤", "²", "12/31/2099", "\n\n", "a\nb", "\0", "--", "\ud800", "😀",
    "x" * 255, "X" * 256, "y" * 257, "é" * 5_000,
]  # fmt: skip


def numbers_for(known: Sequence[str]) -> dict[str, dict[str, int]]:
    """A model that knows what these forms say."""
    values = {name: dict.fromkeys(each(token) for token in known) for name, each in ATTRIBUTES.items()}
    return {name: {value: at for at, value in enumerate(each, 1)} for name, each in values.items()}


def assert_same(known: Sequence[str], asked: Sequence[str]) -> None:
    numbers = numbers_for(known)
    expected = [[numbers[name].get(each(token), 0) for name, each in ATTRIBUTES.items()] for token in asked]
    found = FormNumbers(ATTRIBUTES, numbers)(asked)
    assert found.dtype == np.int32
    assert found.shape == (len(asked), len(ATTRIBUTES))
    assert found.tolist() == expected


def test_every_letter_by_itself_and_in_a_row() -> None:
    asked = [*LATIN, *(letter * 2 for letter in LATIN), *(f"A{letter}b{letter.upper()}" for letter in LATIN)]
    assert_same(asked[::3], asked)


def test_odd_forms() -> None:
    assert_same(ODD[::2], ODD)
    assert_same(ODD, ODD)
    assert_same([], ODD)
    assert_same(ODD, [])


WORDS = st.text(st.sampled_from("aAbBijIJéÉñßſ0189-.,ǅªº²"), max_size=12) | texts | st.sampled_from(ODD)


@fewer
@given(st.lists(WORDS, max_size=20), st.lists(WORDS, max_size=20))
def test_any_forms(known: list[str], more: list[str]) -> None:
    assert_same(known, known + more)


def test_without_what_is_compiled_it_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_features, "COMPILED", False)
    assert_same(ODD[::2], ODD)


def test_more_attributes_than_are_compiled() -> None:
    many = {f"suffix{size}": form(f"suffix{size}") for size in range(1, MOST_ATTRIBUTES + 12)}
    attributes = {name: each for name, each in many.items() if each is not None}
    numbers = {name: {each("x" * 70): 1, each("Roe"): 2} for name, each in attributes.items()}
    asked = ["x" * 70, "Roe", "x"]
    expected = [[numbers[name].get(each(token), 0) for name, each in attributes.items()] for token in asked]
    assert FormNumbers(attributes, numbers)(asked).tolist() == expected


@compiled
def test_what_does_not_fit_is_refused() -> None:
    from elision.taggers.linear import _token_features

    tables = np.ones((3, 128), np.uint32)
    row = np.array([[0, 0, 0, 0]], np.int32)
    ready = _token_features.ready(row, tables, [{"Roe": 1}])
    table = np.zeros((1, 1), np.int32)
    assert _token_features.look(ready, ["Roe"], table, 1) == []
    assert table.tolist() == [[1]]
    for wrong in ([[len(WAYS), 0, 0, 0]], [[-1, 0, 0, 0]], [[0, 4, 0, 0]], [[0, 1, -1, 0]], [[0, 0, 0, -1]]):
        with pytest.raises(ValueError, match="none of those known"):
            _token_features.ready(np.array(wrong, np.int32), tables, [{"Roe": 1}])
    with pytest.raises(ValueError, match="do not fit together"):
        _token_features.ready(row, tables, [])
    with pytest.raises(ValueError, match="do not fit together"):
        _token_features.ready(row, np.ones(100, np.uint32), [{"Roe": 1}])
    with pytest.raises(ValueError, match="do not fit together"):
        _token_features.ready(np.zeros((MOST_ATTRIBUTES + 1, 4), np.int32), tables, [{}] * (MOST_ATTRIBUTES + 1))
    with pytest.raises(TypeError):
        _token_features.ready(row, tables, [{1: 1}])  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        _token_features.ready(row, tables, [{"Roe": "1"}])  # type: ignore[dict-item]
    with pytest.raises(TypeError):
        _token_features.ready(row, tables, [("Roe",)])  # type: ignore[list-item]
    with pytest.raises(TypeError):
        _token_features.look(ready, [b"Roe"], table, 1)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="buffer"):
        _token_features.look(ready, ["Roe", "Roe"], table, 1)
    beyond = _token_features.ready(np.array([[0, 0, 0, 3]], np.int32), tables, [{"Roe": 1}])
    with pytest.raises(ValueError, match="beyond the table"):
        _token_features.look(beyond, ["Roe"], table, 1)


def test_what_is_data_is_what_its_parts_say() -> None:
    for way, written in enumerate(WAYS):
        assert Written(way)("McRoe12") == written("McRoe12")
        assert Written(way, 1, 3)("McRoe12") == written("McR")
        assert Written(way, 2, 3)("McRoe12") == written("e12")
        assert Written(way, 3, 3)("McRoe12") == written("McR")
        assert Written(way, 3, 9)("McRoe12") == written("McRoe12")
        assert Written(way, 1, 9)("McRoe12") == Written(way, 2, 9)("McRoe12") == ""
