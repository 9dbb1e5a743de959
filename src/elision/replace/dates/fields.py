"""One field of a date: a day, a month, a year, read from what is written and written in the same way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from elision.languages.knowledge import Numerals
from elision.replace.dates.forms import ROMAN, dates_of, places, plain, words_of, years_in_words

Style = Literal["digits", "word", "roman", "signs", "roc", "roc-signs", "short-signs"]
_DIGITS = re.compile(r"([0-9０-９]+)(.*)", re.DOTALL)
_WIDE = {ord("0") + digit: ord("０") + digit for digit in range(10)}
_ROC = 1911
_LISTS = {"m": "months", "d": "numbers", "w": "weekdays", "s": "seasons", "q": "quarters"}
_LAST = {"d": 31, "m": 12, "q": 4, "k": 53}


@dataclass(slots=True)
class Field:
    """Which characters of the text say what, of the first (0) or second (1) date of the text.

    Roles are `d` day, `m` month, `y` year, `w` weekday (Monday is 0), `s` season, `q` quarter, `k` week, `e` decade.
    """

    role: str
    index: int
    start: int
    end: int
    text: str
    value: int
    style: Style = "digits"
    families: tuple[int, ...] = ()  # for words: those that would write it so

    @property
    def padded(self) -> bool | None:
        """Whether a zero fills the number up; None: two digits do not say it."""
        digits = len(self.text) - len(self.text.lstrip("0123456789０１２３４５６７８９"))
        if self.style != "digits" or digits > 2 or not digits:
            return None
        return False if digits == 1 else True if self.text[0] in "0０" else None


def century(short: int, latest: int | None) -> int:
    """A year of two digits in full: no later than ten years after `latest`; where that is unknown, 1940 to 2039."""
    if latest is None:
        return short + (2000 if short < 40 else 1900)
    return latest + 10 - (latest + 10 - short) % 100


def read_field(role: str, index: int, start: int, text: str, code: str, latest: int | None) -> Field | None:
    """The field that stands at `start`; None if its words or numbers can be none."""
    end = start + len(text)
    if text[0] in "0123456789０１２３４５６７８９" and not (role == "q" and len(text) > 1):
        found = _DIGITS.match(text)
        if found is None:
            return None
        digits = found[1]
        value = int(digits)
        if role == "y" and len(digits) == 3:
            return Field(role, index, start, end, text, value + _ROC, "roc")
        if role == "y" and len(digits) == 2:
            value = century(value, latest)
        elif role == "e" and len(digits) == 2:
            value += 2000 if value < 20 else 1900
        elif role == "y" and len(digits) != 4:
            return None
        return Field(role, index, start, end, text, value) if _can_be(role, value) else None
    if role == "m" and text.upper() in ROMAN:
        return Field(role, index, start, end, text, ROMAN.index(text.upper()) + 1, "roman")
    if (signs := dates_of(code).numerals) and role in "dmy":
        return _in_signs(role, index, start, text, latest, signs)
    if role == "y":
        year = years_in_words(code).get(plain(text).replace(" and ", " "))
        return Field(role, index, start, end, text, year, "word") if year else None
    if role == "e":
        tens = [plain(word) for word in words_of(code).decades]
        word = plain(text)
        return Field(role, index, start, end, text, 1920 + 10 * tens.index(word), "word") if word in tens else None
    where = places(code, _LISTS[role]).get(plain(text))
    if not where and role == "d":
        where = places(code, "numbers").get(plain(text).replace(" ", "-"))
    if not where:
        return None
    first = where[0][1] + (role in "dmq")
    return Field(role, index, start, end, text, first, "word", tuple(family for family, _ in where))


def _can_be(role: str, value: int) -> bool:
    return 1 <= value <= _LAST.get(role, 9999)


def _in_signs(role: str, index: int, start: int, text: str, latest: int | None, signs: Numerals) -> Field | None:
    value = signs.number(text)
    style: Style = "signs"
    if role == "y":
        if any(sign in signs.grouped for sign in text) or len(text) < 2:  # of the Republic, as the form has said
            style, value = "roc-signs", value + _ROC
        elif len(text) == 2:
            style, value = "short-signs", century(value, latest)
        elif len(text) != 4:
            return None
    if not _can_be(role, value) or (role == "y" and value <= _ROC and style == "roc-signs"):
        return None
    return Field(role, index, start, start + len(text), text, value, style)


def of_the_republic(field: Field, code: str) -> Field | None:
    """The same year, counted from 1912."""
    signs, number = dates_of(code).numerals, field.text.isdigit()
    if not signs:
        return None
    value = int(field.text) if number else signs.number(field.text)
    style: Style = "roc" if number else "roc-signs"
    if not 1 <= value < 200:
        return None
    return Field(field.role, field.index, field.start, field.end, field.text, value + _ROC, style)


def written(field: Field, value: int, code: str, pad: bool, family: int) -> str | None:
    """Another value as this one is written; `family` chooses among words, `pad` fills days and months with a zero."""
    old, signs = field.text, dates_of(code).numerals
    match field.style:
        case "roman":
            return _cased(ROMAN[value - 1], old)
        case "roc" | "roc-signs":
            if value <= _ROC or (field.style == "roc-signs" and value >= _ROC + 200):
                return None
            return signs.numeral(value - _ROC) if field.style != "roc" and signs else _wide(str(value - _ROC), old)
        case "signs" | "short-signs" if signs:
            if field.role == "y":
                zero = next((sign for sign in old if sign in signs.zeros), signs.zeros[0])
                return signs.digits(value % 100 if field.style == "short-signs" else value, zero, len(old))
            return signs.numeral(value)
        case "word":
            return _word(field, value, code, family)
    return _number(field, value, code, pad)


def _number(field: Field, value: int, code: str, pad: bool) -> str | None:
    behind = field.text.lstrip("0123456789０１２３４５６７８９")
    digits = field.text[: len(field.text) - len(behind)]
    if field.role in "ye":
        short = len(digits) < 4
        text = str(value % 100).zfill(2) if short else str(value).zfill(4)
        return _wide(text, digits) + behind
    return _wide(str(value).zfill(2 if pad else 1), digits) + _ordinal(behind, field.value, value, code)


def _ordinal(behind: str, old: int, new: int, code: str) -> str:
    """The ending of an ordinal number, for another number."""
    if not behind:
        return ""
    right = dates_of(code).ordinal(behind.strip().lower(), old, new)
    if not right:
        return behind if right is None else ""
    return behind.replace(behind.strip(), right.upper() if behind.strip().isupper() else right)


def _word(field: Field, value: int, code: str, family: int) -> str | None:
    words = words_of(code)
    if field.role == "y":
        write = dates_of(code).year
        return _cased(write(value), field.text) if write and 1900 <= value < 2100 else None
    if field.role == "e":
        return _cased(words.decades[value % 100 // 10 - 2], field.text) if 1920 <= value < 2000 else None
    row = getattr(words, _LISTS[field.role])[family]
    entry = row[value - (field.role in "dmq")]
    word = entry if isinstance(entry, str) else entry[0]
    if field.role == "d" and " " in field.text:
        word = word.replace("-", " ")
    dot = "." if field.text.endswith(".") and word not in words.undotted and plain(word) not in words.undotted else ""
    return _cased(word, field.text) + dot


def _cased(word: str, like: str) -> str:
    if like.isupper() and len(like) > 1:
        return word.upper()
    if like[0].isupper():
        return word[0].upper() + word[1:]
    return word.lower()


def _wide(text: str, like: str) -> str:
    return text.translate(_WIDE) if like[0] in "０１２３４５６７８９" else text
