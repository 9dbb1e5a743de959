"""Numbers as they stand in ages, written with digits or in words of English, Spanish, Dutch and Chinese."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

MOST = 129  # years that words can say

_EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_EN_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_EN_NTH = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
    "fifteenth sixteenth seventeenth"
)
_ES = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
_ES_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_NL = (
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien negentien"
)
_NL_NTH = "nulde eerste tweede derde vierde vijfde zesde zevende achtste"
_NL_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_ZH = "零一二三四五六七八九"

# Decades of life by a word; what begins so is as many years old as stands there, or up to nine more.
_DECADES = {
    "en": {
        "quadragenarian": 40, "quinquagenarian": 50, "sexagenarian": 60, "septuagenarian": 70, "octogenarian": 80,
        "nonagenarian": 90, "centenarian": 100, "supercentenarian": 110, "super-centenarian": 110, "teens": 10,
        "twenties": 20, "thirties": 30, "forties": 40, "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80,
        "nineties": 90,
    },
    "es": {
        "quinceañer": 15, "veinteañer": 20, "treintañer": 30, "cuadragenari": 40, "cuarentón": 40, "cuarenton": 40,
        "quincuagenari": 50, "cincuentón": 50, "cincuenton": 50, "sexagenari": 60, "sesentón": 60, "sesenton": 60,
        "septuagenari": 70, "octogenari": 80, "nonagenari": 90, "centenari": 100, "supercentenari": 110,
    },
    "nl": {
        "twintiger": 20, "dertiger": 30, "veertiger": 40, "vijftiger": 50, "zestiger": 60, "zeventiger": 70,
        "tachtiger": 80, "negentiger": 90, "honderdjarige": 100, "eeuweling": 100,
    },
    "zh": {
        "弱冠": 20, "而立": 30, "不惑": 40, "知天命": 50, "花甲": 60, "古稀": 70, "耄耋": 80, "鲐背": 90, "期颐": 100,
    },
}  # fmt: skip
_GRADES = {"kindergarten": 5, "kindergartener": 5, "kindergartner": 5, "preschooler": 4, "toddler": 2}
_NTH_ES = "primera segunda tercera cuarta quinta sexta séptima octava novena décima undécima duodécima"

_DIGITS = re.compile(r"(\d{1,4})(?:[.,;]\d{1,2}(?!\d)|½)?", re.ASCII)
_PART = re.compile(r"(\d{1,3}) ?/ ?(12|52|365|7)(?!\d)(?:ths?)?", re.ASCII)  # 7/12: seven months
_SCANNED = re.compile(r"(?<![^\W_])(?=\w*[\dO])[\dlIO][\dlIOo](?![^\W\d_][^\W_]|\d|[lIOo])")
_WORD = re.compile(r"[^\W\d_]+")
_ZH_NUMBER = re.compile(r"[一二三四五六七八九十百零〇两廿卅]+")


class Found(NamedTuple):
    """A number in a text: from `start` to `end`, at least `low` and at most `high`."""

    start: int
    end: int
    low: float
    high: float
    kind: str = ""  # decade, person, nth, part


def numbers(text: str, language: str) -> list[Found]:
    """The numbers in a folded text, by place; words in one language."""
    found = [*_by_digits(text)]
    taken = {at for one in found for at in range(one.start, one.end)}
    more = _chinese(text) if language == "zh" else [*_by_words(text.lower(), language)]
    return sorted([*found, *(one for one in more if one.start not in taken)])


def _by_digits(text: str) -> list[Found]:
    found = [
        Found(match.start(), match.end(), int(match[1]) / int(match[2]), int(match[1]) / int(match[2]), "part")
        for match in _PART.finditer(text)
    ]
    taken = {at for one in found for at in range(one.start, one.end)}
    for match in _SCANNED.finditer(text):
        if not match[0].isdigit() and match.start() not in taken:
            value = int(match[0].translate(str.maketrans("OolI", "0011")))
            found.append(Found(*match.span(), value, value))
            taken.update(range(*match.span()))
    return found + [_digits(match, text) for match in _DIGITS.finditer(text) if match.start() not in taken]


def _digits(match: re.Match[str], text: str) -> Found:
    value = int(match[1])
    tail = text[match.end() : match.end() + 3].lower()
    decade = re.match(r"['’]?s\b", tail) is not None and value % 10 == 0
    nth = re.match(r"(?:st|nd|rd|th|ste|de|e)\b", tail) is not None
    return Found(*match.span(), value, value + 9 * decade, "decade" if decade else "nth" if nth else "")


def _by_words(text: str, language: str) -> list[Found]:
    """Numbers in words: the longest run of words that says one."""
    words = [*_WORD.finditer(text)]
    known = _words(language)
    found = []
    at = 0
    while at < len(words):
        for size in range(min(5, len(words) - at), 0, -1):
            said = " ".join(word[0] for word in words[at : at + size])
            value = known.get(said)
            if value is not None:
                found.append(Found(words[at].start(), words[at + size - 1].end(), *value))
                at += size
                break
        else:
            one = _single(words[at], language)
            found += [one] if one else []
            at += 1
    return found


def _single(word: re.Match[str], language: str) -> Found | None:
    """A word that says an age by itself, or begins with a number."""
    start, end = word.span()
    if language == "nl" and (match := re.match(r"(.+?)jarige?n?$", word[0])):
        value = _words("nl").get(match[1])
        if value and match[1] != "honderd":
            return Found(start, start + len(match[1]), value[0], value[1])
    for stem, years in _DECADES.get(language, {}).items():
        if word[0].startswith(stem) and len(word[0]) - len(stem) < 3:
            return Found(
                start, end, years, years + 9, "decade" if stem.endswith("ies") or stem == "teens" else "person"
            )
    if language == "en" and word[0] in _GRADES:
        return Found(start, end, _GRADES[word[0]], _GRADES[word[0]])
    return None


def _chinese(text: str) -> list[Found]:
    found = [
        Found(at, at + len(word), years, years + 9, "person")
        for word, years in _DECADES["zh"].items()
        if (at := text.find(word)) >= 0
    ]
    for match in _ZH_NUMBER.finditer(text):
        value = chinese_number(match[0])
        if value is not None and text[match.end() : match.end() + 1] == "旬" and value < 10:
            found.append(Found(match.start(), match.end() + 1, 10 * value, 10 * value + 9, "decade"))
        elif value is not None:
            found.append(Found(*match.span(), value, value))
    tens = [(match, 10 * int(match[1])) for match in re.finditer(r"(\d)0?旬", text)]
    return found + [Found(*match.span(), value, value + 9, "decade") for match, value in tens]


def chinese_number(text: str) -> int | None:
    """一百零二 as 102, 九十二 as 92, 八零 as 80; None for what is no number below 1,000."""
    text = text.replace("〇", "零").replace("两", "二").replace("廿", "二十").replace("卅", "三十")
    if not re.search("[十百]", text):
        return int("".join(str(_ZH.index(character)) for character in text)) if 0 < len(text) < 4 else None
    match = re.fullmatch(
        "(?:([一二三四五六七八九]?)(百))?零?(?:([一二三四五六七八九]?)(十))?([一二三四五六七八九]?)", text
    )
    if not match:
        return None
    tens = (_ZH.index(match[3]) if match[3] else 1) if match[4] else 0
    hundreds = (_ZH.index(match[1]) if match[1] else 1) if match[2] else 0
    return 100 * hundreds + 10 * tens + (_ZH.index(match[5]) if match[5] else 0)


@cache
def _words(language: str) -> dict[str, tuple[float, float, str]]:
    """The numbers of a language in words, as their least, most and kind."""
    known: dict[str, tuple[float, float, str]] = {}
    table = {"en": _english, "es": _spanish, "nl": _dutch}.get(language)
    for value in range(MOST + 1):
        for said in table(value) if table else ():
            known[said] = (value, value, "")
    if language == "en":
        for value in range(1, MOST + 1):
            known |= dict.fromkeys(_ordinals(value), (value, value, "nth"))
    if language == "es":
        known["un"] = known["una"] = (1, 1, "")
        for place, nth in enumerate(_NTH_ES.split()):
            for said in (nth, _bare(nth)):
                for decade in ("década", "decada"):
                    known[f"{said} {decade}"] = (10 * place, 10 * place + 9, "decade")
    if language == "nl":
        known["één"] = (1, 1, "")
        for value in range(1, MOST + 1):
            known |= dict.fromkeys(_dutch_ordinals(value), (value, value, "nth"))
        for at, ten in enumerate(_NL_TENS.split(), 2):
            for said in (f"begin {ten}", f"midden {ten}", f"eind {ten}", f"half {ten}", f"medio {ten}"):
                known[said] = (10 * at, 10 * at + 9, "decade")
            for said in (f"in de {ten}", f"ver in de {ten}", f"rond de {ten}", f"tegen de {ten}"):
                known[said] = (10 * at, 10 * at + 9, "decade")
    return known


def _english(value: int) -> list[str]:
    ones = [*_EN.split(), "eighteen", "nineteen"]
    if value < 20:
        return [ones[value]]
    if value < 100:
        ten = _EN_TENS.split()[value // 10 - 2]
        return [f"{ten} {ones[value % 10]}", f"{ten}{ones[value % 10]}"] if value % 10 else [ten]
    if value == 100:
        return ["hundred", "one hundred", "a hundred"]
    rests = _english(value - 100)
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


def _spanish(value: int) -> list[str]:
    low = _ES.split()
    if value < 30:
        said = low[value]
    elif value < 100:
        ten = _ES_TENS.split()[value // 10 - 3]
        said = f"{ten} y {low[value % 10]}" if value % 10 else ten
    elif value == 100:
        return ["cien"]
    else:
        return [f"ciento {rest}" for rest in _spanish(value - 100)]
    cut = [said[:-1], said[:-1].replace("veintiun", "veintiún")] if said.endswith("uno") else []
    return [said, _bare(said), *cut]


def _dutch_ordinals(value: int) -> list[str]:
    """derde, dertiende, eenentwintigste, honderdtweede."""
    few, last = _NL_NTH.split(), value % 100
    if 0 < last < len(few):
        return [few[last]] if value < 100 else ["honderd" + few[last], "honderd" + "en" + few[last]]
    return [f"{one}{'de' if 0 < last < 20 else 'ste'}" for one in _dutch(value)]


def _dutch(value: int) -> list[str]:
    low = _NL.split()
    if value < 20:
        return [low[value]]
    if value < 100:
        ten, one = _NL_TENS.split()[value // 10 - 2], low[value % 10]
        return [f"{one}en{ten}", f"{one}ën{ten}"] if value % 10 else [ten]
    rests = _dutch(value - 100) if value > 100 else [""]
    return (
        [f"honderd{link}{rest}" for rest in rests for link in ("", "en", " ", "en ", " en ")]
        if rests != [""]
        else ["honderd"]
    )


def _bare(word: str) -> str:
    return word.translate(str.maketrans("áéíóú", "aeiou"))
