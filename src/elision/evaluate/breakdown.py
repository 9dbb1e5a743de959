"""Tables by label, by parent and by note, and confusion matrices.

Matrices are as Cotik (2019) shows one: gold labels down, system labels across, and O for neither's. They grow with the
square of the number of labels, so what a person reads has the most frequent; the JSON holds all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from elision import labels
from elision.bio import OUTSIDE
from elision.evaluate import tally as figures
from elision.evaluate.errors import Errors
from elision.evaluate.matching import Key
from elision.evaluate.measures import NoteCounts
from elision.evaluate.tally import Floats, Ints, LabelTally, Tally, ratio
from elision.evaluate.token_labels import TokenLabels


@dataclass(frozen=True, slots=True)
class Row:
    """A label, or a parent, in numbers, as He (2015) tables them, and what leaks of it.

    `gold`, `system` and `agree` count spans; `agree` needs the same start, end and label. `characters` are the
    visible gold characters and `covered` those of them in a system span of any label; a gold span leaks `partly`
    or `wholly` (see `coverage`).
    """

    label: str
    parent: str
    gold: int
    system: int
    agree: int
    precision: float
    recall: float
    f1: float
    characters: int
    covered: int
    character_recall: float
    partly: int
    wholly: int


@dataclass(frozen=True, slots=True)
class Spread:
    """The mean of a figure over notes and its standard deviation (of the population, as official scorers give it).

    `notes` are those that have the figure: a note without system spans has no precision, one without gold spans no
    recall, and one without either nothing to score.
    """

    mean: float
    sd: float
    notes: int


@dataclass(frozen=True, slots=True)
class Macro:
    """Precision, recall and F1 of single notes, averaged over notes."""

    precision: Spread
    recall: Spread
    f1: Spread


def label_rows(counts: NoteCounts, parent: Key = labels.parent) -> tuple[Row, ...]:
    """One row a label, of gold or system."""
    return _rows(counts, counts.strict, lambda label: label, parent)


def parent_rows(counts: NoteCounts, parent: Key = labels.parent) -> tuple[Row, ...]:
    """One row a parent, with agreement on the parent: a patient taken for a doctor agrees on NAME.

    `parent` must be the one that `counts` was made with. A character under two labels of a parent counts twice.
    """
    return _rows(counts, counts.parent, parent, lambda label: label)


def macro(tally: Tally) -> Macro:
    """The figures of every note, averaged."""
    columns = tally.columns()
    return Macro(_spread(figures.precision(columns)), _spread(figures.recall(columns)), _spread(figures.f1(columns)))


def _rows(counts: NoteCounts, tally: LabelTally, group: Key, parent: Key) -> tuple[Row, ...]:
    cover = counts.coverage
    members: dict[str, list[int]] = {}
    for at, label in enumerate(cover.labels):
        members.setdefault(group(label), []).append(at)
    rows = []
    for name in _order(tally.labels, group, cover.labels):
        spans = tally.of(name).score()
        columns = members[name]
        characters = _sum(cover.by_label.by_label.gold, columns)
        covered = _sum(cover.by_label.by_label.found, columns)
        rows.append(
            Row(
                label=name,
                parent=parent(name),
                gold=spans.gold,
                system=spans.system,
                agree=spans.right,
                precision=spans.precision,
                recall=spans.recall,
                f1=spans.f1,
                characters=characters,
                covered=covered,
                character_recall=ratio(covered, characters),
                partly=_sum(cover.partly, columns),
                wholly=_sum(cover.wholly, columns),
            )
        )
    return tuple(rows)


def _order(names: Iterable[str], group: Key, members: Iterable[str]) -> list[str]:
    """Groups in the order of their first label."""
    first = {name: at for at, name in reversed(list(enumerate(group(label) for label in members)))}
    return sorted(names, key=lambda name: first[name])


def _sum(counts: Ints, columns: list[int]) -> int:
    return int(counts[:, columns].sum())


def _spread(values: Floats) -> Spread:
    there = values[~np.isnan(values)]
    return Spread(float(there.mean()), float(there.std()), len(there)) if len(there) else Spread(0.0, 0.0, 0)


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


MOST_LABELS = 60

Shown = TypeVar("Shown")


def frequent(sizes: Sequence[int]) -> list[int]:
    """The places of the largest sizes, as many as are shown, in their own order; of equal ones the first."""
    return sorted(sorted(range(len(sizes)), key=lambda at: -sizes[at])[:MOST_LABELS])


def of_most(rows: Sequence[Shown], size: Callable[[Shown], int]) -> tuple[Shown, ...]:
    """The largest of such rows."""
    return tuple(rows[at] for at in frequent([size(row) for row in rows]))


def left_out(labels: int, more: str = "") -> str:
    """What to say where there are so many labels, "" if all of them are shown."""
    rare = labels - MOST_LABELS
    return f"{rare:,} rarer label{'' if rare == 1 else 's'} left out{more}; they are in the JSON" if rare > 0 else ""


def largest(matrix: Confusion) -> Confusion:
    """The matrix without its rarest labels, should it have more than can be shown; O stays."""
    totals = matrix.counts.sum(axis=0) + matrix.counts.sum(axis=1)
    return matrix.only({matrix.labels[0], *(matrix.labels[at + 1] for at in frequent(totals[1:].tolist()))})
