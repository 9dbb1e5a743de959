"""Hospitals, wards, rooms, companies: words such as "General Hospital" stay, the proper words become others."""

from __future__ import annotations

import re

from elision.replace.name_lists import base, words
from elision.replace.place_lists import latin
from elision.replace.scope import Scope
from elision.replace.streets import generic, replaced
from elision.replace.words import pick, plain

_LISTS = {
    "HOSPITAL": ("care",),
    "CARE_FACILITY": ("care",),
    "ORGANIZATION": ("care", "company"),
    "DEPARTMENT": ("care", "ward"),
    "ROOM": ("care", "ward"),
}
_BEDS = "ABCDEFGH"


def facility(text: str, scope: Scope, label: str, turn: int = 0) -> str | None:
    """Another facility of the same kind. A town in its name becomes what it becomes alone, a person likewise."""
    keep = generic(base(scope.language), *_LISTS[label])
    moved = replaced(text, scope, keep, turn, letters=_BEDS, small=True)
    return _swapped(text, scope, turn) if moved == text and label in ("HOSPITAL", "CARE_FACILITY") else moved


def _swapped(text: str, scope: Scope, turn: int) -> str:
    """A name of general words alone: one that tells it from others becomes another such word, Royal Hospital."""
    groups = [words(latin(scope.language), f"words.swap-{number}") for number in (1, 2, 3)]

    def other(found: re.Match[str]) -> str:
        word = plain(found[0])
        group = next((group for group in groups if word in {plain(choice) for choice in group}), ())
        listed = [choice.capitalize() for choice in group if plain(choice) != word]
        return pick(listed, scope, lambda _: True, "swap", word, turn=turn, show=found[0]) or found[0]

    return re.sub(r"[^\W\d_]+", other, text)
