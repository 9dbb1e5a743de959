"""Confusion matrices, as Cotik (2019) shows one: gold labels down, system labels across, and O for neither's."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from elision.bio import OUTSIDE
from elision.evaluate.errors import Errors
from elision.evaluate.tally import Floats, Ints
from elision.evaluate.token_labels import TokenLabels


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """`counts[i, j]` tokens or spans are labels[i] in gold and labels[j] in the system. labels[0] is O, outside."""

    unit: Literal["token", "span"]
    labels: tuple[str, ...]
    counts: Ints

    def shares(self) -> Floats:
        """Each row as shares of its sum, for colouring; a row without anything stays 0."""
        shares: Floats = self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1)
        return shares

    def only(self, labels: Collection[str]) -> Confusion:
        """The part of the matrix between the given labels (name O as well to keep it)."""
        kept = [at for at, label in enumerate(self.labels) if label in labels]
        return Confusion(self.unit, tuple(self.labels[at] for at in kept), self.counts[np.ix_(kept, kept)])


def token_confusion(tokens: TokenLabels) -> Confusion:
    """All tokens, those that neither side labels in the first cell."""
    width = len(tokens.labels) + 1
    cells = np.bincount(tokens.gold * width + tokens.system, minlength=width * width)
    return Confusion("token", (OUTSIDE, *tokens.labels), cells.reshape(width, width).astype(np.int64))


def span_confusion(errors: Errors) -> Confusion:
    """Each system span against the gold span that it equals, or else shares most with, and each missing gold span.

    An overlap counts as a meeting of two labels, unlike in Table 7 of He (`error_tables`), where only equal offsets do.
    Of spans that neither side has there are none, so the first cell is 0.
    """
    labels = (OUTSIDE, *errors.labels)
    at = {label: place for place, label in enumerate(errors.labels, start=1)}
    counts = np.zeros((len(labels), len(labels)), np.int64)
    counts[1:, 1:] = np.diag(errors.agree)
    for mistake in errors.mistakes:
        row = at[mistake.gold[2]] if mistake.gold else 0
        column = at[mistake.system[2]] if mistake.system else 0
        counts[row, column] += 1
    return Confusion("span", labels, counts)
