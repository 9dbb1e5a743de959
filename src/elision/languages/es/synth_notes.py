"""Spanish: Spain first, then Mexico, Argentina and Colombia. The data are in `es/synth/*.toml`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random

from elision.languages.es.synth_people import names, person, sided_names, titled, write_form
from elision.languages.synth import Age, Piece, Pieces, Synth
from elision.languages.synth_data import countries_of, facts_of, numerals, said, words_of
from elision.languages.synth_lists import list_file, list_of, sided

_TOWNS = ("towns", "towns_more", "more-towns", "more-towns-ambiguous")
_FULL_PROVINCES = {"28": 6, "08": 6, "41": 3, "46": 3}  # where more people live
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def in_words(number: int) -> str:
    low, tens = numerals("es", "small"), numerals("es", "tens")
    if number < len(low):
        return low[number]
    if number >= 100:
        return "cien" if number == 100 else f"ciento {in_words(number - 100)}"
    return tens[number // 10] + (f" y {low[number % 10]}" if number % 10 else "")


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
    if form == "decade" and unit == "años" and 20 <= age.years < 100:
        return (Piece(f"{numerals('es', 'decades')[age.years // 10 - 2]} década", "AGE"), Piece(" de la vida"))
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


@cache
def _words(side: str, *listed: str) -> tuple[str, ...]:
    return sided(list_of("es", *listed)(), side)


def _town(rng: Random, side: str, *listed: str) -> str:
    """A town: one that there is, or one that there could be."""
    drawn = rng.random()
    if drawn < 0.5:
        return rng.choice(_words(side, *listed))
    if drawn < 0.75:
        return rng.choice(_words(side, "town-stems")) + rng.choice(_words(side, "town-ends"))
    if drawn < 0.9:
        head = rng.choice(_words(side, "town-heads"))
        if head in ("San", "Santa"):
            saints = sided_names("es", side)
            head = f"{head} {rng.choice(saints.male if head == 'San' else saints.female).split()[0]}"
        return f"{head} {rng.choice(_words(side, 'town-tails'))}"
    return rng.choice(sided(homes(), side))


@cache
def _provinces() -> Mapping[str, tuple[str, str]]:
    """First two digits of the postcode -> province, capital."""
    rows = (line.partition(" ") for line in list_file("es", "provinces"))
    return {code: (both.split(" = ")[0], both.split(" = ")[-1]) for code, _, both in rows}


def es_place(rng: Random, side: str) -> Mapping[str, str]:
    provinces = _provinces()
    code = rng.choices(tuple(provinces), [_FULL_PROVINCES.get(code, 1) for code in provinces])[0]
    province, capital = provinces[code]
    city = capital if rng.random() < 0.2 else _town(rng, side, *_TOWNS)
    return {"city": city, "state": province, "state:long": province, "zip": f"{code}{rng.randint(1, 899):03}"}


def _american(
    listed: str, make_zip: Callable[[Random], str], short: float
) -> Callable[[Random, str], Mapping[str, str]]:
    """Places of a country whose states stand in a list, "N.L. = Nuevo León"; `short` says how often in short."""

    def place(rng: Random, side: str) -> Mapping[str, str]:
        row = rng.choice(list_file("es", listed))
        brief, long = row.split(" = ")[0], row.split(" = ")[-1]
        city = _town(rng, side, "towns_america")
        return {
            "city": city,
            "state": brief if rng.random() < short else long,
            "state:long": long,
            "zip": make_zip(rng),
        }

    return place


def _argentine_zip(rng: Random) -> str:
    plain = f"{rng.randint(1001, 9420)}"
    if rng.random() < 0.6:
        return plain
    return f"{rng.choice('ABCDEHKMNPQRSTUX')}{plain}{''.join(rng.choice('ABCDEFGHJK') for _ in range(3))}"


mx_place = _american("states-mx", lambda rng: f"{rng.randint(1000, 99899):05}", 0.4)
ar_place = _american("states-ar", _argentine_zip, 0)
co_place = _american("states-co", lambda rng: f"{rng.randint(5, 91):02}{rng.randint(1, 9999):04}", 0)


def _with_article(noun: str) -> str:
    """ "de los Alisos", "de las Acacias", "del Molino": an article that agrees."""
    if noun.endswith("s"):
        feminine = noun.endswith("as") or noun == "Fuentes"
        return f"de las {noun}" if feminine else f"de los {noun}"
    return f"de la {noun}" if noun.endswith(("a", "ón")) and noun != "Agua" else f"del {noun}"


@cache
def homes() -> tuple[str, ...]:
    """Names of homes and estates: "Los Olmos", "La Estación"."""
    heads = {"de los": "Los", "de las": "Las", "de la": "La", "del": "El"}
    named = (_with_article(noun).rpartition(" ") for noun in list_file("es", "road_nouns"))
    return tuple(f"{heads[article]} {noun}" for article, _, noun in named if article in heads)


def doors() -> tuple[str, ...]:
    """Floors and doors: 2º B, 3º izda., bajo C ..."""
    doors = said("es")["doors"]
    return tuple(
        stair + floor + hand for stair in doors["stairs"] for floor in doors["floors"] for hand in doors["hands"]
    )


def virgins() -> tuple[str, ...]:
    heads = ("Virgen de", "Virgen de", "Nuestra Señora de", "Ntra. Sra. de")
    return tuple(f"{head} {tail}" for tail in list_file("es", "virgins") for head in heads)


def saints() -> tuple[str, ...]:
    men = (f"San {name}" for name in list_file("es", "saints"))
    women = (f"Santa {name}" for name in list_file("es", "holy-women"))
    return (*men, *women, "San Juan de Dios", "Santo Domingo", "Santo Tomás", "Santiago Apóstol", "Sagrado Corazón")


def roads() -> tuple[str, ...]:
    nouns = list_file("es", "road_nouns")
    named = (_with_article(noun) for noun in nouns)
    return (*list_file("es", "roads"), *nouns, *named, *saints(), *names("es").family[:500])


def jobs() -> tuple[str, ...]:
    listed = list_file("es", "callings")
    return tuple(job.lower() for job in listed if len(job) < 32 and "(" not in job)


def lower_units() -> tuple[str, ...]:
    kept = ("Ictus", "VIH", "Lactantes")
    return tuple(word.lower() for word in list_of("es", "specialties", "units")() if word not in kept)


SYNTH_NOTES = Synth(
    **facts_of("es"),
    countries=countries_of("es", {"ES": es_place, "MX": mx_place, "AR": ar_place, "CO": co_place}),
    names=names,
    words={
        **words_of("es"),
        "faker_jobs": jobs,  # called so in `made.toml`, whose rows are divided by their text
        "lower_units": lower_units,
        "road": roads,
        "door": doors,
        "saint": saints,
        "virgin": virgins,
        "virgin_short": lambda: tuple(f"de {name}" for name in list_file("es", "virgins")),
        "home": homes,
    },
    ordinal=lambda day: f"{day}º" if day == 1 else str(day),
    age=say_age,
    person=person,
    form=write_form,
    titled=titled,
    date_tokens={"ROMAN": lambda day: _ROMAN[day.month - 1], "DE": lambda _: "DE"},  # "DE" is no D
)
