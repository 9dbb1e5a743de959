"""The numbers that the papers print, one file a paper: `data/papers/NAME.toml`.

A table has its columns and, by the names of its rows, the numbers; "-" is no number.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Numbers = Mapping[str, Mapping[str, float]]  # row -> column -> number


@cache
def published(study: str, key: str) -> Numbers:
    """A table's numbers by row and column; nothing where the paper's text has none."""
    text = (files("elision") / "data" / "papers" / f"{study}.toml").read_text("utf-8")
    table: Mapping[str, Any] = tomllib.loads(text).get(key, {})
    return {
        row: {name: each for name, each in zip(table["columns"], numbers, strict=True) if each != "-"}
        for row, numbers in table.get("rows", {}).items()
    }


def number(study: str, key: str, row: str, column: str) -> float | None:
    """One number; None where the paper has none."""
    return published(study, key).get(row, {}).get(column)
