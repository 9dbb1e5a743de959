"""Known names as words: what of a name is searched, and how strictly."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from elision.detect.index import Index, initials_of
from elision.detect.lists import ABBREVIATIONS, DOUBTFUL, DROPPED, PARTICLES
from elision.detect.words import MOST_KEPT, Units, pieces, spellings, units_of_value
from elision.text.characters import is_han

SHORTEST_ALONE = 3  # letters of a word that is searched alone
MOST_INITIALS = 6


class _Entry(NamedTuple):
    """What is listed of a word of a name."""

    keys: frozenset[str]
    alone: bool
    before: tuple[str, ...] | None


class _Name(NamedTuple):
    entries: tuple[_Entry, ...]
    beside: frozenset[str]
    dotted: tuple[str, ...]  # the initials of the whole


def add_name(index: Index, dotted: dict[str, int], value: str, kind: int) -> None:
    """List the words of a name, each with what may stand beside it, and the initials of the whole (`dotted`)."""
    name = name_of(value)
    for keys, alone, before in name.entries:
        index.add(keys, kind, alone=alone, beside=name.beside, before=before)
    for form in name.dotted:
        dotted[form] = min(kind, dotted.get(form, kind))


@lru_cache(maxsize=MOST_KEPT)
def name_of(value: str) -> _Name:
    """A name taken apart; it is asked for again in each note of its patient."""
    units = units_of_value(value)
    parts = list(_parts(units))
    entries: list[_Entry] = []
    for word, before in parts:
        keys = spellings(word)
        entries.append(_Entry(keys, len(word) >= SHORTEST_ALONE, before))
        if before:  # vanderBerg, Delacruz
            entries.append(_Entry(frozenset("".join(before) + key for key in keys), True, None))
        if len(pieces(word)) > 1:  # Mc Donald
            entries += [_Entry(spellings(piece), False, None) for piece in pieces(word)]
    for (first, _), (second, _), joined in zip(parts, parts[1:], _hyphens(units, parts), strict=False):
        if joined:  # Jeanpierre
            both = frozenset(a + b for a in spellings(first) for b in spellings(second))
            entries.append(_Entry(both, True, None))
    words = [word for word, _ in parts]
    return _Name(tuple(entries), frozenset().union(*map(initials_of, words)), tuple(_dotted(words)))


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
    if "-" not in units.text:
        return [False] * len(parts[:-1])
    place = {text: at for at, text in reversed(list(enumerate(units.texts)))}
    return [place[word] + 1 < len(units) and units.gap(place[word]).strip() == "-" for word, _ in parts[:-1]]


def _dotted(words: list[str]) -> Iterator[str]:
    if len(words) < 2:
        return
    letters = [spelt[:1] for word in words if (spelt := min(spellings(word)))]
    for form in {"".join(letters), "".join(letters[:1] + letters[-1:]), "".join(letters[-1:] + letters[:-1])}:
        if 2 <= len(form) <= MOST_INITIALS and form not in ABBREVIATIONS:
            yield form
