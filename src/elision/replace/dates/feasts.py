"""Feasts and other days with a name, and the season that stands for them where they may not be told.

Feasts that wander through the year (Ramadan) have none.
"""

from __future__ import annotations

import functools

from elision.replace.dates.words import plain, words_of

# For each language: those of winter, of spring, of summer, of autumn. Chinese: the months of the lunar calendar and the
# solar terms as well.
_FEASTS = {
    "en": (
        """christmas eve | christmas day | christmas | xmas | boxing day | new year's eve | new year's day |
        new years | new year | new year's | valentine's day | australia day | presidents' day |
        martin luther king day | epiphany""",
        """easter sunday | easter monday | easter | good friday | anzac day | mother's day | passover |
        memorial day | may day | pentecost""",
        """4th of july | fourth of july | july 4th | independence day | father's day | canada day | juneteenth""",
        """halloween | thanksgiving | thanksgiving day | labor day | columbus day | veterans day | remembrance day |
        all saints' day""",
    ),
    "es": (
        """nochebuena | navidad | navidades | nochevieja | año nuevo | día de año nuevo | reyes | día de reyes |
        candelaria | san valentín | puente de la constitución | día de la constitución | la inmaculada""",
        """semana santa | pascua | domingo de ramos | domingo de resurrección | jueves santo | viernes santo |
        lunes de pascua | puente de mayo | día de la madre | día del trabajo | san josé | fallas | día del padre""",
        """san juan | san fermín | día de santiago | la asunción | noche de san juan | ferragosto""",
        """día de muertos | día de los muertos | todos los santos | día de todos los santos | el pilar |
        día del pilar | día de la hispanidad | halloween""",
    ),
    "nl": (
        """kerst | kerstmis | kerstavond | kerstnacht | kerstdagen | kerstvakantie | kerstweekend | eerste kerstdag |
        tweede kerstdag | 1e kerstdag | 2e kerstdag | oudejaarsavond | oudejaarsdag | oudjaar | oud en nieuw |
        oud-en-nieuw | nieuwjaar | nieuwjaarsdag | nieuwjaarsnacht | sinterklaas | sinterklaasavond |
        pakjesavond | driekoningen | carnaval | krokusvakantie | voorjaarsvakantie""",
        """pasen | eerste paasdag | tweede paasdag | 1e paasdag | 2e paasdag | paasmaandag | paaszondag |
        paasweekend | paasvakantie | goede vrijdag | witte donderdag | hemelvaart | hemelvaartsdag | pinksteren |
        pinkstermaandag | pinksterweekend | eerste pinksterdag | tweede pinksterdag | koningsdag | koninginnedag |
        koningsnacht | bevrijdingsdag | dodenherdenking | moederdag | dag van de arbeid | meivakantie""",
        """vaderdag | zomervakantie | bouwvakantie | bouwvak | keti koti""",
        """sint maarten | sint-maarten | allerheiligen | allerzielen | wapenstilstandsdag | herfstvakantie""",
    ),
    "zh": (
        """春节 | 春節 | 除夕 | 小年夜 | 元旦 | 大年初一 | 大年三十 | 年三十 | 圣诞节 | 聖誕節 | 平安夜 | 情人节 |
        情人節 | 元宵节 | 元宵節 | 元宵 | 腊八节 | 立冬 | 小雪 | 大雪 | 冬至 | 小寒 | 大寒 | 正月 | 冬月 | 腊月 |
        臘月 | 十一月 | 十二月""",
        """清明节 | 清明節 | 清明 | 妇女节 | 劳动节 | 勞動節 | 五一节 | 五一假期 | 五一长假 | 青年节 | 母亲节 |
        母親節 | 泼水节 | 立春 | 雨水 | 惊蛰 | 驚蟄 | 春分 | 谷雨 | 二月 | 三月 | 四月""",
        """端午节 | 端午節 | 端午 | 七夕 | 儿童节 | 兒童節 | 六一节 | 建军节 | 父亲节 | 父親節 | 立夏 | 小满 | 小滿 |
        芒种 | 夏至 | 小暑 | 大暑 | 五月 | 六月 | 七月""",
        """中秋节 | 中秋節 | 中秋 | 中元节 | 中元節 | 重阳节 | 重陽節 | 重阳 | 重陽 | 教师节 | 教師節 | 国庆节 |
        國慶日 | 国庆 | 國慶 | 十一黄金周 | 国庆长假 | 双十节 | 雙十節 | 感恩节 | 感恩節 | 万圣节 | 萬聖節 |
        立秋 | 处暑 | 白露 | 秋分 | 寒露 | 霜降 | 八月 | 九月 | 十月""",
    ),
}
_ZH_SEASONS = ("冬天", "春天", "夏天", "秋天")


@functools.cache
def feasts(code: str) -> dict[str, str]:
    """For each feast of a language the word for its season."""
    seasons = _ZH_SEASONS if code == "zh" else [entry[0] for entry in words_of(code).seasons[0]]
    return {
        plain(feast.strip()): season
        for listed, season in zip(_FEASTS[code], seasons, strict=True)
        for feast in listed.split("|")
    }
