"""Text that comes from outside, as it may be printed: with no command to the terminal in it."""

from __future__ import annotations

import re

# Controls, marks that turn the direction of writing, blanks of no width, other ends of lines, halves of characters.
_MARKS = "\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\ufff9-\ufffb"
CONTROL = re.compile(f"[\x00-\x1f{_MARKS}]")
_CONTROL_BUT_LINES = re.compile(f"[\x00-\x08\x0b-\x1f{_MARKS}]")


def printable(text: str, *, lines: bool = False) -> str:
    r"""A text with its control characters escaped: ESC as \x1b. `lines`: ends of lines and tabs may stay."""
    return (_CONTROL_BUT_LINES if lines else CONTROL).sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
