"""The tables of an error analysis as He (2015) prints them: Tables 6, 7 and 8."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from elision.evaluate.errors import SHAPES, Errors
from elision.evaluate.tally import ratio


@dataclass(frozen=True, slots=True)
class Part:
    """A number and the percentage that it is of some whole, from 0 to 100."""

    number: int
    percent: float


@dataclass(frozen=True, slots=True)
class Distribution:
    """Table 6: how many errors are of each kind. Percentages are of all errors."""

    type: Part
    extent: Part
    missing: Part
    spurious: Part
    total: int


@dataclass(frozen=True, slots=True)
class Sides:
    """The spans of both sides by kind; `touched` gold spans overlap a system span, but nothing has their offsets."""

    agree: int
    type: int
    extent: int
    spurious: int
    system: int
    gold_agree: int
    gold_type: int
    touched: int
    missing: int
    gold: int


@dataclass(frozen=True, slots=True)
class ErrorMatrix:
    """Table 7: gold labels down, system labels across; spans that agree on the diagonal, type errors beside it.

    `missing` ends the rows, `spurious` the columns, with their percentages of the row and the column. Extent errors
    are in Table 8 only, as in the paper, so the totals are less than the numbers of spans.
    """

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    missing: tuple[Part, ...]
    spurious: tuple[Part, ...]
    row_totals: tuple[int, ...]
    column_totals: tuple[int, ...]
    missing_total: int
    spurious_total: int


@dataclass(frozen=True, slots=True)
class ExtentRow:
    """The extent errors under one label of the system."""

    label: str
    short: int
    long: int
    short_and_long: int
    total: int


@dataclass(frozen=True, slots=True)
class ExtentTable:
    """Table 8: extent errors by the label that the system gave. Labels without any are left out."""

    rows: tuple[ExtentRow, ...]
    total: ExtentRow


def distribution(type: int, extent: int, missing: int, spurious: int) -> Distribution:
    total = type + extent + missing + spurious
    return Distribution(_part(type, total), _part(extent, total), _part(missing, total), _part(spurious, total), total)


def distribution_of(errors: Errors) -> Distribution:
    """Table 6. Type and extent errors are counted on the side of the system."""
    found = sides(errors)
    return distribution(found.type, found.extent, found.missing, found.spurious)


def sides(errors: Errors) -> Sides:
    """How the spans of gold and system divide into kinds."""
    agree, type, extent, spurious = errors.system.sum(axis=0).tolist()
    gold_agree, gold_type, touched, missing = errors.gold.sum(axis=0).tolist()
    return Sides(
        agree,
        type,
        extent,
        spurious,
        agree + type + extent + spurious,
        gold_agree,
        gold_type,
        touched,
        missing,
        gold_agree + gold_type + touched + missing,
    )


def error_matrix(
    labels: Sequence[str], counts: Sequence[Sequence[int]], missing: Sequence[int], spurious: Sequence[int]
) -> ErrorMatrix:
    """Table 7 from its bare counts."""
    rows = [sum(row) + gone for row, gone in zip(counts, missing, strict=True)]
    columns = [sum(column) + extra for column, extra in zip(zip(*counts, strict=True), spurious, strict=True)]
    return ErrorMatrix(
        tuple(labels),
        tuple(tuple(row) for row in counts),
        tuple(_part(gone, total) for gone, total in zip(missing, rows, strict=True)),
        tuple(_part(extra, total) for extra, total in zip(spurious, columns, strict=True)),
        tuple(rows),
        tuple(columns),
        sum(missing),
        sum(spurious),
    )


def error_matrix_of(errors: Errors) -> ErrorMatrix:
    """Table 7."""
    at = {label: place for place, label in enumerate(errors.labels)}
    counts = np.diag(errors.agree)
    missing, spurious = np.zeros((2, len(at)), np.int64)
    for mistake in errors.mistakes:
        gold, system = mistake.gold, mistake.system
        if gold and system and mistake.kind == "type":
            counts[at[gold[2]], at[system[2]]] += 1
        elif gold and not system:
            missing[at[gold[2]]] += 1
        elif system and not gold:
            spurious[at[system[2]]] += 1
    return error_matrix(errors.labels, counts.tolist(), missing.tolist(), spurious.tolist())


def extent_table_of(errors: Errors) -> ExtentTable:
    """Table 8."""
    counts: dict[str, dict[str, int]] = {}
    for mistake in errors.mistakes:
        if mistake.kind == "extent" and mistake.system is not None:
            row = counts.setdefault(mistake.system[2], {})
            row[mistake.shape] = row.get(mistake.shape, 0) + 1
    whole = {shape: sum(row.get(shape, 0) for row in counts.values()) for shape in SHAPES}
    rows = (_extent_row(label, counts[label]) for label in errors.labels if label in counts)
    return ExtentTable(tuple(rows), _extent_row("", whole))


def _extent_row(label: str, shapes: dict[str, int]) -> ExtentRow:
    short, long, both = (shapes.get(shape, 0) for shape in SHAPES)
    return ExtentRow(label, short, long, both, short + long + both)


def _part(number: int, whole: int) -> Part:
    return Part(number, 100 * ratio(number, whole))
