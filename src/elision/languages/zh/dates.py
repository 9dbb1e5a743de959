"""What Chinese knows of dates."""

from __future__ import annotations

import re

from elision.languages.dates import DIGIT, TIME, Dates, Numerals, Words, family
from elision.languages.zh.numerals import SIGN, digits, number, numeral


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
