"""How a note looks in a notebook: its text, what was found in colours, all of it escaped, nothing that runs."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from zlib import crc32

MOST = 20_000  # characters of a text that are shown

Stretch = tuple[int, int, str]  # start, end, label


def marked(title: str, text: str, stretches: Iterable[Stretch]) -> str:
    """A text as HTML under a title, with its labelled stretches in colours."""
    pieces, at = list[str](), 0
    for start, end, label in sorted(stretches):
        start, end = max(start, at), min(end, MOST)
        if start < end:
            pieces += (escape(text[at:start]), _mark(text[start:end], label))
            at = end
    pieces.append(escape(text[at : max(at, MOST)]))
    if len(text) > MOST:
        pieces.append(f" … and {len(text) - MOST:,} more characters")
    return f'{told(title)}<pre style="white-space:pre-wrap">{"".join(pieces)}</pre>'


def told(title: str) -> str:
    """A line as HTML."""
    return f'<div style="opacity:.7">{escape(title)}</div>'


def _mark(text: str, label: str) -> str:
    hue = crc32(label.encode()) % 360
    style = f"background:hsl({hue},75%,85%);color:#000;border-radius:3px;padding:0 2px"
    return f'<mark style="{style}">{escape(text)}<sub> {escape(label)}</sub></mark>'
