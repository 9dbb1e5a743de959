"""What a command leaves: a page that asks nothing of a network, one of Markdown, and each table as CSV. None quotes a
note."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from elision import __version__
from elision.evaluate.context import visible
from elision.evaluate.corpus_tables import in_cell
from elision.formats.atomic import write_text
from elision.papers.studies import markdown
from elision.papers.studies.plots import drawn
from elision.papers.studies.study import Cell, Study, Table

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST = 12  # confusions that a terminal shows
HEAD = ("row", "column", "here", "low", "high", "published")


def write(study: Study, tables: Sequence[Table], facts: Sequence[str], out: Path) -> list[Path]:
    """The pages and the CSV files; what was written."""
    written = []
    for table in tables:
        file = out / f"{study.name}-{table.key}.csv"
        write_text(file, as_csv(table))
        written.append(file)
    page, plain = out / f"{study.name}.html", out / f"{study.name}.md"
    write_text(page, render(study, tables, facts))
    write_text(plain, markdown.page(study, facts, [(table, *printed(table)) for table in tables]))
    return [page, plain, *written]


def as_csv(table: Table) -> str:
    """A row for each number: here, its 95 % interval, and published."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEAD)
    for row in table.rows:
        for column, cell in zip(table.columns, row.cells, strict=True):
            numbers = (cell.value, cell.low, cell.high, cell.published)
            if any(number is not None for number in numbers):
                writer.writerow([in_cell(row.name), in_cell(column), *(_written(cell, number) for number in numbers)])
    return stream.getvalue()


def _written(cell: Cell, number: float | None) -> str:
    if number is None:
        return ""
    return f"{number:.0f}" if cell.form == "count" else f"{number:.4f}"


def render(study: Study, tables: Sequence[Table], facts: Sequence[str]) -> str:
    """The page as text."""
    import jinja2

    source = resources.files("elision").joinpath("data", "papers", "report.html").read_text("utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=_printable
    )
    template = environment.from_string(source)
    shown = [(table, drawn(table)) for table in tables]
    return template.render(study=study, tables=shown, facts=facts, version=__version__, policy=POLICY)


def _printable(value: Any) -> Any:
    return visible(value, layout=True) if isinstance(value, str) and not hasattr(value, "__html__") else value


def printed(table: Table) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Heads and rows for a terminal; of a figure that is a matrix, what it shows most: its largest confusions."""
    return _confusions(table) if table.plot == "matrix" else (("", *table.columns), lines(table))


def lines(table: Table) -> list[tuple[str, ...]]:
    """A row as it is here, and under it the row as it is published, where the paper has it."""
    found: list[tuple[str, ...]] = []
    for row in table.rows:
        found.append((row.name, *(cell.shown(cell.value) for cell in row.cells)))
        if any(cell.published is not None for cell in row.cells):
            told = ("" if cell.published is None else cell.shown(cell.published) for cell in row.cells)
            found.append(("  published", *told))
    return found


def _confusions(table: Table) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    wrong = [
        (row.name, column, cell)
        for row in table.rows
        for column, cell in zip(table.columns, row.cells, strict=True)
        if column != row.name and cell.value
    ]
    most = sorted(wrong, key=lambda each: -(each[2].value or 0))[:MOST]
    return ("gold", "system", "count"), [(name, column, cell.shown(cell.value)) for name, column, cell in most]
