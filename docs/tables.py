"""Figures are kept as CSV, one measure a column, and stand in pages between two markers.

    <!-- table: models; columns: language, recall; only: system = default, rules -->
    <!-- end -->

`columns` chooses and orders columns, `only` chooses rows. To keep what a program printed:

    python experiments/packs.py score | python docs/tables.py > experiments/results/models.csv
"""

from __future__ import annotations

import csv
import io
import re
import sys
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parents[1]
EXPERIMENTS, BENCHMARKS = ROOT / "experiments" / "results", ROOT / "benchmarks" / "results"

# Which pages show figures, and where these are kept.
PAGES = {
    ROOT / "experiments" / "README.md": EXPERIMENTS,
    ROOT / "docs" / "languages.md": EXPERIMENTS,
    ROOT / "docs" / "papers.md": EXPERIMENTS,
    ROOT / "docs" / "scale.md": BENCHMARKS,
    ROOT / "benchmarks" / "README.md": BENCHMARKS,
    ROOT / "benchmarks" / "peers" / "README.md": BENCHMARKS,
}
_PLACE = re.compile(r"(<!-- table: ([\w-]+)((?:;[^>]*)?) -->\n).*?(<!-- end -->)", re.DOTALL)
_NUMBER = re.compile(r"[-<]?[\d.,]+")
_BOUNDS = re.compile(r"([\d.]+) \(([\d.]+)–([\d.]+)\)(?: of (\d+))?")


def rendered(page: Path) -> str:
    """A page with its tables as the CSV has them."""
    return _PLACE.sub(
        lambda at: f"{at[1]}\n{table(PAGES[page] / f'{at[2]}.csv', at[3])}\n\n{at[4]}", page.read_text("utf-8")
    )


def table(file: Path, options: str = "") -> str:
    """A table of a CSV file in Markdown."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    columns = list(rows[0])
    for option in filter(None, map(str.strip, options.split(";"))):
        key, _, value = (part.strip() for part in option.partition(":"))
        names = [" ".join(name.split()) for name in value.split(",")]
        if key == "columns":
            columns = names
        elif key == "only":
            column, _, first = (part.strip() for part in names[0].partition("="))
            rows = [row for row in rows if row[column] in (first, *names[1:])]
        else:
            raise ValueError(f"{file.name}: no such option of a table: {key} (columns, only)")
    if not rows:
        raise ValueError(f"{file.name}: no rows are left")
    numeric = [all(not row[name] or _NUMBER.fullmatch(row[name]) for row in rows) for name in columns]
    head = [columns, ["---:" if right else "---" for right in numeric]]
    return "\n".join(
        f"| {' | '.join(cells)} |" for cells in [*head, *([_cell(row[n]) for n in columns] for row in rows)]
    )


def _cell(text: str) -> str:
    """Long whole numbers with commas, and bars that end no cell."""
    return f"{int(text):,}" if re.fullmatch(r"\d{4,}", text) else text.replace("|", r"\|")


def kept(printed: str) -> str:
    """CSV of the tables that a program printed in Markdown; bounds get columns of their own."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    lines = (line for line in printed.splitlines() if line.startswith("|"))
    rows = [[_plain(cell.strip()) for cell in line.strip()[1:-1].split("|")] for line in lines]
    bounded = {at: bool(found[4]) for row in rows for at, cell in enumerate(row) if (found := _BOUNDS.fullmatch(cell))}
    for row in rows:
        if not all(re.fullmatch(r":?-+:?", cell) for cell in row):
            cells = [
                _bounds(cell, counted) if (counted := bounded.get(at)) is not None else [cell]
                for at, cell in enumerate(row)
            ]
            writer.writerow(chain.from_iterable(cells))
    return out.getvalue()


def _plain(cell: str) -> str:
    """Numbers without commas, shares without their sign."""
    cell = re.sub(r"(?<=\d),(?=\d{3}\b)", "", cell)
    return re.sub(r"(?<=\d) ?%", "", cell)


def _bounds(cell: str, counted: bool) -> list[str]:
    """A value, its lower and its upper bound, and of how many it is; of a heading, the names of these columns."""
    if found := _BOUNDS.fullmatch(cell):
        parts = [found[1], found[2], found[3], found[4] or ""]
    else:
        parts = [cell, *(f"{cell} {what}" if cell else "" for what in ("low", "high", "of"))]
    return parts if counted else parts[:3]


if __name__ == "__main__":
    sys.stdout.write(kept(sys.stdin.read()))
