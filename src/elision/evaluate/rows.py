"""All figures of an evaluation as rows, for CSV and for a data frame."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from elision.errors import ElisionError
from elision.evaluate.error_tables import distribution_of

if TYPE_CHECKING:
    from pandas import DataFrame

    from elision.evaluate.evaluation import Evaluation

Cell = str | int | float | None
COLUMNS = ("section", "name", "measure", "value", "low", "high")


def as_csv(found: Evaluation) -> str:
    """One line a figure: section, name, measure, value, and the bounds of its interval where it has one."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_harmless(cell) for cell in row] for row in all_rows(found))
    return out.getvalue()


def _harmless(cell: Cell) -> Cell:
    """A label that a spreadsheet would run as a formula, with a quote before it."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def all_rows(found: Evaluation) -> Iterable[Sequence[Cell]]:
    for block in found.official.blocks:
        name = f"{block.run} {block.name}".strip()
        yield from (("official", name, measure, value, None, None) for measure, value in block.printed.items())
    for key, value in found.figures.items():
        name, _, measure = key.rpartition(".")
        yield "corrected", name or measure, measure if name else "", value.value, value.low, value.high
    clean = found.clean
    yield "corrected", "clean_notes", "clopper_pearson", clean.share, clean.low, clean.high
    for section, rows in (("label", found.labels), ("parent", found.parents)):
        for row in rows:
            fields = {key: value for key, value in asdict(row).items() if key not in ("label", "parent")}
            yield from ((section, row.label, measure, value, None, None) for measure, value in fields.items())
    for kind, part in asdict(distribution_of(found.errors)).items():
        yield "errors", kind, "number", part["number"] if isinstance(part, dict) else part, None, None


def frame(found: Evaluation) -> DataFrame:
    """The same rows as a data frame of pandas."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise ElisionError("Evaluation.to_frame needs pandas; install it with: pip install pandas") from None
    return DataFrame(list(all_rows(found)), columns=list(COLUMNS))
