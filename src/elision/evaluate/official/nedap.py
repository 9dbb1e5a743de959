"""nedap/deidentify's evaluation on spans: scores, agreement of two annotators, and its significance test.

What one would not expect of that program, and what is done alike here:

- Precision and recall are rounded to four decimals, F1 is computed from the rounded figures and rounded again. The
  macro F1 is the mean of these rounded F1 over every label seen, those that only the system uses included.
- The significance test compares the rounded figures, too.
- Agreement is not rounded, and nan if the first annotator marked nothing.
- Spans in fragments (brat) are left out, with a warning.

A note that one side left out counts as a note without spans there.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Literal

import numpy as np
import numpy.typing as npt

from elision.document import Document
from elision.errors import ScoreError
from elision.evaluate.matching import pair_up
from elision.evaluate.official import Block, by_id, compare, total
from elision.evaluate.tally import Counts, harmonic, ratio

ALL = "entity level"
Measure = Literal["precision", "recall", "f1"]
Mark = tuple[int, int, str]
Table = npt.NDArray[np.int64]

MAX_OUTCOMES = 200_000  # how many sums of counts the exact test follows before it gives up


def score(gold: Iterable[Document], system: Iterable[Document]) -> list[Block]:
    """The block over all labels, named "entity level", and one for each label, in the order of their names."""
    sides = _sides(gold, system)
    labels = sorted({label for marks in sides.values() for side in marks for _, _, label in side})
    return [
        _block(ALL, {id: compare(g, s) for id, (g, s) in sides.items()}),
        *(
            _block(label, {id: compare(_of(label, g), _of(label, s)) for id, (g, s) in sides.items()})
            for label in labels
        ),
    ]


def macro_f1(blocks: Sequence[Block]) -> float:
    """The mean of the labels' F1, 0.0 if there are none."""
    # Added one by one: from Python 3.12 on, `sum` is more exact, and the last digit another.
    figures = [block.f1 for block in blocks if block.name != ALL]
    return reduce(operator.add, figures) / len(figures) if figures else 0.0


def render(blocks: Sequence[Block]) -> str:
    """The report as text, a line for each block."""
    return "".join(
        f"{block.name:<20}\t" + " - ".join(f"{name}: {figure}" for name, figure in block.printed.items()) + "\n"
        for block in blocks
    )


def agreement(first: Iterable[Document], second: Iterable[Document]) -> float:
    """F1 between two annotators, on exact spans with their labels."""
    counts = total({id: compare(a, b) for id, (a, b) in _sides(first, second).items()})
    return counts.f1 if counts.tp + counts.fn else math.nan


@dataclass(frozen=True, slots=True)
class Significance:
    """How often chance alone sets two systems as far apart as they are."""

    measure: Measure
    difference: float  # as observed, without sign
    at_least: int  # trials (or swaps, if all were looked at) with a difference at least as large
    trials: int
    p: float


def significance(
    gold: Sequence[Document],
    system_a: Iterable[Document],
    system_b: Iterable[Document],
    n: int = 9_999,
    seed: int = 0,
    measure: Measure = "f1",
) -> Significance:
    """Two-sided approximate randomisation: swap the two outputs of a note, or not, by a coin, n times."""
    a, b = _both(gold, system_a, system_b)
    coins = np.random.RandomState(seed).randint(2, size=(n, len(a)))  # the old generator draws as nedap's program does
    outcomes = Counter(map(tuple, (coins @ (b - a)).tolist()))
    difference, at_least = _extremes(outcomes, a, b, measure)
    return Significance(measure, difference, at_least, n, (at_least + 1) / (n + 1))


def significance_exact(
    gold: Sequence[Document], system_a: Iterable[Document], system_b: Iterable[Document], measure: Measure = "f1"
) -> Significance:
    """The same test over every one of the 2^N ways to swap N notes, for samples that are small enough."""
    a, b = _both(gold, system_a, system_b)
    outcomes: Counter[tuple[int, ...]] = Counter({(0, 0, 0): 1})
    for step in (b - a).tolist():
        # Ways to swap that move the counts alike are followed as one.
        outcomes += Counter({tuple(map(sum, zip(moved, step, strict=True))): n for moved, n in outcomes.items()})
        if len(outcomes) > MAX_OUTCOMES:
            raise ScoreError(
                f"{len(a)} notes are too many for the exact test; use significance(), which draws a sample"
            )
    difference, at_least = _extremes(outcomes, a, b, measure)
    return Significance(measure, difference, at_least, 2 ** len(a), at_least / 2 ** len(a))


def _extremes(outcomes: Mapping[tuple[int, ...], int], a: Table, b: Table, measure: Measure) -> tuple[float, int]:
    """The observed difference, and how many outcomes are at least as far apart.

    An outcome is what swapping adds to the counts of `a` and takes from those of `b`.
    """
    sum_a, sum_b = a.sum(0).tolist(), b.sum(0).tolist()

    @cache
    def figure(counts: tuple[int, ...]) -> float:
        return dict(zip(("precision", "recall", "f1"), _rounded(Counts(*counts)), strict=True))[measure]

    def difference(moved: Iterable[int]) -> float:
        one = tuple(x + m for x, m in zip(sum_a, moved, strict=True))
        two = tuple(x + y - z for x, y, z in zip(sum_a, sum_b, one, strict=True))
        return abs(figure(one) - figure(two))

    observed = difference((0, 0, 0))
    return observed, sum(n for moved, n in outcomes.items() if difference(moved) >= observed)


def _both(gold: Sequence[Document], system_a: Iterable[Document], system_b: Iterable[Document]) -> tuple[Table, Table]:
    """The counts of two systems, a row for each note, in the same order."""
    a, b = ({id: compare(g, s) for id, (g, s) in _sides(gold, system).items()} for system in (system_a, system_b))
    rows = [
        [(counts.tp, counts.fp, counts.fn) for counts in (side.get(id, Counts()) for id in {**a, **b})]
        for side in (a, b)
    ]
    return np.array(rows[0], np.int64), np.array(rows[1], np.int64)


def _sides(gold: Iterable[Document], system: Iterable[Document]) -> dict[str, tuple[set[Mark], set[Mark]]]:
    """The marks of both sides, by note."""
    pairing = pair_up(by_id(gold, "gold").values(), by_id(system, "system").values())
    skipped: list[str] = []
    sides = {g.id: (_marks(g, skipped), _marks(s, skipped)) for g, s in pairing.all()}
    if skipped:
        warnings.warn(
            f"nedap's program leaves out spans in fragments: {len(skipped)} (first in {skipped[0]})", stacklevel=3
        )
    return sides


def _marks(document: Document, skipped: list[str]) -> set[Mark]:
    kept = [span for span in document.spans if "fragments" not in span.info]
    skipped += [document.name] * (len(document.spans) - len(kept))
    return {(span.start, span.end, span.label) for span in kept}


def _of(label: str, marks: set[Mark]) -> set[Mark]:
    return {mark for mark in marks if mark[2] == label}


def _rounded(counts: Counts) -> tuple[float, float, float]:
    precision, recall = round(counts.precision, 4), round(counts.recall, 4)
    return precision, recall, round(harmonic(precision, recall), 4)


def _block(name: str, per_document: Mapping[str, Counts]) -> Block:
    counts = total(per_document)
    precision, recall, f1 = _rounded(counts)
    accuracy = round(ratio(counts.tp, counts.tp + counts.fp + counts.fn), 4)
    printed = {
        "tp": f"{counts.tp:<5}",
        "fp": f"{counts.fp:<5}",
        "fn": f"{counts.fn:<5}",
        "tn": f"{0:<5}",
        "precision": f"{precision:.4f}",
        "recall": f"{recall:.4f}",
        "accuracy": f"{accuracy:.4f}",
        "f1-score": f"{f1:.4f}",
    }
    return Block(name, per_document, counts, precision, recall, f1, printed)
