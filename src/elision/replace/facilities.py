"""Hospitals, wards, rooms, companies: words such as "General Hospital" stay, the proper words become others."""

from __future__ import annotations

import re

from elision.replace.choices import Choices
from elision.replace.scope import Scope
from elision.replace.standins import base, choices, latin
from elision.replace.streets import generic, replaced
from elision.replace.words import pick, plain

_LISTS = {
    "HOSPITAL": ("care",),
    "CARE_FACILITY": ("care",),
    "ORGANIZATION": ("care", "company"),
    "DEPARTMENT": ("care", "ward"),
    "ROOM": ("care", "ward"),
}
_NONE = Choices(())
_BEDS = Choices("ABCDEFGH")


def facility(text: str, scope: Scope, label: str, turn: int = 0) -> str | None:
    """Another facility of the same kind. A town in its name becomes what it becomes alone, a person likewise."""
    keep = generic(base(scope.language), *_LISTS[label])
    moved = replaced(text, scope, keep, turn, letters=_BEDS, small=True)
    return _swapped(text, scope, turn) if moved == text and label in ("HOSPITAL", "CARE_FACILITY") else moved


def _swapped(text: str, scope: Scope, turn: int) -> str:
    """A name of general words alone: one that tells it from others becomes another such word, Royal Hospital."""
    groups = [choices(latin(base(scope.language)), f"swap-{number}") for number in (1, 2, 3)]

    def other(found: re.Match[str]) -> str:
        word = plain(found[0])
        group = next((group for group in groups if word in map(plain, group)), _NONE)
        swapped = pick(group, scope, lambda choice: plain(choice) != word, "swap", word, turn=turn, show=found[0])
        return swapped or found[0]

    return re.sub(r"[^\W\d_]+", other, text)
