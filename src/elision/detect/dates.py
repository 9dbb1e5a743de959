"""Known dates in any form: by numbers in every usual order, with months in words, in Chinese, with two digits a year.

A note is read as items, numbers and names of months, and each three that stand together are looked up among the ways
to write a known date. Day and month alone, or month and year, count only where no other number goes with them; a bare
3/5 only if it is written 03/05 or the note speaks of a birth, since strength and scores look alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from elision.detect.sequences import Found
from elision.detect.words import Units, bare, units_of
from elision.languages.detection import any_of, everywhere, in_each
from elision.text.characters import is_han

MONTHS = {
    bare(name): number for each in in_each("months") for number, names in enumerate(each, 1) for name in names.split()
}
_ROMAN = dict(
    zip(("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"), range(1, 13), strict=True)
)
# Numerals in which years and days are written: digits, and those that count tens.
_DIGITS = {sign: int(value) for sign, value in (pair.split(":") for pair in everywhere("digits"))}
_TENS = {sign: int(value) for sign, value in (pair.split(":") for pair in everywhere("tens"))}
_WORDS = frozenset([*MONTHS, *map(bare, _ROMAN), *_DIGITS, *_TENS])  # keys that may be part of a date
_UNITS = "".join(sign for unit in ("year_signs", "month_signs", "day_signs") for sign in everywhere(unit))
_BETWEEN = re.compile(
    rf"(?:{any_of('ordinals')})?[ \t]{{0,2}}(?:[./,'-]{{1,2}}|[{_UNITS}])?[ \t\r\n]{{0,2}}"
    rf"(?:(?:{any_of('of')})\b[ \t]{{0,2}})?'?",
    re.IGNORECASE,
)
_LAST = re.compile(rf"[ ]?[{_UNITS}]|(?:{any_of('ordinals')})\b", re.IGNORECASE)
_BIRTH = re.compile(rf"(?i)\b(?:{any_of('birth')})\b|{any_of('birth_signs')}")
LOOK_BACK = 40
ROC = 1911  # Taiwan counts its years from here


class Item(NamedTuple):
    """A number or a month: `month` if in words. `first` and `last` are units."""

    value: int
    width: int
    month: bool
    first: int
    last: int


Key = tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Dates:
    """The ways to write the known dates. A key has numbers, and months in words as M5."""

    keys: dict[Key, tuple[int, float, int]]  # kind, score, which of them is the year (-1: none)
    compact: dict[str, tuple[int, float]]
    years: dict[int, int]
    firsts: set[int | str] = field(default_factory=set)  # the beginnings of all keys

    @property
    def entries(self) -> int:
        return len(self.keys) + len(self.compact) + len(self.years)

    def add(self, value: str, kind: int, *, birth: bool) -> bool:
        """A date of the record, in whatever order it may be meant; False if it is none that is searched here."""
        found = False
        for year, month, day in _read(value):
            found = found or birth or month > 0
            if day:
                self._add_day(year, month, day, kind, birth)
            if month and (birth or not day):
                for form in (month, f"M{month}"):
                    self._key((form, year), kind, 0.6, 1)
                    self._key((year, form), kind, 0.6, 0)
            if birth:
                self.years.setdefault(year, kind)
        return found

    def _key(self, key: Key, kind: int, score: float, year: int) -> None:
        self.firsts.add(key[0])
        if key not in self.keys or self.keys[key][1] < score:
            self.keys[key] = kind, score, year

    def _add_day(self, year: int, month: int, day: int, kind: int, birth: bool) -> None:
        for form in (month, f"M{month}"):
            for written, score in ((year, 1.0), (year % 100, 0.9)):
                self._key((day, form, written), kind, score, 2)
                self._key((form, day, written), kind, score, 2)
                self._key((written, form, day), kind, score, 0)
            if year > ROC:
                self._key((year - ROC, form, day), kind, 0.8, 0)
        if birth:
            for form, score in ((month, 0.5), (f"M{month}", 0.6)):
                self._key((day, form), kind, score, -1)
                self._key((form, day), kind, score, -1)
        long, short = f"{year:04}", f"{year % 100:02}"
        for form_, sure in ((long, 0.9), (short, 0.5)):
            for written_ in (f"{form_}{month:02}{day:02}", f"{day:02}{month:02}{form_}", f"{month:02}{day:02}{form_}"):
                self.compact.setdefault(written_, (kind, sure))

    def find(self, units: Units) -> Iterator[Found]:
        if not (self.keys or self.compact or self.years):
            return
        items = list(_items(units))
        at = 0
        while at < len(items):
            found = self._at(units, items, at) if self.keys or self.years else None
            if found is None:
                at += 1
                continue
            count, kind, score = found
            end = units.ends[items[at + count - 1].last]
            last = _LAST.match(units.text, end)
            yield Found(units.starts[items[at].first], last.end() if last else end, kind, score)
            at += count

    def _at(self, units: Units, items: list[Item], at: int) -> tuple[int, int, float] | None:
        """How many items from here on are a known date, of which kind, how surely."""
        begins = (f"M{items[at].value}" if items[at].month else items[at].value) in self.firsts
        for count in (3, 2) if begins else ():
            group = items[at : at + count]
            if len(group) == count and all(_together(units, a, b) for a, b in pairwise(group)):
                known = self.keys.get(tuple(f"M{item.value}" if item.month else item.value for item in group))
                if known and self._holds(units, items, at, group, known[2]):
                    return count, known[0], known[1]
        item = items[at]
        text = units.texts[item.first] if item.first == item.last else ""
        if text in self.compact and (len(text) == 8 or _of_birth(units, item)):
            return 1, *self.compact[text]
        if item.width == 4 and item.value in self.years and _of_birth(units, item) and self._apart(units, items, at, 1):
            return 1, self.years[item.value], 0.6
        return None

    def _holds(self, units: Units, items: list[Item], at: int, group: list[Item], year: int) -> bool:
        if year >= 0 and (group[year].width < 2 or group[year].month):
            return False
        if len(group) == 3:
            return all(item.width <= 2 for i, item in enumerate(group) if i != year and not item.month)
        if year >= 0 and group[year].width != 4:
            return False
        if not self._apart(units, items, at, 2):
            return False
        plain = not any(item.month for item in group)
        padded = all(item.width == 2 for item in group) and any(item.value < 10 for item in group)
        han = is_han(units.text[units.ends[group[0].last] : units.ends[group[0].last] + 1])
        return not plain or year >= 0 or padded or han or _of_birth(units, group[0])

    def _apart(self, units: Units, items: list[Item], at: int, count: int) -> bool:
        """Whether no other number or month goes with these."""
        before = at > 0 and _together(units, items[at - 1], items[at])
        behind = at + count < len(items) and _together(units, items[at + count - 1], items[at + count])
        return not before and not behind


def _of_birth(units: Units, item: Item) -> bool:
    start = units.starts[item.first]
    return _BIRTH.search(units.text, max(0, start - LOOK_BACK), start) is not None


def _together(units: Units, a: Item, b: Item) -> bool:
    start, end = units.ends[a.last], units.starts[b.first]
    return end - start <= 12 and _BETWEEN.fullmatch(units.text, start, end) is not None


def _items(units: Units) -> Iterator[Item]:
    after = 0
    for at in [at for at, key in enumerate(units.keys) if key < ":" or key in _WORDS]:  # most words: neither
        if at < after:
            continue
        text, key = units.texts[at], units.keys[at]
        if text.isdigit():
            if len(text) <= 8:
                yield Item(int(text), len(text), False, at, at)
        elif text in _DIGITS or text in _TENS:
            last = at
            while last + 1 < len(units) and last - at < 4 and _han_digit(units.texts[last + 1]) and not units.gap(last):
                last += 1
            value = _han_number("".join(units.texts[at : last + 1]))
            yield Item(value, max(2, len(str(value))), False, at, last)
            after = last + 1
        elif key in MONTHS:
            yield Item(MONTHS[key], 0, True, at, at)
        elif text in _ROMAN and units.text[units.ends[at] : units.ends[at] + 1] in ("-", ".", "/"):
            yield Item(_ROMAN[text], 0, True, at, at)


def _han_digit(text: str) -> bool:
    return text in _DIGITS or text in _TENS


def _han_number(text: str) -> int:
    """二十三 is 23, 一九五八 is 1958."""
    total, tens = 0, False
    for character in text:
        if character in _TENS:
            total = (total or 1) * 10 if _TENS[character] == 10 else _TENS[character]
            tens = True
        elif tens:
            total, tens = total + _DIGITS[character], False
        else:
            total = total * 10 + _DIGITS[character]
    return total


def _read(value: str) -> Iterable[tuple[int, int, int]]:
    """The dates that a value of the record may mean, as (year, month, day); 0 for what it leaves open."""
    units = units_of(value)
    items = list(_items(units))[:3]
    if not items:
        return []
    first = units.texts[items[0].first]
    if len(first) == 8 and first.isdigit():
        forms = [(int(first[:4]), int(first[4:6]), int(first[6:]))]
    elif len(first) == 6 and first.isdigit():
        forms = [(int(first[:4]), int(first[4:]), 0)]
    elif len(items) == 1:
        forms = [(items[0].value, 0, 0)]
    elif len(items) == 2:
        a, b = items
        forms = [(a.value, b.value, 0), (b.value, a.value, 0)]
    else:
        forms = _of_three(items)
    return {form for form in forms if 1000 <= form[0] <= 9999 and 0 <= form[1] <= 12 and 0 <= form[2] <= 31}


def _of_three(items: list[Item]) -> list[tuple[int, int, int]]:
    a, b, c = items
    if a.width == 4:
        return [(a.value, b.value, c.value)]
    if a.month or b.month:
        month, day = (a, b) if a.month else (b, a)
        return [(c.value, month.value, day.value)]
    return [(c.value, b.value, a.value), (c.value, a.value, b.value)]
