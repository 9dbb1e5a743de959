"""What de-identification left in a note: [**Last Name 12**], <PERSON>, [NOMBRE], ___: what they stood for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from elision.languages.synth_lists import common
from elision.synth.grammar import Slot
from elision.text.characters import HAN_RANGES


class Hole(NamedTuple):
    """A placeholder: where it stands, the slot that fills it, and of which person or place ("" if it does not say)."""

    start: int
    end: int
    slot: Slot | None
    key: str = ""


_MIMIC = re.compile(r"\[\*\*(.{0,80}?)\*\*\]", re.DOTALL)
_LETTER = "A-ZÁÉÍÓÚÑ"
_TAGGED = re.compile(
    rf"<([{_LETTER}][{_LETTER}_ ]{{1,30}}?)(?:[-_ ]?(\d{{1,4}}))?>"
    rf"|\[([{_LETTER}][{_LETTER}_ /]{{2,30}}?)(?:[-_ ]?(\d{{1,4}}))?\]"
    r"|\{\{([A-Za-z_ ]{3,30})\}\}"
    rf"|[\[【<]([{HAN_RANGES}]{{2,6}})(\d{{0,3}})[\]】>]"
)
_BLANKED = re.compile(r"(?<![\w_])(?:_{3,}|X{3,}|x{4,}|\*{3,}|█+)(?![\w_])")


def holes(text: str) -> list[Hole]:
    """The placeholders of a text, in order. A slot of None: nothing tells what stood there."""
    found: list[Hole] = []
    for match in _MIMIC.finditer(text):
        inside = match[1].strip()
        kind = _titled(_kind(inside, "mimic"), text, match.start()) or _told(text, match.start())
        found.append(Hole(*match.span(), _slot(kind), _key(inside)))
    for match in _TAGGED.finditer(text):
        word = next(group for group in (match[1], match[3], match[5], match[6]) if group is not None)
        kind = _kind(word.upper(), "others")
        if kind:
            number = match[2] or match[4] or match[7] or ""
            found.append(
                Hole(*match.span(), _slot(_titled(kind, text, match.start())), f"{word}{number}" if number else "")
            )
    found += [Hole(*match.span(), _slot(_told(text, match.start()))) for match in _BLANKED.finditer(text)]
    return list(_disjoint(sorted(found)))


def _disjoint(found: list[Hole]) -> Iterator[Hole]:
    at = 0
    for hole in found:
        if hole.start >= at:
            yield hole
            at = hole.end


def _kind(words: str, table: str) -> str:
    return next(
        (kind for pattern, kind in common("tables")["placeholders"][table] if _compiled(pattern).search(words)), ""
    )


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _told(text: str, at: int) -> str:
    return _kind(text[max(0, at - 40) : at], "before")


def _titled(kind: str, text: str, at: int) -> str:
    """A person of no role is what stands before the name: a title makes a doctor or the patient of it."""
    told = _told(text, at) if kind.startswith("other:") else ""
    return told if told.split(":")[0] in ("doctor", "patient") else kind


def _key(inside: str) -> str:
    """The number by which MIMIC says that two placeholders are one person; dates have none."""
    match = re.search(r"(?<![\d/-])(\d{1,6})$", inside)
    return match[1] if match and re.match(r"[A-Za-z]", inside) else ""


@cache
def _slot(kind: str) -> Slot | None:
    what, _, forms = kind.partition(":")
    return Slot(what, tuple(forms.split(","))) if kind else None
