"""Figures as SVG that stands in a page. No plot speaks by colour alone: its numbers stand in a table below it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from elision.evaluate.context import visible
from elision.papers.studies.line_chart import LOOKS, Line, chart
from elision.papers.studies.study import Cell, Row, Table

WIDTH, LEFT, TOP, PLOT = 960, 50, 16, 260  # of a plot with a scale from 0 to 1
CELL, MARGIN, LONGEST = 26, 216, 24  # of a matrix, and the letters of its names: capitals are 9 wide
PUBLISHED = "#d9364f"


def drawn(table: Table) -> str:
    """The plot of a figure; "" for a table, and where there is nothing to draw."""
    plots = {"bars": bars, "lines": lines, "dots": dots, "matrix": matrix}
    there = any(cell.value is not None for row in table.rows for cell in row.cells)
    return plots[table.plot](table) if table.plot and there else ""


def lines(table: Table) -> str:
    """A line for each column, from row to row; what is published as a line of its own where it has two points."""
    names = {float(at): row.name for at, row in enumerate(table.rows)}
    found = []
    for at, column in enumerate(table.columns):
        own = [(place, row.cells[at]) for place, row in zip(names, table.rows, strict=True)]
        for name, points in (
            (column, [(place, cell.value) for place, cell in own if cell.value is not None]),
            (f"{column}, published", [(place, cell.published) for place, cell in own if cell.published is not None]),
        ):
            if points:
                found.append(Line(_short(visible(name)), points))
    return chart(visible(table.title), "", found, {at: _short(visible(name)) for at, name in names.items()})


class Place(NamedTuple):
    """A number, what it is of, and where it stands across."""

    row: int
    cell: Cell
    left: float
    width: float


def bars(table: Table) -> str:
    """Columns side by side, in each a bar for every row, with a line where the paper's number is."""
    step = (WIDTH - LEFT) / max(1, len(table.columns))
    width = step * 0.8 / max(1, len(table.rows))
    parts = []
    for place in _places(table, step, width):
        row = table.rows[place.row]
        if place.cell.value is not None:
            height = PLOT * place.cell.value
            parts.append(
                f'<rect x="{place.left:.1f}" y="{TOP + PLOT - height:.1f}" width="{place.width:.1f}" '
                f'height="{height:.1f}" fill="{_colour(place.row)}">{_says(row, place.cell)}</rect>'
            )
            parts.append(_interval(place))
        parts.append(_published(place))
    return _framed(table, step, parts, _legend(table.rows))


def dots(table: Table) -> str:
    """Columns side by side, in each a dot for every row; the best row, by its last column, in full."""
    step = (WIDTH - LEFT) / max(1, len(table.columns))
    best = max(range(len(table.rows)), key=lambda at: table.rows[at].cells[-1].value or 0.0)
    width = step * 0.8 / max(1, len(table.rows))
    parts = []
    for place in sorted(_places(table, step, width), key=lambda place: place.row == best):
        if place.cell.value is not None:
            full = place.row == best
            parts.append(
                f'<circle cx="{place.left + place.width / 2:.1f}" cy="{_up(place.cell.value):.1f}" '
                f'r="{5 if full else 3}" fill="{LOOKS[2][0] if full else "none"}" stroke="{_colour(2 if full else 3)}">'
                f"{_says(table.rows[place.row], place.cell)}</circle>"
            )
        parts.append(_published(place))
    return _framed(table, step, parts, [(2, f"best: {table.rows[best].name}"), (3, "the others")])


def matrix(table: Table) -> str:
    """Counts as shades: the darker, the larger the share of the row."""
    leaning = MARGIN // 2  # how far the name of the last column reaches to the right
    wide, high = MARGIN + CELL * len(table.columns) + leaning, MARGIN + CELL * len(table.rows)
    parts = []
    for at, column in enumerate(table.columns):
        x = MARGIN + CELL * (at + 0.7)
        parts.append(
            f'<text x="{x:.1f}" y="{MARGIN - 6}" transform="rotate(-60 {x:.1f} {MARGIN - 6})" fill="currentColor">'
            f"{_text(_short(column))}</text>"
        )
    for down, row in enumerate(table.rows):
        y = MARGIN + CELL * down
        parts.append(_label(MARGIN - 6, y + 18, _short(row.name), "end"))
        total = sum(cell.value or 0 for cell in row.cells) or 1
        for at, cell in enumerate(row.cells):
            share = (cell.value or 0) / total
            said = f"{row.name} as {table.columns[at]}: {cell.shown(cell.value)}"
            parts.append(
                f'<rect x="{MARGIN + CELL * at}" y="{y}" width="{CELL - 1}" height="{CELL - 1}" fill="{LOOKS[0][0]}" '
                f'fill-opacity="{0.04 + 0.96 * share**0.5:.3f}"><title>{_text(said)}</title></rect>'
            )
    return _svg(wide, high, table.title, parts)


def _places(table: Table, step: float, width: float) -> list[Place]:
    return [
        Place(down, row.cells[at], LEFT + step * (at + 0.1) + width * down, width)
        for down, row in enumerate(table.rows)
        for at in range(len(table.columns))
    ]


def _framed(table: Table, step: float, parts: Sequence[str], legend: Sequence[tuple[int, str]]) -> str:
    """A scale from 0 to 1, names of columns, what stands in it, and the names of rows below."""
    frame = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        frame.append(f'<path d="M{LEFT} {_up(share):.1f}H{WIDTH}" stroke="currentColor" stroke-opacity=".2"/>')
        frame.append(_label(LEFT - 6, _up(share) + 4, f"{share:g}", "end"))
    for at, column in enumerate(table.columns):
        frame.append(_label(LEFT + step * (at + 0.5), TOP + PLOT + 18, _short(column), "middle"))
    told = []
    bottom = TOP + PLOT + 40
    for at, (look, name) in enumerate(legend):
        y = bottom + 18 * at
        told.append(f'<rect x="{LEFT}" y="{y - 10}" width="12" height="12" fill="{_colour(look)}"/>')
        told.append(_label(LEFT + 18, y, name))
    bottom += 18 * len(legend)
    told.append(f'<path d="M{LEFT} {bottom - 4}h12" stroke="{PUBLISHED}" stroke-width="3"/>')
    told.append(_label(LEFT + 18, bottom, "published"))
    return _svg(WIDTH, bottom + 10, table.title, [*frame, *parts, *told])


def _legend(rows: Sequence[Row]) -> list[tuple[int, str]]:
    return [(at, row.name) for at, row in enumerate(rows)]


def _interval(place: Place) -> str:
    low, high = place.cell.low, place.cell.high
    if low is None or high is None:
        return ""
    x = place.left + place.width / 2
    return f'<path d="M{x:.1f} {_up(low):.1f}V{_up(high):.1f}" stroke="currentColor"/>'


def _published(place: Place) -> str:
    if place.cell.published is None:
        return ""
    up = _up(place.cell.published)
    return f'<path d="M{place.left:.1f} {up:.1f}h{max(6.0, place.width):.1f}" stroke="{PUBLISHED}" stroke-width="3"/>'


def _up(value: float) -> float:
    return TOP + PLOT * (1 - value)


def _colour(at: int) -> str:
    return LOOKS[at % len(LOOKS)][0]


def _says(row: Row, cell: Cell) -> str:
    told = "" if cell.published is None else f", published {cell.shown(cell.published)}"
    return f"<title>{_text(f'{row.name}: {cell.shown(cell.value)}{told}')}</title>"


def _svg(width: float, height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
        f'font-family="sans-serif" font-size="12" role="img"><title>{_text(title)}</title>{"".join(parts)}</svg>'
    )


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{_text(text)}</text>'


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def _text(text: str) -> str:
    """Text that cannot be markup, and hides nothing."""
    return escape(visible(text))
