"""From tokens to scores: compiled and numpy add up the same weights, those that a dictionary would give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers import kernels
from elision.taggers.linear.model import Sparse
from tests.strategies import fewer
from tests.taggers.linear.chains import Floats, implementations

Ints = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]
each = pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])
compiled = pytest.mark.skipif(not kernels.COMPILED, reason="the compiled kernels are not built")

VALUES = 4  # of each attribute; 0: none that the model knows


@dataclass(frozen=True)
class Model:
    """A model of random templates, and some tokens."""

    attributes: int
    places_attributes: int
    labels: int
    width: int
    columns: Ints  # types x attributes
    types: Ints
    places: Ints
    offsets: Ints
    alone: Ints
    direct: Ints
    joint: Ints
    dense: Floats
    keys: Keys
    begins: Ints
    names: npt.NDArray[np.uint8]
    weights: Floats

    def scores(self, by: ModuleType) -> tuple[Floats, Floats]:
        """Tables and scores."""
        tables = np.full((len(self.columns), len(self.offsets), self.width), np.nan, np.float32)
        by.fill(
            self.columns, self.alone, *Sparse.of(self.dense), tables, self.attributes, len(self.offsets), self.width
        )
        slots = np.empty(64, np.int32)
        by.index_keys(self.keys, slots)
        out = np.full((len(self.types), self.width), np.nan, np.float32)
        by.emit(
            self.types, self.columns, self.places, tables, self.offsets, self.direct, self.dense, self.joint, slots,
            self.keys, self.begins, self.names, self.weights, out, self.attributes, self.places_attributes, self.labels,
            self.width,
        )  # fmt: skip
        return tables, out


def packed(number: int, values: list[int]) -> int:
    for value in values:
        number = number << 18 | value
    return number


def model(seed: int, forms: int, places: int, labels: int, tokens: int, templates: int) -> Model:
    rng = np.random.default_rng(seed)
    width, kinds = -(-labels // 8) * 8, 6
    columns = rng.integers(0, VALUES + 1, (kinds, forms)).astype(np.int32)
    columns[0] = 0
    offsets = np.sort(rng.choice(np.arange(-4, 5), 3, replace=False)).astype(np.int32)
    base = iter(range(0, VALUES * 2 * templates, VALUES))
    alone = [[rng.integers(forms), rng.integers(3), next(base)] for _ in range(templates if forms else 0)]
    direct = [
        [forms + rng.integers(places), rng.integers(-3, 4), next(base)] for _ in range(templates if places else 0)
    ]
    joint, keys = [], set()
    for number in range(1, templates + 1):
        terms = [[int(rng.integers(forms + places)), int(rng.integers(-3, 4))] for _ in range(rng.integers(2, 4))]
        joint.append([*(x for term in terms for x in term), *[-1, 0] * (3 - len(terms)), number])
        keys |= {packed(number, rng.integers(1, VALUES + 1, len(terms)).tolist()) for _ in range(5)}
    sizes = rng.integers(0, labels + 1, len(keys))
    names = [label for size in sizes for label in rng.permutation(labels)[:size]]
    dense = np.zeros((VALUES * 2 * templates, width), np.float32)
    dense[:, :labels] = rng.normal(size=(len(dense), labels))
    return Model(
        forms, places, labels, width, columns, rng.integers(0, kinds, tokens).astype(np.int32),
        rng.integers(0, VALUES + 1, (tokens, places)).astype(np.int32), offsets,
        np.array(alone, np.int32).reshape(-1, 3), np.array(direct, np.int32).reshape(-1, 3),
        np.array(joint, np.int32).reshape(-1, 7), dense, np.array(sorted(keys), np.uint64),
        np.concatenate(([0], np.cumsum(sizes))).astype(np.int32), np.array(names, np.uint8),
        rng.normal(size=len(names)).astype(np.float32),
    )  # fmt: skip


models = st.builds(
    model,
    seed=st.integers(0, 1 << 32),
    forms=st.integers(1, 4),
    places=st.integers(0, 3),
    labels=st.integers(1, 50),
    tokens=st.integers(0, 30),
    templates=st.integers(0, 4),
)


def slowly(m: Model) -> list[dict[int, float]]:
    """The scores of each token, by dictionaries."""
    joint = {
        int(key): dict(zip(m.names[a:b].tolist(), m.weights[a:b].tolist(), strict=True))
        for key, a, b in zip(m.keys, m.begins[:-1], m.begins[1:], strict=True)
    }

    def value(attribute: int, at: int) -> int:
        if not 0 <= at < len(m.types):
            return 0
        if attribute < m.attributes:
            return int(m.columns[m.types[at], attribute])
        return int(m.places[at, attribute - m.attributes])

    found: list[dict[int, float]] = []
    for i, kind in enumerate(m.types):
        sums: dict[int, float] = defaultdict(float)
        alone = [(attribute, int(m.offsets[place]), base) for attribute, place, base in m.alone.tolist()]
        for attribute, offset, base in alone + (m.direct.tolist() if kind else []):
            if known := value(attribute, i + offset):
                for label in range(m.labels):
                    sums[label] += float(m.dense[base + known - 1, label])
        for *terms, number in m.joint.tolist() if kind else []:
            pairs = [(a, o) for a, o in zip(terms[0::2], terms[1::2], strict=True) if a >= 0]
            values = [value(attribute, i + offset) for attribute, offset in pairs]
            for label, weight in joint.get(packed(number, values), {}).items() if all(values) else []:
                sums[label] += weight
        found.append(sums)
    return found


@given(models)
@fewer
def test_scores_are_sums_of_weights(m: Model) -> None:
    ours, *others = (m.scores(by) for by in implementations())
    for theirs in others:
        for a, b in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(a, b)
    for row, sums in zip(ours[1], slowly(m), strict=True):
        np.testing.assert_allclose(row[: m.labels], [sums[label] for label in range(m.labels)], rtol=1e-4, atol=1e-5)
        assert not row[m.labels :].any()


@each
@given(keys=st.sets(st.integers(0, (1 << 64) - 1), max_size=40), room=st.integers(6, 8))
@fewer
def test_every_key_is_found_and_no_other(by: ModuleType, keys: set[int], room: int) -> None:
    """As the compiled loop looks for them: from the place that the mixed bits tell, on to the first that is empty."""
    from elision.taggers.reference.learning import mixed

    ordered = np.array(sorted(keys), np.uint64)
    slots = np.full(1 << room, 7, np.int32)
    by.index_keys(ordered, slots)
    assert sorted(slots[slots >= 0].tolist()) == list(range(len(keys)))
    for number, home in enumerate((mixed(ordered) & np.uint64(len(slots) - 1)).tolist()):
        while slots[home] != number:
            assert slots[home] >= 0
            home = (home + 1) % len(slots)


@each
@given(words=st.lists(st.text("aé𝒳\0", max_size=3)))
@fewer
def test_tokens_are_numbered_by_their_characters(by: ModuleType, words: list[str]) -> None:
    text = "".join(words)
    edges = np.cumsum([0, *map(len, words)]).astype(np.int32)
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    kinds, firsts = np.full(len(words), -1, np.int32), np.full(len(words), -1, np.int32)
    count = by.number(codes, edges[:-1], edges[1:], kinds, firsts)
    order = list(dict.fromkeys(words))
    assert count == len(order)
    assert kinds.tolist() == [order.index(word) for word in words]
    assert firsts[:count].tolist() == [words.index(word) for word in order]


# -- what cannot be is refused, not read or written beside ---------------------------------------------------------


def _decode() -> list[Any]:
    f, i = np.float32, np.int32
    return [
        np.zeros((4, 8), f), np.array([[0, 4]], i), np.ones((4, 8), f), np.ones((3, 8), f),
        np.array([-1, -1, 1], np.int16), np.zeros(4, np.uint8), np.zeros(4, f), np.zeros((0, 8), f), 3, 8, 0, 1.0,
    ]  # fmt: skip


def _viterbi() -> list[Any]:
    f = np.float32
    return [np.zeros((4, 8), f), np.array([[0, 4]], np.int32), np.zeros((4, 8), f), np.zeros(4, np.uint8), 3, 8]


def _learn() -> list[Any]:
    f, i = np.float32, np.int32
    tables = [np.zeros((5, 8), f) for _ in range(3)] + [np.zeros((4, 8), f) for _ in range(3)]
    rest = [2, 3, 8, 0, 64, 1, 0.0, 0.2, 1.0, 0.0, 0.0, 0.1, 0.0, 1.0]
    return [np.zeros((4, 2), i), np.zeros(4, np.int16), np.array([[0, 4]], i), *tables, np.ones((4, 8), f), *rest]


def _emit() -> list[Any]:
    m = model(1, 2, 2, 3, 6, 2)
    slots = np.full(64, -1, np.int32)
    return [
        np.arange(6, dtype=np.int32), m.columns, m.places, np.zeros((6, 3, 8), np.float32), m.offsets,
        m.direct, m.dense, m.joint, slots, m.keys, m.begins, m.names, m.weights,
        np.zeros((6, 8), np.float32), 2, 2, 3, 8,
    ]  # fmt: skip


def _fill() -> list[Any]:
    m = model(1, 2, 2, 3, 6, 2)
    return [m.columns, m.alone, *Sparse.of(m.dense), np.zeros((6, 3, 8), np.float32), 2, 3, 8]


def _index_keys() -> list[Any]:
    return [np.arange(5, dtype=np.uint64), np.zeros(8, np.int32)]


def _number() -> list[Any]:
    i = np.int32
    return [np.zeros(6, np.uint32), np.array([0, 3], i), np.array([2, 6], i), np.zeros(2, i), np.zeros(2, i)]


GOOD: dict[str, Callable[[], list[Any]]] = {
    "decode": _decode, "viterbi": _viterbi, "learn": _learn, "emit": _emit, "fill": _fill, "index_keys": _index_keys,
    "number": _number,
}  # fmt: skip
SHORT = {  # the arrays that must not be shorter
    "decode": (2, 3, 4, 5, 6), "viterbi": (2, 3), "learn": (1, 4, 5, 6, 7, 8, 9), "emit": (1, 2, 3, 10, 11, 12, 13),
    "fill": (3,), "index_keys": (), "number": (2, 3, 4),
}  # fmt: skip


@compiled
@pytest.mark.parametrize("name", GOOD)
def test_arrays_of_another_size_are_refused(name: str) -> None:
    function = getattr(implementations()[1], name)
    function(*GOOD[name]())
    for at, good in enumerate(GOOD[name]()):
        if not isinstance(good, np.ndarray):
            continue
        arguments = GOOD[name]()
        arguments[at] = np.zeros(good.size, np.dtype("f8") if good.itemsize != 8 else np.dtype("f4"))
        with pytest.raises(ValueError, match=r"expected \d bytes"):
            function(*arguments)
        if at in SHORT[name]:
            arguments[at] = good.reshape(-1)[:-1]
            with pytest.raises(ValueError):
                function(*arguments)
        if good.size > 1:
            arguments[at] = np.repeat(good.reshape(-1), 2)[::2]
            with pytest.raises((ValueError, BufferError)):
                function(*arguments)
        arguments[at] = None
        with pytest.raises(TypeError):
            function(*arguments)


@compiled
def test_without_tables_nothing_beyond_them_is_read() -> None:
    arguments = GOOD["emit"]()
    arguments[3], arguments[4] = np.zeros((6, 0, 8), np.float32), np.zeros(0, np.int32)
    plain, fast = ([*arguments[:13], np.full((6, 8), np.nan, np.float32), *arguments[14:]] for _ in range(2))
    for by, of in zip(implementations(), (plain, fast), strict=True):
        by.emit(*of)
    assert np.array_equal(plain[13][:, :3], fast[13][:, :3])


def _pairs(*pairs: int) -> Ints:
    return np.array(pairs, np.int32)


WRONG: list[tuple[str, int, Any]] = [
    *(("decode", 1, _pairs(*pair)) for pair in ((-1, 2), (3, 2), (0, 5), (0, 1, 2, 9))),
    ("decode", 4, np.array([-1, -1, 3], np.int16)),
    ("decode", 4, np.array([-1, -2, 1], np.int16)),
    *(("decode", 8, labels) for labels in (0, -1, 9)),
    *(("decode", 9, width) for width in (0, 4, 12, 264)),
    ("viterbi", 1, _pairs(2, 1)),
    ("viterbi", 4, 300),
    ("learn", 0, np.full((4, 2), 5, np.int32)),
    ("learn", 0, np.full((4, 2), -2, np.int32)),
    ("learn", 1, np.array([0, 1, 2, 3], np.int16)),
    ("learn", 1, np.array([0, 1, 2, -1], np.int16)),
    ("learn", 2, _pairs(0, 5)),
    ("learn", 10, 0),
    *(("learn", 13, loss) for loss in (-1, 3)),
    *(("learn", 14, drop) for drop in (-1, 256)),
    ("emit", 0, np.array([0, 1, 2, 3, 4, 6], np.int32)),
    ("emit", 0, np.array([0, 1, 2, 3, 4, -1], np.int32)),
    ("emit", 8, np.full(48, -1, np.int32)),
    ("emit", 8, np.full(4, -1, np.int32)),
    ("emit", 9, np.arange(64, dtype=np.uint64)),
    ("emit", 5, _pairs(4, 0, 0)),
    ("emit", 7, _pairs(0, 0, 4, 0, -1, 0, 1)),
    ("emit", 7, _pairs(-2, 0, 0, 0, -1, 0, 1)),
    ("emit", 14, 3),
    ("fill", 1, _pairs(2, 0, 0)),
    ("fill", 1, _pairs(0, 3, 0)),
    ("index_keys", 0, np.arange(8, dtype=np.uint64)),
    ("index_keys", 1, np.zeros(6, np.int32)),
    ("number", 2, _pairs(2, 7)),
    ("number", 1, _pairs(-1, 3)),
    ("number", 2, _pairs(2, 2)),
]


@compiled
@pytest.mark.parametrize(("name", "at", "wrong"), WRONG, ids=[f"{name}-{at}" for name, at, _ in WRONG])
def test_what_does_not_fit_is_refused(name: str, at: int, wrong: Any) -> None:
    arguments = GOOD[name]()
    arguments[at] = wrong
    with pytest.raises(ValueError):
        getattr(implementations()[1], name)(*arguments)


@compiled
def test_what_is_written_to_has_to_be_writable() -> None:
    arguments = _viterbi()
    arguments[3].flags.writeable = False
    with pytest.raises((ValueError, BufferError, TypeError)):
        implementations()[1].viterbi(*arguments)
