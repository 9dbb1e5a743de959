"""The forms in which dates are written: one pattern each, tried in this order.

In a form, `<d0>` is the day of the first date, `<m1>` the month of the second, and so on (see `Field`); 9 is the last
date, whichever that is. `<n0>` is a date by numbers whose order is still to be told, `<x0>` a Roman month, `<D0>` a day
and `<Y0>` a year in words, `<z0>` a year in Chinese numerals. What stands between them is no field and stays as it is.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from elision.replace.dates.numbers import ZH_NUMERAL
from elision.replace.dates.words import words_of

_N = "[0-9０-９]"
_WORDS = r"[^\W\d_]+(?:[ -][^\W\d_]+)"
_SLOT = re.compile(r"<([A-Za-z])([0-9])>")
_TIME = (
    rf"(?:(?:\s*[,;T@]\s*|\s+(?:-\s*)?)(?:(?:at|a\s+las?|om|te)\s+)?(?:{_N}{{1,2}}[:.h]{_N}{{2}}(?:[:.]{_N}{{2}}"
    rf"(?:[.,]{_N}{{1,6}})?)?\s*(?:[ap]\.?m\.?|h(?:rs?|oras|ours)?\.?|uur|u\.?|Z|[+-]{_N}{{2}}:?{_N}{{2}})?"
    rf"|{_N}{{1,2}}\s*(?:[ap]\.?m\.?|h(?:rs?|oras)?\.?|uur|u\.?))|T{_N}{{4,6}}Z?)?"
)
_NUMBERS = r"[\s]{0,2}[-/.／．－]{1,2}\s{0,2}"


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern with its fields: group, role, index. `compact` is a date without anything between its numbers."""

    pattern: re.Pattern[str]
    slots: tuple[tuple[str, str, int], ...]
    numbers: tuple[int, ...]  # dates whose order of numbers is to be told
    compact: bool
    roc: bool


@dataclass(frozen=True, slots=True)
class Grammar:
    """What the forms of a language are made of."""

    day: str
    between: str  # links two dates of a range
    about: str  # may stand before a month or a year
    of: str  # from day to month
    year: str  # from month to year
    the: str  # from weekday to day


_GRAMMARS = {
    "en": Grammar(
        day=rf"{_N}{{1,2}}(?:\s?(?:st|nd|rd|th)\b)?",
        between=r"\s*(?:-|–|—|/|&|,|\b(?:to|and|or|through|thru|until|till)\b)\s*",
        about=r"(?:(?:early|mid|late|end|beginning|start|middle|in|since|circa|ca\.|c\.|about|around|the|of)[\s-]+)*",
        of=r"(?:[\s,./-]{0,3}(?:of\s+|day\s+of\s+|of\s+the\s+month\s+of\s+)?)",
        year=r"(?:[\s,./-]{0,3}(?:of\s+|in\s+)?)",
        the=r"\.?,?\s+(?:the\s+)?",
    ),
    "es": Grammar(
        day=rf"{_N}{{1,2}}(?:\s?(?:\.?[ºª°]|ero\b|ro\b|o\b))?",
        between=r"\s*(?:-|–|—|/|,|\b(?:al|a|y|e|o|u|hasta)\b)\s*(?:\b(?:el|al|los|en)\b\s*)?",
        about=r"(?:(?:a|en|desde|hacia|sobre|primeros|principios|mediados|finales|fines|final|inicios|comienzos|mes|de|del|"
        r"el|año)\s+)*",
        of=r"(?:[\s,./-]{0,3}(?:de\s+|del\s+)?(?:días\s+)?(?:(?:de\s+|del\s+)?mes\s+de\s+)?(?:de\s+)?)",
        year=r"(?:[\s,./-]{0,3}(?:de\s+l\s+|del\s+|de\s+)?(?:año\s+)?)",
        the=r"\.?,?\s+(?:(?:el\s+)?día\s+)?",
    ),
    "nl": Grammar(
        day=rf"{_N}{{1,2}}(?:\s?(?:ste|de|e)\b)?",
        between=r"\s*(?:-|–|—|/|,|&|\b(?:t/m|tot\s+en\s+met|tot|en|of|op|à|t\.?e\.?m\.?)(?:\b|(?<=\.)))\s*(?:\bde\b\s*)?",
        about=r"(?:(?:half|begin|eind|einde|medio|midden|laatste\s+week|van|de|rond|sinds|in|maand)\s+)*",
        of=r"(?:[\s,./-]{0,3}(?:van\s+)?)",
        year=r"(?:[\s,./-]{0,3}(?:van\s+)?)",
        the=r"\.?,?\s+(?:de\s+)?",
    ),
}
_YEAR = "['’‘]?<y{}>"
_LIKELY = rf"(?=['’‘]|(?:1[89]|2[01]){_N}{{2}})"  # of a year that stands alone


def _european(code: str) -> list[str]:
    """Forms with words between day, month and year."""
    g = _GRAMMARS[code]
    link, of, year, about, apart = g.between, g.of, g.year, g.about, r"[\s,./-]{0,3}"
    weekday = rf"(?:<w0>{g.the})?"
    y = [_YEAR.format(index) for index in range(10)]
    part = r"(?:s\b|ochtend|morgen|middag|avond|nacht|\s+(?:night|morning|evening|afternoon))?"
    weekdays = rf"<w0>\.?{part}(?:{link}<w1>\.?)?"
    decades = {
        "en": r"(?:the\s+)?['’‘]?<e0>(?:['’]?s|(?<=ies))",
        "es": r"(?:a[ñn]os|d[eé]cada\s+de(?:\s+los(?:\s+años)?)?)\s+['’‘]?<e0>",
        "nl": r"jaren\s?['’‘]?<e0>",
    }[code]
    named = {"en": "quarter", "es": "trimestre", "nl": "kwartaal"}[code]
    quarter = rf"[QT]?<q0>(?:\s+{named}|(?<=[QT][1-4]))"
    week = {"en": "week", "es": "semana", "nl": "w(?:ee)?k"}[code]
    forms = [
        rf"{weekday}<n0>{_TIME}",
        rf"{weekday}<d0>{of}<m0>(?:{year}{y[0]})?{_TIME}",
        rf"{weekday}<d0>[-/.\s]<x0>[-/.\s]{y[0]}{_TIME}",
    ]
    if code == "en":
        forms += [
            rf"{weekday}<m0>{apart}(?:the\s+)?<d0>(?:(?:[\s,./-]{{1,3}}(?={_N}{{4}})|,?\s*['’‘]|,\s+)<y0>)?{_TIME}",
            rf"<m0>{apart}<d0>{link}<d1>(?:{link}<d2>)?(?:{link}<d3>)?(?:[\s,-]{{1,3}}{y[9]})?",
            rf"<m0>{apart}<d0>(?:,?\s{y[0]})?{link}<m1>{apart}<d1>(?:,?\s{y[1]})?",
            rf"<m0>\s+(?:the\s+)?<D0>(?:,?\s+{y[0]})?",
        ]
    forms += [
        rf"{about}<m0>{year}{y[0]}",
        rf"{about}{y[0]}[\s/-]<m0>(?:[\s/-]<d0>)?{_TIME}",
        rf"{about}<m0>\.?",
        r"<d0>\.?",
        rf"{about}{_LIKELY}{y[0]}(?:-present)?",
        "(?:año\\s+)?<y0>",
        rf"{about}(?=['’‘]|(?:1[89]|2[01]){_N}{{2}}){y[0]}{link}{y[1]}(?:{link}{y[2]})?(?:{link}{y[3]})?(?:{link}{y[4]})?",
        rf"<n0>{link}<n1>",
        rf"<d0>{link}<d1>(?:{link}<d2>)?(?:{link}<d3>)?(?:{link}<d4>)?{of}<m9>(?:{year}{y[9]})?",
        rf"<d0>{of}<m0>(?:{year}{y[0]})?{link}<d1>{of}<m1>(?:{year}{y[1]})?",
        rf"<m0>(?:{year}{y[0]})?{link}<m1>(?:{year}{y[1]})?",
        weekdays,
        rf"{about}<s0>(?:{year}{y[0]})?",
        rf"{about}{decades}",
        rf"<w0>{g.the}<d0>",
        rf"{quarter}(?:{year}{y[0]})?",
        rf"{y[0]}[\s-]?Q<q0>",
        rf"{week}\s+<k0>(?:{year}{y[0]})?",
        rf"FY\s?{y[0]}",
        rf"(?:the\s+|de\s+|el\s+)?<D0>{of}<m0>(?:{year}{y[0]})?",
        rf"<D0>{of}<m0>{year}<Y0>",
        rf"<d0>{of}<m0>{year}<Y0>",
        rf"<m0>{year}<Y0>",
        "<Y0>",
    ]
    return forms


def _chinese() -> list[str]:
    o, link, day = r"\s{0,2}", r"\s{0,2}(?:-{1,2}|~|～|〜|至|到|—|、|及|和|－)\s{0,2}", "[日号號曰]"
    roc = rf"(?P<roc>(?:中華|中华)?(?:民國|民国)|民){o}"
    part = "(?:份|初|中旬|上旬|下旬|底|末|间|間|度|里|头|頭|尾)?"
    hour = rf"(?:{o}{_N}{{1,2}}{o}[時时點点](?:{_N}{{1,2}}分?|半|许)?)?"
    when = rf"(?:{o}(?:上午|下午|晚上?|凌晨|早上|中午|夜间|清晨|傍晚))?{hour}"
    past = "(?:(?:今|去|前|明|当|當|同|次)年)?"
    western = r"(?:(?:公元|西元)\s{0,2})?"
    weekday = r"(?:[,，]?\s{0,2}[(（]?(?:星期|礼拜|禮拜|周|週)<w0>[)）]?)?"
    month = "(?:本|上|下|同|当|當|这|這)(?:个|個)?月"
    full, z = f"<y0>{o}年{o}<m0>{o}月{o}<d0>{o}{day}?", "<z{}>"
    behind = "(?:度|初|底|末|间|間|前后|左右)?"
    return [
        f"{western}{full}{weekday}{when}{_TIME}",
        f"<n0>{day}?{weekday}{_TIME}",
        f"{western}<y0>{o}年{o}<m0>{o}月{part}",
        f"{past}{o}<m0>{o}月{o}<d0>{o}{day}?{weekday}{when}{_TIME}",
        f"{past}{o}<m0>{o}月{part}",
        f"{western}<y0>{o}年{behind}",
        rf"(?=(?:1[89]|2[01])\d\d)<y0>{o}年?",
        f"{roc}<y0>{o}年{o}(?:<m0>{o}月{o}(?:<d0>{o}{day}|{part})|{behind})",
        f"{roc}<n0>",
        f"{roc}{z.format(0)}年(?:<m0>月(?:<d0>{day}|{part})|{behind})",
        f"{z.format(0)}年(?:<m0>月(?:<d0>{day}{when}|{part})|{behind})",
        f"{past}<m0>月<d0>{day}{when}",
        f"{past}<m0>月{part}",
        f"<y0>{o}年{o}<m0>{o}月{o}<d0>{o}{day}?{link}<y1>{o}年{o}<m1>{o}月{o}<d1>{o}{day}?",
        f"<y0>{o}年{o}<m0>{o}月{o}<d0>{o}{day}?{link}(?:<m1>{o}月{o})?<d1>{o}{day}?",
        f"<m0>{o}月{o}<d0>{o}{day}?{link}(?:<m1>{o}月{o})?<d1>{o}{day}?",
        f"<y0>年<m0>月{link}(?:<y1>年)?<m1>月", f"<m0>月?{link}<m1>月", f"<n0>{link}<n1>", f"<y0>年?{link}<y1>年?",
        f"<d0>{day}{when}", f"{month}{o}<d0>{day}?(?:{link}<d1>{day}?)?{when}",
        "(?:[本上下这這](?:个|個)?)?(?:星期|礼拜|禮拜|周|週)<w0>(?:上午|下午|晚)?",
        "<y0>年?<s0>", f"{past}<s0>", "(?:(?:20|二十)世[纪紀])?<e0>年代", "<y0>年第?<q0>季度",
    ]  # fmt: skip


_COMPACT = [rf"<y0><m0><d0>{_TIME}", rf"<n0>{_TIME}"]


def _words(code: str, kind: str) -> str:
    found = {
        word
        for family in getattr(words_of(code), kind)
        for entry in ((family,) if isinstance(family, str) else family)
        for word in ((entry,) if isinstance(entry, str) else entry)
    }
    return "|".join(re.escape(word) for word in sorted(found, key=lambda word: (-len(word), word)))


def _slot(role: str, index: str, code: str, compact: bool) -> str:
    """The pattern of a field."""
    if role == "n":
        if compact:
            return rf"(?P<a{index}>{_N}{{2}})(?P<b{index}>{_N}{{2}})(?P<c{index}>{_N}{{4}}|{_N}{{2}})"
        return (
            rf"(?P<a{index}>{_N}{{1,4}})(?P<p{index}>{_NUMBERS}|\s)(?P<b{index}>{_N}{{4}}|{_N}{{1,2}})"
            rf"(?:(?P=p{index})['’‘]?(?P<c{index}>{_N}{{4}}|{_N}{{1,2}}))?(?!{_N})"
        )
    numeral = f"{ZH_NUMERAL}{{1,5}}"
    two, four = f"{_N}{{2}}", f"{_N}{{4}}"
    chinese = code == "zh"
    patterns = {
        "d": f"(?:{_N}{{1,2}}|{numeral})" if chinese else _GRAMMARS[code].day,
        "m": f"(?:{_N}{{1,2}}|(?!正){numeral})" if chinese else rf"(?:{_words(code, 'months')})(?:\.(?!\d))?",
        "x": "(?:X(?:II?)?|IX|IV|VI{0,3}|I{1,3})",
        "y": f"(?:{four}|{_N}{{2,3}})" if chinese else f"(?:{four}|{two})",
        "z": "[〇○零Oo0一二三四五六七八九十百廿卅元壹贰]{1,6}",
        "w": f"(?:{_words(code, 'weekdays')})",
        "s": f"(?:{_words(code, 'seasons')})",
        "q": f"(?:{_words(code, 'quarters')}|[1-4])",
        "k": f"{_N}{{1,2}}",
        "e": f"(?:(?:{two})?{_N}[0０]" + ("" if chinese else f"|{_words(code, 'decades')}") + ")",
        "D": rf"{_WORDS}{{0,2}}?",
        "Y": rf"{_WORDS}{{0,6}}",
    }
    if compact:
        patterns |= {"d": two, "m": two, "y": four}
    name = {"x": "m", "z": "y", "D": "d", "Y": "y"}.get(role, role)
    return f"(?P<{name}{index}>{patterns[role]})"


def _form(text: str, code: str, compact: bool = False) -> Form:
    pattern = re.compile(_SLOT.sub(lambda found: _slot(found[1], found[2], code, compact), text), re.IGNORECASE)
    names = [name for name in pattern.groupindex if name[1:].isdigit()]
    slots = [(name, name[0], int(name[1])) for name in names if name[0] in "dmywsqke"]
    numbers = [int(name[1]) for name in names if name[0] == "a"]
    return Form(pattern, tuple(slots), tuple(numbers), compact, "roc" in pattern.groupindex)


@functools.cache
def forms_of(code: str) -> tuple[Form, ...]:
    """The forms of a language."""
    forms = [_form(text, code) for text in (_european(code) if code in _GRAMMARS else _chinese())]
    forms += [_form(text, code, compact=True) for text in _COMPACT]
    return tuple(forms)
