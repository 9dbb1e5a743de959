"""Characters: which are Chinese (the one place that says it), which bear accents, and which may be printed."""

from __future__ import annotations

import re
from typing import Literal
from unicodedata import combining, normalize

# For patterns: with the mark of repetition (々) and the round zero (〇), which names have.
HAN_RANGES = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN_FIXED = "\u4e00-\u9fff"  # most of them, which fold to themselves
UNMARKED = re.compile(f"[\x00-\x7f\u3001-\u3011{HAN_FIXED}]*")  # Chinese texts, in which nothing bears a mark
HAN_SIGN = re.compile(f"[{HAN_RANGES}]")
HAN_RUNS = re.compile(f"[{HAN_RANGES}]+")


def is_han(text: str) -> bool:
    """Whether a text begins with a Chinese character."""
    return HAN_SIGN.match(text) is not None


def has_han(text: str) -> bool:
    return HAN_SIGN.search(text) is not None


def unaccented(text: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """A text without the marks on its letters; with NFKD, other ways to write a letter (ﬁ, ２, ª) are plain, too."""
    if text.isascii():
        return text
    parted = normalize(form, text)
    return parted if UNMARKED.fullmatch(parted) else "".join(sign for sign in parted if not combining(sign))


def base(character: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """The letter that bears the marks of a character."""
    return normalize(form, character)[0]


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
