"""Known numbers and codes, however they are grouped: 4711-0815, 4711 0815, 4711.0815.

A note is read as chunks, runs of letters or of digits, and the chunks from each place on are joined until they are a
known value or the beginning of none. A walk ends after `LONGEST` characters, so time is linear in the note whatever
is known; longer values are searched in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from elision.detect.lists import COMMON, POINTERS
from elision.detect.sequences import Found
from elision.detect.words import NUMBER, Units, bare, units_of, units_of_value
from elision.languages.detection import any_of, everywhere
from elision.text.characters import has_han
from elision.text.fold import fold
from elision.text.many import standing

LONGEST = 96
HEAD = 6  # characters by which a walk is given up early
FREE, TIGHT = 7, 5  # from so many characters on: any grouping; grouping without blanks. Shorter ones as they are.
SHARED = 6  # last digits that all ways to write a number have
LONGEST_NUMBER = 20
_NO_DIGITS = bytes(set(range(256)) - set(b"0123456789"))
_BETWEEN = str.maketrans("", "", " -./()+")
_COUNTRIES = everywhere("countries")
LONGEST_COUNTRY = max(map(len, _COUNTRIES))
_AT, _DOT = everywhere("at"), everywhere("dot")  # as they are said in words
_DIGIT = re.compile(r"\d")
POINTED = 3  # values as short as this are searched only behind a word such as "MRN" or "no."
_SURE = {FREE: 1.0, TIGHT: 0.9, POINTED + 1: 0.7, 0: 0.6}  # by how they may be grouped
_GAP = re.compile(r"(?:[ \t]{0,2}[-.,/()_:@+#'\[\]]{0,3}[ \t]{0,2}[-./()]{0,2}|[ \t]{0,2}\r?\n[ \t]{0,2})")
_TIGHT_GAP = re.compile(r"[-./_]?")
_EXTENSION = re.compile(rf"(?i)(?:{any_of('extensions')})\s*\d+\s*$")


class Code(NamedTuple):
    kind: int
    score: float
    strict: int  # how it may be grouped: FREE, TIGHT, or less
    countries: tuple[str, ...] = ()  # codes that may stand before it


@dataclass(frozen=True, slots=True)
class Codes:
    """Known values without their separators, and the beginnings of them."""

    codes: dict[str, Code] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    wordy: set[str] = field(default_factory=set)  # the beginnings that begin with no digit
    countries: set[str] = field(default_factory=set)  # of all telephone numbers

    @property
    def entries(self) -> int:
        return len(self.codes) + len(self.heads)

    def add(self, value: str, kind: int, score: float = 1.0) -> None:
        """A value in any grouping. Those of few characters are searched more strictly."""
        chunks = units_of_value(value).keys
        at = 0
        while at < len(chunks):
            joined = ""
            while at < len(chunks) and (not joined or len(joined) + len(chunks[at]) <= LONGEST):
                joined += chunks[at]
                at += 1
            self._add(_bare_number(joined), kind, score)

    def _add(self, joined: str, kind: int, score: float, countries: tuple[str, ...] = ()) -> None:
        if not joined or joined in self.codes:
            return
        strict = _strict(joined)
        self.codes[joined] = Code(kind, round(score * _SURE[strict], 3), strict, countries)
        self.countries.update(countries)
        heads = [joined[:upto] for upto in range(1, HEAD + 1)]
        self.heads.update(heads)
        if joined > ":":
            self.wordy.update(heads)

    def add_phone(self, value: str, kind: int) -> None:
        """A telephone number with and without its country, its trunk zero and, more weakly, its area."""
        stated = _EXTENSION.sub("", value)
        digits = re.sub(r"\D", "", units_of(stated).text)
        if not digits or len(digits) > LONGEST_NUMBER:
            return self.add(value, kind)
        abroad = stated.strip().startswith(("+", "00")) or digits.startswith("00")
        core = digits.lstrip("0")
        codes: tuple[str, ...] = _COUNTRIES
        if abroad:
            codes = tuple(code for code in _COUNTRIES if core.startswith(code) and len(core) - len(code) >= 7)[:2]
        self._add(core, kind, 1.0, () if abroad or len(core) < SHARED else codes)
        for code in codes if abroad else ():
            local = core[len(code) :].lstrip("0")
            if len(local) >= SHARED:
                self._add(local, kind, 1.0, (code,))
        if not abroad and len(core) >= 9:
            self._add(core[-7:].lstrip("0"), kind, 0.6)
        return None

    def add_email(self, value: str, kind: int) -> None:
        """The whole, with "at" and "dot" in words, and the part before the @."""
        self.add(value, kind)
        local, at, domain = value.partition("@")
        if at:
            for said in _AT:
                self.add(f"{local} {said} {domain}", kind)
                for dot in _DOT:
                    self.add(f"{local} {said} {domain.replace('.', f' {dot} ')}", kind)
            if len(bare(local)) >= TIGHT:
                self.add(local, kind, 0.7)

    def find(self, units: Units) -> Iterator[Found]:
        if not self.codes:
            return
        heads, keys, after = self.heads, units.keys, 0
        begins: Iterable[int] = units.of_kind(NUMBER)
        if self.wordy:
            begins = sorted({*begins, *[at for at, key in enumerate(keys) if key[:HEAD] in self.wordy]})
        for at in begins:
            if at < after:
                continue
            begun = _bare_number(keys[at])
            found = self._walk(units, at, begun) if not begun or begun[:HEAD] in heads else None
            if found is None and self.countries and len(begun) > 1:
                found = self._from_abroad(units, at, begun)
            if found is None:
                continue
            last, code = found
            first = at - 1 if at > after and self._behind_country(units, at, code) else at
            yield Found(*_grown(units, first, last), code.kind, code.score)
            after = last + 1

    def _from_abroad(self, units: Units, at: int, begun: str) -> tuple[int, Code] | None:
        """A known number behind its country's code in the same digits."""
        for country in (begun[:1], begun[:2], begun[:LONGEST_COUNTRY]):
            if country in self.countries:
                local = _bare_number(begun[len(country) :])
                found = self._walk(units, at, local) if local[:HEAD] in self.heads else None
                if found and country in found[1].countries:
                    return found
        return None

    def _behind_country(self, units: Units, at: int, code: Code) -> bool:
        """Whether the number's country stands before it."""
        return _bare_number(units.keys[at - 1]) in code.countries and _GAP.fullmatch(units.gap(at - 1)) is not None

    def _walk(self, units: Units, first: int, begun: str) -> tuple[int, Code] | None:
        """The longest known value that begins at this chunk, whose text without what does not count is `begun`."""
        joined, best, tight = begun, None, True
        for at in range(first, len(units)):
            if at > first:
                joined = joined + units.keys[at] if joined else _bare_number(units.keys[at])
            if joined and joined[:HEAD] not in self.heads:
                break
            if at > first:
                gap = units.gap(at - 1)
                if not _GAP.fullmatch(gap):
                    break
                tight = tight and _TIGHT_GAP.fullmatch(gap) is not None
            code = self.codes.get(joined)
            if code and (code.strict == FREE or (tight and self._stands(units, first, at, code))):
                best = at, code
            if len(joined) > LONGEST or at - first > LONGEST:
                break
        return best

    def _stands(self, units: Units, first: int, last: int, code: Code) -> bool:
        """Whether a short value stands for itself: no part of a longer number, and pointed at if very short."""
        if code.strict == TIGHT:
            return not (_joins(units, first - 1) or _joins(units, last))
        if first != last and code.strict and units.gap(first):
            return False
        if _joins(units, first - 1) or _joins(units, last):
            return False
        written = units.ends[last] - units.starts[first]  # with its zeros, which a short number may have many of
        return bool(code.strict) or written >= TIGHT or _pointed(units, first)


def digits_of(text: str) -> str:
    """The digits of a text, one behind the other."""
    plain = text if text.isascii() else fold(text).text
    return plain.encode("utf-8", "surrogatepass").translate(None, _NO_DIGITS).decode("ascii")


def may_stand(values: Collection[str], digits: str) -> list[str]:
    """Those values that a text with these digits could hold. One that is no plain number always could; a number has its
    last digits wherever it is found, without a country or an area before them, too."""
    cores = {value: core for value in values if (core := _last_digits(value))}
    there = standing(set(cores.values()), digits)
    return [value for value in values if cores.get(value, "") in there or value not in cores]


def _last_digits(value: str) -> str:
    core = value.translate(_BETWEEN)
    if not (core.isascii() and core.isdecimal() and len(core) <= LONGEST_NUMBER):
        return ""
    return core.lstrip("0")[-SHARED:].lstrip("0")


def _strict(joined: str) -> int:
    """How a value may be grouped, by its length and by what it is made of."""
    size = len(joined)
    if not joined.isdecimal():
        if has_han(joined):
            return FREE if size >= POINTED else 0
        if not _DIGIT.search(joined):
            return 0 if joined in COMMON or size <= POINTED else FREE
        if size >= TIGHT and not joined.isdigit():
            return FREE
    return FREE if size >= FREE else TIGHT if size >= TIGHT else POINTED + 1 if size > POINTED else 0


def _bare_number(joined: str) -> str:
    """A number without the zeros before it."""
    return joined.lstrip("0") if joined[:1] == "0" else joined


def _joins(units: Units, at: int) -> bool:
    """Whether numbers on both sides of a gap read as one: 12/80, 1.5, 3-4."""
    if not 0 <= at < len(units) - 1:
        return False
    return (
        units.texts[at].isdigit() and units.texts[at + 1].isdigit() and units.gap(at) in ("/", ".", ",", "-", ":", "'")
    )


def _pointed(units: Units, first: int) -> bool:
    """Whether a word such as "MRN" stands before, at most one other word between: "MRN is 17"."""
    for at in range(first - 1, max(-1, first - 3), -1):
        if units.keys[at] in POINTERS:
            return True
        if units.texts[at].isdigit() or ";" in units.gap(at) or "\n" in units.gap(at):
            return False
    return False


def _grown(units: Units, first: int, last: int) -> tuple[int, int]:
    """The stretch with the plus and the bracket of a telephone number."""
    start, end, text = units.starts[first], units.ends[last], units.text
    if start and text[start - 1] == "(" and ")" in text[start:end]:
        start -= 1
    if start and text[start - 1] == "+":
        start -= 1
        if start and text[start - 1] == "(" and ")" in text[start:end]:
            start -= 1
    return start, end
