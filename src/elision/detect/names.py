"""Known names as words: what of a name is searched, and how strictly."""

from __future__ import annotations

from collections.abc import Iterator

from elision.detect.index import Index, initials_of
from elision.detect.units import Units, is_han, pieces, spellings, units_of_value
from elision.detect.words import ABBREVIATIONS, DOUBTFUL, DROPPED, PARTICLES

SHORTEST_ALONE = 3  # letters of a word that is searched alone
MOST_INITIALS = 6


def add_name(index: Index, dotted: dict[str, int], value: str, kind: int) -> None:
    """List the words of a name, each with what may stand beside it, and the initials of the whole (`dotted`)."""
    units = units_of_value(value)
    parts = list(_parts(units))
    beside = frozenset().union(*(initials_of(word) for word, _ in parts))
    for word, before in parts:
        keys = spellings(word)
        alone = len(word) >= SHORTEST_ALONE
        index.add(keys, kind, alone=alone, beside=beside, before=before)
        if before:  # vanderBerg, Delacruz
            index.add({"".join(before) + key for key in keys}, kind, alone=True, beside=beside)
        for piece in pieces(word) if len(pieces(word)) > 1 else ():  # Mc Donald
            index.add(spellings(piece), kind, alone=False, beside=beside)
    for (first, _), (second, _), joined in zip(parts, parts[1:], _hyphens(units, parts), strict=False):
        if joined:  # Jeanpierre
            both = {a + b for a in spellings(first) for b in spellings(second)}
            index.add(both, kind, alone=True, beside=beside)
    _add_initials(dotted, [word for word, _ in parts], kind)


def _parts(units: Units) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The words of a name that name, each with the particles before it."""
    words = [
        (text, key)
        for text, key in zip(units.texts, units.keys, strict=True)
        if not text.isdigit() and not is_han(text)
    ]
    before: list[str] = []
    named = [pair for pair in words if pair[1] not in DROPPED] or words
    for at, (text, key) in enumerate(named):
        if key in PARTICLES and at < len(named) - 1 and not (at == 0 and _doubtful(text, key)):
            before.append(key)
        else:
            yield text, tuple(before)
            before = []


def _doubtful(text: str, key: str) -> bool:
    return key in DOUBTFUL and text[:1].isupper()


def _hyphens(units: Units, parts: list[tuple[str, tuple[str, ...]]]) -> list[bool]:
    """For each word of the name but the last, whether a hyphen joins it to the next."""
    place = {text: at for at, text in reversed(list(enumerate(units.texts)))}
    return [place[word] + 1 < len(units) and units.gap(place[word]).strip() == "-" for word, _ in parts[:-1]]


def _add_initials(dotted: dict[str, int], words: list[str], kind: int) -> None:
    letters = [spelt[:1] for word in words if (spelt := min(spellings(word)))]
    for form in {"".join(letters), "".join(letters[:1] + letters[-1:]), "".join(letters[-1:] + letters[:-1])}:
        if 2 <= len(form) <= MOST_INITIALS and form not in ABBREVIATIONS:
            dotted[form] = min(kind, dotted.get(form, kind))
