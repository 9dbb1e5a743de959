"""What Italian knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed

_LOW = listed(
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
    "diciassette diciotto diciannove"
)
_TENS = listed("venti trenta quaranta cinquanta sessanta settanta ottanta novanta")


def italian(value: int) -> list[str]:
    """A number in words; the accent of a last three may be left out."""
    if value < 20:
        return [_LOW[value]]
    if value < 100:
        ten, one = _TENS[value // 10 - 2], value % 10
        if one in (1, 8):
            return [ten[:-1] + _LOW[one], *([ten[:-1] + "un"] if one == 1 else [])]
        if one == 3:
            return [ten + "tré", ten + "tre"]
        return [ten + _LOW[one] if one else ten]
    return ["cento"] if value == 100 else [f"cento{rest}" for rest in italian(value - 100)]


def _numbers() -> tuple[tuple[str, ...], ...]:
    days = tuple(italian(value)[0] for value in range(1, 32))
    return days, ("primo", *days[1:])


def _ordinal(_ending: str, old: int, new: int) -> str | None:
    """Only the first of a month is an ordinal."""
    return "" if old == 1 != new else None


def _year(year: int) -> str:
    """1900 to 2099 in words."""
    head, rest = ("millenovecento", year - 1900) if year < 2000 else ("duemila", year - 2000)
    return head + italian(rest)[0] if rest else head


_WORDS = Words(
    (
        family("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        family("gen feb mar apr mag giu lug ago set ott nov dic"),
        family("genn febb|febbr mar apr magg giugn|giug lugl ago sett ott nov dic"),
    ),
    (
        family("lunedì|lunedi martedì|martedi mercoledì|mercoledi giovedì|giovedi venerdì|venerdi sabato domenica"),
        family("lun mar|mart mer|merc gio|giov ven sab dom"),
    ),
    (family("inverno primavera estate autunno"),),
    _numbers(),
    (("primo", "secondo", "terzo", "quarto"), ("1°", "2°", "3°", "4°")),
    _TENS,
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?[°º])?",
    between=r"\s*(?:-|–|—|/|,|>|\b(?:al|all|a|e|ed|o|fino\s+al)\b['’]?)\s*(?:\b(?:il|al|dal|del)\b\s*)?",
    about=r"(?:(?:a|in|da|dal|di|del|nel|verso|circa|inizio|fine|metà|primi|ultimi|mese|anno|il|scorso|prossimo)\s+)*",
    of=r"(?:[\s,./-]{0,3}(?:di\s+)?(?:del\s+mese\s+di\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:del(?:l['’]anno)?\s+|dell['’]\s?)?)",
    the=r"\.?,?\s+(?:(?:il\s+)?giorno\s+)?",
    decade=r"anni\s+['’‘]?<e0>",
    quarter="trimestre",
    week="settimana",
)
_NUMBER = r"un[oa]?|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|quindici|alcun[ei]|qualche|mezz[oa]"
_RELATIVE = r"""
        ieri(?:\s+(?:l['’]altro|sera|notte|mattina|pomeriggio))?|l['’]altro\s?ieri|oggi|stamattina|stamani|stasera|stanotte
        |domani|dopodomani|ora
        |(?:primavera|estate|autunno|inverno)\s+scors[oa]
        |(?:quest[oa]|il|la|prossim[oa]|scors[oa]|ultim[oa]|passat[oa])\s+(?:mattina|pomeriggio|sera|notte|giorno|settimana|mese|anno)
        (?:\s+(?:scors[oa]|prossim[oa]|passat[oa]|precedente|seguente))?
        |(?:(?:da|fa|in|per|dopo|tra|fra|entro|circa|gli\s+ultimi|le\s+ultime|i\s+prossimi)\s+)*NUMBER\s?
        (?:or[ae]|h|giorn[io]|gg|settiman[ae]|mes[ei]|ann[io])(?:\s+(?:fa|prima|dopo|or\s+sono))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:il|lo|la|i|gli|le|del|dal|dall|al|all|nel|nell|tra|fra|fino|entro|giorn[oi]|in|con|data|di|da|a|ad|lo|scorso|prossimo)(?:\s+|['’]))+",
        re.IGNORECASE,
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    year=_year,
    month_year="{word} {year:04d}",
    at=r"alle|all['’]|ore",
    hours="h|ore",
)


_STEMS = {
    "quadragenari": 40, "quinquagenari": 50, "sessagenari": 60, "settuagenari": 70, "ottuagenari": 80,
    "nonagenari": 90, "centenari": 100, "ultraottantenn": 80, "ultranovantenn": 90, "ultracentenari": 100,
}  # fmt: skip
_NTH = "prima seconda terza quarta quinta sesta settima ottava nona decima undicesima dodicesima"


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in italian(value)}
    known["un"] = known["una"] = (1, 1, "")
    known |= {f"{_cut(said)}enn{end}": (value, value, "person") for said, value in _people() for end in "ei"}
    for place, nth in enumerate(_NTH.split()):
        known[f"{nth} decade"] = (10 * place, 10 * place + 9, "decade")
    return known


def _people() -> list[tuple[str, int]]:
    return [(said, value) for value in range(10, 111) for said in italian(value)]


def _cut(number: str) -> str:
    """Without the vowel that goes before another: settantacinqu(e)enne, but quarantatreenne."""
    return number[:-1] + "e" if number.endswith("tré") else number if number.endswith("tre") else number[:-1]


def _group(kind: str, least: int) -> str:
    return "decima decade o oltre" if kind == "decade" and least == 90 else f"{least} o più anni"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    group=_group,
    nth="{}° o oltre",
    more="{} o più",
    units=((r"mes[ei]\b", 12), (r"settiman[ae]\b", 52), (r"(?:giorn[io]|gg)\b", 365), (r"or[ae]\b", 8_766)),
    between="e|ed|o|a",
    youngest="mese e mezzo|anno e mezzo|settimana",
    general=" o più| o oltre",
    link="e",
    glued="enne",
)


PHONES = Phones(("zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"))


def _gender(word: str) -> str:
    if word.endswith(("ista", "ante", "ente", "e")):
        return "female" if word.endswith(("trice", "essa")) else ""
    return "female" if word.endswith(("a", "trice", "essa")) else "male"


PLACES = Places(
    postcode=re.compile(r"(?<![\d-])(?:I-|IT-)?\d{5}(?![\d-])|(?<![\d-])(?:CH-)\d{4}(?![\d-])"),
    towns_of="IT",
    by_gender=True,
    gender=_gender,
)
