"""What Spanish knows of ages."""

from __future__ import annotations

from elision.languages.ages import MOST, Ages, Said

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
)
