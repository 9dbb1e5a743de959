"""Characters that cannot be seen, made visible: line ends, control characters, direction marks.

A note may hold anything. Left as they are, a NUL makes a page invalid and a direction mark turns the rest of a line
around, so that a reader sees something else than stands there.
"""

from __future__ import annotations

import re

_NAMED = {"\n": "⏎", "\r": "␍", "\t": "⇥", "\x7f": "␡"}

# C0 and C1 controls, soft hyphen, zero-width and direction marks (joiners apart, which shape letters and emoji), line
# and paragraph separators, interlinear marks, tags, half characters, and what Unicode says is no character.
UNSEEN = re.compile(
    "[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff\ufdd0-\ufdef"
    + "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
    + "]"
)
_UNSEEN_IN_LAYOUT = re.compile(f"(?![\n\t]){UNSEEN.pattern}")


def stand_in(character: str) -> str:
    """What is shown for a character that cannot be seen."""
    code = ord(character)
    return _NAMED.get(character) or (chr(0x2400 + code) if code < 0x20 else f"⟨U+{code:04X}⟩")


def visible(text: str, *, layout: bool = False) -> str:
    """The text with a stand-in for all that cannot be seen; `layout` leaves line ends and tabs to lay it out."""
    return (_UNSEEN_IN_LAYOUT if layout else UNSEEN).sub(lambda match: stand_in(match[0]), text)
