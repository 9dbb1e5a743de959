"""Spanish: Spain first, then Mexico, Argentina and Colombia."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from random import Random
from typing import Any

from elision.languages.base import folder
from elision.languages.es.synth_organizations import MORE, MORE_OF, ORGANIZATION_WORDS
from elision.languages.es.synth_people import names, person, titled, write_form
from elision.languages.es.synth_places import WORDS, ar_place, co_place, es_place, mx_place, table
from elision.languages.synth import Age, Country, Piece, Pieces, Synth
from elision.languages.synth_mixing import mixed

MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
    "diciembre",
)  # fmt: skip
MONTHS_SHORT = tuple(month[:3] for month in MONTHS)
WEEKDAYS = ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_SMALL = (
    "cero", "un", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece",
    "catorce", "quince", "dieciséis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiún", "veintidós",
    "veintitrés", "veinticuatro", "veinticinco", "veintiséis", "veintisiete", "veintiocho", "veintinueve",
)  # fmt: skip
_TENS = (".", ".", ".", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")
_DECADES = {2: "tercera", 3: "cuarta", 4: "quinta", 5: "sexta", 6: "séptima", 7: "octava", 8: "novena", 9: "décima"}


def in_words(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    if number >= 100:
        return "cien" if number == 100 else f"ciento {in_words(number - 100)}"
    return _TENS[number // 10] + (f" y {_SMALL[number % 10]}" if number % 10 else "")


def _amount(age: Age) -> tuple[int, str, str]:
    """The age as people say it, with its unit and the unit's abbreviation."""
    if age.years >= 2:
        return age.years, "años", "a"
    months = 12 * age.years + age.months
    if months >= 2:
        return months, "meses", "m"
    return (age.days // 7, "semanas", "sem") if age.days >= 14 else (age.days, "días" if age.days != 1 else "día", "d")


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age; its unit is in the span ("70 años"), "de edad" is not. Forms: number, field, short, words, decade."""
    number, unit, letter = _amount(age)
    plain = f"{number} {unit}"
    text = plain
    if form == "decade" and unit == "años" and age.years // 10 in _DECADES:
        return (Piece(f"{_DECADES[age.years // 10]} década", "AGE"), Piece(" de la vida"))
    if form == "number":
        text = str(number) if unit == "años" else plain
    elif form == "words" or (not form and rng.random() < 0.02):
        text = f"{in_words(number)} {unit}"
    elif form == "short":
        text = rng.choice((f"{number}{letter}", f"{number} {letter}", f"{number}{letter}.", f"{number} {letter}."))
    elif form == "field":
        short = str(number) if unit == "años" else plain
        other = (f"{number}{letter}", f"{number} {unit.capitalize()}", f"{number}{letter.upper()}", plain.upper())
        text = rng.choice((plain, plain, plain, short, *other))
    elif 2 <= age.years < 7 and age.months and rng.random() < 0.3:
        text = f"{age.years} años y {age.months} {'meses' if age.months > 1 else 'mes'}"
    return (Piece(text, "AGE"),)


# Where people come from. The majority is smaller here than in the street, so that no origin is rare in training.
_NEW_IN_SPAIN = {
    "ro2": 3, "ro": 1, "ar": 5, "dz": 2, "co": 5, "mx": 2, "ar_latin": 3, "cl": 2, "andes": 5, "zh": 2.5, "pt": 2,
    "fr": 1.5, "gb": 2.5, "de": 2, "it": 2, "pl": 1.2, "ru": 2, "ng": 1.5, "gh": 0.7, "so": 0.5, "pk": 1.2, "in": 1,
    "ph": 1, "nl": 1, "se": 0.8, "no": 0.5, "hu": 0.5, "cz": 0.4, "hr": 0.5, "gr": 0.4, "tr": 0.4, "fa": 0.4, "ko": 0.4,
    "jp": 0.5, "gq": 1.5, "maya": 1, "us": 1, "ie": 0.5, "vi": 0.3, "et": 0.3, "he": 0.4,
}  # fmt: skip
_IN_MEXICO = {"mx": 60, "maya": 10, "es": 6, "us": 1, "ar": 1, "de": 0.7, "zh": 0.7, "fr": 0.7}
_IN_ARGENTINA = {
    "ar_latin": 40, "it": 12, "es": 10, "andes": 5, "pl": 2, "ru": 2, "ar": 2, "he": 2, "de": 2, "fr": 1, "ko": 1,
}  # fmt: skip
_IN_COLOMBIA = {"co": 60, "es": 10, "andes": 3, "ar": 1.5, "it": 1, "us": 1}

_WORDS: Mapping[str, Any] = tomllib.loads(folder("es", "synth", "words.toml").read_text("utf-8"))
_DATES: Mapping[str, tuple[str, ...]] = {form: tuple(rows) for form, rows in _WORDS["dates"].items()}


def _country(code: str, weight: float, place: Any, origins: Mapping[str, float]) -> Country:
    sections = ("ES",) if code == "ES" else ("ES", code)
    made = mixed(table("made.toml", "common", *sections), MORE, MORE_OF[code])
    return Country(weight, _DATES, table("codes.toml", *sections), made, place, origins)


SYNTH_NOTES = Synth(
    code="es",
    countries={
        "ES": _country("ES", 7, es_place, {"es": 60, "cat": 10, "eu": 7, "gl": 5, **_NEW_IN_SPAIN}),
        "MX": _country("MX", 1.5, mx_place, _IN_MEXICO),
        "AR": _country("AR", 1, ar_place, _IN_ARGENTINA),
        "CO": _country("CO", 1, co_place, _IN_COLOMBIA),
    },
    names=names,
    words={**WORDS, **ORGANIZATION_WORDS},
    titles=_WORDS["titles"],
    behind=_WORDS["behind"],
    sexes={key: (tuple(words["f"]), tuple(words["m"])) for key, words in _WORDS["sexes"].items()},
    months=MONTHS,
    months_short=MONTHS_SHORT,
    weekdays=WEEKDAYS,
    weekdays_short=tuple(day[:3] for day in WEEKDAYS),
    ordinal=lambda day: f"{day}º" if day == 1 else str(day),
    age=say_age,
    mixture={"es": 0.7, "meddocan-like": 0.3},
    person=person,
    form=write_form,
    titled=titled,
    date_tokens={"ROMAN": lambda day: _ROMAN[day.month - 1], "DE": lambda _: "DE"},  # "DE" is no D
    unaccented=0.15,
)
