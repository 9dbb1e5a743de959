"""What Spanish knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed


def _numbers() -> tuple[tuple[str, ...], ...]:
    low = listed(
        "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
        "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
        "veintiocho veintinueve treinta"
    )
    days = (*low, "treinta y uno")
    return days, ("primero", *days[1:])


def _ordinal(_ending: str, old: int, new: int) -> str | None:
    """Only the first of a month is commonly an ordinal."""
    return "" if old == 1 != new else None


def _year(year: int) -> str:
    """1900 to 2099 in words."""
    head, rest = ("mil novecientos", year - 1900) if year < 2000 else ("dos mil", year - 2000)
    return f"{head} {_said(rest)}" if rest else head


def _said(value: int) -> str:
    if value <= 30:
        return _numbers()[0][value - 1]
    tens = listed("treinta cuarenta cincuenta sesenta setenta ochenta noventa")[value // 10 - 3]
    return f"{tens} y {_numbers()[0][value % 10 - 1]}" if value % 10 else tens


_WORDS = Words(
    (
        family("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        family("enero febrero marzo abril mayo junio julio agosto setiembre octubre noviembre diciembre"),
        family("ene feb|febr mar abr may jun jul ago sep oct nov dic"),
        family("ene feb mar abr may jun jul ago sept oct nov dic"),
        family("ene feb mar abr may jun jul ago set oct nov dic"),
    ),
    (
        family("lunes martes miércoles|miercoles jueves viernes sábado|sabado domingo"),
        family("lun mar mié|mie jue vie sáb|sab dom"),
    ),
    (family("invierno primavera verano otoño|otono"),),
    _numbers(),
    (("primer", "segundo", "tercer", "cuarto"), ("1er", "2º", "3er", "4º")),
    listed("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?(?:\.?[ºª°]|ero\b|ro\b|o\b))?",
    between=r"\s*(?:-|–|—|/|,|\b(?:al|a|y|e|o|u|hasta)\b)\s*(?:\b(?:el|al|los|en)\b\s*)?",
    about=r"(?:(?:a|en|desde|hacia|sobre|primeros|principios|mediados|finales|fines|final|inicios|comienzos|mes|de|del|"
    r"el|año)\s+)*",
    of=r"(?:[\s,./-]{0,3}(?:de\s+|del\s+)?(?:días\s+)?(?:(?:de\s+|del\s+)?mes\s+de\s+)?(?:de\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:de\s+l\s+|del\s+|de\s+)?(?:año\s+)?)",
    the=r"\.?,?\s+(?:(?:el\s+)?día\s+)?",
    decade=r"(?:a[ñn]os|d[eé]cada\s+de(?:\s+los(?:\s+años)?)?)\s+['’‘]?<e0>",
    quarter="trimestre",
    week="semana",
)
_NUMBER = r"una?|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|quince|vari[oa]s|algun[oa]s|medio"
_RELATIVE = r"""
        (?:ante)?ayer(?:\s+(?:noche|tarde))?|antes\s+de\s+ayer|anoche|hoy|mañana|pasado\s+mañana|ahora
        |(?:primavera|verano|otoño|invierno)\s+pasad[oa]
        |(?:est[ae]|el|la|pr[oó]xim[oa]|pasad[oa]|últim[oa])\s+(?:mañana|tarde|noche|día|semana|mes|año)
        (?:\s+(?:pasad[oa]|anterior|siguiente|que\s+viene|próxim[oa]))?
        |(?:(?:hace|desde\s+hace|en|durante|tras|dentro\s+de|unos|unas|los\s+últimos|las\s+últimas)\s+)*NUMBER\s?
        (?:horas?|h|d[ií]as?|semanas?|mes(?:es)?|años?)(?:\s+(?:antes|después|atrás))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:el|la|los|del|al|desde|entre|hasta|d[ií]as?|en|con|fecha|de|a|pasado|pr[oó]ximo)\s+)+", re.IGNORECASE
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    year=_year,
    month_year="{word} de {year:04d}",
    at=r"a\s+las?",
    hours="h(?:oras)?",
)


_ES = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
)
_ES_TENS = "treinta cuarenta cincuenta sesenta setenta ochenta noventa"
_NTH = "primera segunda tercera cuarta quinta sexta séptima octava novena décima undécima duodécima"
_STEMS = {
    "quinceañer": 15, "veinteañer": 20, "treintañer": 30, "cuadragenari": 40, "cuarentón": 40, "cuarenton": 40,
    "quincuagenari": 50, "cincuentón": 50, "cincuenton": 50, "sexagenari": 60, "sesentón": 60, "sesenton": 60,
    "septuagenari": 70, "octogenari": 80, "nonagenari": 90, "centenari": 100, "supercentenari": 110,
}  # fmt: skip


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in spanish(value)}
    known["un"] = known["una"] = (1, 1, "")
    for place, nth in enumerate(_NTH.split()):
        for said in (nth, _bare(nth)):
            for decade in ("década", "decada"):
                known[f"{said} {decade}"] = (10 * place, 10 * place + 9, "decade")
    return known


def spanish(value: int) -> list[str]:
    low = _ES.split()
    if value < 30:
        said = low[value]
    elif value < 100:
        ten = _ES_TENS.split()[value // 10 - 3]
        said = f"{ten} y {low[value % 10]}" if value % 10 else ten
    elif value == 100:
        return ["cien"]
    else:
        return [f"ciento {rest}" for rest in spanish(value - 100)]
    cut = [said[:-1], said[:-1].replace("veintiun", "veintiún")] if said.endswith("uno") else []
    return [said, _bare(said), *cut]


def _bare(word: str) -> str:
    return word.translate(str.maketrans("áéíóú", "aeiou"))


def _group(kind: str, least: int) -> str:
    tenth = kind == "decade" and least == 90
    return "décima década o posterior" if tenth else f"de {least} o más años"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    group=_group,
    nth="{}th-or-later",
    more="{} o más",
    units=((r"mes(?:es)?", 12), (r"semanas?", 52), (r"d[ií]as?", 365), (r"horas?", 8_766)),
    between="y|e|o|a",
    youngest=r"(?:mes|a[nñ]o) y medio|semana",
    general=" o más| o posterior",
    link="y|con",
)


PHONES = Phones(("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"))


def _gender(word: str) -> str:
    if word.endswith(("ista", "ente", "ante", "e", "crata")):
        return ""
    return "female" if word.endswith(("a", "triz", "as")) else "male"


PLACES = Places(
    postcode=re.compile(r"(?<![\d-])(?:E-)?\d{5}(?![\d-])"),
    provinces=52,
    towns_of="ES",  # there are towns for every saint beyond
    by_gender=True,
    gender=_gender,
)
