from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from elision.evaluate.breakdown import Confusion, span_confusion, token_confusion
from elision.evaluate.errors import find_errors
from elision.evaluate.matching import Pair
from elision.evaluate.token_labels import token_labels
from tests.evaluate.made import pair, pairs
from tests.strategies import fewer

MADE = [
    pair(
        "[NAME_CLINICIAN Jane Roe] in [CITY Ghent] on [DATE 3 May]",
        "[NAME_PATIENT Jane Roe] [OTHER in] Ghent on 3 [DATE May]",
    )
]


def _cells(matrix: Confusion) -> dict[tuple[str, str], int]:
    return {
        (gold, system): int(matrix.counts[row, column])
        for row, gold in enumerate(matrix.labels)
        for column, system in enumerate(matrix.labels)
        if matrix.counts[row, column]
    }


def test_tokens() -> None:
    matrix = token_confusion(token_labels(MADE))
    assert matrix.unit == "token"
    assert matrix.labels == ("O", "NAME_PATIENT", "NAME_CLINICIAN", "CITY", "DATE", "OTHER")
    assert _cells(matrix) == {
        ("NAME_CLINICIAN", "NAME_PATIENT"): 2,
        ("O", "OTHER"): 1,
        ("CITY", "O"): 1,
        ("O", "O"): 1,
        ("DATE", "O"): 1,
        ("DATE", "DATE"): 1,
    }


def test_spans() -> None:
    matrix = span_confusion(find_errors(MADE))
    assert matrix.unit == "span"
    assert _cells(matrix) == {
        ("NAME_CLINICIAN", "NAME_PATIENT"): 1,
        ("O", "OTHER"): 1,
        ("CITY", "O"): 1,
        ("DATE", "DATE"): 1,
    }


def test_a_part_of_the_matrix_and_its_shares() -> None:
    matrix = token_confusion(token_labels(MADE)).only(["O", "DATE"])
    assert matrix.labels == ("O", "DATE")
    assert matrix.counts.tolist() == [[1, 0], [1, 1]]
    assert matrix.shares().tolist() == [[1.0, 0.0], [0.5, 0.5]]
    empty = token_confusion(token_labels([]))
    assert empty.shares().tolist() == [[0.0]]


@fewer
@given(pairs())
def test_the_token_matrix_holds_every_token_and_the_tally_its_diagonal(made: tuple[Pair, ...]) -> None:
    tokens = token_labels(made)
    matrix, tally = token_confusion(tokens), tokens.tally().by_label
    assert matrix.counts.sum() == len(tokens.gold)
    assert np.diag(matrix.counts)[1:].tolist() == tally.right.sum(axis=0).tolist()
    assert matrix.counts[1:].sum(axis=1).tolist() == tally.gold.sum(axis=0).tolist()
    assert matrix.counts[:, 1:].sum(axis=0).tolist() == tally.system.sum(axis=0).tolist()
    assert matrix.shares().sum(axis=1) == pytest.approx((matrix.counts.sum(axis=1) > 0).astype(float))


@fewer
@given(pairs())
def test_a_perfect_system_is_all_diagonal(made: tuple[Pair, ...]) -> None:
    perfect = [(gold, gold) for gold, _ in made]
    for matrix in (token_confusion(token_labels(perfect)), span_confusion(find_errors(perfect))):
        assert matrix.counts.sum() == np.trace(matrix.counts)
