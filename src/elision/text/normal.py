"""Text without accents."""

from __future__ import annotations

from typing import Literal
from unicodedata import combining, normalize


def unaccented(text: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """A text without the marks on its letters; with NFKD, other ways to write a letter (ﬁ, ２, ª) are plain, too."""
    return text if text.isascii() else "".join(sign for sign in normalize(form, text) if not combining(sign))


def base(character: str, form: Literal["NFD", "NFKD"] = "NFD") -> str:
    """The letter that bears the marks of a character."""
    return normalize(form, character)[0]
