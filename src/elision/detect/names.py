"""Known names: what of a name is searched, and how strictly.

Chinese has no blanks, so a name may begin and end anywhere. It is found whole anywhere; a surname alone is a common
character and is searched only before a title or a mask (李先生, 李某, 李**) or after 老 and 小; a given name of one
character only after 小 and 阿.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from elision.detect.index import Index, initials_of
from elision.detect.lists import ABBREVIATIONS, DOUBTFUL, DROPPED, PARTICLES
from elision.detect.sequences import Found
from elision.detect.words import MOST_KEPT, Units, pieces, spellings, units_of, units_of_value
from elision.languages.detection import everywhere
from elision.text.characters import has_han, is_han

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


_DOUBLE = frozenset(everywhere("double_surnames"))
_TITLES = everywhere("titles_behind")
_NO_NAME = frozenset(everywhere("no_surnames"))  # 小便, 小时, 老年, ...
_BEFORE_SURNAME, _BEFORE_GIVEN = everywhere("before_surname"), everywhere("before_given")
LONGEST = 6  # characters of a name; longer ones are searched whole only


@dataclass(frozen=True, slots=True)
class HanNames:
    names: dict[str, tuple[int, float]]
    surnames: dict[str, int]
    single: dict[str, int]
    heads: dict[str, set[int]]  # of each first character: how long the names are that begin with it
    firsts: set[str] = field(default_factory=set)  # what anything begins with

    @property
    def entries(self) -> int:
        return len(self.names) + len(self.surnames) + len(self.single) + sum(map(len, self.heads.values()))

    def add(self, value: str, kind: int) -> None:
        """The Chinese part of a name."""
        if not has_han(value):
            return
        name = "".join(text for text in units_of(value).texts if is_han(text))
        if len(name) > LONGEST:
            for at in range(0, len(name), LONGEST):
                self._add(name[at : at + LONGEST], kind, 0.9)
            return
        surname = name[:2] if name[:2] in _DOUBLE else name[:1]
        given = name[len(surname) :]
        if surname:
            self.firsts.update((surname[0], *given[:1]))
            self.surnames.setdefault(surname, kind)
        if given:
            self._add(name, kind, 1.0)
        if len(given) > 1:
            self._add(given, kind, 0.7)
        elif given:
            self.single.setdefault(given, kind)

    def _add(self, name: str, kind: int, score: float) -> None:
        if len(name) > 1 and name not in self.names:
            self.firsts.add(name[0])
            self.names[name] = kind, score
            self.heads.setdefault(name[0], set()).add(len(name))

    def find(self, units: Units) -> Iterator[Found]:
        if not self.firsts:
            return
        after = 0
        for at in [at for at, text in enumerate(units.texts) if text in self.firsts]:
            found = self._at(units, at) if at >= after else None
            if found:
                last, kind, score = found
                yield Found(units.starts[at], units.ends[last], kind, score)
                after = last + 1

    def _at(self, units: Units, at: int) -> tuple[int, int, float] | None:
        texts = units.texts
        for size in sorted(self.heads.get(texts[at], ()), reverse=True):
            known = self.names.get("".join(texts[at : at + size]))
            if known and _close(units, at, at + size - 1):
                return at + size - 1, *known
        for size in (2, 1):
            surname = "".join(texts[at : at + size])
            if surname in self.surnames and _close(units, at, at + size - 1):
                end = units.ends[at + size - 1]
                if units.text[end : end + 2].startswith(_TITLES):
                    return at + size - 1, self.surnames[surname], 0.9
                if surname not in _NO_NAME and at and texts[at - 1] in _BEFORE_SURNAME and not units.gap(at - 1):
                    return at + size - 1, self.surnames[surname], 0.6
        if at and texts[at] in self.single and texts[at] not in _NO_NAME and texts[at - 1] in _BEFORE_GIVEN:
            return at, self.single[texts[at]], 0.6
        return None


def _close(units: Units, first: int, last: int) -> bool:
    """Whether only blanks stand between these characters."""
    return last < len(units) and all(not units.gap(i).strip(" \t") for i in range(first, last))
