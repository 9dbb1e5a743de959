"""Dutch: the Netherlands and Flanders. The data are in `nl/synth/*.toml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, partial
from random import Random

from elision.languages.nl.synth_people import dutch_names, make_person, write_name
from elision.languages.synth import Age, Piece, Pieces, Synth
from elision.languages.synth_data import countries_of, facts_of, numerals, said, words_of
from elision.languages.synth_lists import list_of, sided


def in_words(number: int) -> str:
    ones = numerals("nl", "ones")
    if number < 20:
        return ones[number]
    if number >= 100:
        return "honderd" + (in_words(number - 100) if number > 100 else "")
    one = number % 10
    joint = "ën" if one in (2, 3) else "en"
    return (ones[one] + joint if one else "") + _ten(number)


def _ten(number: int) -> str:
    return numerals("nl", "tens")[min(9, number // 10)]


def ordinal(day: int) -> str:
    return f"{day}e"


def _amount(age: Age) -> tuple[int, str]:
    """The age as people say it: days, weeks and months for the smallest."""
    if age.years >= 2:
        return age.years, "jaar"
    months = 12 * age.years + age.months
    if months >= 3:
        return months, "maanden"
    return (age.days // 7, "weken") if age.days >= 14 else (age.days, "dagen")


def say_age(age: Age, form: str, rng: Random) -> Pieces:
    """The age of somebody; the span holds what our pack of rules has in it: "84-jarige", "84 jaar oud", "56 jr"."""
    number, unit = _amount(age)
    years = unit == "jaar"
    if form == "decade" and years and age.years >= 20:
        part = ("begin", "midden", "eind")[min(2, age.years % 10 // 4)]
        return (Piece(f"{part} {_ten(age.years)}", "AGE"),)
    if form == "decade_person" and years and age.years >= 50:
        return (Piece(f"{_ten(age.years)}er", "AGE"),)
    if form in ("decade", "decade_person"):
        return (Piece(f"{number} {unit}", "AGE"),)
    if form == "jarige":
        if not years:
            return (Piece(f"{number} {unit} {rng.choice(('oude', 'oude', 'oud'))}", "AGE"),)
        return (
            Piece(
                rng.choice((f"{number}-jarige",) * 5 + (f"{number} jarige", f"{number}jarige", f"{number}-jarig")),
                "AGE",
            ),
        )
    if form == "words":
        return (Piece(f"{in_words(number)}jarige" if years else f"{in_words(number)} {unit} oud", "AGE"),)
    if form == "old":
        return (
            Piece(
                rng.choice((f"{number} {unit} oud", f"{number} {unit} oud", f"{number} {'jr' if years else unit} oud")),
                "AGE",
            ),
        )
    if form == "number":
        return (Piece(str(number) if years else f"{number} {unit}", "AGE"),)
    if form in ("short", "field"):
        short = {
            "jaar": ("jr", "jr", "jaar", "j", "jr."),
            "maanden": ("mnd", "maanden"),
            "weken": ("wk", "weken"),
            "dagen": ("dgn", "dagen"),
        }
        chosen = rng.choice(short[unit])
        if chosen.endswith(".") and form == "short":
            return (Piece(f"{number} {chosen[:-1]}", "AGE"), Piece("."))
        glued = "" if rng.random() < 0.15 else " "
        return (
            Piece(
                str(number)
                if form == "field" and years and rng.random() < 0.25
                else f"{number}{glued}{chosen.rstrip('.')}",
                "AGE",
            ),
        )
    return (Piece(f"{number} {unit}", "AGE"),)


def _season(day: date) -> str:
    return ("winter", "voorjaar", "zomer", "najaar")[day.month % 12 // 3]


_TOKENS: Mapping[str, Callable[[date], str]] = {
    "WEEKNR": lambda day: str(day.isocalendar().week),
    "SEASON": _season,
    "QUARTER": lambda day: str((day.month + 2) // 3),
    "MONTHPART": lambda day: ("begin", "half", "eind")[min(2, (day.day - 1) // 11)],
}


@cache
def _towns(country: str, side: str) -> tuple[str, ...]:
    listed = list_of("nl", "towns", "more-towns", "more-towns-ambiguous")()
    more = list_of("nl", "cities-be" if country == "BE" else "cities-nl")()
    return sided((*(town for town in listed if country == "NL" or town in more), *more), side)


def _town(country: str, rng: Random, side: str) -> str:
    """A town: one that there is, or one that there could be."""
    if rng.random() < 0.72:
        return rng.choice(_towns(country, side))
    town = rng.choice(sided(list_of("nl", "town_stem")(), side)) + rng.choice(list_of("nl", "town_tail")())
    if rng.random() < 0.65:
        return town
    head = rng.choice(list_of("nl", "town_head")())
    return f"{head}-{town}" if rng.random() < 0.65 else head + town.lower()


def _place(country: str, rng: Random, side: str) -> Mapping[str, str]:
    city = _town(country, rng, side)
    provinces = said("nl")["provinces"][country]
    if country == "BE":
        state = rng.choice(provinces)
        return {"city": city, "state": state, "state:long": state, "zip": str(rng.randint(1000, 9992))}
    state = rng.choice(tuple(provinces))
    while (letters := rng.choice("ABCDEGHJKLMNPRSTVWXZ") + rng.choice("ABCDEGHJKLMNPRSTVWXZ")) in ("SA", "SD", "SS"):
        pass
    code = f"{rng.randint(1000, 9999)}{' ' if rng.random() < 0.7 else ''}{letters}"
    return {
        "city": city,
        "state": provinces[state] if rng.random() < 0.05 else state,
        "state:long": state,
        "zip": code,
    }


_BELGIAN = ("AZ ", "UZ", "ZNA", "GZA", "Jessa", "OLV A", "ZOL")
_stems, _tails = list_of("nl", "stem"), list_of("nl", "tail")


def _plain_families() -> tuple[str, ...]:
    return tuple(name for name in list_of("nl", "surnames_nl")() if " " not in name and "-" not in name)


def _ascii(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(re.sub(r"[^a-z]", "", word.lower()) for word in words if word.isascii())


SYNTH_NOTES = Synth(
    **facts_of("nl"),
    countries=countries_of("nl", {country: partial(_place, country) for country in ("NL", "BE")}),
    names=dutch_names,
    words={
        **words_of("nl"),
        "hospitals": lambda: tuple(name for name in list_of("nl", "hospitals")() if not name.startswith(_BELGIAN)),
        "hospitals_be": lambda: tuple(name for name in list_of("nl", "hospitals")() if name.startswith(_BELGIAN)),
        "family_stem": lambda: tuple(name for name in _plain_families() if not name.endswith("s")),
        "family_plain": _plain_families,
        "family_ascii": lambda: _ascii(list_of("nl", "surnames_nl")()),
        "given_plain": lambda: _ascii(list_of("nl", "given_female", "given_male")()),
        "host": lambda: _ascii((*_stems(), *(stem + tail for stem in _stems()[:40] for tail in _tails()[:5]))),
        "big_shops": lambda: tuple(word.capitalize() for word in list_of("nl", "shops")()),
    },
    ordinal=ordinal,
    age=say_age,
    person=make_person,
    form=write_name,
    date_tokens=_TOKENS,
)
