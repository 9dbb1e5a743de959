"""Models made small: the heaviest weights stay, and what goes besides changes no score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from elision.errors import ModelError
from elision.taggers.linear.model import Linear, Sparse
from elision.taggers.linear.pruning import MEGABYTE, compact, file_bytes, prune, rounded
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.training import fit
from tests.taggers.linear.chains import implementations
from tests.taggers.linear.plainly import LINES, Floats, Made, fewest, kernels_of, made, models, scored, texts
from tests.taggers.made_notes import made_notes


def changed(linear: Linear, change: Callable[[Floats], npt.NDArray[np.float32]]) -> Linear:
    """The model with other weights."""
    w = linear.weights
    return Linear(
        linear.labels,
        linear.templates,
        linear.values,
        replace(w, alone=Sparse.of(change(w.dense)), weights=change(w.weights), turns=change(w.turns)),
    )


def without(linear: Linear, least: float) -> Linear:
    """Without the weights below."""
    return changed(linear, lambda w: np.where(np.abs(w) >= least, w, np.float32(0)))


def weights(linear: Linear) -> Floats:
    """All weights of features, in the same order for all models of the same features."""
    return np.concatenate((linear.weights.dense.ravel(), linear.weights.weights))


@given(models, texts, st.sampled_from([0.0, 1.0, 5.0, 9.5]))
@fewest
def test_compact_changes_no_score_and_keeps_only_what_says_something(
    made: Made, unseen: list[str], least: float
) -> None:
    pruned = without(made.linear, least)
    small = compact(pruned)
    for by in implementations():
        with kernels_of(by):
            for notes in (made.texts, unseen):
                np.testing.assert_array_equal(scored(small, notes), scored(pruned, notes))
    assert sorted(weights(small)[weights(small) != 0]) == sorted(weights(pruned)[weights(pruned) != 0])
    assert (small.weights.weights != 0).all()
    assert (np.diff(small.weights.begins) > 0).all()
    assert (np.diff(small.weights.keys) > 0).all()
    assert (small.labels, small.templates) == (pruned.labels, pruned.templates)
    np.testing.assert_array_equal(small.weights.turns, pruned.weights.turns)
    for name, values in small.values.items():
        kept = set(values)
        assert list(values) == [value for value in pruned.values[name] if value in kept]
    again = compact(small)
    assert again.values == small.values
    for ours, theirs in zip(arrays(again), arrays(small), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def arrays(linear: Linear) -> list[npt.NDArray[np.generic]]:
    w = linear.weights
    return [w.dense, np.array(w.bases), w.keys, w.begins, w.names, w.weights, w.turns]


def test_a_value_stays_as_long_as_one_feature_needs_it() -> None:
    """Of three words one weighs by itself, one in a conjunction, one nowhere."""
    model = made(["Dr Roe x"], ["lower[0]", "lower[0] line-place[0]"], 1, 0, 0.0)
    w = model.linear.weights
    known = model.linear.values["lower"]
    dense = w.dense.copy()
    dense[known.index("roe"), 0] = 1
    at = [int(key >> np.uint64(18)) & (1 << 18) - 1 for key in w.keys].index(known.index("dr") + 1)
    begins = np.where(np.arange(len(w.keys) + 1) > at, 1, 0).astype(np.int32)
    linear = Linear(
        model.linear.labels,
        model.linear.templates,
        model.linear.values,
        replace(
            w, alone=Sparse.of(dense), begins=begins, names=np.zeros(1, np.uint8), weights=np.full(1, 2, np.float32)
        ),
    )
    small = compact(linear)
    assert set(small.values["lower"]) == {"roe", "dr"}
    assert small.values["line-place"] == ("0",)
    assert len(small.weights.keys) == small.kept - 1 == 1
    assert scored(small, ["Dr Roe x Dr"])[:, 0].tolist() == [2, 1, 0, 0]


@given(models, st.floats(0, 1))
@fewest
def test_a_pruned_model_is_no_larger_than_asked_and_no_smaller_than_it_must_be(made: Made, share: float) -> None:
    all_weights = weights(made.linear)
    sizes = np.abs(all_weights[all_weights != 0])
    assume(len(sizes))
    least = file_bytes(compact(without(made.linear, float(sizes.max()))))
    asked = (least + share * (file_bytes(compact(made.linear)) - least)) / MEGABYTE
    pruned = prune(made.linear, asked)
    assert file_bytes(compact(pruned)) <= asked * MEGABYTE
    kept = weights(pruned) != 0
    np.testing.assert_array_equal(weights(pruned)[kept], all_weights[kept])
    gone = ~kept & (all_weights != 0)
    if not gone.any():
        return
    lightest, heaviest = np.abs(all_weights[kept]).min(), np.abs(all_weights[gone]).max()
    assert lightest > heaviest
    assert file_bytes(compact(without(made.linear, float(heaviest)))) > asked * MEGABYTE


@pytest.mark.parametrize("megabytes", [0.0, 0.0215, 1e9])
def test_a_model_that_is_small_enough_stays_as_it_is(megabytes: float) -> None:
    model = made(["Dr Roe left"], ["lower[0]", "lower[0] lower[1]"], 3, 0, 1.0).linear
    assert prune(model, megabytes) is model


def test_a_size_that_leaves_no_weight_is_an_error() -> None:
    model = made(["Dr Roe left"], ["lower[0]"], 3, 0, 1.0).linear
    with pytest.raises(ModelError, match=r"^megabytes 0\.001: too few for this model.* or 0 to keep all$"):
        prune(model, 0.001)
    nothing = changed(model, np.zeros_like)
    assert prune(nothing, 0.001) is nothing


def test_a_folder_is_no_larger_than_asked(tmp_path: Path) -> None:
    lines = ("lower[-2..2]", "shape[-1..1]", "suffix3[0]", "lower[-1] lower[0]", "lower[-1] lower[0] lower[1]")
    settings = Settings(features=lines, language="en", epochs=4, least=1, l1=0.0)
    notes = made_notes(80)
    whole = fit(settings, notes)
    assert whole.save(tmp_path / "whole") > 50_000
    kept = [whole.linear.kept]
    for kilobytes in (50, 40, 30):
        tagger = fit(replace(settings, megabytes=kilobytes / 1000), notes)
        assert tagger.save(tmp_path / str(kilobytes)) <= kilobytes * 1000
        assert file_bytes(tagger.linear) <= kilobytes * 1000
        kept.append(tagger.linear.kept)
    assert kept == sorted(set(kept), reverse=True)
    assert kept[-1] > 100


HALF, LEAST_HALF = 2.0**-11, 2.0**-25  # by how much rounding to half precision changes a number, in parts and at least


@given(models, texts, st.sampled_from([1.0, 0.1, 1 / 3, 1e-3, 1e-6]))
@fewest
def test_rounding_changes_scores_by_half_precision_at_most(made: Made, unseen: list[str], scale: float) -> None:
    exact = changed(made.linear, lambda w: w * np.float32(scale))
    close = rounded(exact)
    most = scored(changed(exact, np.abs), unseen).astype(np.float64)
    most = most * (HALF + 1e-5) + sum(len(template.terms) for template in exact.templates) * LEAST_HALF
    assert (np.abs(scored(close, unseen).astype(np.float64) - scored(exact, unseen)) <= most).all()
    for table in (close.weights.dense, close.weights.weights, close.weights.turns):
        assert table.dtype == np.float32
        np.testing.assert_array_equal(table, table.astype(np.float16))
    for ours, theirs in zip(arrays(rounded(close)), arrays(close), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_places_of_its_own_go_with_a_model_that_is_made_small() -> None:
    from elision.taggers.linear.context_features import gap

    model = made(["Dr Roe\nleft"], [*LINES, "gap[0]"], 2, 0, 0.5).linear
    own = Linear(model.labels, model.templates, model.values, model.weights, {"gap": lambda batch: gap(batch)})
    for small in (compact(own), rounded(own), prune(own, (file_bytes(own) - 200) / MEGABYTE)):
        assert small.attributes.places["gap"] is own.attributes.places["gap"] is not gap
