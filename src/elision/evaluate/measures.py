"""The corrected measures: what a careful reader would want counted, in place of what official scorers count.

A document that is missing on one side counts (`Pairing.all`), a span said twice counts once, the order of spans does
not matter, and each figure is there note by note, so that it can be given an interval or a test.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from elision import labels
from elision.evaluate import tally as figures
from elision.evaluate.coverage import Coverage, coverage
from elision.evaluate.matching import Key, Pair, blind, relaxed, strict
from elision.evaluate.tally import Floats, Ints, LabelTally, Tally
from elision.evaluate.token_labels import TokenLabels, token_labels


@dataclass(frozen=True, slots=True, eq=False)
class NoteCounts:
    """All that is counted in each note. Row i of every array is the note `ids[i]`."""

    ids: tuple[str, ...]
    strict: LabelTally
    blind: LabelTally
    parent: LabelTally
    relaxed: LabelTally
    tokens: TokenLabels
    coverage: Coverage


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A figure that follows from counts added up over notes.

    `counts` are notes × columns; `of` takes sums of them, with the columns in the last axis, to values, NaN where
    there is nothing to divide by.
    """

    name: str
    counts: Floats
    of: Callable[[Floats], Floats]
    better: Literal["higher", "lower"] = "higher"

    @property
    def value(self) -> float:
        """The figure over all notes; nothing to divide by gives 0.0, as in `Counts`."""
        return float(np.nan_to_num(self.of(self.counts.sum(axis=0))))


def count(pairs: Sequence[Pair], parent: Key = labels.parent) -> NoteCounts:
    """Count everything once. `parent` says which labels belong together (an XML element of i2b2, say)."""
    return NoteCounts(
        ids=tuple(gold.id for gold, _ in pairs),
        strict=strict(pairs),
        blind=strict(pairs, blind),
        parent=strict(pairs, parent),
        relaxed=relaxed(pairs),
        tokens=token_labels(pairs),
        coverage=coverage(pairs),
    )


def measures(counts: NoteCounts, without: Collection[str] = ()) -> tuple[Measure, ...]:
    """The headline figures, by name.

    `strict`, `blind` (offsets only), `parent`, `relaxed` (overlap), `token`, `binary_token` and `character`, each
    with `.precision`, `.recall` and `.f1`; the macro averages over notes and the average F1 over labels of `strict`;
    `over_redaction` (share of the visible characters outside of gold that the system covers); `clean_notes` (share
    of notes that leak nothing), `leaks_per_note` and `leaked_spans` (share of gold spans that leak at all).
    `without` are labels to leave out of the average over labels.
    """
    cover = counts.coverage
    notes = np.ones(len(counts.ids), np.int64)
    return (
        *tally_measures("strict", counts.strict.all()),
        *macro_measures("strict", counts.strict.all()),
        average_f1("strict", counts.strict, without),
        *tally_measures("blind", counts.blind.all()),
        *tally_measures("parent", counts.parent.all()),
        *tally_measures("relaxed", counts.relaxed.all()),
        *tally_measures("token", counts.tokens.tally().all()),
        *tally_measures("binary_token", counts.tokens.binary()),
        *tally_measures("character", cover.characters),
        share("over_redaction", cover.over_redacted, cover.harmless, "lower"),
        share("clean_notes", (cover.leaks == 0).astype(np.int64), notes),
        share("leaks_per_note", cover.leaks, notes, "lower"),
        share("leaked_spans", cover.leaks, cover.spans.sum(axis=1), "lower"),
    )


def label_measures(name: str, tally: LabelTally) -> tuple[Measure, ...]:
    """Precision, recall and F1 of every label: `strict.DATE.recall`."""
    return tuple(measure for label in tally.labels for measure in tally_measures(f"{name}.{label}", tally.of(label)))


def tally_measures(name: str, tally: Tally) -> tuple[Measure, ...]:
    """Precision, recall and F1 over all notes together (micro)."""
    columns = tally.columns()
    return (
        Measure(f"{name}.precision", columns, figures.precision),
        Measure(f"{name}.recall", columns, figures.recall),
        Measure(f"{name}.f1", columns, figures.f1),
    )


def macro_measures(name: str, tally: Tally) -> tuple[Measure, ...]:
    """The means over notes of each note's precision, recall and F1, over the notes that have one."""
    columns = tally.columns()
    return (
        _mean(f"{name}.macro_precision", figures.precision(columns)),
        _mean(f"{name}.macro_recall", figures.recall(columns)),
        _mean(f"{name}.macro_f1", figures.f1(columns)),
    )


def average_f1(name: str, tally: LabelTally, without: Collection[str] = ()) -> Measure:
    """The plain mean of the labels' F1, over the labels that gold has, as Zuccon (2013) averages."""
    columns = tally.by_label.columns()
    kept = [at for at, label in enumerate(tally.labels) if label not in without and columns[:, at, 0].any()]

    def of(sums: Floats) -> Floats:
        by_label = sums.reshape(*sums.shape[:-1], len(kept), 4)
        present = by_label[..., 0] > 0
        values = np.where(present, figures.f1(by_label), 0.0)
        return figures.divide(values.sum(axis=-1), present.sum(axis=-1).astype(np.float64))

    return Measure(f"{name}.average_f1", columns[:, kept].reshape(len(columns), 4 * len(kept)), of)


def share(name: str, part: Ints, whole: Ints, better: Literal["higher", "lower"] = "higher") -> Measure:
    """A part by its whole, both counted note by note."""
    return Measure(name, np.stack([part, whole], axis=-1).astype(np.float64), _ratio, better)


def _mean(name: str, values: Floats) -> Measure:
    there = ~np.isnan(values)
    return Measure(name, np.stack([np.where(there, values, 0.0), there], axis=-1).astype(np.float64), _ratio)


def _ratio(sums: Floats) -> Floats:
    return figures.divide(sums[..., 0], sums[..., 1])
