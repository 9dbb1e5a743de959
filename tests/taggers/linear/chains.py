"""Chains of labels for tests: random ones of every shape, and what they amount to, path by path."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from types import ModuleType

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from elision.taggers import kernels, reference
from elision.taggers.chain import STEEPEST, Chain

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Decoded = tuple[npt.NDArray[np.uint8], Floats, Floats]


def implementations() -> list[ModuleType]:
    """The numpy kernels, and the compiled ones where they are built."""
    if not kernels.COMPILED:
        return [reference]
    from elision.taggers import _kernels

    return [reference, _kernels]


def bio(kinds: int) -> list[str]:
    """O, the begins, the insides, as a fitted tagger has them."""
    return ["O", *(f"B-{kind}" for kind in range(kinds)), *(f"I-{kind}" for kind in range(kinds))]


@dataclass(frozen=True)
class Problem:
    """Scores of some sequences, and what may follow what."""

    chain: Chain
    scores: Floats
    bounds: npt.NDArray[np.int32]
    turns: Floats
    dial: float

    @property
    def labels(self) -> int:
        return len(self.chain.tags)

    @property
    def step(self) -> Floats:
        step: Floats = (np.exp(np.clip(self.turns, -STEEPEST, STEEPEST)) * self.chain.allowed).astype(np.float32)
        return step

    def decoded(self, by: ModuleType) -> Decoded:
        """Tags, shares and posteriors."""
        n, back = len(self.scores), np.zeros((self.labels, self.chain.width), np.float32)
        back[:, : self.labels] = self.step[: self.labels, : self.labels].T
        tags, share, kept = np.full(n, 255, np.uint8), np.ones(n, np.float32), np.zeros_like(self.scores)
        by.decode(
            self.scores, self.bounds, self.step, back, self.chain.before, tags, share, kept, self.labels,
            self.chain.width, self.chain.outside, self.dial,
        )  # fmt: skip
        return tags, share, kept[:, : self.labels]

    def best(self, by: ModuleType) -> npt.NDArray[np.uint8]:
        """The best path."""
        add = np.where(self.chain.allowed > 0, self.turns, np.float32(-1e30)).astype(np.float32)
        tags = np.full(len(self.scores), 255, np.uint8)
        by.viterbi(self.scores, self.bounds, add, tags, self.labels, self.chain.width)
        return tags


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    kinds: int = 24,
    longest: int = 40,
    sequences: int = 6,
    scale: float | None = None,
    whole: bool = False,
) -> Problem:
    """Chains of 1 to 50 labels, in the usual order or any, free or not; scores of any size, also all alike.

    `whole`: scores and turns are small whole numbers, whose sums are exact and often equal. What stands in the padding
    of scores means nothing, so it is anything.
    """
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    shape = draw(st.sampled_from(("usual", "usual", "any order", "no spans")))
    tags = bio(draw(st.integers(0, kinds)))
    if shape == "any order":
        tags = [tags[at] for at in rng.permutation(len(tags))]
    elif shape == "no spans":
        tags = [f"T{at}" for at in range(draw(st.integers(1, 2 * kinds + 2)))]
    chain = Chain(tags, free=draw(st.booleans()))
    sizes = draw(st.lists(st.integers(0, longest), max_size=sequences))
    edges = np.cumsum([0, *sizes])
    bounds = np.stack((edges[:-1], edges[1:]), axis=1).astype(np.int32)[rng.permutation(len(sizes))]
    size = draw(st.sampled_from((0.0, 0.5, 3.0, 30.0, 1e4))) if scale is None else scale
    steepness = draw(st.sampled_from((0.0, 1.0, 15.0)))
    scores = (rng.normal(size=(int(edges[-1]), chain.width)) * size).astype(np.float32)
    turns = (rng.normal(size=(len(tags) + 1, chain.width)) * steepness).astype(np.float32)
    if whole:
        scores = rng.integers(-2, 3, scores.shape).astype(np.float32)
        turns = rng.integers(-1, 2, turns.shape).astype(np.float32)
    scores[:, len(tags) :] = draw(st.sampled_from((0.0, -1e4, 3e38, np.inf, np.nan)))
    dial = draw(st.sampled_from((1.0, 1e-4, 0.1, 0.7, 10.0)))
    return Problem(chain, scores, np.ascontiguousarray(bounds), turns, dial)


@dataclass(frozen=True)
class Paths:
    """All paths of one short sequence."""

    paths: npt.NDArray[np.intp]  # paths x tokens
    chance: Doubles

    def of(self, holds: Callable[[npt.NDArray[np.intp]], npt.NDArray[np.bool_]]) -> float:
        """The probability of the paths for which it holds."""
        return float(self.chance[holds(self.paths)].sum())


def enumerated(problem: Problem, first: int, after: int) -> Paths:
    """Every path and its probability."""
    paths = np.array(list(product(range(problem.labels), repeat=after - first)), np.intp)
    scores = problem.scores[first:after, : problem.labels].astype(np.float64)
    step = problem.step.astype(np.float64)
    weight = step[-1, paths[:, 0]] * np.exp(scores - scores.max(axis=1, keepdims=True))[0, paths[:, 0]]
    for t in range(1, after - first):
        weight = weight * step[paths[:, t - 1], paths[:, t]] * np.exp(scores[t, paths[:, t]] - scores[t].max())
    return Paths(paths, weight / weight.sum())
