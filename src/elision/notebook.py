"""How a note looks in a notebook: its text, what was found in colours and a legend of them, all of it escaped.

Nothing in it runs. What is marked is black on a light colour, whatever the notebook's own colours are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from zlib import crc32

MOST = 20_000  # characters of a text that are shown
MOST_LABELS = 40  # labels that the legend names

Stretch = tuple[int, int, str]  # start, end, label


def marked(title: str, text: str, stretches: Iterable[Stretch]) -> str:
    """A text as HTML under a title and a legend, with its labelled stretches in colours."""
    pieces, at = list[str](), 0
    stretches = sorted(stretches)
    for start, end, label in stretches:
        start, end = max(start, at), min(end, MOST)
        if start < end:
            pieces += (escape(text[at:start]), _mark(text[start:end], label))
            at = end
    pieces.append(escape(text[at : max(at, MOST)]))
    if len(text) > MOST:
        pieces.append(f" … and {len(text) - MOST:,} more characters")
    legend = _legend(Counter(label for _, _, label in stretches))
    return f'{told(title)}{legend}<pre style="white-space:pre-wrap">{"".join(pieces)}</pre>'


def told(title: str) -> str:
    """A line as HTML."""
    return f'<div style="opacity:.7">{escape(title)}</div>'


def _legend(counts: Counter[str]) -> str:
    """The colour of each label, and how often it stands in the whole text."""
    if not counts:
        return ""
    shown = [f"{_coloured(escape(label), label)} {counts[label]:,}" for label in sorted(counts)[:MOST_LABELS]]
    if len(counts) > MOST_LABELS:
        shown.append(f"… and {len(counts) - MOST_LABELS:,} more labels")
    return f"<div>{' &nbsp; '.join(shown)}</div>"


def _mark(text: str, label: str) -> str:
    return _coloured(f"{escape(text)}<sub> {escape(label)}</sub>", label)


def _coloured(inner: str, label: str) -> str:
    """HTML on the colour of a label."""
    hue = crc32(label.encode()) % 360
    style = f"background:hsl({hue},75%,85%);color:#000;border-radius:3px;padding:0 2px"
    return f'<mark style="{style}">{inner}</mark>'
