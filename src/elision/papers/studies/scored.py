"""The scores of runs, counted once each, and cells made of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from elision.document import Document
from elision.evaluate.errors import Errors, find_errors
from elision.evaluate.matching import Pair
from elision.evaluate.measures import Measure, NoteCounts, count, label_measures, measures, tally_measures
from elision.evaluate.official import Block
from elision.evaluate.stats import compare, intervals
from elision.evaluate.tally import Tally, f1
from elision.labels import tag_set
from elision.papers.studies.notes import Notes
from elision.papers.studies.published import number
from elision.papers.studies.runs import Result
from elision.papers.studies.study import Cell, Part

REPLICATES, SHUFFLES = 1_000, 9_999
PRF = ("precision", "recall", "F1")


class Scored:
    """One run: its test notes as gold and as the system found them, and what is counted of them."""

    def __init__(
        self, result: Result, gold: Sequence[Document] | None = None, system: Sequence[Document] | None = None
    ) -> None:
        self.result, self.run = result, result.job.run
        self.train = result.job.train
        self.gold = result.job.test if gold is None else gold
        if system is None:
            system = [note.with_spans(spans) for note, spans in zip(self.gold, result.found, strict=True)]
        self.system = system
        self._tags = tag_set(result.job.labels).tags

    def as_notes(self, change: Callable[[Document], Document]) -> Scored:
        """The same with both sides changed alike, such as to other labels."""
        return Scored(self.result, list(map(change, self.gold)), list(map(change, self.system)))

    def of_ids(self, ids: Collection[str]) -> Scored:
        """The same on some of the notes alone."""
        gold, system = ([note for note in side if note.id in ids] for side in (self.gold, self.system))
        return Scored(self.result, gold, system)

    @property
    def pairs(self) -> list[Pair]:
        return list(zip(self.gold, self.system, strict=True))

    def group(self, label: str) -> str:
        """The main category of a label in its own tag set."""
        return (self._tags[label].group if label in self._tags else "") or label

    @cached_property
    def counts(self) -> NoteCounts:
        return count(self.pairs, self.group)

    @cached_property
    def errors(self) -> Errors:
        return find_errors(self.pairs)

    @cached_property
    def figures(self) -> Mapping[str, Measure]:
        """All measures by name; those by label as strict.LABEL.f1, by main category as parent.LABEL.f1."""
        counts = self.counts
        tokens = counts.tokens.tally()
        every = [
            *measures(counts),
            *label_measures("strict", counts.strict),
            *label_measures("parent", counts.parent),
            *label_measures("token", tokens),
        ]
        return {measure.name: measure for measure in every}


class Difference(NamedTuple):
    """How much better B is than A in a measure, whether by more than chance, and what the paper has."""

    value: float
    p: float
    low: float | None
    high: float | None


class Scores:
    """The scores of all runs that a command made, by name."""

    def __init__(self, study: str, results: Mapping[str, Result], notes: Notes, seed: int, *, quick: bool) -> None:
        self.study, self.notes, self.seed, self.quick = study, notes, seed, quick
        self._runs = {name: Scored(result) for name, result in results.items()}

    def of(self, run: str) -> Scored:
        return self._runs[run]

    def part(self, corpus: str, part: str) -> Sequence[Document]:
        return self.notes.of(Part(corpus, part))

    def published(self, key: str, row: str, column: str) -> float | None:
        return number(self.study, key, row, column)

    def cells(self, key: str, row: str, columns: Sequence[str], found: Sequence[Measure | None]) -> tuple[Cell, ...]:
        """Measures with their intervals, beside what is published; None where gold and system have nothing of it."""
        there = {f"{at}": measure for at, measure in enumerate(found) if measure and _defined(measure)}
        named = [Measure(at, measure.counts, measure.of, measure.better) for at, measure in there.items()]
        bounds = intervals(named, replicates=REPLICATES, seed=self.seed)
        cells = []
        for at, column in enumerate(columns):
            value = bounds.get(f"{at}")
            told = (value.value, value.low, value.high) if value else (None, None, None)
            cells.append(Cell(told[0], self.published(key, row, column), told[1], told[2]))
        return tuple(cells)

    def counted(self, key: str, row: str, counts: Mapping[str, float | None]) -> tuple[Cell, ...]:
        """Plain counts beside what is published."""
        return tuple(Cell(value, self.published(key, row, column), form="count") for column, value in counts.items())

    def difference(self, a: str, b: str, measure: str = "strict.f1") -> Difference:
        """How much better run B is than run A on the same notes."""
        first, second = (self.of(name).figures[measure] for name in (a, b))
        (found,) = compare([first], [second], shuffles=SHUFFLES, replicates=REPLICATES, seed=self.seed)
        return Difference(found.difference, found.p, found.low, found.high)

    def gain(self, what: str, a: str, b: str, told: str, measure: str = "strict.f1") -> str:
        """A sentence on what B gains over A, beside what the paper says of it."""
        found = self.difference(a, b, measure)
        bounds = f", 95 % interval {found.low:+.4f} to {found.high:+.4f}" if found.low is not None else ""
        return f"{what}: {found.value:+.4f} here (p = {found.p:.4f}{bounds}); published: {told}."


def of_blocks(name: str, blocks: Iterable[Block], wanted: str) -> tuple[Measure, Measure, Measure]:
    """Precision, recall and F1 of a block of an official program, note by note."""
    block = next(block for block in blocks if block.name == wanted)
    rows = np.array([(c.tp + c.fn, c.tp, c.tp + c.fp, c.tp) for c in block.per_document.values()], np.int64)
    gold, found, system, right = rows.reshape(-1, 4).T
    precision, recall, both = tally_measures(name, Tally(gold, found, system, right))
    return precision, recall, both


def _defined(measure: Measure) -> bool:
    """Whether there is anything to divide by."""
    sums = measure.counts.sum(axis=0)
    if measure.of is f1:
        return bool(sums[0] + sums[2])
    return bool(np.isfinite(measure.of(sums)))
