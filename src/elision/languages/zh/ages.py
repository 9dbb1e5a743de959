"""What Chinese knows of ages."""

from __future__ import annotations

import re

from elision.languages.ages import Ages, Found

_DIGITS = "零一二三四五六七八九"
_NUMBER = re.compile(r"[一二三四五六七八九十百零〇两廿卅]+")
_COHORT = re.compile(r"(\d0|[一二三四五六七八九零][零十〇]) ?后")
_WORDS = {
    "弱冠": 20, "而立": 30, "不惑": 40, "知天命": 50, "花甲": 60, "古稀": 70, "耄耋": 80, "鲐背": 90, "期颐": 100,
}  # fmt: skip


def _numbers(text: str) -> list[Found]:
    found = [
        Found(at, at + len(word), years, years + 9, "person")
        for word, years in _WORDS.items()
        if (at := text.find(word)) >= 0
    ]
    for match in _NUMBER.finditer(text):
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
        return int("".join(str(_DIGITS.index(character)) for character in text)) if 0 < len(text) < 4 else None
    match = re.fullmatch(
        "(?:([一二三四五六七八九]?)(百))?零?(?:([一二三四五六七八九]?)(十))?([一二三四五六七八九]?)", text
    )
    if not match:
        return None
    tens = (_DIGITS.index(match[3]) if match[3] else 1) if match[4] else 0
    hundreds = (_DIGITS.index(match[1]) if match[1] else 1) if match[2] else 0
    return 100 * hundreds + 10 * tens + (_DIGITS.index(match[5]) if match[5] else 0)


def _born(text: str) -> int | None:
    """九零后 are born in the nineties."""
    found = _COHORT.fullmatch(text)
    if not found:
        return None
    return int(found[1]) if found[1].isdecimal() else chinese_number(found[1].replace("十", "零")) or 0


def _whole(text: str, least: int) -> str:
    years = "歲" if "歲" in text else "岁"
    who = re.search("老人|老翁|老妇|老婦|老妪|老嫗", text)
    return f"{least}{years}以上{who[0] if who else ''}"


AGES = Ages(numbers=_numbers, born=_born, whole=_whole, latin="en")
