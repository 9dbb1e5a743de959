"""A model's scores: the sums of its weights, whatever it met before and however many threads share it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.taggers.batch import GAP, gather
from elision.taggers.chain import padded
from elision.taggers.linear import model
from tests.taggers.linear.chains import implementations
from tests.taggers.linear.plainly import LINES, Made, fewest, kernels_of, made, models, scored, texts
from tests.taggers.made_notes import made_notes


@given(models, texts)
@fewest
def test_scores_are_the_sums_of_weights(made: Made, unseen: list[str]) -> None:
    for notes in (made.texts, unseen):
        expected = made.plainly(notes)
        for by in implementations():
            with kernels_of(by):
                np.testing.assert_array_equal(scored(made.linear, notes), expected)


@given(models, texts, st.integers(0, 40), st.integers(0, 40))
@fewest
def test_a_part_of_a_batch_scores_as_it_does_in_the_whole(made: Made, unseen: list[str], a: int, b: int) -> None:
    batch = gather(unseen)
    size = batch.spread_size - 2 * GAP
    begin, end = sorted((GAP + min(a, size), GAP + min(b, size)))
    columns = made.linear.columns(batch)
    whole = made.linear.scores(GAP, batch.spread_size - GAP, columns)
    np.testing.assert_array_equal(made.linear.scores(begin, end, columns), whole[begin - GAP : end - GAP])


@given(models)
@fewest
def test_how_many_features_have_a_weight(made: Made) -> None:
    alone = [feature for feature, w in made.weights.items() if made.linear.templates[feature[0]].alone and w.any()]
    assert made.linear.kept == len(alone) + len(made.linear.weights.keys)
    assert (np.diff(made.linear.weights.keys) > 0).all()


@pytest.mark.parametrize(("labels", "width"), [(1, 8), (7, 8), (8, 8), (9, 16), (248, 248)])
def test_rows_are_whole_registers(labels: int, width: int) -> None:
    assert padded(labels) == width


# -- the tables of types

BATCHES = [[document.text for document in made_notes(4, seed=seed)] for seed in range(12)]


@pytest.fixture(scope="module")
def large() -> Made:
    """A model with features of every kind."""
    return made([text for batch in BATCHES[:6] for text in batch], LINES, 5, 1, 0.5)


@pytest.fixture(params=[0, 50_000, 64 << 20], ids=["forgets-all", "forgets", "forgets-nothing"])
def fresh(request: pytest.FixtureRequest, large: Made, monkeypatch: pytest.MonkeyPatch) -> Made:
    """The same model that met nothing yet, with tables of types of at most so many bytes."""
    monkeypatch.setattr(model, "MOST_TABLE_BYTES", request.param)
    old = large.linear
    return Made(
        model.Linear(old.labels, old.templates, old.values, old.weights), large.rows, large.weights, large.texts
    )


def test_tables_that_are_begun_anew_change_no_score(fresh: Made) -> None:
    met = []
    for batch in BATCHES * 2:
        np.testing.assert_array_equal(scored(fresh.linear, batch), fresh.plainly(batch))
        met.append(fresh.linear.columns(gather(batch)).known)
    anew = sum(after is not before for before, after in pairwise(met))
    if model.MOST_TABLE_BYTES == 0:
        assert anew == len(met) - 1
    elif model.MOST_TABLE_BYTES == 50_000:
        assert 0 < anew < len(met) - 1
    else:
        assert anew == 0


@pytest.mark.slow
def test_columns_stay_right_when_tables_grow_or_are_begun_anew(fresh: Made) -> None:
    batches = [gather(batch) for batch in BATCHES]
    columns = [fresh.linear.columns(batch) for batch in batches]
    fresh.linear.columns(gather([" ".join(f"{number}x" for number in range(3000))]))
    for notes, batch, each in zip(BATCHES, batches, columns, strict=True):
        scores = fresh.linear.scores(GAP, batch.spread_size - GAP, each)[batch.spread - GAP]
        np.testing.assert_array_equal(scores, fresh.plainly(notes))


@pytest.fixture
def restless() -> Iterator[None]:
    """Threads take turns as often as they can."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("restless")
def test_threads_share_a_model(fresh: Made) -> None:
    expected = [fresh.plainly(batch) for batch in BATCHES]
    workers = 6
    ready = threading.Barrier(workers)

    def work(worker: int) -> None:
        ready.wait()
        for turn in range(3):
            for at in range(len(BATCHES)):
                which = (at * 5 + worker * 2 + turn) % len(BATCHES)
                np.testing.assert_array_equal(scored(fresh.linear, BATCHES[which]), expected[which])

    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, range(workers)))


# -- models of one kind of feature, and of none


@pytest.mark.parametrize("line", LINES)
def test_one_kind_of_feature(line: str) -> None:
    one = made(BATCHES[0], [line], 3, 2, 1.0)
    np.testing.assert_array_equal(scored(one.linear, BATCHES[1]), one.plainly(BATCHES[1]))
    assert one.plainly(BATCHES[0]).any()


def test_a_model_that_knows_nothing() -> None:
    nothing = made([""], LINES, 3, 2, 1.0)
    assert nothing.linear.kept == 0
    for by in implementations():
        with kernels_of(by):
            assert not scored(nothing.linear, BATCHES[0]).any()
    assert scored(nothing.linear, ["", ""]).shape == (0, 8)
