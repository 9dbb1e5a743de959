"""What French knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed

_LOW = listed(
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit "
    "dix-neuf"
)
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
_SHORTER = {70: "septante", 80: "huitante", 90: "nonante"}  # in Switzerland, two of them in Belgium


def french(value: int) -> list[str]:
    """A number in words, the usual way first."""
    if value < 20:
        return [_LOW[value]]
    if value >= 100:
        rests = french(value - 100) if value > 100 else [""]
        return [f"cent {rest}".strip() for rest in rests]
    ten, one = value // 10 * 10, value % 10
    said = []
    if ten in (70, 90):
        said += [_joined("soixante" if ten == 70 else "quatre-vingt", 10 + one, and_one=ten == 70)]
    elif ten == 80:
        said += [_joined("quatre-vingt", one, and_one=False) if one else "quatre-vingts"]
        said += ["quatre-vingt"] if not one else []
    else:
        said += [_joined(_TENS[ten], one, and_one=True)]
    if ten in _SHORTER:
        said += [_joined(_SHORTER[ten], one, and_one=True)]
    return said


def _joined(ten: str, one: int, *, and_one: bool) -> str:
    if not one:
        return ten
    return f"{ten} et {_LOW[one]}" if and_one and one in (1, 11) else f"{ten}-{_LOW[one]}"


def _spellings(said: str) -> set[str]:
    """With hyphens or blanks, with and without accents, un or une."""
    found = {said, said.replace(" ", "-"), said.replace("-", " ")}
    found |= {one.replace("é", "e") for one in found}
    return found | {f"{one}e" for one in found if re.search(r"(?:^|[ -])un$", one)}


def _days() -> tuple[tuple[str, ...], ...]:
    days = tuple(french(value)[0] for value in range(1, 32))
    return days, ("premier", *days[1:])


def _ordinal(_ending: str, old: int, new: int) -> str | None:
    """Only the first of a month is an ordinal."""
    return "" if old == 1 != new else None


def _year(year: int) -> str:
    """1900 to 2099 in words."""
    head, rest = ("mille neuf cent", year - 1900) if year < 2000 else ("deux mille", year - 2000)
    return f"{head} {french(rest)[0]}" if rest else head


_WORDS = Words(
    (
        family(
            "janvier février|fevrier mars avril mai juin juillet août|aout septembre octobre novembre décembre|decembre"
        ),
        family("janv févr|fevr mars avr mai juin juill août|aout sept oct nov déc|dec"),
        family("jan fév|fev mars avr mai juin juil août|aout sept oct nov déc|dec"),
        family("jan fév|fev mar avr mai jui jul aoû|aou sep oct nov déc|dec"),
    ),
    (
        family("lundi mardi mercredi jeudi vendredi samedi dimanche"),
        family("lun mar mer jeu ven sam dim"),
        family("lu ma me je ve sa di"),
    ),
    (family("hiver printemps été|ete automne"),),
    _days(),
    (("premier", "deuxième", "troisième", "quatrième"), ("1er", "2e", "3e", "4e"), ("1er", "2ème", "3ème", "4ème")),
    listed("vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix"),
    ("mars", "mai", "juin", "août", "aout"),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?(?:er|ère|ème|e)\b)?",
    between=r"\s*(?:-|–|—|/|,|&|\b(?:au|à|et|ou|jusqu['’]au)\b)\s*(?:\b(?:le|les|la|en|d['’])\s*)?",
    about=r"(?:(?:début|debut|mi|fin|courant|vers|depuis|milieu|mois|de|du(?=\s+mois)|en|année|dès)[\s-]+|[dl]['’])*",
    of=r"(?:[\s,./-]{0,3}(?:du\s+mois\s+)?(?:de\s+|d['’]\s?)?)",
    year=r"(?:[\s,./-]{0,3}(?:de\s+)?(?:l['’]an(?:n[ée]e)?\s+)?)",
    the=r"\.?,?\s+(?:le\s+)?",
    decade=r"ann[ée]es?\s+['’‘]?<e0>",
    quarter="trimestre",
    week="sem(?:aine)?",
    part=r"\s(?:matin|midi|après-midi|soir)\b",
)
_NUMBER = (
    r"une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|quelques|plusieurs|une\s+dizaine\s+de"
)
_RELATIVE = r"""
        (?:avant-)?hier(?:\s+(?:soir|matin))?|aujourd['’]hui|(?:après-)?demain(?:\s+(?:soir|matin))?|maintenant
        |ce\s+(?:jour|matin|midi|soir|mois|week-end)|cet(?:te)?\s+(?:nuit|semaine|année|après-midi|été|automne|hiver)
        |la\s+(?:veille|semaine|nuit)(?:\s+(?:dernière|prochaine|passée|suivante|d['’]après))?|le\s+(?:lendemain|jour\s+même)
        |(?:le\s+mois|l['’]an(?:née)?|l['’]été|l['’]hiver)\s+(?:dernier|dernière|prochaine?|passée?)
        |(?:(?:il\s+y\s+a|depuis|dans|pendant|après|d['’]ici|sous|environ|les)\s+)*NUMBER\s?
        (?:heures?|h|jours?|j|semaines?|sem|mois|ans?|années?)(?:\s+(?:avant|après|auparavant|plus\s+tard))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:le|la|les|du|au|en|depuis|dès|entre|jusqu['’]au|de|date|vers|pour|fin|début|mi|d['’])\s+)+",
        re.IGNORECASE,
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    year=_year,
    month_year="{word} {year:04d}",
    at="à|vers",
    hours="h(?:eures?|rs?)?",
)


_STEMS = {
    "trentenaire": 30, "quadragénaire": 40, "quadragenaire": 40, "quinquagénaire": 50, "quinquagenaire": 50,
    "sexagénaire": 60, "sexagenaire": 60, "septuagénaire": 70, "septuagenaire": 70, "octogénaire": 80,
    "octogenaire": 80, "nonagénaire": 90, "nonagenaire": 90, "centenaire": 100, "supercentenaire": 110,
    "vingtaine": 20, "trentaine": 30, "quarantaine": 40, "cinquantaine": 50, "soixantaine": 60, "septantaine": 70,
}  # fmt: skip
_NTH = "première deuxième troisième quatrième cinquième sixième septième huitième neuvième dixième onzième douzième"


def _words() -> Said:
    known = {
        spelt: (value, value, "") for value in range(MOST + 1) for said in french(value) for spelt in _spellings(said)
    }
    for place, nth in enumerate(_NTH.split()):
        for said in (nth, nth.replace("è", "e")):
            for decade in ("décennie", "decennie", "décade"):
                known[f"{said} {decade}"] = (10 * place, 10 * place + 9, "decade")
    return known


def _group(kind: str, least: int) -> str:
    return "dixième décennie ou plus" if kind == "decade" and least == 90 else f"de {least} ans et plus"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    group=_group,
    nth="{}e ou plus",
    units=((r"mois", 12), (r"semaines?", 52), (r"jours?", 365), (r"heures?", 8_766)),
    between="et|ou|à",
    youngest=r"mois et demi|an et demi|semaine",
    general=" ans et plus| et plus| ou plus",
    link="et",
    endings="ème|eme|e",
)


PHONES = Phones(("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"), {"une": 1, "zero": 0})


_WOMEN = ("euse", "trice", "iere", "ere", "ienne", "enne", "ante", "ente", "ee", "esse", "ate", "ure", "ine")


def _gender(word: str) -> str:
    if word.startswith(("femme", "fille", "dame")):
        return "female"
    if word.endswith(_WOMEN):
        return "female"
    return "" if word.endswith("e") else "male"


PLACES = Places(
    postcode=re.compile(
        r"(?<![\d-])(?:F-)?(?:0[1-9]|[1-8]\d|9[0-8])\d{3}(?![\d-])|(?<![\d-])(?:L|B|CH)-[1-9]\d{3}(?!\d)"
        r"|^[1-9]\d{3}(?=\s+\D)|(?<![A-Z\d])[A-Z]\d[A-Z] ?\d[A-Z]\d(?![A-Z\d])"
    ),
    provinces=98,
    towns_of="FR",
    gender=_gender,
)
