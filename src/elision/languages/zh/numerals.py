"""Chinese numerals, as dates have them."""

from __future__ import annotations

_DIGITS = "〇一二三四五六七八九"
_VALUES = {sign: value for value, sign in enumerate(_DIGITS)} | {
    "零": 0, "○": 0, "O": 0, "o": 0, "0": 0, "两": 2, "兩": 2, "元": 1, "正": 1, "壹": 1, "贰": 2,
}  # fmt: skip
SIGN = "[〇○零一二三四五六七八九十百两兩廿卅元正壹贰]"


def number(text: str) -> int:
    """二十三, 廿三, 一百零九, 元; 二〇二〇 digit by digit. -1: no number."""
    if not any(sign in "十百廿卅" for sign in text):
        if not text or any(sign not in _VALUES for sign in text):
            return -1
        return int("".join(str(_VALUES[sign]) for sign in text))
    text = text.replace("廿十", "二十").replace("廿", "二十").replace("卅", "三十")
    hundreds, hundred, rest = text.partition("百")
    if not hundred:
        hundreds, rest = "", text
    tens, ten, ones = rest.lstrip("零〇○").partition("十")
    if not ten:
        tens, ones = "", tens
    parts = [_VALUES.get(part, -1) if part else default for part, default in (
        (hundreds, 1 if hundred else 0), (tens, 1 if ten else 0), (ones, 0),
    )]  # fmt: skip
    return -1 if -1 in parts else 100 * parts[0] + 10 * parts[1] + parts[2]


def numeral(value: int) -> str:
    """1 to 199 as it is said: 二十三, 一百零九."""
    hundreds, rest = divmod(value, 100)
    tens, ones = divmod(rest, 10)
    text = _DIGITS[hundreds] + "百" if hundreds else ""
    if tens:
        text += ("" if tens == 1 and not hundreds else _DIGITS[tens]) + "十"
    elif hundreds and ones:
        text += "零"
    return text + (_DIGITS[ones] if ones else "")


def digits(value: int, zero: str, width: int) -> str:
    return "".join(zero if sign == "0" else _DIGITS[int(sign)] for sign in str(value).zfill(width))
