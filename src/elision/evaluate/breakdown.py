"""Tables by label, by parent and by note."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from elision import labels
from elision.evaluate import tally as figures
from elision.evaluate.counts import ratio
from elision.evaluate.matching import Key
from elision.evaluate.measures import NoteCounts
from elision.evaluate.tally import Floats, Ints, LabelTally, Tally


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
