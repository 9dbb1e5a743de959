"""The trainer "svm": the features and word vectors of a batch to `squared_hinge`, and its weights back."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from elision.taggers.base import Watch
from elision.taggers.batch import Batch
from elision.taggers.chain import Chain, Floats
from elision.taggers.linear.dense import NONE, Dense, types_at, vectors_of
from elision.taggers.linear.learning import Rows
from elision.taggers.linear.settings import Settings
from elision.taggers.linear.squared_hinge import Inputs, learn_svm, options_of, packed
from elision.text.tokens import Column


def learn_with_svm(
    rows: Rows,
    gold: npt.NDArray[np.int16],
    chain: Chain,
    settings: Settings,
    batch: Batch,
    groups: Column,
    offsets: Sequence[int],
    watch: Watch | None,
) -> tuple[Floats, Floats, Dense]:
    """Weights of the features, turns that say nothing, and what the bias and the vectors at these offsets say.
    Watched is label by label, in the place of epochs."""
    cost, positive = options_of(settings.options)
    forms = batch.kinds[1]
    vectors = vectors_of(settings, batch, groups) if settings.dense else NONE
    offsets = sorted({0, *offsets}) if settings.dense else [0]
    table = vectors.rows(("", *forms)).astype(np.float64)
    table[0] = 0.0  # beside a note is no word
    inputs = Inputs(packed(rows.rows), rows.features, table, types_at(batch, offsets))

    def told(label: int, loss: float) -> None:
        if watch:
            watch(0, label, loss, None)

    costs = np.where(gold == chain.outside, cost, cost * positive)
    found = learn_svm(inputs, gold, len(chain.tags), costs, told)
    w = np.zeros((inputs.size, chain.width), np.float32)
    w[:, : len(chain.tags)] = found
    turns = np.zeros((len(chain.tags) + 1, chain.width), np.float32)
    numbers = w[rows.features : -1].reshape(len(offsets), table.shape[1], chain.width)
    return w[: rows.features], turns, Dense(vectors, tuple(offsets), np.ascontiguousarray(numbers), w[-1])
