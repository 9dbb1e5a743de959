"""What a Chinese character is: the one place that says it."""

from __future__ import annotations

import re

# For patterns: with the mark of repetition (々) and the round zero (〇), which names have.
HAN_RANGES = "\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN_FIXED = "\u4e00-\u9fff"  # most of them, which fold to themselves
HAN_SIGN = re.compile(f"[{HAN_RANGES}]")


def is_han(text: str) -> bool:
    """Whether a text begins with a Chinese character."""
    return HAN_SIGN.match(text) is not None


def has_han(text: str) -> bool:
    return HAN_SIGN.search(text) is not None
