"""Online learning: compiled and numpy learn the same weights, along the gradients of the loss."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers import kernels
from elision.taggers.chain import Chain
from tests.strategies import fewer
from tests.taggers.linear.chains import Doubles, Floats, bio, implementations

LOSSES = {"chain": kernels.CHAIN, "softmax": kernels.SOFTMAX, "hinge": kernels.HINGE}
each = pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])


@dataclass
class Lesson:
    """Tagged tokens with random features, and weights that start from nothing."""

    chain: Chain
    rows: npt.NDArray[np.int32]  # tokens x slots
    gold: npt.NDArray[np.int16]
    bounds: npt.NDArray[np.int32]
    features: int
    weights: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        shapes = [(self.features, self.chain.width)] * 3 + [self.chain.allowed.shape] * 3
        self.weights = [np.zeros(shape, np.float32) for shape in shapes]

    def learn(self, by: ModuleType, loss: int, **other: Any) -> float:
        how = {
            "drop": 77, "seed": 5, "skip": 0.002, "rate": 0.2, "beta": 1.0, "l1": 0.05, "l2": 0.01, "turn_rate": 0.1,
            "turn_l2": 0.0, "turn_beta": 1.0, **other,
        }  # fmt: skip
        found: float = by.learn(
            self.rows, self.gold, self.bounds, *self.weights, self.chain.allowed, self.rows.shape[1],
            len(self.chain.tags), self.chain.width, loss, *how.values(),
        )  # fmt: skip
        return found


def lesson(seed: int, kinds: int, sizes: list[int], slots: int, features: int) -> Lesson:
    """Some rows stand in several slots of a token, some slots are empty, some gold tags may not follow each other."""
    rng = np.random.default_rng(seed)
    chain, edges = Chain(bio(kinds)), np.cumsum([0, *sizes])
    n = int(edges[-1])
    return Lesson(
        chain,
        rng.integers(-1, features, (n, slots)).astype(np.int32),
        rng.integers(0, len(chain.tags), n).astype(np.int16),
        np.stack((edges[:-1], edges[1:]), axis=1).astype(np.int32),
        features,
    )


lessons = st.builds(
    lesson,
    seed=st.integers(0, 1 << 32),
    kinds=st.integers(0, 24),
    sizes=st.lists(st.integers(0, 12), max_size=4),
    slots=st.integers(1, 20),
    features=st.integers(1, 30),
)


@given(lessons, st.sampled_from(sorted(LOSSES)), st.integers(0, 255), st.integers(0, (1 << 62) - 1))
@fewer
def test_both_learn_alike(first: Lesson, loss: str, drop: int, seed: int) -> None:
    found = []
    for by in implementations():
        mine = Lesson(first.chain, first.rows, first.gold, first.bounds, first.features)
        losses = [mine.learn(by, LOSSES[loss], drop=drop, seed=seed + epoch) for epoch in range(3)]
        found.append((mine.weights, losses))
    for weights, losses in found[1:]:
        np.testing.assert_allclose(losses, found[0][1], rtol=1e-4)
        for ours, theirs in zip(found[0][0], weights, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-3, atol=1e-4)
    for weights, _ in found:
        assert all(np.isfinite(table).all() for table in weights)
        assert all(not table[:, len(first.chain.tags) :].any() for table in weights)


@each
@pytest.mark.parametrize("loss", LOSSES)
def test_the_same_seed_gives_the_same_bits_and_another_one_others(by: ModuleType, loss: str) -> None:
    found = []
    for seed in (1, 1, 2):
        mine = lesson(3, 4, [9, 1, 0, 14, 7], 12, 40)
        for epoch in range(4):
            mine.learn(by, LOSSES[loss], seed=seed + 10 * epoch)
        found.append(b"".join(table.tobytes() for table in mine.weights))
    assert found[0] == found[1] != found[2]


@each
def test_what_can_be_learnt_is_learnt(by: ModuleType) -> None:
    mine = lesson(8, 3, [10] * 12, 3, 50)
    mine.rows[:, 0] = mine.gold  # one feature tells all
    losses = [mine.learn(by, kernels.SOFTMAX, seed=epoch, drop=64) for epoch in range(12)]
    assert losses[-1] < losses[0] / 2


@each
@pytest.mark.parametrize("drop", [0, 64, 128, 230])
def test_so_many_features_sit_out(by: ModuleType, drop: int) -> None:
    """Every slot of every token is a feature of its own: those that have learnt anything were not dropped."""
    tokens, slots = 400, 11
    mine = lesson(1, 1, [tokens], slots, tokens * slots)
    mine.rows[:] = np.arange(tokens * slots).reshape(tokens, slots)
    mine.learn(by, kernels.SOFTMAX, drop=drop, skip=0.0)
    kept = mine.weights[2].any(axis=1).reshape(tokens, slots)
    share = 1 - drop / 256
    assert abs(kept.mean() - share) < 5 * math.sqrt(share * (1 - share) / kept.size) + 1e-9
    assert (abs(kept.mean(axis=0) - share) < 6 * math.sqrt(share * (1 - share) / tokens) + 1e-9).all()


def objective(loss: str, scores: Doubles, turns: Doubles, gold: list[int], allowed: Floats) -> float:
    """What a sequence costs, as the textbook has it."""
    if loss == "hinge":
        sign = np.where(np.arange(scores.shape[1]) == np.array(gold)[:, None], 1, -1)
        return float((np.maximum(0, 1 - sign * scores) ** 2).sum())
    if loss == "softmax":
        return float(sum(np.logaddexp.reduce(row) - row[at] for row, at in zip(scores, gold, strict=True)))
    add = np.where(allowed > 0, turns, -np.inf)
    paths = add[-1] + scores[0]
    right = turns[-1, gold[0]] + scores[0, gold[0]]
    for t in range(1, len(gold)):
        paths = np.logaddexp.reduce(paths[:, None] + add[:-1], axis=0) + scores[t]
        right += turns[gold[t - 1], gold[t]] + scores[t, gold[t]]
    return float(np.logaddexp.reduce(paths) - right)


@each
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("kinds", [0, 1, 3])
def test_gradients_are_those_of_the_loss(by: ModuleType, loss: str, kinds: int) -> None:
    """At a rate without end, what is added to `z` is the gradient. Each token has one feature: weights are scores."""
    n = 5
    mine = lesson(kinds, kinds, [n], 1, n)
    mine.rows[:, 0] = np.arange(n)
    labels = len(mine.chain.tags)
    rng = np.random.default_rng(kinds)
    w, z, _, tw, tz, _ = mine.weights
    w[:, :labels] = rng.normal(size=(n, labels))
    tw[:, :labels] = rng.normal(size=(labels + 1, labels))
    scores, turns = w[:, :labels].astype(np.float64), tw[:, :labels].astype(np.float64)
    allowed = mine.chain.allowed[:, :labels]
    gold = [int(label) for label in np.where(mine.chain.before[mine.gold] < 0, mine.gold, 0)]  # a path that may be
    mine.gold[:] = gold
    mine.learn(by, LOSSES[loss], drop=0, skip=0.0, rate=1e30, turn_rate=1e30)
    checked = [(scores, z)] + ([(turns, tz)] if loss == "chain" else [])
    for numbers, gradients in checked:
        for place in np.ndindex(*numbers.shape):
            kept, sides = numbers[place], []
            for by_much in (1e-5, -1e-5):
                numbers[place] = kept + by_much
                sides.append(objective(loss, scores, turns, gold, allowed))
            numbers[place] = kept
            assert math.isclose(gradients[place], (sides[0] - sides[1]) / 2e-5, rel_tol=1e-3, abs_tol=1e-4)


@each
def test_tokens_that_the_model_knows_teach_nothing(by: ModuleType) -> None:
    mine = lesson(2, 2, [6], 1, 6)
    mine.rows[:, 0] = np.arange(6)
    mine.weights[0][np.arange(6), mine.gold] = 20.0
    mine.learn(by, kernels.SOFTMAX, drop=0, skip=0.01)
    assert not mine.weights[1].any()


@each
def test_no_tokens_and_no_features_are_no_trouble(by: ModuleType) -> None:
    for mine in (lesson(0, 1, [], 1, 1), lesson(0, 1, [0, 0], 3, 2)):
        assert mine.learn(by, kernels.CHAIN) == 0.0
    mine = lesson(0, 1, [4], 2, 1)
    mine.features = 0
    mine.rows[:] = -1
    mine.__post_init__()
    assert mine.learn(by, kernels.CHAIN) > 0
