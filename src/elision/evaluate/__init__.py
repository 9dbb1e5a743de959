"""How good a system is: official scores, corrected scores, intervals, errors, and a report."""

from __future__ import annotations

from elision.evaluate.evaluation import SCHEMES, Evaluation, Options, evaluate
from elision.evaluate.rows import as_csv
from elision.evaluate.tables import as_json, tables

__all__ = ["SCHEMES", "Evaluation", "Options", "as_csv", "as_json", "evaluate", "tables"]
