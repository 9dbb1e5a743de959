"""The words of dates in a language, and the forms in which dates are written: one pattern each, tried in this order.

In a form, `<d0>` is the day of the first date, `<m1>` the month of the second, and so on (see `Field`); 9 is the last
date, whichever that is. `<n0>` is a date by numbers whose order is still to be told, `<x0>` a Roman month, `<D0>` a day
and `<Y0>` a year in words, `<z0>` a year in Chinese numerals. What stands between them is no field and stays as it is.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from elision.languages import base
from elision.languages.base import DEFAULT, language, languages
from elision.languages.knowledge import DIGIT, TIME, Dates, Grammar, Words
from elision.text.characters import unaccented

ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
SEASONS = ("winter", "spring", "summer", "autumn")  # winter is that of January


def code_of(tag: str) -> str:
    """The language without its country; one that we do not know reads as the default."""
    code = base.code_of(tag)
    return code if code in languages() else DEFAULT


@functools.cache
def dates_of(code: str) -> Dates:
    return language(code).dates


def words_of(code: str) -> Words:
    return dates_of(code).words


@functools.cache
def years_in_words(code: str) -> dict[str, int]:
    """The years that a language can say, without case and accents."""
    write = dates_of(code).year
    return {plain(write(year)): year for year in range(1900, 2100)} if write else {}


def plain(word: str) -> str:
    """A word without case, accents and the dot behind it."""
    return unaccented(word.casefold()).rstrip(".")


@functools.cache
def places(code: str, kind: str) -> dict[str, tuple[tuple[int, int], ...]]:
    """For each word, without case and accents: the families that have it, and its place there.

    A family that would write the word itself goes before those that only know it.
    """
    found: dict[str, list[tuple[bool, int, int]]] = {}
    for family, row in enumerate(getattr(words_of(code), kind)):
        for place, entry in enumerate(row):
            for word in (entry,) if isinstance(entry, str) else entry:
                found.setdefault(plain(word), []).append((word not in (entry, entry[0]), family, place))
    return {
        word: tuple((family, place) for other, family, place in sorted(where) if other == min(where)[0])
        for word, where in found.items()
    }


_WORDS = r"[^\W\d_]+(?:[ -][^\W\d_]+)"
_SLOT = re.compile(r"<([A-Za-z])([0-9])>")
_NUMBERS = r"[\s]{0,2}[-/.／．－]{1,2}\s{0,2}"


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern with its fields: group, role, index. `compact` is a date without anything between its numbers."""

    pattern: re.Pattern[str]
    slots: tuple[tuple[str, str, int], ...]
    numbers: tuple[int, ...]  # dates whose order of numbers is to be told
    compact: bool
    roc: bool


_YEAR = "['’‘]?<y{}>"
_LIKELY = rf"(?=['’‘]|(?:1[89]|2[01]){DIGIT}{{2}})"  # of a year that stands alone


def _european(g: Grammar) -> list[str]:
    """Forms with words between day, month and year."""
    link, of, year, about, apart = g.between, g.of, g.year, g.about, r"[\s,./-]{0,3}"
    weekday = rf"(?:<w0>{g.the})?"
    y = [_YEAR.format(index) for index in range(10)]
    weekdays = rf"<w0>\.?(?:{g.part})?(?:{link}<w1>\.?)?"
    quarter = rf"[QT]?<q0>(?:\s+{g.quarter}|(?<=[QT][1-4]))"
    forms = [
        rf"{weekday}<n0>{TIME}",
        rf"{weekday}<d0>{of}<m0>(?:{year}{y[0]})?{TIME}",
        rf"{weekday}<d0>[-/.\s]<x0>[-/.\s]{y[0]}{TIME}",
    ]
    if g.month_before_day:
        forms += [
            rf"{weekday}<m0>{apart}(?:the\s+)?<d0>(?:(?:[\s,./-]{{1,3}}(?={DIGIT}{{4}})|,?\s*['’‘]|,\s+)<y0>)?{TIME}",
            rf"<m0>{apart}<d0>{link}<d1>(?:{link}<d2>)?(?:{link}<d3>)?(?:[\s,-]{{1,3}}{y[9]})?",
            rf"<m0>{apart}<d0>(?:,?\s{y[0]})?{link}<m1>{apart}<d1>(?:,?\s{y[1]})?",
            rf"<m0>\s+(?:the\s+)?<D0>(?:,?\s+{y[0]})?",
        ]
    forms += [
        rf"{about}<m0>{year}{y[0]}",
        rf"{about}{y[0]}[\s/-]<m0>(?:[\s/-]<d0>)?{TIME}",
        rf"{about}<m0>\.?",
        r"<d0>\.?",
        rf"{about}{_LIKELY}{y[0]}(?:-present)?",
        "(?:año\\s+)?<y0>",
        rf"{about}(?=['’‘]|(?:1[89]|2[01]){DIGIT}{{2}}){y[0]}{link}{y[1]}(?:{link}{y[2]})?(?:{link}{y[3]})?(?:{link}{y[4]})?",
        rf"<n0>{link}<n1>",
        rf"<d0>{link}<d1>(?:{link}<d2>)?(?:{link}<d3>)?(?:{link}<d4>)?{of}<m9>(?:{year}{y[9]})?",
        rf"<d0>{of}<m0>(?:{year}{y[0]})?{link}<d1>{of}<m1>(?:{year}{y[1]})?",
        rf"<m0>(?:{year}{y[0]})?{link}<m1>(?:{year}{y[1]})?",
        weekdays,
        rf"{about}<s0>(?:{year}{y[0]})?",
        rf"{about}{g.decade}",
        rf"<w0>{g.the}<d0>",
        rf"{quarter}(?:{year}{y[0]})?",
        rf"{y[0]}[\s-]?Q<q0>",
        rf"{g.week}\s+<k0>(?:{year}{y[0]})?",
        rf"FY\s?{y[0]}",
        rf"(?:the\s+|de\s+|el\s+)?<D0>{of}<m0>(?:{year}{y[0]})?",
        rf"<D0>{of}<m0>{year}<Y0>",
        rf"<d0>{of}<m0>{year}<Y0>",
        rf"<m0>{year}<Y0>",
        "<Y0>",
    ]
    return forms


@functools.cache
def time_of_day() -> str:
    """A pattern for a time behind a date, in the words of all languages."""
    dates = [one.dates for one in base.shipped().values()]
    at, hours = ("|".join(said for each in dates if (said := getattr(each, name))) for name in ("at", "hours"))
    minutes = rf"{DIGIT}{{1,2}}[:.h]{DIGIT}{{2}}(?:[:.]{DIGIT}{{2}}(?:[.,]{DIGIT}{{1,6}})?)?"
    return (
        rf"(?:(?:\s*[,;T@]\s*|\s+(?:-\s*)?)(?:(?:{at})\s+)?(?:{minutes}"
        rf"\s*(?:[ap]\.?m\.?|{hours}|Z|[+-]{DIGIT}{{2}}:?{DIGIT}{{2}})?"
        rf"|{DIGIT}{{1,2}}\s*(?:[ap]\.?m\.?|{hours}))|T{DIGIT}{{4,6}}Z?)?"
    )


_COMPACT = [rf"<y0><m0><d0>{TIME}", rf"<n0>{TIME}"]


def _words(code: str, kind: str) -> str:
    found = {
        word
        for family in getattr(words_of(code), kind)
        for entry in ((family,) if isinstance(family, str) else family)
        for word in ((entry,) if isinstance(entry, str) else entry)
    }
    return "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word)))


def _or(patterns: tuple[str, ...]) -> str:
    return "|".join(pattern for pattern in patterns if pattern)


def _slot(role: str, index: str, code: str, compact: bool) -> str:
    """The pattern of a field."""
    if role == "n":
        if compact:
            return rf"(?P<a{index}>{DIGIT}{{2}})(?P<b{index}>{DIGIT}{{2}})(?P<c{index}>{DIGIT}{{4}}|{DIGIT}{{2}})"
        return (
            rf"(?P<a{index}>{DIGIT}{{1,4}})(?P<p{index}>{_NUMBERS}|\s)(?P<b{index}>{DIGIT}{{4}}|{DIGIT}{{1,2}})"
            rf"(?:(?P=p{index})['’‘]?(?P<c{index}>{DIGIT}{{4}}|{DIGIT}{{1,2}}))?(?!{DIGIT})"
        )
    dates, two, four = dates_of(code), f"{DIGIT}{{2}}", f"{DIGIT}{{4}}"
    signs, number = dates.numerals, f"{DIGIT}{{1,2}}"
    patterns = {
        "d": dates.grammar.day if dates.grammar else number,
        "m": rf"(?:{_words(code, 'months')})(?:\.(?!\d))?",
        "x": "(?:X(?:II?)?|IX|IV|VI{0,3}|I{1,3})",
        "y": f"(?:{four}|{two})",
        "w": f"(?:{_words(code, 'weekdays')})",
        "s": f"(?:{_words(code, 'seasons')})",
        "q": f"(?:{_words(code, 'quarters')}|[1-4])",
        "k": number,
        "e": f"(?:{_or((f'(?:{two})?{DIGIT}[0０]', _words(code, 'decades')))})",
        "D": rf"{_WORDS}{{0,2}}?",
        "Y": rf"{_WORDS}{{0,6}}",
    }
    if signs:
        numeral = f"{signs.sign}{{1,5}}"
        patterns |= {"d": f"(?:{number}|{numeral})", "m": f"(?:{number}|(?!{signs.not_month}){numeral})"}
        patterns |= {"y": f"(?:{four}|{DIGIT}{{2,3}})", "z": signs.year}
    if compact:
        patterns |= {"d": two, "m": two, "y": four}
    name = {"x": "m", "z": "y", "D": "d", "Y": "y"}.get(role, role)
    return f"(?P<{name}{index}>{patterns[role]})"


def _form(text: str, code: str, compact: bool = False) -> Form:
    text = text.replace(TIME, time_of_day())
    pattern = re.compile(_SLOT.sub(lambda found: _slot(found[1], found[2], code, compact), text), re.IGNORECASE)
    names = [name for name in pattern.groupindex if name[1:].isdigit()]
    slots = [(name, name[0], int(name[1])) for name in names if name[0] in "dmywsqke"]
    numbers = [int(name[1]) for name in names if name[0] == "a"]
    return Form(pattern, tuple(slots), tuple(numbers), compact, "roc" in pattern.groupindex)


@functools.cache
def forms_of(code: str) -> tuple[Form, ...]:
    """The forms of a language."""
    dates = dates_of(code)
    forms = [_form(text, code) for text in (_european(dates.grammar) if dates.grammar else dates.forms)]
    forms += [_form(text, code, compact=True) for text in _COMPACT]
    return tuple(forms)
