"""Known Chinese names: whole anywhere, the surname before a title, the given name.

Chinese has no blanks, so a name may begin and end anywhere. A surname alone is a common character and is searched only
before a title or a mask (李先生, 李某, 李**) or after 老 and 小; a given name of one character only after 小 and 阿.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from elision.detect.sequences import Found
from elision.detect.words import Units, units_of
from elision.languages.detection import everywhere
from elision.text.characters import has_han, is_han

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
