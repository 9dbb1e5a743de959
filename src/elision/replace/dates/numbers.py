"""Years in words and Chinese numerals."""

from __future__ import annotations

import functools

from elision.replace.dates.words import listed, plain, words_of

_ZH = "〇一二三四五六七八九"
_ZH_VALUES = {sign: value for value, sign in enumerate(_ZH)} | {
    "零": 0, "○": 0, "O": 0, "o": 0, "0": 0, "两": 2, "兩": 2, "元": 1, "正": 1, "壹": 1, "贰": 2,
}  # fmt: skip
ZH_NUMERAL = "[〇○零一二三四五六七八九十百两兩廿卅元正壹贰]"


def zh_number(text: str) -> int:
    """二十三, 廿三, 一百零九, 元; 二〇二〇 digit by digit. -1: no number."""
    if not any(sign in "十百廿卅" for sign in text):
        if not text or any(sign not in _ZH_VALUES for sign in text):
            return -1
        return int("".join(str(_ZH_VALUES[sign]) for sign in text))
    text = text.replace("廿十", "二十").replace("廿", "二十").replace("卅", "三十")
    hundreds, hundred, rest = text.partition("百")
    if not hundred:
        hundreds, rest = "", text
    tens, ten, ones = rest.lstrip("零〇○").partition("十")
    if not ten:
        tens, ones = "", tens
    parts = [_ZH_VALUES.get(part, -1) if part else default for part, default in (
        (hundreds, 1 if hundred else 0), (tens, 1 if ten else 0), (ones, 0),
    )]  # fmt: skip
    return -1 if -1 in parts else 100 * parts[0] + 10 * parts[1] + parts[2]


def zh_numeral(value: int) -> str:
    """1 to 199 as it is said: 二十三, 一百零九."""
    hundreds, rest = divmod(value, 100)
    tens, ones = divmod(rest, 10)
    text = _ZH[hundreds] + "百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _ZH[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (_ZH[ones] if ones else "")


def zh_digits(value: int, zero: str, width: int) -> str:
    return "".join(zero if sign == "0" else _ZH[int(sign)] for sign in str(value).zfill(width))


def es_year(year: int) -> str:
    """1900 to 2099 in words."""
    head, rest = ("mil novecientos", year - 1900) if year < 2000 else ("dos mil", year - 2000)
    return f"{head} {_es_number(rest)}" if rest else head


def _es_number(value: int) -> str:
    if value <= 30:
        return words_of("es").numbers[0][value - 1]
    tens = listed("treinta cuarenta cincuenta sesenta setenta ochenta noventa")[value // 10 - 3]
    return f"{tens} y {words_of('es').numbers[0][value % 10 - 1]}" if value % 10 else tens


def en_year(year: int) -> str:
    """1910 to 2099 in words: nineteen ninety-eight, two thousand six."""
    ones = listed("one two three four five six seven eight nine")
    teens = listed("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
    tens = listed("twenty thirty forty fifty sixty seventy eighty ninety")
    head, rest = ("nineteen", year - 1900) if year < 2000 else ("twenty", year - 2000)
    if rest < 10:
        head = "nineteen hundred" if year < 2000 else "two thousand"
        return f"{head} {ones[rest - 1]}" if rest else head
    if rest < 20:
        return f"{head} {teens[rest - 10]}"
    return f"{head} {tens[rest // 10 - 2]}" + (f"-{ones[rest % 10 - 1]}" if rest % 10 else "")


@functools.cache
def years_in_words(code: str) -> dict[str, int]:
    write = {"es": es_year, "en": en_year}.get(code)
    return {plain(write(year)): year for year in range(1900, 2100)} if write else {}


def year_in_words(code: str, year: int) -> str | None:
    return {"es": es_year, "en": en_year}[code](year) if 1900 <= year < 2100 else None
