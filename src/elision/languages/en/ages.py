"""What English knows of ages."""

from __future__ import annotations

from elision.languages.ages import MOST, Ages, Said

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN_NTH = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth"
)
_STEMS = {
    "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70, "octogenarian": 80,
    "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110, "super-centenarian": 110, "teens": 10,
    "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
    "nineties": 90,
}  # fmt: skip
_GRADES = {"kindergarten": 5, "kindergartener": 5, "kindergartner": 5, "preschooler": 4, "toddler": 2}


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in english(value)}
    return known | {said: (value, value, "nth") for value in range(1, MOST + 1) for said in _ordinals(value)}


def english(value: int) -> list[str]:
    ones = [*_EN.split(), "eighteen", "nineteen"]
    if value < 20:
        return [ones[value]]
    if value < 100:
        ten = _EN_TENS.split()[value // 10 - 2]
        return [f"{ten} {ones[value % 10]}", f"{ten}{ones[value % 10]}"] if value % 10 else [ten]
    if value == 100:
        return ["hundred", "one hundred", "a hundred"]
    rests = english(value - 100)
    return [f"{hundred} {rest}" for rest in rests for hundred in ("one hundred", "one hundred and", "a hundred and")]


def _ordinals(value: int) -> list[str]:
    ones = [*_EN_NTH.split(), "eighteenth", "nineteenth"]
    if value < 20:
        return [ones[value]]
    if value < 100:
        ten = _EN_TENS.split()[value // 10 - 2]
        return [f"{ten} {ones[value % 10]}"] if value % 10 else [ten[:-1] + "ieth"]
    if value == 100:
        return ["hundredth", "one hundredth"]
    return [f"{hundred} {rest}" for rest in _ordinals(value - 100) for hundred in ("one hundred", "one hundred and")]


def _group(kind: str, least: int) -> str:
    if kind == "decade":
        return f"{least}s or beyond" if least % 10 == 0 else f"{least}+"
    return f"{least}+-year-old"


AGES = Ages(
    words=_words,
    stems={
        stem: (years, "decade" if stem.endswith("ies") or stem == "teens" else "person")
        for stem, years in _STEMS.items()
    },
    stages=_GRADES,
    group=_group,
    nth="{}th-or-later",
)
