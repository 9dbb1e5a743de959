"""Stand-ins for places, facilities, what people do and where they come from.

Of hospitals, wards, rooms and companies words such as "General Hospital" stay, the proper words become others.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from elision.replace import chinese_places
from elision.replace.choices import Choices, Scope
from elision.replace.place_lists import (
    is_country,
    is_state,
    latin,
    nation,
    nationality,
    profession,
    state,
    town,
    town_countries,
)
from elision.replace.postcodes import find_postcode, postcode
from elision.replace.standins import base, choices, places_of
from elision.replace.streets import generic, has_street, replaced, street
from elision.replace.words import pick, plain, tidy
from elision.text.characters import has_han

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
    groups = [choices(latin(scope.language), f"swap-{number}") for number in (1, 2, 3)]

    def other(found: re.Match[str]) -> str:
        word = plain(found[0])
        group = next((group for group in groups if word in map(plain, group)), _NONE)
        swapped = pick(group, scope, lambda choice: plain(choice) != word, "swap", word, turn=turn, show=found[0])
        return swapped or found[0]

    return re.sub(r"[^\W\d_]+", other, text)


_LONGEST = 1_000  # characters; what is longer is no place
_TURNS = 6
_BETWEEN = re.compile(r"(\s*[,;\n\t/()|，；、（）]\s*|\s+[-–]\s+)")
_SHORT_STATE = re.compile(r"(.+?)(\s+)([A-Z]{2,3})")
_FACILITIES = ("HOSPITAL", "CARE_FACILITY", "DEPARTMENT", "ROOM", "ORGANIZATION")

Maker = Callable[[str, Scope, int], str | None]


def place(text: str, scope: Scope, label: str) -> str | None:
    """A place of the same kind and form; None for labels that are none, and where there is nothing to replace."""
    text = tidy(text)
    if len(text) > _LONGEST or not plain(text).strip():
        return None
    make = _maker(text, label)
    for turn in range(_TURNS if make else 0):
        moved = make(text, scope, turn) if make else None
        if moved is None:
            return None
        if plain(moved) != plain(text) and not scope.forbidden(moved):
            return moved
    return None


def _maker(text: str, label: str) -> Maker | None:
    """The maker for a label, in Chinese where the text is."""
    if has_han(text):
        return {
            "ZIP": postcode,
            "PROFESSION": chinese_places.chinese_profession,
            "NATIONALITY": chinese_places.chinese_nationality,
        }.get(label) or (_chinese(label) if label in (*_FACILITIES, *_PIECEWISE) or label == "STREET" else None)
    if label in _FACILITIES:
        return lambda text, scope, turn: facility(text, scope, label, turn)
    if label in _PIECEWISE:
        return lambda text, scope, turn: _pieces(text, scope, label, turn)
    return {"ZIP": postcode, "STREET": _street, "PROFESSION": profession, "NATIONALITY": nationality}.get(label)


def _chinese(label: str) -> Maker:
    return lambda text, scope, turn: chinese_places.chinese_place(text, scope, label, turn)


def _street(text: str, scope: Scope, turn: int) -> str | None:
    """A street; a postcode and a town that were taken for a part of it too."""
    return _pieces(text, scope, "STREET", turn) if _BETWEEN.search(text) else street(text, scope, turn)


# What a piece of unknown kind is taken for.
_PIECEWISE: dict[str, Maker] = {
    "CITY": town,
    "STATE": state,
    "COUNTRY": nation,
    "ADDRESS": town,
    "LOCATION_OTHER": town,
    "STREET": street,
}


def _pieces(text: str, scope: Scope, label: str, turn: int) -> str | None:
    """A place of several pieces: street, postcode, town, state, each replaced as it would be alone."""
    if label in ("CITY", "COUNTRY", "STATE") and _whole(text, scope, label):
        return _PIECEWISE[label](text, scope, turn)
    moved = ""
    for at, piece in enumerate(_BETWEEN.split(text)):
        other = piece if at % 2 or not plain(piece).strip() else _piece(piece, scope, label, turn)
        if other is None:
            return None
        moved += other
    return moved


def _whole(text: str, scope: Scope, label: str) -> bool:
    """Whether the text is one listed name, whatever stands in it."""
    language = base(scope.language)
    if label == "CITY":
        return plain(text) in town_countries(latin(language))
    return is_country(text, language) if label == "COUNTRY" else is_state(text, language)


def _piece(piece: str, scope: Scope, label: str, turn: int) -> str | None:
    language = base(scope.language)
    bare = piece.strip(" .:'\"")
    at = piece.find(bare) if bare else 0
    head, tail = piece[:at], piece[at + len(bare) :]
    found = _bare(bare, scope, label, language, turn) if plain(bare).strip() else bare
    return None if found is None else head + found + tail


def _bare(text: str, scope: Scope, label: str, language: str, turn: int) -> str | None:
    may_lead = places_of(language).postcode_first
    if (code := find_postcode(text, language)) and (may_lead or code.start() > 0 or len(code[0]) == len(text)):
        before, after = text[: code.start()], text[code.end() :]
        parts = [_part(before, scope, label, turn), postcode(code[0], scope, turn), _part(after, scope, label, turn)]
        return None if None in parts else "".join(part for part in parts if part)
    if label != "COUNTRY" and is_state(text, language) and not (label != "STATE" and _whole(text, scope, "CITY")):
        return state(text, scope, turn)
    if label != "CITY" and is_country(text, language):
        return nation(text, scope, turn)
    if (short := _SHORT_STATE.fullmatch(text)) and is_state(short[3], language):
        first, last = _bare(short[1], scope, label, language, turn), state(short[3], scope, turn)
        return first + short[2] + last if first and last else None
    if _whole(text, scope, "CITY") and label != "STREET":
        return town(text, scope, turn)
    if label in ("ADDRESS", "LOCATION_OTHER") and any(
        word in ("hospital", "clinic", "ziekenhuis") for word in plain(text).split()
    ):
        return facility(text, scope, "HOSPITAL", turn)
    if any(c.isdigit() for c in text) or (label != "CITY" and has_street(text, language)) or len(text) == 1:
        return street(text, scope, turn)
    if any(plain(word) in generic(language) for word in text.split()) and label in ("ADDRESS", "LOCATION_OTHER"):
        return replaced(text, scope, generic(language), turn)
    return _PIECEWISE[label](text, scope, turn)


def _part(text: str, scope: Scope, label: str, turn: int) -> str | None:
    """What stands before or after a postcode."""
    return _piece(text, scope, "CITY" if label == "STREET" else label, turn) if plain(text).strip() else text
