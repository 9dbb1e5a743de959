"""The pictures of a report, as SVG that stands in the page.

Colours come from the page's style sheet by class, so that a chart suits light and dark screens and print. No chart
speaks by colour alone: numbers stand beside every bar, and a table with the same figures near every chart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from elision.evaluate.breakdown import MOST_LABELS, Confusion, Row, largest, left_out
from elision.evaluate.context import visible
from elision.evaluate.error_tables import Distribution
from elision.evaluate.evaluation import Evaluation
from elision.evaluate.stats import Interval
from elision.evaluate.tables import figure, interval, percent

WIDTH = 1000
MOST_NUMBERED = 26  # a confusion matrix of more labels has cells too small for numbers
_LONGEST = 34  # letters of a label
_MOST_BARS = 25  # of the histogram


def label_chart(found: Evaluation) -> str:
    """Precision, recall and F1 of every label with their intervals, the labels with most gold spans first."""
    rows = sorted(found.labels, key=lambda row: -row.gold)[:MOST_LABELS]
    margin = _widest(row.label for row in rows) + 14
    step, gap = 22, 56
    width = (WIDTH - margin - 50) / 3 - gap
    lefts = [margin + 50 + place * (width + gap) for place in range(3)]
    height = 34 + step * len(rows) + 22
    parts = [_text(margin + 38, 18, "gold spans", "end strong small")]
    for left, title in zip(lefts, ("precision", "recall", "F1"), strict=True):
        parts.append(_text(left, 18, title, "strong"))
        for share in (0.0, 0.5, 1.0):
            x = left + share * width
            parts.append(_line(x, 28, x, height - 20, "grid"))
            parts.append(_text(x, height - 6, f"{share:g}", "mid small soft"))
    for at, row in enumerate(rows):
        y = 34 + step * at
        parts.append(_text(margin, y + 14, _short(row.label), "end small"))
        parts.append(_text(margin + 38, y + 14, f"{row.gold:,}", "end small soft"))
        for left, measure, there in zip(lefts, ("precision", "recall", "f1"), _defined(row), strict=True):
            value = found.figures[f"strict.{row.label}.{measure}"]
            parts.append(_bar(row.label, measure, value, left, y, width) if there else _none(left, y))
    return _svg(
        "labels",
        height,
        "Precision, recall and F1 by label",
        f"Horizontal bars for {len(rows)} labels with their confidence intervals; labels with most gold spans first"
        + (f"; {rare}." if (rare := left_out(len(found.labels))) else "."),
        parts,
    )


def _defined(row: Row) -> tuple[bool, bool, bool]:
    return row.system > 0, row.gold > 0, row.system + row.gold > 0


def _bar(label: str, measure: str, value: Interval, left: float, y: float, width: float) -> str:
    end = left + value.value * width
    parts = [
        f"<title>{_safe(label)}: {measure} {interval(value)}</title>",
        _rect(left, y + 5, max(value.value * width, 1), 11, f"bar {measure}"),
    ]
    right = end
    if value.low is not None and value.high is not None:
        low, high = left + value.low * width, left + value.high * width
        right = max(end, high)
        parts.append(
            f'<path class="whisker" d="M{low:.1f} {y + 10.5}H{high:.1f}M{low:.1f} {y + 6.5}v8M{high:.1f} {y + 6.5}v8"/>'
        )
    parts.append(_text(right + 5, y + 14, figure(value.value), "small"))
    return f"<g>{''.join(parts)}</g>"


def _none(left: float, y: float) -> str:
    return _text(left + 4, y + 14, "– none to count", "small soft")


def leak_chart(found: Evaluation) -> str:
    """How many notes leak so many spans; notes without a leak stand apart."""
    bars = _binned(found.leaks.distribution)
    left, bottom, top = 60, 190, 30
    step = min((WIDTH - left - 10) / len(bars), 90)
    most = max(notes for _, notes in bars) or 1
    parts = [_line(left, bottom, left + step * len(bars), bottom, "axis")]
    for at, (name, notes) in enumerate(bars):
        size = (bottom - top) * notes / most
        x = left + step * at
        kind = "clean" if at == 0 else "leaky"
        parts.append(
            f"<g><title>{many(notes, 'note')} with {'no leak' if at == 0 else name + ' leaks'}</title>"
            f"{_rect(x + step * 0.12, bottom - size, step * 0.76, size, kind)}"
            f"{_text(x + step / 2, bottom - size - 6, f'{notes:,}' if notes else '', 'mid small')}"
            f"{_text(x + step / 2, bottom + 16, name, 'mid small')}</g>"
        )
    parts.append(_text(left, bottom + 38, "leaking spans in a note (0: nothing leaks)", "soft"))
    parts.append(_text(left - 8, top + 4, "notes", "end soft"))
    told = f"{many(bars[0][1], 'note')} of {found.leaks.notes:,} without a leak, at most {found.leaks.maximum} in one."
    return _svg("leaks", bottom + 50, "Leaks a note", told, parts)


def _binned(distribution: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """(name, notes) of each bar: 0 always by itself, others together if there are too many."""
    notes = dict(distribution)
    most = max(notes, default=0)
    size = max(1, -(-most // _MOST_BARS))
    bars = [("0", notes.get(0, 0))]
    for first in range(1, most + 1, size):
        last = first + size - 1
        name = f"{first}" if size == 1 else f"{first}–{last}"
        bars.append((name, sum(notes.get(leaks, 0) for leaks in range(first, last + 1))))
    return bars


def kind_chart(kinds: Distribution) -> str:
    """One bar of all errors, cut into their kinds; what leaves most in the clear comes first."""
    parts, told = [], []
    x = 0.0
    for at, name in enumerate(("missing", "extent", "type", "spurious")):
        part = getattr(kinds, name)
        width = WIDTH * part.percent / 100
        words = f"{name}: {part.number:,} = {part.percent:.1f} %"
        told.append(words)
        if width:
            drawn = _rect(x, 4, max(width - 2, 1), 40, f"k-{name}")
            parts.append(f"<g><title>{words}</title>{drawn}</g>")
        parts.append(_rect(at * 250, 62, 14, 14, f"k-{name}"))
        parts.append(_text(at * 250 + 21, 74, words))
        x += width
    return _svg("kinds", 86, "Kinds of errors", "; ".join(told) + ".", parts)


def confusion_chart(matrix: Confusion) -> str:
    """A heat map: gold down, system across, each cell coloured by its share of the row; O against O is left blank."""
    shown = largest(matrix)
    shares, counts, size = shown.shares(), shown.counts.tolist(), len(shown.labels)
    numbered = size <= MOST_NUMBERED
    margin = max(_widest(shown.labels), 90) + 14
    cell = min(46.0, (WIDTH - margin - 8) / size)
    top = margin + 12  # the names across stand upright
    side = cell * size
    parts = [_text(margin - 6, top - 8, "gold ↓   system →", "end small soft")]
    for at, label in enumerate(shown.labels):
        middle = (at + 0.5) * cell
        name = _short(label)
        x, y = margin + middle + 4, top - 6
        parts.append(f'<text class="small" transform="translate({x:.1f} {y:.1f}) rotate(-90)">{_safe(name)}</text>')
        parts.append(_text(margin - 6, top + middle + 4, name, "end small"))
    for row, label in enumerate(shown.labels):
        for column, other in enumerate(shown.labels):
            number = counts[row][column]
            if number and (row or column):
                x, y = margin + column * cell, top + row * cell
                parts.append(_cell(label, other, number, shares[row, column], x, y, cell, numbered, matrix.unit))
    lines = [f"M{margin:.1f} {top + at * cell:.1f}h{side:.1f}" for at in range(size + 1)]
    lines += [f"M{margin + at * cell:.1f} {top:.1f}v{side:.1f}" for at in range(size + 1)]
    parts.append(f'<path class="grid" d="{"".join(lines)}"/>')
    if counts[0][0]:
        number = _brief(counts[0][0], cell) if numbered else ""
        parts.append(_text(margin + cell / 2, top + cell / 2 + 3, number, "mid tiny soft"))
    return _svg(
        "confusion",
        top + side + 8,
        f"Confusion matrix of {matrix.unit}s",
        f"Gold labels down, system labels across, {size} of each with O for outside of all spans; colour is the share "
        "of the row" + (f"; {rare}." if (rare := left_out(len(matrix.labels) - 1)) else "."),
        parts,
    )


def _cell(
    label: str, other: str, number: int, share: float, x: float, y: float, size: float, numbered: bool, unit: str
) -> str:
    shade = 0.2 + 0.8 * share  # what is there is seen, be it ever so rare
    kind = "right" if label == other else "wrong"
    parts = [
        f"<title>gold {_safe(label)}, system {_safe(other)}: {many(number, unit)}, {percent(share)} of the row</title>",
        _rect(x, y, size, size, kind, f' fill-opacity="{shade:.2f}"'),
    ]
    if numbered:
        ink = "mid tiny on" if share > 0.6 else "mid tiny"
        parts.append(_text(x + size / 2, y + size / 2 + 3, _brief(number, size), ink))
    return f"<g>{''.join(parts)}</g>"


def _brief(number: int, width: float) -> str:
    """A number, in thousands or millions where it would not fit."""
    whole = f"{number:,}"
    if 5.8 * len(whole) <= width:
        return whole
    return f"{number / 1e6:.3g}M" if number >= 999_500 else f"{number / 1e3:.3g}k"


def _svg(name: str, height: float, title: str, description: str, parts: Iterable[str]) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:.0f}" role="img" '
        f'aria-labelledby="{name}-title {name}-description"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-description">{escape(description)}</desc>{"".join(parts)}</svg>'
    )


def _text(x: float, y: float, text: str, classes: str = "") -> str:
    return f'<text class="{classes}" x="{x:.1f}" y="{y:.1f}">{_safe(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, classes: str, more: str = "") -> str:
    return f'<rect class="{classes}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"{more}/>'


def _line(x: float, y: float, to_x: float, to_y: float, classes: str) -> str:
    return f'<path class="{classes}" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>'


def _safe(text: str) -> str:
    return escape(visible(text))


def _short(label: str) -> str:
    return label if len(label) <= _LONGEST else f"{label[: _LONGEST - 1]}…"


def _widest(labels: Iterable[str]) -> float:
    """About how wide the longest label is; fonts differ, so rather too much than too little."""
    return max((sum(map(_letter, visible(_short(label)))) for label in labels), default=0)


def _letter(letter: str) -> float:
    return 12.0 if letter > "\u2e80" else 7.9 if letter.isupper() else 6.9


def many(number: int, what: str) -> str:
    return f"{number:,} {what}" + ("" if number == 1 else "s")
