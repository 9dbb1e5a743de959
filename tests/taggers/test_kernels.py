"""The loops over chains of labels: compiled and numpy give the same, and what they give is right."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers import kernels, reference
from elision.taggers.chain import Chain
from elision.taggers.linear.kind import load
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.tagger import LinearTagger
from elision.taggers.linear.training import fit
from tests.strategies import fewer
from tests.taggers.linear.chains import Problem, bio, enumerated, implementations, problems
from tests.taggers.made_notes import made_notes

NAMES = ("decode", "viterbi", "learn", "emit", "fill", "index_keys", "number")
each = pytest.mark.parametrize("by", implementations(), ids=lambda module: module.__name__.rpartition(".")[2])
compiled = pytest.mark.skipif(not kernels.COMPILED, reason="the compiled kernels are not built")


@given(problems())
@fewer
def test_both_decode_alike(problem: Problem) -> None:
    ours, *others = (problem.decoded(by) for by in implementations())
    for theirs in others:
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-5, atol=1e-7)
        np.testing.assert_allclose(ours[2], theirs[2], rtol=1e-5, atol=1e-7)
    tags, share, posteriors = ours
    assert tags.max(initial=0) < problem.labels
    np.testing.assert_allclose(posteriors.sum(axis=1), 1, rtol=1e-5)
    assert ((share >= 0) & (share <= 1 + 1e-5)).all()


@given(problems())
@fewer
def test_both_find_the_same_best_path(problem: Problem) -> None:
    ours, *others = (problem.best(by) for by in implementations())
    for theirs in others:
        np.testing.assert_array_equal(ours, theirs)
    assert ours.max(initial=0) < problem.labels


@given(problems(kinds=3, longest=8, scale=3.0), st.randoms(use_true_random=False))
@fewer
def test_scores_that_are_no_numbers_crash_nothing(problem: Problem, random: Random) -> None:
    odd = (np.nan, np.inf, -np.inf, 1e-45, -1e-40, 3e38, -3e38, 0.0)
    scores = problem.scores.copy()
    for at in range(0, scores.size, 2):
        scores.flat[at] = random.choice(odd)
    hurt = replace(problem, scores=scores)
    ours, *others = (hurt.decoded(by) for by in implementations())
    assert np.isfinite(ours[1]).all()
    assert np.isfinite(ours[2]).all()
    for theirs in others:
        np.testing.assert_array_equal(ours[0], theirs[0])
    for by in implementations():
        assert hurt.best(by).max(initial=0) < problem.labels


def test_turns_at_their_steepest_leave_every_token_a_label() -> None:
    """Scores and turns that say the opposite as loudly as they can: no sum becomes zero."""
    chain = Chain(bio(2))
    rng = np.random.default_rng(5)
    for _ in range(200):
        scores = np.zeros((12, chain.width), np.float32)
        scores[np.arange(12), rng.integers(0, 5, 12)] = 1e4
        turns = rng.choice([-50, 50], (6, chain.width)).astype(np.float32)
        problem = Problem(chain, scores, np.array([[0, 12]], np.int32), turns, 1.0)
        for by in implementations():
            np.testing.assert_allclose(problem.decoded(by)[2].sum(axis=1), 1, rtol=1e-5)


tiny = problems(kinds=2, longest=4, sequences=3, scale=3.0)


@each
@given(problem=tiny)
@fewer
def test_posteriors_are_those_of_all_paths(by: ModuleType, problem: Problem) -> None:
    posteriors = problem.decoded(by)[2]
    for first, after in problem.bounds[problem.bounds[:, 1] > problem.bounds[:, 0]].tolist():
        paths = enumerated(problem, first, after)
        for t in range(after - first):
            expected = np.bincount(paths.paths[:, t], paths.chance, problem.labels)
            np.testing.assert_allclose(posteriors[first + t], expected, rtol=1e-3, atol=1e-6)


@each
@given(problem=tiny)
@fewer
def test_tags_are_right_most_often_among_those_that_fit_together(by: ModuleType, problem: Problem) -> None:
    tags, _, posteriors = problem.decoded(by)
    gain = posteriors.astype(np.float64)
    before, outside = problem.chain.before, problem.chain.outside
    if outside < problem.labels:
        gain[:, outside] *= problem.dial
    for first, after in problem.bounds[problem.bounds[:, 1] > problem.bounds[:, 0]].tolist():
        paths = enumerated(problem, first, after).paths
        fits = before[paths[:, 0]] < 0
        for t in range(1, after - first):
            last, now = paths[:, t - 1], paths[:, t]
            fits &= (before[now] < 0) | (last == now) | (last == before[now])
        sums = gain[first + np.arange(after - first), paths].sum(axis=1)
        ours = (paths == tags[first:after]).all(axis=1)
        assert fits[ours].all()
        assert sums[ours][0] >= sums[fits].max() - 1e-5 * max(1.0, problem.dial)


@each
@given(problem=tiny)
@fewer
def test_shares_make_the_probability_of_exactly_this_span(by: ModuleType, problem: Problem) -> None:
    if (problem.chain.allowed[:, : problem.labels] == 1).all() and problem.chain.names:
        problem = replace(problem, chain=Chain(problem.chain.tags))
    tags, share, _ = problem.decoded(by)
    before = problem.chain.before
    for first, after in problem.bounds[problem.bounds[:, 1] > problem.bounds[:, 0]].tolist():
        paths = enumerated(problem, first, after)
        t = first
        while t < after:
            end = t + 1
            while end < after and before[tags[end]] >= 0:
                end += 1
            if problem.chain.begins[tags[t]]:
                exact = (paths.paths[:, t - first : end - first] == tags[t:end]).all(axis=1)
                if end < after:
                    exact &= before[paths.paths[:, end - first]] != tags[t]
                expected = float(paths.chance[exact].sum())
                assert math.isclose(float(np.prod(share[t:end])), expected, rel_tol=1e-3, abs_tol=1e-6)
            t = end


@each
@given(problem=problems(kinds=2, longest=4, sequences=3, whole=True))
@fewer
def test_the_best_path_and_of_equal_ones_that_with_the_lower_labels_at_its_end(
    by: ModuleType, problem: Problem
) -> None:
    tags = problem.best(by)
    add = np.where(problem.chain.allowed > 0, problem.turns, -1e30).astype(np.float64)
    for first, after in problem.bounds[problem.bounds[:, 1] > problem.bounds[:, 0]].tolist():
        paths = enumerated(problem, first, after).paths
        sums = add[-1, paths[:, 0]] + problem.scores[first + np.arange(after - first), paths].sum(
            axis=1, dtype=np.float64
        )
        for t in range(1, after - first):
            sums += add[paths[:, t - 1], paths[:, t]]
        best = min(paths[sums == sums.max()].tolist(), key=lambda path: path[::-1])
        assert tags[first:after].tolist() == best


@pytest.fixture(scope="module")
def tagger() -> LinearTagger:
    return fit(
        Settings(
            features=(
                "lower[-2..2]", "shape[-1..1]", "suffix3[0]", "key[0]", "lower[-1] lower[0]", "shape[0] shape[1]",
            ),
            language="en", epochs=6, least=1,
        )
    , made_notes(40))  # fmt: skip


@compiled
@pytest.mark.parametrize("decoding", ["posterior", "viterbi", "each"])
def test_a_tagger_tags_alike_with_either(
    tagger: LinearTagger, decoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tagger.save(tmp_path / "model")
    unseen = made_notes(60, seed=1)
    ours = load(tmp_path / "model")
    ours = replace(ours, settings=replace(ours.settings, decoding=decoding))
    found = ours.detect(unseen)
    assert sum(map(len, found)) > 100
    for name in NAMES:
        monkeypatch.setattr(kernels, name, getattr(reference, name))
    theirs = replace(load(tmp_path / "model"), settings=ours.settings)
    assert theirs.detect(unseen) == found


@compiled
def test_a_tagger_learns_alike_with_either(tagger: LinearTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.setattr(kernels, name, getattr(reference, name))
    again = fit(tagger.settings, made_notes(40))
    np.testing.assert_allclose(again.linear.weights.turns, tagger.linear.weights.turns, atol=1e-3)
    unseen = made_notes(30, seed=2)
    spans = [[(span.start, span.end, span.label) for span in spans] for spans in tagger.detect(unseen)]
    assert [[(span.start, span.end, span.label) for span in spans] for spans in again.detect(unseen)] == spans


@pytest.mark.parametrize("wanted", ["numpy", ""])
def test_the_environment_chooses(wanted: str) -> None:
    code = "from elision.taggers import kernels; print(kernels.COMPILED, kernels.decode.__module__)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(
        command, env={**os.environ, "ELISION_KERNELS": wanted}, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("False elision.taggers.reference.decoding" if wanted else f"{kernels.COMPILED} ")
