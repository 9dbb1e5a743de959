"""What Portuguese knows of dates, ages, telephone numbers and places."""

from __future__ import annotations

import re

from elision.languages.knowledge import DIGIT, MOST, Ages, Dates, Grammar, Phones, Places, Said, Words, family, listed

_LOW = (
    "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito "
    "dezanove"
)
_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
_BRAZIL = {"catorze": "quatorze", "dezasseis": "dezesseis", "dezassete": "dezessete", "dezanove": "dezenove"}


def _said(value: int) -> str:
    """0 to 99, as Portugal says it."""
    low = _LOW.split()
    if value < 20:
        return low[value]
    ten = _TENS.split()[value // 10 - 2]
    return f"{ten} e {low[value % 10]}" if value % 10 else ten


def _numbers() -> tuple[tuple[str, ...], ...]:
    days = tuple(_said(value) for value in range(1, 32))
    brazil = tuple(_BRAZIL.get(day, day) for day in days)
    return days, ("primeiro", *days[1:]), brazil


def _ordinal(_ending: str, old: int, new: int) -> str | None:
    """Only the first of a month is commonly an ordinal."""
    return "" if old == 1 != new else None


def _year(year: int) -> str:
    """1900 to 2099 in words."""
    head, rest = ("mil novecentos", year - 1900) if year < 2000 else ("dois mil", year - 2000)
    return f"{head} e {_said(rest)}" if rest else head


_WORDS = Words(
    (
        family("janeiro fevereiro março|marco abril maio junho julho agosto setembro outubro novembro dezembro"),
        family("jan fev mar abr mai jun jul ago set out nov dez"),
    ),
    (
        family(
            "segunda-feira|segunda terça-feira|terça|terca|terca-feira quarta-feira|quarta quinta-feira|quinta "
            "sexta-feira|sexta sábado|sabado domingo"
        ),
        family("seg ter qua qui sex sáb|sab dom"),
        family(
            "2.ª_feira|2ª_feira 3.ª_feira|3ª_feira 4.ª_feira|4ª_feira 5.ª_feira|5ª_feira 6.ª_feira|6ª_feira sáb dom"
        ),
    ),
    (family("inverno primavera verão|verao outono"),),
    _numbers(),
    (("primeiro", "segundo", "terceiro", "quarto"), ("1º", "2º", "3º", "4º"), ("1.º", "2.º", "3.º", "4.º")),
    listed(_TENS),
)
_GRAMMAR = Grammar(
    day=rf"{DIGIT}{{1,2}}(?:\s?(?:\.?[ºª°]|o\b))?",
    between=r"\s*(?:-|–|—|/|,|\b(?:ao|a|à|e|ou|até)\b)\s*(?:\b(?:o|a|à|ao|em|dia)\b\s*)?",
    about=r"(?:(?:a|em|desde|no|por\s+volta|princípios?|meados?|finais|final|fins|fim|inícios?|começos?|mês|de|do|da|"
    r"o|ano)\s+)*",
    of=r"(?:[\s,./-]{0,3}(?:de\s+|do\s+)?(?:dias\s+)?(?:(?:de\s+|do\s+)?mês\s+de\s+)?(?:de\s+)?)",
    year=r"(?:[\s,./-]{0,3}(?:do\s+|de\s+)?(?:ano\s+(?:de\s+)?)?)",
    the=r"\.?,?\s+(?:(?:o\s+)?dia\s+)?",
    decade=r"(?:anos|d[eé]cada\s+d(?:e|os)(?:\s+anos)?)\s+['’‘]?<e0>",
    quarter="trimestre",
    week="semana",
)
_NUMBER = (
    r"uma?|uns|umas|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|quinze|vári[oa]s|algu(?:ns|mas)|meio"
)
_RELATIVE = r"""
        (?:ante)?ontem(?:\s+(?:à|de)\s+(?:noite|tarde|manhã))?|hoje|amanhã|depois\s+de\s+amanhã|agora
        |(?:primavera|verão|outono|inverno)\s+passad[oa]
        |(?:est[ae]|nest[ae]|[oa]|n[oa]|próxim[oa]|passad[oa]|últim[oa])\s+(?:manhã|tarde|noite|dia|semana|mês|ano)
        (?:\s+(?:passad[oa]|anterior|seguinte|que\s+vem|próxim[oa]))?
        |(?:(?:há|desde|em|durante|após|dentro\s+de|daqui\s+a|cerca\s+de|nos\s+últimos|nas\s+últimas)\s+)*NUMBER\s?
        (?:horas?|h|dias?|semanas?|m[eê]s(?:es)?|anos?)(?:\s+(?:antes|depois|atrás))?"""

DATES = Dates(
    words=_WORDS,
    grammar=_GRAMMAR,
    before=re.compile(
        r"(?:(?:o|a|os|aos|do|ao|desde|entre|até|dias?|em|no|na|com|data|de|à|passado|pr[oó]ximo)\s+)+", re.IGNORECASE
    ),
    relative=_RELATIVE,
    number=_NUMBER,
    ordinal=_ordinal,
    year=_year,
    month_year="{word} de {year:04d}",
    at=r"[àa]s?|pelas",
    hours="h(?:oras)?",
)

_NTH = "primeira segunda terceira quarta quinta sexta sétima oitava nona décima décima_primeira décima_segunda"
_STEMS = {
    "quadragenári": 40, "quinquagenári": 50, "sexagenári": 60, "septuagenári": 70, "octogenári": 80,
    "nonagenári": 90, "centenári": 100, "supercentenári": 110, "vintão": 20, "vintona": 20, "trintão": 30,
    "trintona": 30, "quarentão": 40, "quarentona": 40, "cinquentão": 50, "cinquentona": 50, "sessentão": 60,
    "sessentona": 60, "setentão": 70, "setentona": 70, "oitentão": 80, "oitentona": 80,
}  # fmt: skip


def _words() -> Said:
    known = {said: (value, value, "") for value in range(MOST + 1) for said in portuguese(value)}
    known["uma"] = (1, 1, "")
    for place, nth in enumerate(_NTH.split()):
        for said in {nth.replace("_", " "), _bare(nth.replace("_", " "))}:
            for decade in ("década", "decada"):
                known[f"{said} {decade}"] = (10 * place, 10 * place + 9, "decade")
    return known


def portuguese(value: int) -> list[str]:
    """A number in words, as Portugal and Brazil say it, with accents and without, of men and of women."""
    if value == 100:
        return ["cem"]
    if value > 100:
        return [f"cento e {rest}" for rest in portuguese(value - 100)]
    said = _said(value)
    both = [said, _BRAZIL.get(said, said)]
    both += [said[: -len("um")] + "uma"] if said.endswith(" e um") else []
    both += [said[: -len("dois")] + "duas"] if said.endswith("dois") else []
    return [*dict.fromkeys(form for word in both for form in (word, _bare(word)))]


def _bare(word: str) -> str:
    return word.translate(str.maketrans("áéíóúê", "aeioue"))


def _group(kind: str, least: int) -> str:
    tenth = kind == "decade" and least == 90
    return "décima década ou posterior" if tenth else f"de {least} ou mais anos"


AGES = Ages(
    words=_words,
    stems={stem: (years, "person") for stem, years in _STEMS.items()},
    group=_group,
    nth="{}th-or-later",
    more="{} ou mais",
    units=((r"m[eê]s(?:es)?", 12), (r"semanas?", 52), (r"dias?", 365), (r"horas?", 8_766)),
    between="e|ou|a|aos",
    youngest=r"(?:m[eê]s|ano) e meio|semana",
    general=" ou mais| ou posterior",
    link="e|com",
)


PHONES = Phones(
    ("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"),
    {"tres": 3, "uma": 1, "duas": 2, "meia": 6},
)


def _gender(word: str) -> str:
    if word.endswith(("ista", "ente", "ante", "e", "eta", "ita")):
        return ""
    return "female" if word.endswith(("a", "triz", "ã", "as")) else "male"


PLACES = Places(
    country="",
    postcode=re.compile(r"(?<![\d.-])(?:\d{4}-\d{3}|\d{5}-?\d{3}|\d{2}\.\d{3}-\d{3})(?![\d-])"),
    towns_of="",
    by_gender=True,
    gender=_gender,
)
