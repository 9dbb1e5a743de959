"""What Chinese knows of numerals, dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, TIME, Ages, Dates, Found, Numerals, Phones, Places, Words, family

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


def _forms() -> tuple[str, ...]:
    o, link, day = r"\s{0,2}", r"\s{0,2}(?:-{1,2}|~|～|〜|至|到|—|、|及|和|－)\s{0,2}", "[日号號曰]"
    roc = rf"(?P<roc>(?:中華|中华)?(?:民國|民国)|民){o}"
    part = "(?:份|初|中旬|上旬|下旬|底|末|间|間|度|里|头|頭|尾)?"
    hour = rf"(?:{o}{DIGIT}{{1,2}}{o}[時时點点](?:{DIGIT}{{1,2}}分?|半|许)?)?"
    when = rf"(?:{o}(?:上午|下午|晚上?|凌晨|早上|中午|夜间|清晨|傍晚))?{hour}"
    past = "(?:(?:今|去|前|明|当|當|同|次)年)?"
    western = r"(?:(?:公元|西元)\s{0,2})?"
    weekday = r"(?:[,，]?\s{0,2}[(（]?(?:星期|礼拜|禮拜|周|週)<w0>[)）]?)?"
    month = "(?:本|上|下|同|当|當|这|這)(?:个|個)?月"
    full, z = f"<y0>{o}年{o}<m0>{o}月{o}<d0>{o}{day}?", "<z{}>"
    behind = "(?:度|初|底|末|间|間|前后|左右)?"
    return (
        f"{western}{full}{weekday}{when}{TIME}",
        f"<n0>{day}?{weekday}{TIME}",
        f"{western}<y0>{o}年{o}<m0>{o}月{part}",
        f"{past}{o}<m0>{o}月{o}<d0>{o}{day}?{weekday}{when}{TIME}",
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
    )  # fmt: skip


_WORDS = Words(
    (),
    (family("一 二 三 四 五 六 日"), family("一 二 三 四 五 六 天")),
    (family("冬 春 夏 秋"), family("冬天 春天 夏天 秋天"), family("冬季 春季 夏季 秋季")),
    quarters=(("一", "二", "三", "四"),),
)
_RELATIVE = r"""
        昨[天日晚]|今[天日晨晚早]|明[天日晚]|前[天日]|后天|後天|大前天|昨夜|今夜|当[天日]|當[天日]|次日|翌日|同日|[去今明前后後]年
        |[本上下](?:周|週|月|个月|個月|星期|礼拜|禮拜)
        |近?[0-9０-９一二三四五六七八九十两兩半几數数余多]{1,4}\s?(?:个|個|余|多)?
        (?:小时|小時|天|日余|周|週|星期|月|年余|年)(?:半|余|多)?(?:前|后|後|来|來|以来)?"""
_NUMERALS = Numerals(
    sign=SIGN,
    not_month="正",
    year="[〇○零Oo0一二三四五六七八九十百廿卅元壹贰]{1,6}",
    grouped="十百廿卅",
    zeros="〇○零",
    number=number,
    numeral=numeral,
    digits=digits,
)

DATES = Dates(
    words=_WORDS,
    forms=_forms(),
    before=re.compile(r"(?:于|於|自|从|從|在|至|到|约|約|日期)+[:：]?\s*"),
    relative=_RELATIVE,
    year_first=True,
    month_year="{year:04d}年{month}月",
    marks="年月",
    numerals=_NUMERALS,
    republic=("TW", "HANT"),
    latin="en-GB",
)


_SAID = "零一二三四五六七八九"
_NUMBER = re.compile(r"[一二三四五六七八九十百零〇两廿卅]+")
_COHORT = re.compile(r"(\d0|[一二三四五六七八九零][零十〇]) ?后")
_DECADES = {
    "弱冠": 20, "而立": 30, "不惑": 40, "知天命": 50, "花甲": 60, "古稀": 70, "耄耋": 80, "鲐背": 90, "期颐": 100,
}  # fmt: skip


def _numbers(text: str) -> list[Found]:
    found = [
        Found(at, at + len(word), years, years + 9, "person")
        for word, years in _DECADES.items()
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
        return int("".join(str(_SAID.index(character)) for character in text)) if 0 < len(text) < 4 else None
    match = re.fullmatch(
        "(?:([一二三四五六七八九]?)(百))?零?(?:([一二三四五六七八九]?)(十))?([一二三四五六七八九]?)", text
    )
    if not match:
        return None
    tens = (_SAID.index(match[3]) if match[3] else 1) if match[4] else 0
    hundreds = (_SAID.index(match[1]) if match[1] else 1) if match[2] else 0
    return 100 * hundreds + 10 * tens + (_SAID.index(match[5]) if match[5] else 0)


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


AGES = Ages(
    numbers=_numbers,
    born=_born,
    whole=_whole,
    latin="en",
    units=(("(?:个|個)?月", 12), ("[周週](?!岁|歲)", 52), ("天|日(?!岁|歲)", 365), ("小时|小時|分钟", 8_766)),
    between="~|至|到",
    general="[岁歲]?以上",
)


def _home(digits: str, zeros: int, _country: str) -> tuple[str, int]:
    return ("86" if len(digits) == 11 and digits[0] == "1" else ""), zeros


PHONES = Phones(home=_home)


PLACES = Places(postcode=re.compile(r"(?<!\d)\d{6}(?!\d)"))
