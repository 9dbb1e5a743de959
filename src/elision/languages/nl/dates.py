"""What Dutch knows of dates."""

from __future__ import annotations

import re

from elision.languages.dates import DIGIT, Dates, Grammar, Words, family, listed


def _numbers() -> tuple[tuple[str, ...], ...]:
    ones = listed("een twee drie vier vijf zes zeven acht negen")
    teens = listed("tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien")
    joined = [one + ("ën" if one.endswith("e") else "en") for one in ones]
    days = (*ones, *teens, "twintig", *(one + "twintig" for one in joined), "dertig", "eenendertig")
    low = listed("eerste tweede derde vierde vijfde zesde zevende achtste negende")
    ordinals = [*low, *(teen + "de" for teen in teens), *(day + "ste" for day in days[19:])]
    return days, tuple(ordinals)


def _ordinal(ending: str, _old: int, new: int) -> str | None:
    if ending not in ("de", "ste"):
        return None
    return "ste" if new in (1, 8) or new >= 20 else "de"


_WORDS = Words(
    (
        family("januari februari maart april mei juni juli augustus september oktober november december"),
        family("jan feb mrt apr mei jun jul aug sep okt|oct nov dec"),
        family("jan febr mrt apr mei jun jul aug sept okt nov dec"),
        family("jan feb mar apr mei jun jul aug sep okt nov dec"),
    ),
    (
        family("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
        family("ma di wo do vr za zo"),
    ),
    (family("winter voorjaar zomer najaar"), family("winter lente zomer herfst")),
    _numbers(),
    (("eerste", "tweede", "derde", "vierde"), ("1e", "2e", "3e", "4e")),
    listed("twintig dertig veertig vijftig zestig zeventig tachtig negentig"),
    ("mei",),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?(?:ste|de|e)\b)?",
    between=r"\s*(?:-|–|—|/|,|&|\b(?:t/m|tot\s+en\s+met|tot|en|of|op|à|t\.?e\.?m\.?)(?:\b|(?<=\.)))\s*(?:\bde\b\s*)?",
    about=r"(?:(?:half|begin|eind|einde|medio|midden|laatste\s+week|van|de|rond|sinds|in|maand)\s+)*",
    of=r"(?:[\s,./-]{0,3}(?:van\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:van\s+)?)",
    the=r"\.?,?\s+(?:de\s+)?",
    decade=r"jaren\s?['’‘]?<e0>",
    quarter="kwartaal",
    week="w(?:ee)?k",
)
_NUMBER = r"een|één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|enkele|(?:een\s+)?paar|half|anderhalf"
_RELATIVE = r"""
        (?:eer)?gister(?:en)?(?:ochtend|middag|avond|nacht)?|vandaag|morgen|overmorgen|vannacht|vanochtend|vanavond
        |(?:deze|dit|vorige?|volgende?|afgelopen|komende?|dezelfde)\s+(?:ochtend|dag|week|maand|jaar|nacht|weekend)
        |(?:(?:sinds|in|over|na|gedurende|ongeveer)\s+)*NUMBER\s?
        (?:uur|uren|dag(?:en)?|dgn|we(?:ek|ken)|wkn?|maand(?:en)?|mnd|ja(?:ar|ren)|jr)
        (?:\s+(?:geleden|later|eerder|ervoor))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:op|van|tussen|vanaf|sinds|tot|per|d\.?d\.?|de|in|datum|uit|tot\s+en\s+met)\s+)+", re.IGNORECASE
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    month_year="{word} {year:04d}",
)
