"""How far two annotators agree on the same notes: strict F1 of spans, and Cohen's kappa of tokens, by label.

F1 is the same whichever side is taken for gold. Kappa corrects for chance: 1 is full agreement, and 0 is what chance
alone gives. Only notes that are on both sides count, as the others were perhaps never given to one of the two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from elision.document import Document
from elision.evaluate.matching import blind, pair_up, strict
from elision.evaluate.tally import Ints, Tally
from elision.evaluate.token_labels import token_labels


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Spans on either side, those that are equal, and how far the sides agree; kappa is None if it has no value."""

    label: str
    spans: int
    spans_against: int
    agreed: int
    f1: float
    kappa: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two corpora. `all` counts tokens with all labels, `any` identifiers whatever their label."""

    notes: int
    notes_only_here: int
    notes_only_against: int
    all: AgreementRow
    any: AgreementRow
    labels: tuple[AgreementRow, ...]


def agreement(one: Iterable[Document], other: Iterable[Document]) -> Agreement:
    """Compare two annotations of the same texts."""
    paired = pair_up(one, other, names=("A", "B"))
    spans = strict(paired.both)
    tokens = token_labels(paired.both)
    size = len(tokens.labels) + 1
    table = np.bincount(tokens.gold * size + tokens.system, minlength=size * size).reshape(size, size)
    rows = tuple(
        _row(label, spans.of(label), kappa(_folded(table, at))) for at, label in enumerate(tokens.labels, start=1)
    )
    return Agreement(
        notes=len(paired.both),
        notes_only_here=len(paired.gold_only),
        notes_only_against=len(paired.system_only),
        all=_row("all", spans.all(), kappa(table)),
        any=_row("any", strict(paired.both, blind).all(), kappa(_folded(table, 0))),
        labels=rows,
    )


def kappa(table: Ints) -> float | None:
    """Cohen's kappa of a square table of counts; None where both sides have one and the same label throughout."""
    total = int(table.sum())
    if not total:
        return None
    observed = float(np.trace(table)) / total
    expected = float(table.sum(axis=0, dtype=np.float64) @ table.sum(axis=1, dtype=np.float64)) / total**2
    return None if expected >= 1 else (observed - expected) / (1 - expected)


def _folded(table: Ints, at: int) -> Ints:
    """The table of one label against all others."""
    both, here, there = int(table[at, at]), int(table[at].sum()), int(table[:, at].sum())
    return np.array([[int(table.sum()) - here - there + both, there - both], [here - both, both]], np.int64)


def _row(label: str, tally: Tally, kappa: float | None) -> AgreementRow:
    score = tally.score()
    return AgreementRow(label, score.gold, score.system, score.right, score.f1, kappa)
