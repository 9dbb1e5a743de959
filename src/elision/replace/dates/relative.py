"""Words that count from the day of the note, and durations: they stay, since they move with the note."""

from __future__ import annotations

import functools
import re

from elision.replace.dates.words import code_of

_DIGITS = r"\d{1,3}(?:[.,/-]\d{1,3})?"
_NUMBERS = {
    "en": r"an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|some|(?:a\s+)?few|many|half",
    "es": r"una?|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|vari[oa]s|algun[oa]s|medio",
    "nl": r"een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|enkele|(?:een\s+)?paar|half|anderhalf",
}
_PATTERNS = {
    "en": r"""
        (?:the\s+)?(?:day\s+(?:before\s+yesterday|after\s+tomorrow)|(?:yester|to)day|tomorrow|tonight|now)
        (?:\s+(?:morning|evening|night|afternoon))?
        |(?:this|last|next|past|previous|following|same)\s+
        (?:morning|evening|night|afternoon|day|week|month|year|weekend)
        |(?:(?:in|for|after|within|about|over|the\s+last|the\s+past|the\s+next)\s+)*NUMBER\s?
        (?:hours?|hrs?|days?|weeks?|wks?|months?|mos?|years?|yrs?)(?:\s+(?:ago|earlier|later|before|prior|hence))?""",
    "es": r"""
        (?:ante)?ayer(?:\s+(?:noche|tarde))?|antes\s+de\s+ayer|anoche|hoy|mañana|pasado\s+mañana|ahora
        |(?:primavera|verano|otoño|invierno)\s+pasad[oa]
        |(?:est[ae]|el|la|pr[oó]xim[oa]|pasad[oa]|últim[oa])\s+(?:mañana|tarde|noche|día|semana|mes|año)
        (?:\s+(?:pasad[oa]|anterior|siguiente|que\s+viene|próxim[oa]))?
        |(?:(?:hace|desde\s+hace|en|durante|tras|dentro\s+de|unos|unas|los\s+últimos|las\s+últimas)\s+)*NUMBER\s?
        (?:horas?|h|d[ií]as?|semanas?|mes(?:es)?|años?)(?:\s+(?:antes|después|atrás))?""",
    "nl": r"""
        (?:eer)?gister(?:en)?(?:ochtend|middag|avond|nacht)?|vandaag|morgen|overmorgen|vannacht|vanochtend|vanavond
        |(?:deze|dit|vorige?|volgende?|afgelopen|komende?|dezelfde)\s+(?:ochtend|dag|week|maand|jaar|nacht|weekend)
        |(?:(?:sinds|in|over|na|gedurende|ongeveer)\s+)*NUMBER\s?
        (?:uur|uren|dag(?:en)?|dgn|we(?:ek|ken)|wkn?|maand(?:en)?|mnd|ja(?:ar|ren)|jr)
        (?:\s+(?:geleden|later|eerder|ervoor))?""",
    "zh": r"""
        昨[天日晚]|今[天日晨晚早]|明[天日晚]|前[天日]|后天|後天|大前天|昨夜|今夜|当[天日]|當[天日]|次日|翌日|同日|[去今明前后後]年
        |[本上下](?:周|週|月|个月|個月|星期|礼拜|禮拜)
        |近?[0-9０-９一二三四五六七八九十两兩半几數数余多]{1,4}\s?(?:个|個|余|多)?
        (?:小时|小時|天|日余|周|週|星期|月|年余|年)(?:半|余|多)?(?:前|后|後|来|來|以来)?""",
}


@functools.cache
def _pattern(code: str) -> re.Pattern[str]:
    number = f"(?:{_DIGITS}|{_NUMBERS.get(code, _DIGITS)})"
    return re.compile(_PATTERNS[code].replace("NUMBER", number), re.IGNORECASE | re.VERBOSE)


def is_relative(text: str, language: str) -> bool:
    """Whether this is told from the day of the note, or is a length of time."""
    return len(text) < 60 and _pattern(code_of(language)).fullmatch(text.strip()) is not None
