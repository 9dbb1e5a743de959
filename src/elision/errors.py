"""Everything that elision raises on purpose.

A message says where, what, and what to do next. It never quotes a note: ids, offsets, labels and
file names are the only things from the outside that may stand in it, and no control character of theirs.
"""

from __future__ import annotations

import re

from elision.text.characters import printable


class ElisionError(Exception):
    """The root: catch this to catch all that elision raises on purpose."""

    def __str__(self) -> str:
        return printable(super().__str__(), lines=True)


class DocumentError(ElisionError):
    """A document that cannot be: a span outside its text, half a character, a broken joint."""


class OverlapError(ElisionError):
    """Spans overlap where the job at hand needs disjoint ones."""


class LabelError(ElisionError):
    """A label that the tag set does not know, or a tag set that contradicts itself."""


class FormatError(ElisionError):
    """A file or folder that cannot be read or written as the format in question."""


class UnsureError(FormatError):
    """The format of an input could not be told; the message lists what speaks for what."""


class NotTextError(FormatError):
    """A file that should hold a note is no plain text; the message says what it is and what to do."""


class CannotHoldError(FormatError):
    """A document has something that the target format cannot hold without changing the note."""


class ScoreError(ElisionError):
    """Gold and system cannot be compared."""


class ModelError(ElisionError):
    """A model folder that cannot be used: damaged, foreign, or from a newer version."""


class RuleError(ElisionError):
    """A rule or a pack of rules that cannot be used; the message names file and row."""


class KeyFileError(ElisionError):
    """A key that is missing, damaged, or open to others."""


class PolicyError(ElisionError):
    """A policy that cannot be used, or a label that it has no rule for; the message names file and label."""


class ListError(ElisionError):
    """A list of words to allow or to deny that cannot be used; the message names file and line, and no word."""


class HeldError(ElisionError):
    """A note could not be de-identified with certainty, and so does not come out; the message names it by its id."""


class ReceiptError(ElisionError):
    """A receipt that cannot be read, or does not agree with what it speaks of."""


class SealError(ElisionError):
    """A sealed original that cannot be opened: damaged, or sealed with another key."""


class SynthError(ElisionError):
    """A grammar, list, profile or carrier from which no note can be made; the message names file and line."""


class RunError(ElisionError):
    """A run over many notes that cannot begin, go on or end; the message says what to do, and no work is lost."""


class ReviewError(ElisionError):
    """A review that cannot be opened, or notes that do not fit it; the message says what to do."""


class MissingExtraError(ElisionError):
    """An optional dependency is not installed; the message names the extra to install."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an optional part; install it with: pip install 'elision[{extra}]'")


def shown(value: object, words: str = " {!r}", *, most: int = 40) -> str:
    """A value of a file in the words of a message; "" unless it looks like a name, as it may be a piece of a note."""
    plain = isinstance(value, str) and len(value) <= most and re.fullmatch(r"[\w.-]+", value)
    return words.format(value) if plain else ""
