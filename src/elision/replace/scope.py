"""In what a stand-in is the same again: one patient's notes, under one key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from elision.keys import Secret
from elision.languages.base import DEFAULT


def nothing(_word: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Scope:
    """Where stand-ins agree: the same original in the same scope has the same stand-in, in every run and process.

    `forbidden` tells of a stand-in that it must not be used: it is, or holds, something that is replaced in this note,
    or a known value of a patient. Makers try another one then, in an order that depends on the key alone.
    """

    secret: Secret
    patient: str  # or the note, where no patient is known
    language: str = DEFAULT  # perhaps with a country: en-GB
    forbidden: Callable[[str], bool] = nothing

    def number(self, *parts: str) -> int:
        """A number below 2**64 that stands for these texts in this scope."""
        return self.secret.number(self.patient, *parts)
