"""What German knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed

_ONES = "ein zwei drei vier fünf sechs sieben acht neun"
_TEENS = "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_NTH = "nullte erste zweite dritte vierte fünfte sechste siebte achte neunte"


def german(value: int) -> list[str]:
    """einundneunzig, neunzig, hundertzwei, hundertundzwei; Switzerland writes dreissig."""
    if value < 10:
        return [("null", "eins", *listed(_ONES)[1:])[value]]
    if value < 20:
        return [listed(_TEENS)[value - 10]]
    if value < 100:
        ten, one = listed(_TENS)[value // 10 - 2], value % 10
        found = f"{listed(_ONES)[one - 1]}und{ten}" if one else ten
        return [found, found.replace("ß", "ss")] if "ß" in found else [found]
    rests = german(value - 100) if value > 100 else [""]
    return [
        f"{before}hundert{link}{rest}"
        for before in ("", "ein")
        for rest in rests
        for link in ("", "und")[: 2 if rest else 1]
    ]


def _ordinals(value: int) -> list[str]:
    """erste, siebzehnte, einundzwanzigste, hundertdritte."""
    low, last = listed(_NTH), value % 100
    if 0 < last < 10:
        heads = [""] if value < 100 else ["hundert", "hundertund", "einhundert"]
        return [head + low[last] for head in heads]
    return [f"{one}{'te' if 0 < last < 20 else 'ste'}" for one in german(value)]


def _days() -> tuple[tuple[str, ...], ...]:
    days = [german(day)[0] for day in range(1, 32)]
    days[0] = "eins"
    nth = tuple(_ordinals(day)[0] for day in range(1, 32))
    return tuple(days), nth, tuple(day + "n" for day in nth)


_WORDS = Words(
    (
        family(
            "Januar|Jänner|Jaenner Februar|Feber März|Maerz April Mai Juni Juli August September Oktober November "
            "Dezember"
        ),
        family("Jan|Jän Feb Mär|Mrz Apr Mai Jun Jul Aug Sep Okt|Oct Nov Dez|Dec"),
        family("Jan Febr Mrz Apr Mai Jun Jul Aug Sept Okt Nov Dez"),
    ),
    (
        family("Montag Dienstag Mittwoch Donnerstag Freitag Samstag|Sonnabend Sonntag"),
        family("Mo Di Mi Do Fr Sa So"),
    ),
    (family("Winter Frühjahr Sommer Herbst"), family("Winter Frühling Sommer Herbst")),
    _days(),
    (("erste", "zweite", "dritte", "vierte"), ("ersten", "zweiten", "dritten", "vierten"), ("1.", "2.", "3.", "4.")),
    listed("zwanziger dreißiger vierziger fünfziger sechziger siebziger achtziger neunziger"),
    ("Mai",),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}\.?",
    between=r"\s*(?:-|–|—|/|,|&|\b(?:bis(?:\s+zum)?|und|u\.|oder|auf|sowie)(?:\b|(?<=\.)))\s*(?:\b(?:den|dem)\b\s*)?",
    about=r"(?:(?:Anfang|Mitte|Ende|Beginn|anfangs|letzte\s+Woche|im|des|um|seit|Monat|Jahr)\s+)*",
    of=r"(?:[\s,./-]{0,3}(?:im\s+|des\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:des\s+Jahres\s+|im\s+Jahre?\s+)?)",
    the=r"\.?,?\s+(?:(?:den|dem|der)\s+)?",
    decade=r"(?:19)?<e0>er(?:[\s-]?Jahren?)?",
    quarter="Quartal",
    week="KW|Kalenderwoche|Woche",
    part=r"s\b|morgen|vormittag|mittag|nachmittag|abend|nacht|früh",
)
_NUMBER = (
    r"ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|einige[nr]?|ein\s+paar|mehrere[nr]?"
    r"|halbe[ns]?|anderthalb"
)
_RELATIVE = r"""
        (?:vor)?gestern(?:\s+(?:früh|vormittag|mittag|nachmittag|abend|nacht))?|heute(?:\s+(?:früh|morgen|abend|nacht))?
        |morgen(?:\s+(?:früh|abend))?|übermorgen
        |(?:diese[mnrs]?|letzte[mnrs]?|vorige[mnrs]?|nächste[mnrs]?|kommende[mnrs]?|vergangene[mnrs]?)
        \s+(?:Morgen|Tag|Woche|Monat|Jahr|Nacht|Wochenende)
        |(?:(?:seit|in|nach|vor|während|etwa|circa|ca\.)\s+)*NUMBER\s?
        (?:Stunden?|Std\.?|Tage?n?|Wochen?|Wo\.?|Monate?n?|Mon\.?|Jahre?n?)
        (?:\s+(?:später|früher|zuvor|danach))?"""


def _year(value: int) -> str:
    """neunzehnhundertvierundsechzig, zweitausendzweiundzwanzig."""
    century, rest = divmod(value, 100)
    head = "zweitausend" if century == 20 else f"{german(century)[0]}hundert"
    return head + (german(rest)[0] if rest else "")


DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:am|vom|bis|zwischen|ab|seit|zum|den|dem|der|im|in|um|Datum|aus|per|von|und)\s+)+", re.IGNORECASE
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    year=_year,
    month_year="{word} {year:04d}",
    at="um",
    hours=r"Uhr|h",
)


_PEOPLE = {
    "zwanziger": 20, "dreißiger": 30, "dreissiger": 30, "vierziger": 40, "fünfziger": 50, "sechziger": 60,
    "siebziger": 70, "achtziger": 80, "neunziger": 90, "hundertjährige": 100,
}  # fmt: skip


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in german(value)}
    known |= {"ein": (1, 1, ""), "eine": (1, 1, ""), "einem": (1, 1, ""), "zwo": (2, 2, "")}
    known |= {
        f"{said}{end}": (value, value, "nth")
        for value in range(1, MOST + 1)
        for said in _ordinals(value)
        for end in ("", "n", "r", "s")
    }
    for at, ten in enumerate(_TENS.split(), 2):
        for name in {ten, ten.replace("ß", "ss")}:
            for before in ("anfang", "mitte", "ende", "um die", "gegen", "weit über"):
                known[f"{before} {name}"] = (10 * at, 10 * at + 9, "decade")
    return known


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _PEOPLE.items()},
    joined=re.compile(r"(?!hundertjährige)(.+?)jährige?[nrsm]?$"),
    nth="{}. oder spätere",
    units=(
        (r"Monate?n?\b|Mon\.|Mte\.", 12),
        (r"Wochen?\b|Wo\.", 52),
        (r"Tage?n?\b|Tg\.", 365),
        (r"Stunden?\b|Std\.", 8_766),
    ),
    between="und|oder|bis",
    youngest="Monat|Woche|Säugling",
    general="oder spätere",
    link="und",
    glued="jährig",
    endings=r"te|ste|\.",
)


def _home(_digits: str, zeros: int, country: str) -> tuple[str, int]:
    """A number with one 0 is of the note's country, or of Germany."""
    if zeros != 1:
        return "", zeros
    return {"AT": "43", "CH": "41", "LI": "423"}.get(country, "49"), 1


PHONES = Phones(
    ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"), {"zwo": 2, "ein": 1}, _home
)


_WOMEN = ("in", "frau", "schwester", "dame", "mädchen", "hilfe", "euse", "tochter", "mutter", "näherin", "magd")


def _gender(word: str) -> str:
    if word.endswith(("kraft", "angestellte", "hilfe", "model")):
        return ""
    return "female" if word.endswith(_WOMEN) else "male"


PLACES = Places(
    postcode=re.compile(
        r"(?<![\d-])(?:DE?-)?\d{5}(?![\d-])|(?<![\d-])(?:AT?|CH|FL|L)-\d{4}(?!\d)|^[1-9]\d{3}(?=\s+\D)"
    ),
    joined_streets=True,
    gender=_gender,
)
