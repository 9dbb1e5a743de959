"""What a model remembers of the notes that it learnt from: a salted hash of each, so that others can be told apart.

Scores on notes that a model has learnt from say nothing of other notes. So a model's card names them, by 64 bits of a
SHA-256 over a salt of the model's own and the text without white space, which formats change. Nobody reads a note out
of that; but who has a note can ask whether the model has learnt from it, so keep a model as you keep its notes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from elision.document import Document
from elision.taggers.corpus import fingerprint

VERSION = 1  # of how notes are remembered
NAME = "learnt"  # in a model's card
_DIGITS = 16  # of a hash, in hexadecimal


@dataclass(frozen=True, slots=True)
class Learnt:
    """How many of some notes a model learnt from. `told`: whether it, and all that it goes on from, says so at all."""

    notes: int
    told: bool


def learnt_card(notes: Iterable[Document]) -> dict[str, Any]:
    """What goes into a model's card. The salt comes from the notes, so that the same notes give the same model."""
    notes = list(notes)
    salt = hashlib.sha256(f"learnt\0{fingerprint(notes)}".encode()).hexdigest()[: 2 * _DIGITS]
    hashes = sorted({_hash(salt, note.text) for note in notes})
    return {"version": VERSION, "salt": salt, "notes": "".join(hashes)}


def learnt_among(card: Mapping[str, Any], notes: Iterable[Document]) -> Learnt:
    """How many of these notes a model learnt from, or one of those from which its learning went on."""
    notes = list(notes)
    found: set[int] = set()
    told = True
    link: Any = card
    while isinstance(link, Mapping):
        memory = _memory(link.get(NAME))
        told = told and memory is not None
        if memory is not None:
            salt, hashes = memory
            found.update(at for at, note in enumerate(notes) if _hash(salt, note.text) in hashes)
        link = link.get("start")
    return Learnt(len(found), told)


def remembered(card: Mapping[str, Any]) -> int | None:
    """How many notes a model itself remembers; None if it says nothing."""
    memory = _memory(card.get(NAME))
    return None if memory is None else len(memory[1])


def _memory(given: object) -> tuple[str, set[str]] | None:
    """Salt and hashes; None where there are none, or none that this elision can read."""
    match given:
        case {"version": 1, "salt": str(salt), "notes": str(notes)}:
            return salt, {notes[at : at + _DIGITS] for at in range(0, len(notes), _DIGITS)}
    return None


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt}\0{''.join(text.split())}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
