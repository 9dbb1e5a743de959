"""Lines against a number, as SVG that stands in a page or alone, by day and by night."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor
from typing import NamedTuple

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 380, 60, 130, 40, 50
# also without colours; seen on white and on black
LOOKS = (("#3a7fc4", ""), ("#c2611f", "6 3"), ("#38894b", "2 3"), ("#7a7a7a", "10 4"))
STYLE = ".lines{background:#fff;color:#222}@media(prefers-color-scheme:dark){.lines{background:#121212;color:#eee}}"


class Line(NamedTuple):
    name: str
    points: Sequence[tuple[float, float]]


def chart(title: str, across: str, lines: Sequence[Line], ticks: Mapping[float, str] | None = None) -> str:
    """The lines with their names at the right; the scale begins below the least value. `ticks` name places below."""
    xs = sorted({x for line in lines for x, _ in line.points})
    ys = [y for line in lines for _, y in line.points]
    low = floor(min(ys) * 50) / 50
    high = max(max(ys), low + 0.02)

    def place(x: float, y: float) -> tuple[float, float]:
        wide = (x - xs[0]) / ((xs[-1] - xs[0]) or 1)
        return LEFT + wide * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - (y - low) / (high - low) * (
            HEIGHT - TOP - BOTTOM
        )

    parts = [_text(LEFT, 22, title)]
    for x in xs:
        across_at, _ = place(x, low)
        parts.append(_text(across_at, HEIGHT - BOTTOM + 18, (ticks or {}).get(x, f"{x:g}"), "middle"))
    for step in range(5):
        y = low + (high - low) * step / 4
        _, up = place(xs[0], y)
        parts.append(f'<path d="M{LEFT} {up:.1f}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity=".2"/>')
        parts.append(_text(LEFT - 6, up + 4, f"{y:.3f}", "end"))
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, across, "middle"))
    ends = _apart([place(*line.points[-1])[1] for line in lines])
    for at, (line, end) in enumerate(zip(lines, ends, strict=True)):
        colour, dashes = LOOKS[at % len(LOOKS)]
        placed = [place(x, y) for x, y in line.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dashes}"/>'
        )
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in placed]
        parts.append(_text(WIDTH - RIGHT + 8, end + 4, line.name))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img" class="lines"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


def _apart(heights: Sequence[float], least: float = 14) -> list[float]:
    """The same heights, moved down until no two names stand in each other."""
    placed = [0.0] * len(heights)
    before = float("-inf")
    for at in sorted(range(len(heights)), key=lambda at: heights[at]):
        before = placed[at] = max(heights[at], before + least)
    return placed


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">{escape(text)}</text>'
