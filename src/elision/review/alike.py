"""Where the same words stand, as whole words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from elision.text.characters import is_han


def places_of(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Where words stand in a text by themselves, however they are set apart by blanks and lines."""
    parts = words.split()
    if not parts:
        return
    for found in re.finditer(r"\s+".join(map(re.escape, parts)), text):
        if _ends(text, found.start()) and _ends(text, found.end()):
            yield found.span()


def _ends(text: str, at: int) -> bool:
    """Whether no word goes on over a place. Chinese sets no words apart."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if not (_is_wordy(before) and _is_wordy(after)):
        return True
    return is_han(before) or is_han(after)


def _is_wordy(character: str) -> bool:
    return character.isalnum() or character == "_"
