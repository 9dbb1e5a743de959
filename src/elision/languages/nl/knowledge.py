"""What Dutch knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed


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
    part=r"s\b|ochtend|morgen|middag|avond|nacht",
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
    at="om|te",
    hours=r"uur|u\.?",
)


_NL = (
    "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien negentien"
)
_NL_NTH = "nulde eerste tweede derde vierde vijfde zesde zevende achtste"
_NL_TENS = "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
_STEMS = {
    "twintiger": 20, "dertiger": 30, "veertiger": 40, "vijftiger": 50, "zestiger": 60, "zeventiger": 70,
    "tachtiger": 80, "negentiger": 90, "honderdjarige": 100, "eeuweling": 100,
}  # fmt: skip


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in dutch(value)}
    known["één"] = (1, 1, "")
    known |= {said: (value, value, "nth") for value in range(1, MOST + 1) for said in _ordinals(value)}
    for at, ten in enumerate(_NL_TENS.split(), 2):
        for before in ("begin", "midden", "eind", "half", "medio", "in de", "ver in de", "rond de", "tegen de"):
            known[f"{before} {ten}"] = (10 * at, 10 * at + 9, "decade")
    return known


def _ordinals(value: int) -> list[str]:
    """derde, dertiende, eenentwintigste, honderdtweede."""
    few, last = _NL_NTH.split(), value % 100
    if 0 < last < len(few):
        return [few[last]] if value < 100 else ["honderd" + few[last], "honderd" + "en" + few[last]]
    return [f"{one}{'de' if 0 < last < 20 else 'ste'}" for one in dutch(value)]


def dutch(value: int) -> list[str]:
    low = _NL.split()
    if value < 20:
        return [low[value]]
    if value < 100:
        ten, one = _NL_TENS.split()[value // 10 - 2], low[value % 10]
        return [f"{one}en{ten}", f"{one}ën{ten}"] if value % 10 else [ten]
    rests = dutch(value - 100) if value > 100 else [""]
    return (
        [f"honderd{link}{rest}" for rest in rests for link in ("", "en", " ", "en ", " en ")]
        if rests != [""]
        else ["honderd"]
    )


def _group(kind: str, least: int) -> str:
    return f"{least}+" if kind == "decade" else f"{least}-plusser"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    joined=re.compile(r"(?!honderdjarige?n?$)(.+?)jarige?n?$"),
    group=_group,
    nth="{}e of later",
    units=((r"maand(?:en)?|mnd(?:en)?", 12), (r"weken|wkn", 52), (r"dag(?:en)?|dgn", 365), (r"uur|uren", 8_766)),
    between="en|of|tot",
    youngest="maand|week",
    general="e of later|-plusser",
    link="en",
    glued="jarig",
    endings="ste|de|e",
)


PHONES = Phones(("nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen"), {"één": 1})


_WOMEN = ("ster", "esse", "euse", "trice", "ares", "ente", "vrouw", "zuster", "meisje")


def _gender(word: str) -> str:
    return "female" if word.endswith(_WOMEN) else "male"


PLACES = Places(
    postcode=re.compile(r"(?<![\d-])(?:NL-|B-)?[1-9]\d{3} ?[A-Z]{2}(?![A-Za-z\d])|^(?:B-)?[1-9]\d{3}(?=\s+\D)"),
    joined_streets=True,
    gender=_gender,
)
